import type { Readable } from 'node:stream'
import { PawlError } from '../../contract/exit.ts'
import { humanText } from './human-text.ts'
import { decodeText, readStandardInput, readTextFile } from './text-input.ts'

export type OwnWords = {
  /** - stands for standard input. */
  readonly text?: string | undefined
  readonly file?: string | undefined
  readonly folder: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
}

/** What a person says in words of their own, typed, from a file or piped in; undefined where they say nothing. */
export async function ownWords({ text, file, folder, stdin }: OwnWords): Promise<string | undefined> {
  if (text !== undefined && file !== undefined)
    throw new PawlError(2, 'a text and a file are two ways: give one of them')
  if (text === '-') return humanText(decodeText(await readStandardInput(stdin), 'standard input'), 'standard input')
  if (text !== undefined) return humanText(text, 'the text')
  if (file === undefined) return undefined
  const bytes = readTextFile(file, folder)
  if (!bytes) throw new PawlError(2, `there is no file ${file}`)
  return humanText(decodeText(bytes, file), file)
}
