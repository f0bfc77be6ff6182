import { join } from 'node:path'
import { type Disk, hasCode, realDisk } from '../../../adapters/stores/files/disk.ts'
import { cleanOutput } from '../../../judging/text/clean-output.ts'
import { placeNewFile, replaceFile } from '../../../machine/place-file.ts'
import { type Place, stateDir } from '../../../run/paths.ts'
import type { Brief, RefinedFile } from '../contract/request.ts'
import { withLock } from '../sap/sap-lock.ts'

export type HandedOver = {
  /** `shown`: nobody asked for a file. `kept`: it lies in the run, and `next` is the command that takes it. */
  readonly did: 'wrote' | 'unchanged' | 'shown' | 'kept'
  readonly says: string
  readonly path?: string
  readonly next?: string
}

export type Finished = {
  readonly run: string
  readonly completed: boolean
  /** The result; of a run that did not complete the best text so far, if there is one. */
  readonly text: string | undefined
}

type Target = Pick<Brief, 'file' | 'out' | 'write'>

/** Two runs that end at once look and write one after the other: the second finds what the first wrote. */
export function handOverAlone(place: Pick<Place, 'env' | 'home'>, target: Target, finished: Finished): HandedOver {
  const act = (): HandedOver => handOver(target, finished)
  return finished.completed && target.write ? withLock(join(stateDir(place), 'hand-over'), act) : act()
}

/** What becomes of the text. Only a completed run writes, never over what it does not know, and nothing is lost. */
export function handOver({ file, out, write = false }: Target, finished: Finished, disk: Disk = realDisk): HandedOver {
  const { run, completed, text } = finished
  const next = `pawl show ${run} --text`
  if (text === undefined) return { did: 'kept', says: 'There is no text yet.' }
  if (!completed) return { did: 'kept', says: wanted(file, out, write), next }
  const kept = (says: string): HandedOver => ({
    did: 'kept',
    says: `${says} The text is kept.`,
    next: `${next} > FILE`,
  })
  const clean = cleanOutput(text)
  try {
    if (out !== undefined) return writeOut(disk, out, { text: clean, run })
    if (write && file) return writeBack(disk, file, { text: clean, run }, kept)
    return { did: 'shown', says: '' }
  } catch (error) {
    const path = out ?? file!.shown
    if (hasCode(error, 'EEXIST')) return kept(`${path} has appeared meanwhile and is not written over.`)
    return kept(`${path} could not be written: ${(error as Error).message}.`)
  }
}

type Piece = { readonly text: string; readonly run: string }

function writeOut(disk: Disk, path: string, { text, run }: Piece): HandedOver {
  const placed = placeNewFile(disk, path, { text: text.endsWith('\n') ? text : `${text}\n`, run })
  return placed === 'written' ? { did: 'wrote', says: `Written to ${path}.`, path } : thereAlready(path, path)
}

/** By whoever handed it over before and was killed, or was only asked again. */
const thereAlready = (path: string, shown: string): HandedOver => ({
  did: 'unchanged',
  says: `${shown} holds it already.`,
  path,
})

function writeBack(disk: Disk, file: RefinedFile, piece: Piece, kept: (says: string) => HandedOver): HandedOver {
  const { path, shown } = file
  switch (replaceFile(disk, path, file.sha256, piece)) {
    case 'written':
      return { did: 'wrote', says: `${shown} is written${file.link ? `: ${path}, where the link leads` : ''}.`, path }
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
