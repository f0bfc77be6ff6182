import * as fs from 'node:fs'
import { join } from 'node:path'
import type { RefinementResult } from '../../../src/modes/refinement/core/result.ts'
import { readResultText } from '../../../src/modes/refinement/finish/result-text.ts'
import { foldRun } from '../../../src/run/read-run.ts'
import { eventsAt, type RunFolder } from '../../support/runs.ts'
import { processesIn } from '../processes.ts'
import { iterationsIn, problemsOfLog } from './check-course.ts'
import { openRefinement } from './content.ts'
import { isFork } from './is-fork.ts'
import type { Stage } from './stage.ts'

/** At the very end the text is where it belongs, the log is whole, and nothing else lies about. */
export async function problemsAtEnd(stage: Stage, run: RunFolder, code: number, forked: boolean): Promise<string[]> {
  const { repo, temp, root, way, target } = stage
  const opened = await openRefinement(stage, run)
  const { text, completed } = await readResultText(opened.run, await foldRun(opened.mode, opened.run, null))
  const written = stage.written()
  const found: string[] = []
  if (text === undefined) found.push('there is no text')
  if (completed !== (code === 0)) found.push(`exit ${code}, but completed is ${completed}`)
  // Another way writes no file.
  if (completed && !written && !isFork(run)) found.push('the text was not written')
  // A fork may have been first: what it has written is not written over.
  if (!completed && !forked && written) found.push('an unfinished text was written')
  if (completed && !forked && written?.text.trim() !== text?.trim()) found.push(`${written?.text} is not ${text}`)
  if (way === 'write' && (fs.statSync(target).mode & 0o777) !== 0o640) found.push('the mode of the file has changed')
  return [
    ...found,
    ...problemsOfResult(run, code),
    ...problemsOfLog(stage, run, completed),
    ...leftIn(repo, ['guide.md', 'better.md', 'agent_logs', '.pawl']),
    ...leftIn(join(repo, 'agent_logs'), ['sap.log', '.gitignore']),
    ...leftIn(temp, []),
    ...processesIn(root, run.id).map((pid) => `process ${pid} was left behind`),
  ]
}

/** After any exit but a kill: the result says what the exit, the journal and the calls say. */
export function problemsOfResult(run: RunFolder, code: number): string[] {
  const events = eventsAt(run.dir)
  // Whoever was killed right after the end has not written it; of a run that failed nobody does until it is reopened.
  if (code !== 0 && resultSeq(run.dir) < events.at(-1)!.seq) return []
  const result = JSON.parse(fs.readFileSync(join(run.dir, 'result.json'), 'utf8')) as RefinementResult
  const calls = events.flatMap((event) => (event.type === 'call-ended' ? [event.call] : []))
  const tokens = (overhead: boolean): number =>
    calls
      .filter((call) => (call.overhead ?? false) === overhead)
      .reduce((sum, call) => sum + (call.usage.tokens ?? 0), 0)
  const wanted = [events.at(-1)!.seq, code, tokens(false), tokens(true), iterationsIn(events).length]
  const { seq, exit, spend, overhead_tokens, iterations, output } = result
  const told = [seq, exit, spend.tokens.used, overhead_tokens, iterations]
  return [
    ...(told.join(' ') === wanted.join(' ')
      ? []
      : [`the result says ${told.join(' ')} instead of ${wanted.join(' ')}`]),
    ...(output && !fs.existsSync(join(run.dir, output.path)) ? [`the result names ${output.path}`] : []),
  ]
}

/** 0: nobody has written one. */
function resultSeq(dir: string): number {
  const path = join(dir, 'result.json')
  return fs.existsSync(path) ? (JSON.parse(fs.readFileSync(path, 'utf8')) as RefinementResult).seq : 0
}

const leftIn = (folder: string, usual: readonly string[]): string[] =>
  fs
    .readdirSync(folder)
    .filter((name) => !usual.includes(name))
    .map((name) => `${name} was left behind`)
