import type { SemanticDiff } from '../../../../../src/modes/writing/contract/semantic-diff.ts'
import { applyPicks } from '../../../../../src/modes/writing/core/diff/apply.ts'
import { compareFiles, type Files } from './level.ts'

export type Owner = {
  readonly id: string
  readonly hunks: readonly string[]
  readonly depends_on?: readonly string[]
  readonly units?: readonly string[]
}

/** A diff with these changes. Without them, each hunk is a change of its own: C1 has h1. Moves are not marked unless asked for. */
export function makeDiff(before: Files, after: Files, owners?: readonly Owner[], keepMoves = false): SemanticDiff {
  const { hunks, ...computed } = compareFiles(before, after)
  const list = owners ?? hunks.map(({ id }) => ({ id: id.replace('h', 'C'), hunks: [id] }))
  const explained = new Set(list.flatMap((owner) => owner.hunks))
  return {
    schema: 'semdiff/1',
    iteration_id: 'it_1',
    target: 'chapters',
    request: '',
    ...computed,
    hunks: keepMoves ? hunks : hunks.map((hunk) => ({ ...hunk, moved: null })),
    changes: list.map((owner) => ({
      magnitude: 'minor',
      type: 'rewrite',
      units: [],
      locator: '',
      title: '',
      summary: '',
      before: '',
      after: '',
      facts: [],
      why: '',
      depends_on: [],
      ripple_of: null,
      evidence: [],
      ...owner,
    })),
    unexplained_hunks: hunks.map(({ id }) => id).filter((id) => !explained.has(id)),
    impact: { tone: null, arcs: [], consistency: '' },
    risks: [],
    rationale: '',
    coverage: { hunks_explained_pct: 0, quotes_verified_pct: 0 },
    flags: [],
    verdict: { judge: 'none', attempts: 0 },
    fallback: false,
    model: null,
  }
}

export const apply = (diff: SemanticDiff, before: Files, after: Files, picked: readonly string[]) =>
  applyPicks(diff, new Map(Object.entries(before)), new Map(Object.entries(after)), picked)
