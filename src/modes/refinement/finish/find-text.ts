import { relative } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { cleanOutput } from '../../../judging/text/clean-output.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Run } from '../../../run/run.ts'
import type { RefinementRequest } from '../contract/request.ts'
import type { RefinementMemo } from '../core/memo.ts'
import type { TextFound } from '../show/report/facts.ts'
import { readResultText } from './result-text.ts'

type Here = Pick<Machine, 'environment' | 'files'>

/** Finds the run's text and whether its target file contains it. */
export async function findText(
  run: Run<RefinementRequest>,
  view: View<RefinementMemo>,
  machine: Here,
): Promise<TextFound> {
  try {
    const { brief, text } = await readResultText(run, view)
    if (text === undefined) return { status: 'none' }
    const clean = cleanOutput(text)
    const words = clean.split(/\s+/).filter((word) => word !== '').length
    const { file, out, write } = brief
    const path = out ?? (write ? file?.path : undefined)
    if (path === undefined) return { status: 'there', words, file: null }
    const shown = out === undefined ? file!.shown : shortPath(out, machine.environment.cwd)
    return { status: 'there', words, file: { shown, holds: contains(path, clean, machine) } }
  } catch (error) {
    return { status: 'sealed', why: error instanceof PawlError ? error.message : 'it cannot be read' }
  }
}

function shortPath(path: string, cwd: string): string {
  const inside = relative(cwd, path)
  return inside === '' || inside.startsWith('..') ? path : inside
}

const maxBytes = 16 * 1024 * 1024

/** Ignores white space at the end: a file keeps its last line break or gets one. */
function contains(path: string, text: string, { files }: Here): boolean {
  try {
    return files.read(path, maxBytes).trimEnd() === text.trimEnd()
  } catch {
    return false
  }
}
