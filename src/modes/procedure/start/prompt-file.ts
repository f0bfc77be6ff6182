import { accessSync, constants, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import type { ProcedureRequest } from '../contract/request.ts'
import { isPromptFile, promptFilePath } from '../core/prompt.ts'

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
export function checkPrompts({ phases, context }: ProcedureRequest, workspace: string): void {
  const named = context.flatMap((entry) => promptFilePath(entry) ?? [])
  for (const file of [...Object.values(phases).flat().filter(isPromptFile), ...named]) {
    if (isReadable(resolve(workspace, file))) continue
    const hint = 'Create the file, or put the text itself into the configuration.'
    throw new PawlError(30, `cannot read the prompt file ${file}`, hint)
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
