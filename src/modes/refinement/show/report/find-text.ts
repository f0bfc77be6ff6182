import { relative } from 'node:path'
import { readPlain, realDisk } from '../../../../adapters/stores/files/disk.ts'
import { PawlError } from '../../../../contract/exit.ts'
import { cleanOutput } from '../../../../judging/text/clean-output.ts'
import type { RunEntry } from '../../../../run/index-of-runs.ts'
import type { Place } from '../../../../run/paths.ts'
import { readResultText } from '../../start/result-text.ts'

/** Where the text of a run is, beside the run itself. */
export type TextFound =
  | { readonly status: 'sealed'; readonly why: string }
  | { readonly status: 'none' }
  | {
      readonly status: 'there'
      readonly words: number
      /** The file that it was meant for, and whether that holds it now. */
      readonly file: { readonly shown: string; readonly holds: boolean } | null
    }

export async function findText(place: Place, run: RunEntry): Promise<TextFound> {
  try {
    const { brief, text } = await readResultText(place, run)
    if (text === undefined) return { status: 'none' }
    const clean = cleanOutput(text)
    const words = clean.split(/\s+/).filter((word) => word !== '').length
    const { file, out, write } = brief
    const path = out ?? (write ? file?.path : undefined)
    if (path === undefined) return { status: 'there', words, file: null }
    return {
      status: 'there',
      words,
      file: { shown: out === undefined ? file!.shown : shortPath(out, place.cwd), holds: holds(path, clean) },
    }
  } catch (error) {
    return { status: 'sealed', why: error instanceof PawlError ? error.message : 'it cannot be read' }
  }
}

function shortPath(path: string, cwd: string): string {
  const inside = relative(cwd, path)
  return inside === '' || inside.startsWith('..') ? path : inside
}

const mostBytes = 16 * 1024 * 1024

/** But for how it ends: a file keeps its last line break, or gets one. */
function holds(path: string, text: string): boolean {
  try {
    return readPlain(realDisk, path, mostBytes).trimEnd() === text.trimEnd()
  } catch {
    return false
  }
}
