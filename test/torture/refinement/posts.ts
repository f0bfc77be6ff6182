import type { RunFolder } from '../../support/runs.ts'
import { exitOf } from '../kill.ts'
import { type Case, isDoomed } from './case.ts'

export type Say = 'feedback' | 'pause' | 'answer' | 'stop'

/** From two places at once. */
export async function postTwo(c: Case, run: RunFolder, says: readonly Say[]): Promise<void> {
  await Promise.all(says.map((say) => post(c, run, say)))
}

async function post(c: Case, run: RunFolder, say: Say): Promise<void> {
  const { stage, random, tally, problems } = c
  const mark = `note-${++c.marks}`
  const words = {
    feedback: ['feedback', run.id, mark],
    answer: ['answer', run.id, '--text', mark],
    pause: ['pause', run.id],
    stop: ['stop', run.id],
  }[say]
  const child = stage.start(words, isDoomed(c) && random() < 0.1 ? `disk ${1 + Math.floor(random() * 12)}` : undefined)
  const code = await exitOf(child)
  tally.notes++
  if (code === null) tally.kills++
  // It has ended or asks nothing any more; or, for a stop, somebody has just taken it up.
  const isRefused = code === 2 || (say === 'stop' && code === 10)
  if (code !== null && code !== 0 && !isRefused) problems.push(`exit ${code} of ${words.join(' ')}: ${child.said()}`)
  if (isRefused && say !== 'stop') return
  const marked = say === 'feedback' || say === 'answer' ? { mark } : {}
  c.sent.push({ say: say === 'stop' ? 'cancel' : say, ...marked, kept: code === 0, run: run.id })
}
