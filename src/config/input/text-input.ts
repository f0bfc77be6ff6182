import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { PawlError } from '../../contract/exit.ts'
import { cleanHumanText } from '../../contract/human-text.ts'
import { escapesRepository, firstBrokenLine, readNamedFile } from './named-file.ts'

/** A document, or what goes with one. */
const mostTextBytes = 1024 * 1024

/** The bytes of a text file as a person names it from where they are; undefined where there is none. */
export function readTextFile(shown: string, folder: string): Buffer | undefined {
  const path = resolve(folder, shown)
  const outside = escapesRepository(path, folder)
  if (outside !== undefined)
    throw new PawlError(30, `${shown} is a link that leads out of here`, `If you mean that file: ${outside}`)
  const bytes = readNamedFile(path, mostTextBytes)
  // No file has a name that long; a task may be.
  if (bytes === 'missing' || (typeof bytes === 'string' && bytes.includes('ENAMETOOLONG'))) return undefined
  if (bytes === 'a directory') throw new PawlError(2, `${shown} is a directory`, 'Name a file.')
  if (typeof bytes === 'string') throw new PawlError(30, `${shown} is ${bytes}`, `To pipe a text in, name it -`)
  return bytes
}

/** Standard input to its end. At a terminal nobody would know that it waits. */
export async function readStandardInput(stream: Readable & { readonly isTTY?: boolean }): Promise<Buffer> {
  if (stream.isTTY) throw new PawlError(2, '- reads standard input, and that is this terminal', 'Pipe a text into it.')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > mostTextBytes) break
  }
  return Buffer.concat(chunks)
}

/** As text, without a byte order mark. Wrong bytes would become other characters, and be written back as such. */
export function decodeText(bytes: Buffer, shown: string): string {
  if (bytes.length > mostTextBytes) throw new PawlError(30, `${shown} has more than 1 MiB`, 'Give a part of it.')
  const nul = bytes.indexOf(0)
  if (nul >= 0) throw new PawlError(30, `${shown} is no text: byte ${nul} is NUL`)
  if (!isUtf8(bytes)) {
    const where = `${shown} is not UTF-8, from line ${firstBrokenLine(bytes)} on`
    throw new PawlError(30, where, `Save it as UTF-8, such as with: iconv -f latin1 -t utf-8`)
  }
  return new TextDecoder().decode(bytes)
}

/** What a person typed, as it goes into prompts: cleaned, and refused rather than cut where it is too long. */
export function parseHumanText(written: string, what: string): string {
  const { text, cut } = cleanHumanText(written)
  if (text.trim() === '') throw new PawlError(2, `${what} is empty`)
  if (cut) throw new PawlError(2, `${what} has ${Buffer.byteLength(written)} bytes; at most 64 KiB are taken`)
  return text
}

type Message = {
  /** - stands for standard input. */
  readonly text?: string | undefined
  readonly file?: string | undefined
  readonly folder: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
}

/** What a person says in words of their own, typed, from a file or piped in; undefined where they say nothing. */
export async function readMessage({ text, file, folder, stdin }: Message): Promise<string | undefined> {
  if (text !== undefined && file !== undefined)
    throw new PawlError(2, 'a text and a file are two ways: give one of them')
  if (text === '-')
    return parseHumanText(decodeText(await readStandardInput(stdin), 'standard input'), 'standard input')
  if (text !== undefined) return parseHumanText(text, 'the text')
  if (file === undefined) return undefined
  const bytes = readTextFile(file, folder)
  if (!bytes) throw new PawlError(2, `there is no file ${file}`)
  return parseHumanText(decodeText(bytes, file), file)
}
