/** Markers that a model is asked to put around its text. */
export type AnswerMarkers = { readonly open: string; readonly close: string }

/** Chooses markers that occur in none of the texts that the model sees. */
export function chooseMarkers(seen: readonly string[]): AnswerMarkers {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'answer' : `answer-${number}`
    if (!seen.some((text) => text.includes(`<${name}>`) || text.includes(`</${name}>`)))
      return { open: `<${name}>`, close: `</${name}>` }
  }
}

/**
 * Returns the text of a reply without what the model put around it: markers, one code fence around everything, a sentence that
 * announces the text and one that offers more. `sources` are the texts that the model was given: what they have is content.
 */
export function extractText(reply: string, markers: AnswerMarkers, sources: readonly string[]): string {
  const said = dropThinking(reply, sources)
  const marked = takeMarked(said, markers)
  if (marked !== undefined) return stripFence(marked, sources)
  const plain = stripFence(said, sources)
  return plain === said ? stripTalk(said, sources) : plain
}

/** Some local models send their reasoning first, in the answer itself. */
function dropThinking(reply: string, sources: readonly string[]): string {
  const end = reply.indexOf('</think>')
  const thinks =
    end >= 0 && reply.trimStart().startsWith('<think>') && !sources.some((text) => text.includes('<think>'))
  return thinks ? trimLines(reply.slice(end + '</think>'.length)) : reply
}

/** Undefined if there are no markers. A reply that was cut off has no closing one. */
function takeMarked(reply: string, { open, close }: AnswerMarkers): string | undefined {
  // A model may mention the marker before it uses it, on a line of its own.
  const ownLine = `\n${reply}`.indexOf(`\n${open}`)
  const from = ownLine < 0 ? reply.indexOf(open) : ownLine
  if (from < 0) return undefined
  const to = reply.lastIndexOf(close)
  return trimLines(to < from ? reply.slice(from + open.length) : reply.slice(from + open.length, to))
}

/** Removes empty lines around a text. Keeps the indentation of its first line. */
const trimLines = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()

type Fence = { readonly mark: string; readonly info: string }

/** Undefined if the line is not a fence of Markdown. */
function readFence(line: string): Fence | undefined {
  const found = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/.exec(line)
  return found ? { mark: found[1]!, info: found[2]!.trim().toLowerCase() } : undefined
}

/** Removes one fence around the whole text, unless a source has the same shape. */
function stripFence(text: string, sources: readonly string[]): string {
  const lines = trimLines(text).split('\n')
  const first = readFence(lines[0]!)
  if (!first || lines.length < 2 || !wrapsAll(first, lines) || sources.some(startsWithFence)) return text
  return trimLines(lines.slice(1, -1).join('\n'))
}

const startsWithFence = (source: string): boolean => readFence(trimLines(source).split('\n')[0]!) !== undefined

const isClosing = ({ mark, info }: Fence, { mark: opened }: Fence): boolean => info === '' && mark.startsWith(opened)

/** True if the fence of the first line is closed by the last line and by none before. */
function wrapsAll(first: Fence, lines: readonly string[]): boolean {
  const last = readFence(lines.at(-1)!)
  if (!last || !isClosing(last, first)) return false
  const inner = lines.slice(1, -1).flatMap((line) => readFence(line) ?? [])
  if (!inner.some((fence) => isClosing(fence, first))) return true
  // A model that fences Markdown often uses the same fence inside. Then every inner block must be opened with a language.
  return documentLanguages.has(first.info) && areBlocks(inner)
}

/** Languages of a fence that holds a document. Others hold code, and a document may begin and end with code. */
const documentLanguages: ReadonlySet<string> = new Set(['markdown', 'md', 'mdx', 'text', 'txt', 'plaintext'])

/** True if the fences are blocks one after the other, each opened with a language and closed. */
function areBlocks(fences: readonly Fence[]): boolean {
  let open: Fence | undefined
  for (const fence of fences) {
    if (open && isClosing(fence, open)) open = undefined
    else if (!open && fence.info !== '') open = fence
    else if (!open) return false
  }
  return open === undefined
}

