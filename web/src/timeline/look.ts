import type { Timeline, TimelineAttempt, TimelineTask } from '../../../src/contract/web.ts'
import { formatDuration, formatMoney, formatTokens } from '../format.ts'
import type { IconName } from '../parts/icon.tsx'
import type { Tone } from '../standing.ts'

/** How an attempt is drawn: the colour of its bar, the glyph on its cap, and the words. */
export type AttemptLook = {
  readonly tone: Tone
  readonly glyph: IconName | null
  readonly word: string
  readonly isKept: boolean
  readonly isOpen: boolean
}

const look = (tone: Tone, glyph: IconName | null, word: string, more: Partial<AttemptLook> = {}): AttemptLook => ({
  tone,
  glyph,
  word,
  isKept: false,
  isOpen: false,
  ...more,
})

/** `isOpen`: it is the last attempt of a task at work, so nothing is decided about it. */
export function lookOfAttempt(attempt: TimelineAttempt, isOpen: boolean): AttemptLook {
  const { outcome, verdict, ledTo } = attempt
  if (isOpen && ledTo === null && (outcome === null || (outcome === 'ok' && verdict === null))) {
    return look('run', null, outcome === null ? 'at work' : 'being verified', { isOpen: true })
  }
  if (ledTo === 'blocked') return look('you', 'bang', 'blocked')
  if (outcome === 'unavailable') return look('off', 'wait', ledTo === 'wait' ? 'met a limit' : 'unavailable')
  if (outcome === 'interrupted' || outcome === null) return look('off', 'broken', 'interrupted')
  if (verdict === 'failed') return look('bad', 'x', 'rejected')
  if (outcome === 'timed-out') return look('bad', 'x', 'timed out')
  if (outcome === 'failed') return look('bad', 'x', 'failed')
  if (verdict === 'unavailable') return look('off', 'wait', 'not verified')
  if (ledTo === 'kept') return look('ok', 'check', 'verified and kept', { isKept: true })
  return look(verdict === 'passed' ? 'ok' : 'off', 'check', verdict === 'passed' ? 'passed' : 'ended')
}

export const isOpenAttempt = ({ state, attempts }: TimelineTask, attempt: TimelineAttempt): boolean =>
  state === 'at-work' && attempts.at(-1) === attempt

/** "S4 attempt 3: rejected, 10m00s, $0.66. The reason." */
export function describeAttempt(task: TimelineTask, attempt: TimelineAttempt, now: number): string {
  const { word } = lookOfAttempt(attempt, isOpenAttempt(task, attempt))
  const parts = [word, formatDuration((attempt.to ?? now) - attempt.from), formatCost(attempt)].filter(Boolean)
  const score = attempt.score === null ? '' : `, score ${attempt.score}`
  return `${nameTask(task)} attempt ${attempt.n}: ${parts.join(', ')}${score}${attempt.says ? `. ${attempt.says}` : ''}`
}

export function formatCost({ costUsd, tokens }: Pick<TimelineAttempt, 'costUsd' | 'tokens'>): string {
  if (costUsd !== null && costUsd > 0) return formatMoney(costUsd)
  return tokens === null ? '' : `${formatTokens(tokens)} tokens`
}

/** The cost of all attempts; "≥" if some did not report it. */
export function sumCost(attempts: readonly TimelineAttempt[]): string {
  if (attempts.length === 0) return ''
  const key = attempts.some(({ costUsd }) => costUsd !== null && costUsd > 0) ? 'costUsd' : 'tokens'
  const known = attempts.flatMap((attempt) => attempt[key] ?? [])
  if (known.length === 0) return 'not told'
  const sum = known.reduce((total, one) => total + one, 0)
  const text = key === 'costUsd' ? formatMoney(sum) : formatTokens(sum)
  return known.length < attempts.length ? `≥ ${text}` : text
}

export const taskLooks: Readonly<Record<TimelineTask['state'], { tone: Tone; icon: IconName; word: string }>> = {
  done: { tone: 'ok', icon: 'ok', word: 'done' },
  failed: { tone: 'bad', icon: 'bad', word: 'failed' },
  blocked: { tone: 'you', icon: 'you', word: 'blocked' },
  interrupted: { tone: 'off', icon: 'broken', word: 'interrupted' },
  'at-work': { tone: 'run', icon: 'run', word: 'at work' },
  open: { tone: 'off', icon: 'todo', word: 'not begun' },
}

/** Ids such as `phase-1` are the program's; those such as `S1` are people's. */
export const hasPeoplesId = ({ id, title }: Pick<TimelineTask, 'id' | 'title'>): boolean =>
  title === '' || title === id || (!/[a-z]/.test(id) && !title.startsWith(id))

export const nameTask = (task: Pick<TimelineTask, 'id' | 'title'>): string =>
  hasPeoplesId(task) ? task.id : task.title

/** The second line of a row. */
export function describeTask({ state, attempts }: TimelineTask): string {
  const last = attempts.at(-1)
  if (state === 'at-work' && last) return `attempt ${last.n} at work`
  if ((state === 'failed' || state === 'blocked') && last?.says) return `${taskLooks[state].word}: ${last.says}`
  return taskLooks[state].word
}

/** Chores are the program's own steps. They have a row only if something is to be seen there. */
export const listRows = ({ tasks }: Timeline): readonly TimelineTask[] =>
  tasks.filter(({ chore, state }) => !chore || (state !== 'done' && state !== 'open'))

/** "3 of 6 done, 8 tries, 3 rejected, 1 met a limit" */
export function summarizeTimeline(timeline: Timeline): string {
  const tasks = timeline.tasks.filter(({ chore }) => !chore)
  const looks = tasks.flatMap((task) => task.attempts.map((one) => lookOfAttempt(one, isOpenAttempt(task, one))))
  const count = (tone: Tone): number => looks.filter((one) => one.tone === tone).length
  const done = tasks.filter(({ state }) => state === 'done').length
  const limits = looks.filter(({ glyph }) => glyph === 'wait').length
  return [
    `${done} of ${tasks.length} done`,
    `${looks.length} ${looks.length === 1 ? 'try' : 'tries'}`,
    ...(count('bad') > 0 ? [`${count('bad')} rejected`] : []),
    ...(limits > 0 ? [`${limits} met a limit`] : []),
  ].join(', ')
}

export type Pause = Timeline['pauses'][number]

/** The pauses of each row. One that names no task, or a task without a row, goes to the row that was at work before it. */
export function groupPauses(
  { pauses }: Timeline,
  rows: readonly TimelineTask[],
): ReadonlyMap<string, readonly Pause[]> {
  const starts = rows.flatMap(({ id, attempts }) => attempts.map(({ from }) => ({ id, from })))
  const owner = ({ task, from }: Pause): string | undefined =>
    rows.find(({ id }) => id === task)?.id ??
    starts.filter((start) => start.from <= from).toSorted((a, b) => b.from - a.from)[0]?.id ??
    rows[0]?.id
  return Map.groupBy(pauses, (pause) => owner(pause) ?? '')
}
