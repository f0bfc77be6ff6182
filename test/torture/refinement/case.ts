import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Note } from '../../../src/contract/event.ts'
import type { RunFolder } from '../../support/runs.ts'
import type { Tally } from '../kill.ts'
import { problemsOfCalls } from './check-calls.ts'
import { problemsOfCourse } from './check-course.ts'
import { problemsOfNotes } from './check-notes.ts'
import { eventsIn, type Served, type Stage } from './stage.ts'

export type RefinementTally = Tally & {
  resumes: number
  calls: number
  notes: number
  forks: number
  refused: number
}

/** A note that somebody sent: `kept` where its sender was told so, and maybe where its sender was killed. */
export type Sent = { readonly say: Note['say']; readonly mark?: string; readonly kept: boolean; readonly run: string }

/** One run, those that were forked from it, and all that was done to them. */
export type Case = {
  readonly stage: Stage
  readonly random: () => number
  readonly tally: RefinementTally
  readonly most: number
  readonly problems: string[]
  readonly sent: Sent[]
  /** Of each run: what the server counted while it was at work, and its kills. */
  readonly served: Map<string, Served[]>
  readonly kills: Map<string, number>
  /** Every process is killed as soon as it has got a step further. */
  readonly atEveryEvent: boolean
  /** Handing over is killed at one call after the other. */
  readonly atEveryCall: boolean
  counted: number
  marks: number
  stops: number
  forked: boolean
  written: ReturnType<Stage['written']>
}

export const newCase = (given: Pick<Case, 'stage' | 'random' | 'tally' | 'most'>): Case => ({
  ...given,
  problems: [],
  sent: [],
  served: new Map(),
  kills: new Map(),
  atEveryEvent: given.tally.runs % 4 === 3,
  atEveryCall: given.tally.runs % 6 < 2,
  counted: 0,
  marks: 0,
  stops: 0,
  forked: false,
  written: undefined,
})

/** May it be killed? */
export const isDoomed = ({ tally, most }: Case): boolean => tally.kills < most

/** After each process that had to do with a run: what must hold whenever nobody is at work on it. */
export async function look(c: Case, run: RunFolder, code: number | null): Promise<void> {
  const { stage } = c
  await stage.settled()
  const all = stage.served()
  const served = [...(c.served.get(run.id) ?? []), ...all.slice(c.counted)]
  const kills = (c.kills.get(run.id) ?? 0) + (code === null ? 1 : 0)
  c.served.set(run.id, served)
  c.kills.set(run.id, kills)
  c.counted = all.length
  lookAtText(c)
  if (eventsIn(run) === 0) return
  const found = [
    ...(await problemsOfCourse(stage, run)),
    ...(await problemsOfCalls(stage, run, served, kills)),
    ...(await problemsOfNotes(stage, run, c.sent)),
  ]
  c.problems.push(...found.filter((problem) => code !== null || !isTorn(problem)))
}

/** Half a line is what a kill may leave; the next one to go on cuts it off. */
const isTorn = (problem: string): boolean => / bytes after event \d+ are ignored; /.test(problem)

/** Once it is there it stays as it is. */
export function lookAtText(c: Case): void {
  const now = c.stage.written()
  if (c.written && (now?.inode !== c.written.inode || now.text !== c.written.text))
    c.problems.push(`what was written has changed from ${c.written.text} to ${now?.text}`)
  c.written = now
}

export function linesOf({ dir }: RunFolder): string[] {
  const path = join(dir, 'progress.ndjson')
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
}
