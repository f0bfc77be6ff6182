import type { Ref } from '../../../contract/values.ts'
import type { Issue } from '../../../judging/scoring/score-data.ts'
import type { Brief } from '../contract/request.ts'
import type { RefinementMemo } from '../core/memo.ts'
import { fallbackPhases, type Phase } from '../core/phases.ts'
import type { Piece } from '../core/prune.ts'
import type { RefinementTools } from './tools.ts'

/** The texts that the memo refers to. */
export type Material = {
  readonly brief: Brief
  readonly phases: readonly Phase[]
  /** Context files and results of earlier phases, oldest first. */
  readonly before: readonly Piece[]
  readonly base: string | undefined
  readonly issues: readonly Issue[]
  readonly feedback: readonly string[]
}

export async function gatherMaterial(memo: RefinementMemo, tools: RefinementTools): Promise<Material> {
  const read = async (ref: Ref): Promise<string> => new TextDecoder().decode(await tools.content.get(ref))
  const [brief, phases, accepted, base, issues, feedback] = await Promise.all([
    tools.brief(),
    readPhases(memo, read),
    Promise.all(memo.accepted.map(read)),
    memo.best ? read(memo.best.output) : undefined,
    memo.ledger ? (read(memo.ledger).then(JSON.parse) as Promise<readonly Issue[]>) : [],
    Promise.all(memo.feedback.map(read)),
  ])
  const before = [
    ...brief.context.map(({ name, text }) => ({ label: name, text })),
    ...accepted.map((text, index) => ({ label: `Phase ${index + 1}, ${phases[index]?.title ?? ''}`, text })),
  ]
  return { brief, phases, before, base, issues, feedback }
}

const readPhases = async (
  { phases }: RefinementMemo,
  read: (ref: Ref) => Promise<string>,
): Promise<readonly Phase[]> =>
  phases?.titles ? (JSON.parse(await read(phases.titles)) as readonly Phase[]) : fallbackPhases
