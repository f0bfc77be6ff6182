import type { Line } from '../../../contract/show.ts'
import type { FactRows, Judged } from '../../../show/show.ts'
import type { Evidence, OtherRun, places, Tampering } from '../contract/result.ts'
import { describeRun } from '../core/describe-run.ts'
import { attemptData, verdictData } from '../core/event-data.ts'
import { formatRed } from '../core/result.ts'

/** Lists the grounds of a verdict on a story. */
export function listEvidence({ outcome, verdict }: Judged): FactRows {
  const { by, evidence, moved = [], tampering: later = [], place, runs = [], red } = verdictData(verdict)
  const touched = [...(attemptData(outcome).tampering ?? []), ...later]
  return [
    ...(by ? [fact('judged by', [judges[by]])] : []),
    ...(evidence ? [fact('evidence', [`${formatEvidence(evidence)}: ${proofs[evidence]}`])] : []),
    ...(place ? [fact('verified in', [placeNames[place]])] : []),
    ...(runs.length > 0 ? [fact('other runs', runs.map(formatRun))] : []),
    ...(red ? [fact('still red', [`${formatRed(red)}, as before the story`])] : []),
    ...(touched.length > 0 ? [fact('touched', touched.map(formatTouched))] : []),
    ...(moved.length > 0 ? [fact('changed by its verification', moved)] : []),
  ]
}

/** "proven by new tests" */
export const formatEvidence = (evidence: Evidence): string => evidence.replaceAll('_', ' ')

/** "old-checks red: the tests and settings from before fail with the new code" */
const formatRun = (one: OtherRun): string => `${one.run} ${one.ended}: ${describeRun(one)}`

const placeNames = {
  work_tree: 'the work tree, where files that git ignores count',
  clean_room: 'a clean room: a copy from before the first agent, with the files of the commit',
  clean_room_copy: 'a clean room at another path: a copy from before the first agent, with the files of the commit',
} as const satisfies Record<(typeof places)[number], string>

const fact = (name: string, lines: readonly string[]) => ({ name, lines: lines.map((line): Line => [line]) })

const judges: Readonly<Record<NonNullable<ReturnType<typeof verdictData>['by']>, string>> = {
  agent: 'the agent itself: it said that it failed, or ended with an error',
  time: 'the clock: its time ran out',
  command: 'a command, which failed',
  tampering: 'what it changed: files that decide verification',
  evidence: 'what its green commands show: too little',
  unkept: 'git: its work could not be kept',
  unstable: 'its verification: the commands change files each time',
  stale: 'the plan: the story is no longer in it',
}

const proofs: Readonly<Record<Evidence, string>> = {
  proven: 'its commands failed before and pass now, with the tests and settings from before the story',
  proven_by_new_tests: 'its new tests fail without its changes and pass with them',
  rewritten: 'its commands pass only with tests or settings that it changed itself',
  held: 'its commands passed before and still pass',
  unproven: 'its commands pass, and nothing shows that its changes did it',
}

const formatTouched = ({ path, kind, says, expected }: Tampering): string =>
  `${path} (${kind}): ${says}${expected ? '. The story mentions this file' : ''}`
