import { accessSync, constants, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import type { ProcedureRequest, PromptEntry } from '../contract/request.ts'
import { promptFilePath } from '../core/prompt.ts'

const maxMebibytes = 4

/** Follows symlinks, but reads only regular files up to 4 MiB: a pipe might never end. */
export async function readPromptFile(path: string): Promise<string> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await file.stat()
    if (!found.isFile()) throw new Error('not a regular file')
    if (found.size > maxMebibytes << 20) throw new Error(`larger than ${maxMebibytes} MiB`)
    return await file.readFile('utf8')
  } catch (error) {
    throw new PawlError(30, `cannot read the prompt file ${path}: ${(error as Error).message}`)
  }
}

/** Throws for the first prompt file that cannot be read. */
export function checkPrompts(
  { phases, context }: Pick<ProcedureRequest, 'phases' | 'context'>,
  workspace: string,
): void {
  for (const file of [...Object.values(phases).flat(), ...context].flatMap((entry) => promptFilePath(entry) ?? [])) {
    if (isReadable(resolve(workspace, file))) continue
    const hint = 'Create the file, or write a text of several words instead.'
    throw new PawlError(30, `cannot read the prompt file ${file}`, hint)
  }
}

/**
 * Decides whether a written value is a file or the prompt itself. It is a file if there is one of that name, or if it is a single word
 * that looks like a path: it has a slash or ends in .md or .txt. Anything else is a text, such as `Read TODO.md`.
 */
export function parsePromptEntry(written: string, folder: string): PromptEntry {
  const name = written.trim()
  const looksLikePath = !/\s/.test(name) && /\/|\.(?:md|txt)$/.test(name)
  return looksLikePath || isFile(resolve(folder, name)) ? { file: name } : { text: written }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return isFile(path)
  } catch {
    return false
  }
}

/** False also for a text that is too long to be a path. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
