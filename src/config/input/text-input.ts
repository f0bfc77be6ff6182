import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { PawlError } from '../../contract/exit.ts'
import { leadsOutside } from './leads-outside.ts'
import { firstBrokenLine, readNamedFile } from './named-file.ts'

/** A document, or what goes with one. */
const mostTextBytes = 1024 * 1024

/** The bytes of a text file as a person names it from where they are; undefined where there is none. */
export function readTextFile(shown: string, folder: string): Buffer | undefined {
  const path = resolve(folder, shown)
  const outside = leadsOutside(path, folder)
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
