import { type AnswerMarkers, chooseMarkers, extractText } from '../../../../judging/text/extract-text.ts'

/** The lines that a model puts around the text of one file. */
export type FileMarkers = AnswerMarkers & { readonly name: string }

/** Chooses markers for each file that occur in none of the texts that the model sees. */
export function chooseFileMarkers(names: readonly string[], seen: readonly string[]): readonly FileMarkers[] {
  if (names.length === 1) return [{ name: names[0]!, ...chooseMarkers(seen) }]
  for (let number = 1; ; number += 1) {
    const tag = number === 1 ? 'file' : `file-${number}`
    if (seen.some((text) => text.includes(`<${tag} `) || text.includes(`</${tag}>`))) continue
    return names.map((name) => ({ name, open: `<${tag} name="${name}">`, close: `</${tag}>` }))
  }
}

export type FilesRead = {
  readonly texts: ReadonlyMap<string, string>
  /** The file whose text is cut off: it was opened and not closed. */
  readonly cut?: { readonly name: string; readonly text: string }
}

/**
 * Reads the files of a reply. What a model puts around a text, such as a code fence or a greeting, is removed. A file that is missing is
 * not in the result. `isCut`: the reply ended at the output limit, so its last file may be incomplete.
 */
export function readFileBlocks(
  reply: string,
  markers: readonly FileMarkers[],
  { sources, isCut }: { readonly sources: readonly string[]; readonly isCut: boolean },
): FilesRead {
  const [only, ...others] = markers
  if (only && others.length === 0) return readOnly(reply, only, sources, isCut)
  const texts = new Map<string, string>()
  let cut: FilesRead['cut']
  for (const { name, open, close } of markers) {
    const at = reply.indexOf(open)
    if (at < 0) continue
    const from = at + open.length
    const closing = reply.indexOf(close, from)
    const next = Math.min(...markers.map((other) => indexAfter(reply, other.open, from)))
    // A model that forgets to close a file opens the next one.
    const to = Math.min(closing < 0 ? Infinity : closing, next)
    const text = extractText(trimBreaks(reply.slice(from, to)), noMarkers, sources)
    if (text.trim() === '') continue
    if (to === Infinity) cut = { name, text }
    else texts.set(name, text)
  }
  return { texts, ...(cut && { cut }) }
}

function readOnly(reply: string, marker: FileMarkers, sources: readonly string[], isCut: boolean): FilesRead {
  const text = extractText(reply, marker, sources)
  if (text.trim() === '') return { texts: new Map() }
  const isClosed = reply.includes(marker.close)
  if (isCut && !isClosed) return { texts: new Map(), cut: { name: marker.name, text } }
  return { texts: new Map([[marker.name, text]]) }
}

/** Matches nothing: the text is already without its markers. */
const noMarkers: AnswerMarkers = { open: '\u0000', close: '\u0000' }

const indexAfter = (text: string, part: string, from: number): number => {
  const at = text.indexOf(part, from)
  return at < 0 ? Infinity : at
}

const trimBreaks = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
