import type { ChangeLabel, DiffLabels } from '../../../contract/diff-labels.ts'
import type { DiffFlag, Hunk } from '../../../contract/semantic-diff.ts'
import { type Clause, splitClauses } from './clauses.ts'
import type { Known, KnownUnit } from './known.ts'

/** A text that a model wrote, and what it is about. */
export type Statement = {
  /** Null for a statement about the whole. */
  readonly change: ChangeLabel | null
  readonly field: 'title' | 'summary' | 'before' | 'after' | 'locator' | 'why' | 'whole'
  readonly text: string
  readonly clauses: readonly Clause[]
  /** The units it is about: those of its hunks, or all. */
  readonly units: readonly KnownUnit[]
  readonly hunks: readonly Hunk[]
}

/** A claim that is not true. */
export type Finding = { readonly code: DiffFlag['code']; readonly says: string }

const fields = ['title', 'summary', 'before', 'after', 'locator', 'why'] as const

export function listStatements({ changes, impact, risks, rationale }: DiffLabels, known: Known): readonly Statement[] {
  const about = (change: ChangeLabel | null): Pick<Statement, 'change' | 'units' | 'hunks'> => {
    const hunks = (change?.hunks ?? [...known.hunks.keys()]).flatMap((id) => known.hunks.get(id) ?? [])
    const ids = new Set(hunks.map((hunk) => hunk.unit))
    return { change, hunks, units: known.units.filter(({ id }) => change === null || ids.has(id)) }
  }
  const state = (base: ReturnType<typeof about>, field: Statement['field'], text: string): Statement => {
    const scope = base.change === null ? [] : base.units
    return { ...base, field, text, clauses: splitClauses(text, known, scope) }
  }
  const whole = about(null)
  return [
    ...changes.flatMap((change) => {
      const base = about(change)
      return fields.map((field) => state(base, field, change[field]))
    }),
    ...[rationale, impact.consistency, ...impact.arcs, ...risks.map(({ text }) => text)].map((text) =>
      state(whole, 'whole', text),
    ),
  ].filter(({ text }) => text.trim() !== '')
}
