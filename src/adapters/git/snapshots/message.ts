import type { Kept } from '../../../ports/snapshots.ts'

export type Trailers = Readonly<Record<string, string>>

const part = '[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*'
const wellFormed = new RegExp(`^(${part})/(${part})$`)

/** A key becomes a ref and a trailer: nothing that could mean something else there. */
function readKey(key: string): { readonly run: string; readonly story: string } {
  const [, run, story] = wellFormed.exec(key) ?? []
  if (run === undefined || story === undefined || /\.lock(\/|$)/.test(key)) throw new Error(`${key} is no key`)
  return { run, story }
}

export const refOf = (key: string): string => {
  const { run, story } = readKey(key)
  return `refs/pawl/${run}/${story}`
}

export function storyTrailers(key: string): Trailers {
  const { run, story } = readKey(key)
  return { 'Pawl-Run': run, 'Pawl-Story': story }
}

export function undoTrailers(key: string): Trailers {
  readKey(key)
  return { 'Pawl-Undo': key }
}

/** The trailers are a paragraph of their own and the last one, whatever the body says. */
export function messageOf({ subject, body }: Pick<Kept, 'subject' | 'body'>, trailers: Trailers): Buffer {
  const lines = Object.entries(trailers).map(([name, value]) => `${name}: ${value}`)
  const paragraphs = [plain(subject).replace(/\s+/g, ' '), plain(body), lines.join('\n')]
  return Buffer.from(
    `${paragraphs
      .map((text) => text.trim())
      .filter(Boolean)
      .join('\n\n')}\n`,
  )
}

/** They come from agents, and git shows a message as it is. */
const plain = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\t\n]/gu, '')
