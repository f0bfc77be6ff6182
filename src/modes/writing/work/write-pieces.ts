import type { Attempt } from '../../../kernel/run.ts'
import { type Piece, takeGroup } from '../core/pieces.ts'
import { chooseFileMarkers, type FileMarkers, readFileBlocks } from '../core/reply/file-blocks.ts'
import { ask, NoAnswerError } from './call.ts'
import { renderPrompt } from './prompts.ts'
import type { WritingTools } from './tools.ts'

export type PieceContext = {
  readonly step: 'write' | 'generate'
  readonly temperature: number
  /** The current texts, by file name. */
  readonly current: ReadonlyMap<string, string>
  /** Texts that the model is given: what they contain is content. */
  readonly sources: readonly string[]
  /** The values of the prompt for these pieces. `written` are the files done so far. */
  values(pieces: readonly Piece[], written: ReadonlyMap<string, string>): Readonly<Record<string, unknown>>
}

export type Written = { readonly texts: ReadonlyMap<string, string>; readonly raw: readonly string[] }

/**
 * Writes the pieces in order: all in one reply if they fit, else as many as fit, else one by one. A reply that is cut off at the output
 * limit is continued. Each call is recorded, so an interrupted attempt continues where it was.
 */
export async function writePieces(
  a: Attempt,
  pieces: readonly Piece[],
  about: PieceContext,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<Written> {
  const texts = new Map<string, string>()
  const raw: string[] = []
  const { outputTokens } = tools.request.rules
  let queue: readonly Piece[] = pieces
  let isAlone = false
  for (let call = 1; queue.length > 0; call += 1) {
    const room = { tokens: outputTokens * fill, tokensOf: (piece: Piece) => expectTokens(piece, about, tools) }
    const group: readonly Piece[] = isAlone ? queue.slice(0, 1) : takeGroup(queue, room)
    const read = await writeGroup(a, `write-${call}`, group, texts, about, tools, signal)
    raw.push(...read.raw)
    for (const [name, text] of read.texts) texts.set(name, text)
    const missing = group.filter(({ name }) => !texts.has(name))
    if (missing.length > 0 && group.length === 1) {
      throw new NoAnswerError({ status: 'failed', detail: `the reply has no text for ${group[0]!.name}` })
    }
    // The limit is lower than assumed, or the model lost count: from here on one file at a time.
    isAlone ||= missing.length > 0
    queue = [...missing, ...queue.slice(group.length)]
  }
  return { texts, raw }
}

/** A reply may be longer than expected. */
const fill = 0.8

async function writeGroup(
  a: Attempt,
  key: string,
  group: readonly Piece[],
  written: ReadonlyMap<string, string>,
  about: PieceContext,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<Written> {
  const { request } = tools
  const names = group.map(({ name }) => name)
  const wanted = chooseFileMarkers(names, about.sources)
  const values = { ...about.values(group, written), wanted, many: wanted.length > 1 }
  const prompt = renderPrompt(about.step, values, tools)
  const file = names.length === 1 ? { file: names[0]! } : {}
  const step = { via: request.writer, role: 'write', temperature: about.temperature, ...file } as const
  const answer = await ask(a, { ...prompt, ...step, key }, tools, signal)
  const isCut = answer.data.cut === true
  const read = readFileBlocks(answer.text, wanted, { sources: about.sources, isCut })
  if (!read.cut || wanted.length > 1) return { texts: read.texts, raw: [answer.text] }
  const more = await continueText(a, key, read.cut, wanted[0]!, step, tools, signal)
  return { texts: new Map([[read.cut.name, more.text]]), raw: [answer.text, ...more.raw] }
}

/** More would be a model that never ends. */
const maxContinuations = 20
const tailLetters = 3000

/** Asks for the rest of a text until it is complete. */
async function continueText(
  a: Attempt,
  key: string,
  { name, text: beginning }: { readonly name: string; readonly text: string },
  { open, close }: FileMarkers,
  step: { readonly via: string; readonly role: 'write'; readonly temperature: number; readonly file?: string },
  tools: WritingTools,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly raw: readonly string[] }> {
  const raw: string[] = []
  let kept = cutBack(beginning)
  for (let part = 1; part <= maxContinuations; part += 1) {
    const tail = kept.text.slice(-tailLetters)
    const values = { name, tail, open, close, task: tools.level.describes }
    const prompt = renderPrompt('continue', values, tools)
    const answer = await ask(a, { ...prompt, ...step, key: `${key}-more-${part}` }, tools, signal)
    raw.push(answer.text)
    const { texts, cut } = readFileBlocks(answer.text, [{ name, open, close }], {
      sources: [tail],
      isCut: answer.data.cut === true,
    })
    const joined = kept.text + kept.gap + withoutOverlap(kept.text, texts.get(name) ?? cut?.text ?? '')
    if (!cut) return { text: joined, raw }
    kept = cutBack(joined)
  }
  throw new NoAnswerError({ status: 'failed', detail: `${name} has no end after ${maxContinuations} continuations` })
}

/** Drops a sentence that was cut in the middle: it is easier to go on after a whole one. `gap` is the space after it. */
function cutBack(text: string): { readonly text: string; readonly gap: string } {
  const ends = [...text.slice(-tailLetters).matchAll(/(?:[.!?…]["'”’»)*_]*|\S(?=\n))(\s+)/gu)]
  const last = ends.at(-1)
  if (!last) return { text, gap: ' ' }
  const from = Math.max(0, text.length - tailLetters) + last.index
  const gap = last[1]!
  return { text: text.slice(0, from + last[0].length - gap.length), gap }
}

const [minOverlap, maxOverlap] = [20, 400]

/** Models often repeat the last words before they go on. */
function withoutOverlap(text: string, more: string): string {
  for (let length = Math.min(maxOverlap, more.length); length >= minOverlap; length -= 1) {
    if (text.endsWith(more.slice(0, length))) return more.slice(length).trimStart()
  }
  return more
}

/** The tokens that a piece will probably take. */
function expectTokens({ name, words }: Piece, { current }: PieceContext, tools: WritingTools): number {
  const before = current.get(name)
  if (before !== undefined) return Math.ceil(tools.estimateTokens(before) * 1.25) + 100
  return Math.ceil((words ?? tools.level.words) * tokensPerWord)
}

const tokensPerWord = 1.5
