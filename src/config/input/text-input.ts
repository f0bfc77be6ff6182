import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { PawlError } from '../../contract/exit.ts'
import { cleanHumanText } from '../../contract/human-text.ts'
import { findInvalidUtf8Line, findSymlinkEscape, readNamedFile } from './named-file.ts'

/** Limit for a document or an attachment. */
const maxTextBytes = 1024 * 1024

/** Reads a text file given relative to `folder`. Undefined if there is none. */
export function readTextFile(shown: string, folder: string): Buffer | undefined {
  const path = resolve(folder, shown)
  const outside = findSymlinkEscape(path, folder)
  if (outside !== undefined)
    throw new PawlError(30, `${shown} is a symlink to a file outside the repository`, `To use that file: ${outside}`)
  const bytes = readNamedFile(path, maxTextBytes)
  // The argument may also be a task text, which can be longer than any file name.
  if (bytes === 'missing' || (typeof bytes === 'string' && bytes.includes('ENAMETOOLONG'))) return undefined
  if (bytes === 'a directory') throw new PawlError(2, `${shown} is a directory`, 'Name a file.')
  if (typeof bytes === 'string') throw new PawlError(30, `${shown} is ${bytes}`, 'To read from standard input, pass -')
  return bytes
}

/** Reads standard input to its end. Refuses a terminal, where it would wait silently. */
export async function readStandardInput(stream: Readable & { readonly isTTY?: boolean }): Promise<Buffer> {
  if (stream.isTTY)
    throw new PawlError(2, '- reads standard input, but standard input is a terminal', 'Pipe a text into it.')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxTextBytes) break
  }
  return Buffer.concat(chunks)
}

/** Decodes UTF-8 and drops a byte order mark. Refuses invalid bytes, which would be written back as other characters. */
export function decodeText(bytes: Buffer, shown: string): string {
  if (bytes.length > maxTextBytes)
    throw new PawlError(30, `${shown} is larger than 1 MiB`, 'Pass a smaller part of it.')
  const nul = bytes.indexOf(0)
  if (nul >= 0) throw new PawlError(30, `${shown} is not text: byte ${nul} is NUL`)
  if (!isUtf8(bytes)) {
    const where = `${shown} is not valid UTF-8, starting at line ${findInvalidUtf8Line(bytes)}`
    throw new PawlError(30, where, 'Save it as UTF-8, for example with: iconv -f latin1 -t utf-8')
  }
  return new TextDecoder().decode(bytes)
}

/** Cleans text for use in prompts. Refuses text over the limit instead of truncating it. */
export function parseHumanText(input: string, what: string): string {
  const { text, cut } = cleanHumanText(input)
  if (text.trim() === '') throw new PawlError(2, `${what} is empty`)
  if (cut) throw new PawlError(2, `${what} is too long: ${Buffer.byteLength(input)} bytes, the limit is 64 KiB`)
  return text
}

type Message = {
  /** `-` reads standard input. */
  readonly text?: string | undefined
  readonly file?: string | undefined
  readonly folder: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
}

/** Reads a message from the argument, a file or standard input. Undefined if none is given. */
export async function readMessage({ text, file, folder, stdin }: Message): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) throw new PawlError(2, 'give a text or --file, not both')
  if (text === '-')
    return parseHumanText(decodeText(await readStandardInput(stdin), 'standard input'), 'standard input')
  if (text !== undefined) return parseHumanText(text, 'the text')
  if (file === undefined) return undefined
  const bytes = readTextFile(file, folder)
  if (!bytes) throw new PawlError(2, `there is no file ${file}`)
  return parseHumanText(decodeText(bytes, file), file)
}
