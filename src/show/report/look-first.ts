import type { StoryResult } from '../../modes/delivery/contract/result.ts'
import type { ChangedFile, Changes } from '../../ports/repository.ts'
import type { AttemptTotals } from './attempts.ts'
import type { LastFailure } from './gates.ts'
import { kindOf } from './kinds-of-files.ts'

/** One thing that a person should look at before anything else. */
export type Notice = {
  readonly about:
    | 'story-failed'
    | 'gate-failed'
    | 'agent-failed'
    | 'history-rewritten'
    | 'bound-not-held'
    | 'judge-changed'
    | 'tampered'
    | 'unproven'
    | 'permission-denied'
    | 'nothing-changed'
    | 'not-committed'
    | 'long-wait'
    | 'cost-unknown'
    // Of a refinement.
    | 'asks'
    | 'no-text'
    | 'not-judged'
    | 'vetoed'
    | 'score-too-low'
    | 'contested'
    | 'unheard'
    | 'judge-unsure'
  readonly says: string
  /** The last lines of the output that it is about. */
  readonly lines: readonly string[]
  readonly log: string | null
}

export type Noticed = {
  /** The last failure, while nothing has passed since. */
  readonly failure: (LastFailure & { readonly command: string | null; readonly lines: readonly string[] }) | null
  /** Of a delivery. */
  readonly stories: readonly StoryResult[]
  /** The number of the last attempt of each task that came to a verdict. */
  readonly lastAttempts: ReadonlyMap<string, number>
  readonly changes: Changes | undefined
  readonly totals: AttemptTotals
  /** A bound on money or tokens was set. */
  readonly priced: boolean
  readonly over: boolean
  readonly activeMs: number
  readonly waitMs: number
}

const most = 3

/** The rules in the order of their weight: what failed, what was tampered with, what came to nothing, what is left. */
export function chooseNotices(noticed: Noticed): Notice[] {
  return rules.flatMap((rule) => rule(noticed) ?? []).slice(0, most)
}

type Rule = (noticed: Noticed) => Notice | undefined
const notice = (about: Notice['about'], says: string): Notice => ({ about, says, lines: [], log: null })

const failed: Rule = ({ failure }) => {
  if (!failure) return undefined
  const { by, gate, task, command, detail, lines, log } = failure
  const what = by === 'gate' ? `gate ${(gate ?? 0) + 1} failed in ${task}` : `the agent failed in ${task}`
  const says = command ? `${what}: ${command}` : `${what}${detail ? `: ${detail}` : ''}`
  return { about: by === 'gate' ? 'gate-failed' : 'agent-failed', says, lines, log: lines.length ? log : null }
}

const storyFailed: Rule = ({ stories, lastAttempts }) => {
  const lost = stories.filter(({ status }) => status === 'failed' || status === 'blocked')
  const [first] = lost
  if (!first) return undefined
  const { id, status, because, reason, attempts } = first
  const why = because ?? reason ?? 'nobody knows why'
  const more = lost.length > 1 ? `; ${lost.length - 1} more did not come through` : ''
  const log = attempts > 0 ? `attempts/${id}-attempt-${lastAttempts.get(id) ?? attempts}.md` : null
  return { about: 'story-failed', says: `${id} is ${status}: ${why}${more}`, lines: [], log }
}

const tampered: Rule = ({ stories }) => {
  const named = stories.flatMap(({ id, tampering }) =>
    tampering.flatMap(({ expected, ...one }) => (expected ? [] : [{ id, ...one }])),
  )
  const [first] = named
  if (!first) return undefined
  const more = named.length > 1 ? ` and ${named.length - 1} more` : ''
  return notice(
    'tampered',
    `${first.id} attempt ${first.attempt} touched ${first.path} (${first.kind}): ${first.says}${more}`,
  )
}

const unproven: Rule = ({ stories }) => {
  const ids = stories.filter(({ evidence }) => evidence === 'unproven').map(({ id }) => id)
  if (ids.length === 0) return undefined
  return notice('unproven', `done without proof: ${ids.join(', ')} (nothing was changed)`)
}

const rewritten: Rule = ({ changes }) => {
  if (changes?.history === 'rewritten') return notice('history-rewritten', 'commits from before the run were rewritten')
  if (changes?.history === 'lost') return notice('history-rewritten', 'the commit that the run started from is gone')
  return undefined
}

const unheld: Rule = ({ priced, totals }) =>
  priced && totals.unpriced > 0
    ? notice('bound-not-held', `${unknownCost(totals)}: the bound on it counts only the others`)
    : undefined

const judge: Rule = ({ changes, stories }) => {
  // Of stories it is known attempt by attempt.
  if (stories.length > 0) return undefined
  const files = changes?.files ?? []
  const touched = files.filter(({ path, status }) => kindOf(path) === 'test' && status !== 'added')
  const checks = files.filter(({ path }) => kindOf(path) === 'check')
  const gone = touched.filter(({ status }) => status === 'deleted').length
  const parts = [
    touched.length > gone && `${many(touched.length - gone, 'test file')} changed`,
    gone > 0 && (touched.length > gone ? `${gone} deleted` : `${many(gone, 'test file')} deleted`),
    checks.length > 0 && `${many(checks.length, 'file')} of CI or checks changed`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return undefined
  return notice('judge-changed', `${parts.join(', ')}: ${named([...touched, ...checks])}`)
}

const denied: Rule = ({ totals: { denials, deniedAttempts } }) =>
  denials > 0
    ? notice(
        'permission-denied',
        `the agent was denied permission ${times(denials)}, in ${many(deniedAttempts, 'attempt')}`,
      )
    : undefined

const idle: Rule = ({ totals: { unchanged, looked } }) =>
  unchanged > 0 ? notice('nothing-changed', `${unchanged} of ${many(looked, 'attempt')} changed no file`) : undefined

const uncommitted: Rule = ({ changes, over }) =>
  over && changes && changes.uncommitted > 0
    ? notice(
        'not-committed',
        `${many(changes.uncommitted, 'file')} ${changes.uncommitted === 1 ? 'is' : 'are'} not committed`,
      )
    : undefined

const minute = 60_000
const waited: Rule = ({ activeMs, waitMs }) =>
  waitMs > activeMs && waitMs > minute
    ? notice('long-wait', `most of the time went into waiting: ${Math.round(waitMs / minute)} minutes`)
    : undefined

const unknown: Rule = ({ priced, totals }) =>
  !priced && totals.unpriced > 0 ? notice('cost-unknown', unknownCost(totals)) : undefined

const unknownCost = ({ calls, unpriced }: AttemptTotals): string =>
  `the cost of ${unpriced} of ${many(calls, 'call')} is unknown`

const rules: readonly Rule[] = [
  storyFailed,
  failed,
  rewritten,
  tampered,
  unproven,
  unheld,
  judge,
  denied,
  idle,
  uncommitted,
  waited,
  unknown,
]

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
const shown = 3
const named = (files: readonly ChangedFile[]): string =>
  files
    .slice(0, shown)
    .map(({ path }) => path)
    .join(', ') + (files.length > shown ? ` and ${files.length - shown} more` : '')
