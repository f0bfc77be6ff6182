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

/** Delivers the text: printed, as a diff, or written to the file that was asked for. */
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
  const written = writeUnderLock(machine, result.brief, { run, completed: result.completed, text: result.text })
  const output = shownOutput(result, written)
  return {
    // The exit code is not 0 if a file was asked for and not written.
    ...(result.completed && written.did === 'kept' && { exit: 10 }),
    says: formatWritten(written),
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
  /** `shown`: no file was asked for. `kept`: the text is only in the run, and `next` is the command to get it. */
  readonly did: 'wrote' | 'unchanged' | 'shown' | 'kept'
  readonly says: string
  readonly path?: string
  readonly next?: Line
}

type Finished = {
  readonly run: string
  readonly completed: boolean
  /** The result, or the best text so far of a run that did not complete. */
  readonly text: string | undefined
}

type Target = Pick<Brief, 'file' | 'out' | 'write'>

/** Takes a lock: if two runs end at once, the second one sees what the first wrote. */
function writeUnderLock(
  { environment, withLock, place }: Pick<Machine, 'environment' | 'withLock' | 'place'>,
  target: Target,
  finished: Finished,
): WrittenResult {
  const act = (): WrittenResult => writeResult(target, finished, place)
  return finished.completed && target.write ? withLock(join(environment.stateFolder, 'hand-over'), act) : act()
}

/** Only a completed run writes, and never over content that it has not seen. The text always stays in the run. */
export function writeResult({ file, out, write = false }: Target, finished: Finished, place: PlaceText): WrittenResult {
  const { run, completed, text } = finished
  const take = { is: 'action', action: { do: 'text', run } } as const
  if (text === undefined) return { did: 'kept', says: 'There is no text yet.' }
  if (!completed) return { did: 'kept', says: formatNotCompleted(file, out, write), next: [take] }
  const kept = (says: string): WrittenResult => ({
    did: 'kept',
    says: `${says} The text is stored in the run.`,
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
    if (code === 'EEXIST') return kept(`${path} was created meanwhile and is not overwritten.`)
    return kept(`${path} could not be written: ${message}.`)
  }
}

/** Formats what was written, or how to get the text. */
export function formatWritten({ says, next }: WrittenResult): readonly Line[] {
  if (says === '') return []
  return [next === undefined ? [says] : [`${says} ${says.endsWith(':') ? '' : 'To get it: '}`, ...next]]
}

type Piece = { readonly text: string; readonly run: string }

function writeOut(place: PlaceText, path: string, { text, run }: Piece): WrittenResult {
  const placed = place.create(path, text.endsWith('\n') ? text : `${text}\n`, run)
  return placed === 'written' ? { did: 'wrote', says: `Written to ${path}.`, path } : alreadyWritten(path, path)
}

/** An earlier process wrote it before it was killed, or the run was resumed after its end. */
const alreadyWritten = (path: string, shown: string): WrittenResult => ({
  did: 'unchanged',
  says: `${shown} already contains it.`,
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
      return { did: 'wrote', says: `${shown} was written${link ? ` (symlink to ${path})` : ''}.`, path }
    case 'unchanged':
      return { did: 'unchanged', says: `${shown} is unchanged: the result is the same text.`, path }
    case 'there already':
      return alreadyWritten(path, shown)
    case 'changed since':
      return kept(`${shown} has changed since the run began and is not overwritten.`)
  }
}

const formatNotCompleted = (file: RefinedFile | undefined, out: string | undefined, write: boolean): string => {
  const path = out ?? (write ? file?.shown : undefined)
  return `The run did not complete${path === undefined ? '' : `, so ${path} is not written`}. The best text so far:`
}