/** Longer first lines are not talk. */
const maxTalk = 240

/** Removes an announcement, and what follows it at the end. Without an announcement everything is content. */
function stripTalk(reply: string, sources: readonly string[]): string {
  const text = trimLines(reply)
  const end = findAnnouncement(text, sources)
  if (end === 0) return reply
  const body = trimLines(text.slice(end))
  // Nothing but talk: better than an empty text.
  if (body === '') return reply
  const fenced = takeOnlyFence(body)
  if (fenced !== undefined) return fenced
  const plain = stripOffer(body, sources)
  const bare = stripFence(plain, sources)
  return bare === plain ? plain : bare
}

/** Returns where the announcement ends, 0 if there is none. */
function findAnnouncement(text: string, sources: readonly string[]): number {
  const line = text.split('\n', 1)[0]!
  if (sources.some((source) => source.includes(line.trim()))) return 0
  const eager = `${interjection}(?:${eagerness})?${announcement}`
  const found = new RegExp(`^(?:${eager})`, 'iu').exec(line) ?? new RegExp(`^(?:${named})\\s*$`, 'iu').exec(line)
  return found && found[0].length <= maxTalk ? found[0].length : 0
}

// An announcement is an interjection with a promise of the text ("Sure! Here is …:"), or a line that only names the text that follows
// ("Here is the revised version:"). A heading, a dialogue or a list that begins with the same words has neither.
const interjection =
  "(?:sure(?: thing)?|certainly|of course|absolutely|gladly|okay|ok|great|no problem|gerne?|natürlich|klar|selbstverständlich|bien sûr|certainement|d'accord|claro|por supuesto)\\s?[!.,]*\\s+"
const eagerness = "(?:i(?:'d| would) be (?:happy|glad) to help[^.!:\\n]*[.!]\\s+)"
const promise = "(?:here(?:'s| is| are)|below (?:is|are)|hier (?:ist|sind)|voici|voilà|aquí (?:está|tiene|tienes))"
const announcement = `${promise}[^:\\n]{0,120}[:：]\\s*`
const noun =
  '(?:text|version|draft|document|rewrite|revision|prd|article|Fassung|Entwurf|Dokument|texte|versión|texto|documento|brouillon)'
const named = `${promise}\\s[^:\\n]{0,80}\\b${noun}\\b[^:\\n]{0,80}[:：]`

/** Returns the content of the fence if the text is one fenced block of a document and at most one line of talk after it. */
function takeOnlyFence(body: string): string | undefined {
  const lines = body.split('\n')
  const first = readFence(lines[0]!)
  if (!first || (first.info !== '' && !documentLanguages.has(first.info))) return undefined
  for (let last = lines.length - 1; last > 0; last -= 1) {
    if (!readFence(lines[last]!)) continue
    const after = lines.slice(last + 1).filter((line) => line.trim() !== '')
    const isWrapper = wrapsAll(first, lines.slice(0, last + 1)) && after.join('').length <= maxTalk
    return isWrapper ? trimLines(lines.slice(1, last).join('\n')) : undefined
  }
  return undefined
}

/** Removes a last paragraph that offers more help. */
function stripOffer(body: string, sources: readonly string[]): string {
  const at = body.lastIndexOf('\n\n')
  const last = body.slice(at + 2).trim()
  if (at < 0 || last.length > maxTalk || !offer.test(last)) return body
  if (sources.some((source) => source.includes(last))) return body
  return body
    .slice(0, at)
    .replace(/\n+(?:-{3,}|\*{3,}|_{3,})\s*$/, '')
    .trimEnd()
}

const offer =
  /^(?:let me know|feel free|i hope|hope this|would you like|do you want me|if you(?:'d| would)? (?:like|need|want)|is there anything|lassen sie|lass mich|sag(?:en sie)? |ich hoffe|wenn du|wenn sie|möchtest du|möchten sie|n'hésitez|dites-moi|j'espère|souhaitez-vous|avísame|espero que)/iu
