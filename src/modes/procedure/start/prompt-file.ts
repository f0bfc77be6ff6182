import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { PawlError } from '../../../contract/exit.ts'

const mostBytes = 4 * 1024 * 1024

/** A prompt file may be a link, but only to a plain file of a size that makes sense: a pipe would never end. */
export async function readPromptFile(path: string): Promise<string> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await file.stat()
    if (!found.isFile()) throw new Error('it is no plain file')
    if (found.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`)
    return await file.readFile('utf8')
  } catch (error) {
    throw new PawlError(30, `cannot read the prompt file ${path}: ${(error as Error).message}`)
  }
}
