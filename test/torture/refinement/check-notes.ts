import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Note } from '../../../src/contract/event.ts'
import { eventsAt, type RunFolder } from '../../support/runs.ts'
import type { Sent } from './case.ts'
import { contentOf, numberIn } from './content.ts'
import { isFork } from './is-fork.ts'
import type { Stage } from './stage.ts'

/** Each is recorded once and in order; what came after the end waits in the inbox. */
export async function problemsOfNotes(stage: Stage, run: RunFolder, sent: readonly Sent[]): Promise<string[]> {
  const textOf = await contentOf(stage, run)
  const notes = eventsAt(run.dir).flatMap((event) => (event.type === 'note-received' ? [event.note] : []))
  const posted = numbersIn(run.dir)
  const recorded = notes.map(({ id }) => id)
  const found: string[] = []
  if (posted.some((id, index) => id !== index + 1)) found.push(`notes are numbered ${posted.join(' ')}`)
  if (recorded.join(' ') !== posted.slice(0, recorded.length).join(' '))
    found.push(`notes ${posted.join(' ')} are recorded as ${recorded.join(' ')}`)

  const keyOf = async (note: Note): Promise<string> => ('text' in note && note.text ? textOf(note.text) : note.say)
  const times = countBy(await Promise.all(notes.map(keyOf)))
  const ours = sent.filter((note) => note.run === run.id)
  const all = countBy(ours.map(({ mark, say }) => mark ?? say))
  const kept = countBy(ours.filter((note) => note.kept).map(({ mark, say }) => mark ?? say))
  // Whoever resumes a paused run lets it go on.
  times.delete('unpause')
  // Whoever forks a run that had spent its bounds raises them.
  if (isFork(run) && times.get('raise') === 1) times.delete('raise')
  for (const [key, count] of times)
    if (count > (all.get(key) ?? 0))
      found.push(`${key} is recorded ${count} times and was sent ${all.get(key) ?? 0} times`)
  const missing = [...kept].reduce((sum, [key, count]) => sum + Math.max(0, count - (times.get(key) ?? 0)), 0)
  if (missing > posted.length - recorded.length) found.push(`${missing} notes are lost`)
  return found
}

/** So many of the newest words are in a prompt. */
const mostTold = 20

/** What was heard before a text was begun stands in its prompt, and nothing is completed before all was heard. */
export async function unheardNotes(stage: Stage, run: RunFolder): Promise<string[]> {
  const textOf = await contentOf(stage, run)
  const notesIn = new Map(stage.served().map(({ number, notes }) => [number, notes]))
  const heard: string[] = []
  const found: string[] = []
  let [begun, told]: [readonly string[], readonly string[]] = [[], []]
  for (const event of eventsAt(run.dir)) {
    if (event.type === 'note-received' && 'text' in event.note && event.note.text)
      heard.push(await textOf(event.note.text))
    if (event.type === 'attempt-started') begun = heard.slice(-mostTold)
    if (event.type === 'call-ended' && event.call.key === 'generate' && event.call.output) {
      told = notesIn.get(numberIn(await textOf(event.call.output))) ?? []
      const unheard = begun.filter((mark) => !told.includes(mark))
      if (unheard.length) found.push(`event ${event.seq} was written without ${unheard.join(', ')}`)
    }
    const isDone =
      event.type === 'decision-made' && event.decision.do === 'stop' && event.decision.ending === 'completed'
    const unheard = isDone ? heard.slice(-mostTold).filter((mark) => !told.includes(mark)) : []
    if (unheard.length) found.push(`event ${event.seq}: completed before ${unheard.join(', ')} was heard`)
  }
  return found
}

function numbersIn(dir: string): number[] {
  const folder = join(dir, 'inbox')
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
