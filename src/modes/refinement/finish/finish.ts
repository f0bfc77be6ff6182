import { join } from 'node:path'
import type { Line } from '../../../contract/show.ts'
import { cleanOutput } from '../../../judging/text/clean-output.ts'
import type { Left } from '../../../kernel/policy.ts'
import type { Machine, PlaceText } from '../../../run/machine.ts'
import type { Finish } from '../../../run/mode.ts'
import type { Run } from '../../../run/run.ts'
import type { Brief, RefinedFile, RefinementRequest } from '../contract/request.ts'
import type { RefinementMemo } from '../core/memo.ts'
import { compareWithFile, type ResultText, readResultText } from './result-text.ts'

/** Hands the text over: as it is, as a diff, or into the file that was named for it. */
export async function finishRefinement(
  run: Run<RefinementRequest>,
  left: Pick<Left<RefinementMemo>, 'view'>,
  machine: Pick<Machine, 'environment' | 'withLock' | 'place'>,
): Promise<Finish> {
  const result = await readResultText(run, left.view)
  return finishText(run.entry.id, result, machine)
}

export function finishText(
  run: string,
  result: ResultText,
  machine: Pick<Machine, 'environment' | 'withLock' | 'place'>,
): Finish {
  const handed = handOverAlone(machine, result.brief, { run, completed: result.completed, text: result.text })
  const output = shownOutput(result, handed)
  return {
    // Whoever asked for a file and did not get one must not read success from the exit code.
    ...(result.completed && handed.did === 'kept' && { exit: 10 }),
    says: formatWritten(handed),
    ...(output && { output }),
  }
}

function shownOutput({ brief, completed, text }: ResultText, { did }: WrittenResult): Finish['output'] {
  if (!completed || text === undefined) return undefined
  if (brief.file) return compareWithFile(brief, text)
  return brief.out === undefined || did === 'kept'
    ? { kind: 'document', format: 'plain', text: cleanOutput(text) }
    : undefined
}

export type WrittenResult = {
  /** `shown`: nobody asked for a file. `kept`: it lies in the run, and `next` is how to take it. */
  readonly did: 'wrote' | 'unchanged' | 'shown' | 'kept'
  readonly says: string
  readonly path?: string
  readonly next?: Line
}

type Finished = {
  readonly run: string
  readonly completed: boolean
  /** The result; of a run that did not complete the best text so far, if there is one. */
  readonly text: string | undefined
}

type Target = Pick<Brief, 'file' | 'out' | 'write'>

/** Two runs that end at once look and write one after the other: the second finds what the first wrote. */
function handOverAlone(
  { environment, withLock, place }: Pick<Machine, 'environment' | 'withLock' | 'place'>,
  target: Target,
  finished: Finished,
): WrittenResult {
  const act = (): WrittenResult => writeResult(target, finished, place)
  return finished.completed && target.write ? withLock(join(environment.stateFolder, 'hand-over'), act) : act()
}

/** What becomes of the text. Only a completed run writes, never over what it does not know, and nothing is lost. */
export function writeResult({ file, out, write = false }: Target, finished: Finished, place: PlaceText): WrittenResult {
  const { run, completed, text } = finished
  const take = { is: 'action', action: { do: 'text', run } } as const
  if (text === undefined) return { did: 'kept', says: 'There is no text yet.' }
  if (!completed) return { did: 'kept', says: wanted(file, out, write), next: [take] }
  const kept = (says: string): WrittenResult => ({
    did: 'kept',
    says: `${says} The text is kept.`,
    next: [take, ' > FILE'],
  })
  const clean = cleanOutput(text)
  try {
    if (out !== undefined) return writeOut(place, out, { text: clean, run })
    if (write && file) return writeBack(place, file, { text: clean, run }, kept)
    return { did: 'shown', says: '' }
  } catch (error) {
    const path = out ?? file!.shown
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return kept(`${path} has appeared meanwhile and is not written over.`)
    return kept(`${path} could not be written: ${message}.`)
  }
}

/** What was written, or how to take what was not. */
export function formatWritten({ says, next }: WrittenResult): readonly Line[] {
  if (says === '') return []
  return [next === undefined ? [says] : [`${says} ${says.endsWith(':') ? '' : 'To take it: '}`, ...next]]
}

type Piece = { readonly text: string; readonly run: string }

function writeOut(place: PlaceText, path: string, { text, run }: Piece): WrittenResult {
  const placed = place.create(path, text.endsWith('\n') ? text : `${text}\n`, run)
  return placed === 'written' ? { did: 'wrote', says: `Written to ${path}.`, path } : thereAlready(path, path)
}

/** By whoever handed it over before and was killed, or was only asked again. */
const thereAlready = (path: string, shown: string): WrittenResult => ({
  did: 'unchanged',
  says: `${shown} holds it already.`,
  path,
})

function writeBack(
  place: PlaceText,
  { path, shown, sha256, link }: RefinedFile,
  { text, run }: Piece,
  kept: (says: string) => WrittenResult,
): WrittenResult {
  switch (place.replace(path, sha256, text, run)) {
    case 'written':
      return { did: 'wrote', says: `${shown} is written${link ? `: ${path}, where the link leads` : ''}.`, path }
    case 'unchanged':
      return { did: 'unchanged', says: `${shown} stays as it is: nothing is better.`, path }
    case 'there already':
      return thereAlready(path, shown)
    case 'changed since':
      return kept(`${shown} is no longer what it was when the run began, and is not written over.`)
  }
}

const wanted = (file: RefinedFile | undefined, out: string | undefined, write: boolean): string => {
  const path = out ?? (write ? file?.shown : undefined)
  return `It did not complete${path === undefined ? '' : `, so ${path} is not written`}. The best text so far:`
}
