import { isSecretName } from '../../contract/environment.ts'

/** A byte range, `end` exclusive. */
type Span = { readonly start: number; readonly end: number }

type Finder = {
  /** Returns all matches from left to right, the longest needle at each position. */
  find(bytes: Buffer): Span[]
  /** Returns the start of the longest suffix that may still grow into a needle, or the length of `bytes`. */
  growing(bytes: Buffer): number
}

/**
 * Wu-Manber search: compares two bytes at a time and skips as far as the shortest needle allows, so the cost does not
 * grow with the number of needles.
 */
function createFinder(needles: readonly Buffer[]): Finder {
  const window = Math.min(...needles.map((needle) => needle.length))
  if (needles.length === 0 || window < 2) return { find: () => [], growing: (bytes) => bytes.length }
  const longest = Math.max(...needles.map((needle) => needle.length))
  const shifts = new Uint16Array(65_536).fill(Math.min(window - 1, 65_535))
  const byWindowEnd = groupBy(needles, (needle) => pairAt(needle, window - 1))
  const byFirst = groupBy(needles, (needle) => needle[0]!)
  for (const needle of needles) {
    for (let at = 1; at < window; at += 1) {
      const pair = pairAt(needle, at)
      shifts[pair] = Math.min(shifts[pair]!, window - 1 - at)
    }
  }

  function find(bytes: Buffer): Span[] {
    const spans: Span[] = []
    for (let at = window - 1; at < bytes.length; ) {
      const shift = shifts[(bytes[at - 1]! << 8) | bytes[at]!]!
      if (shift > 0) {
        at += shift
        continue
      }
      const start = at - window + 1
      const end = longestAt(byWindowEnd.get(pairAt(bytes, at)) ?? [], bytes, start)
      if (end > start) spans.push({ start, end })
      at += 1
    }
    return spans
  }

  function growing(bytes: Buffer): number {
    for (let start = Math.max(0, bytes.length - longest + 1); start < bytes.length; start += 1) {
      const candidates = byFirst.get(bytes[start]!)
      if (candidates?.some((needle) => startsLike(needle, bytes, start))) return start
    }
    return bytes.length
  }

  return { find, growing }
}

function pairAt(bytes: Buffer, last: number): number {
  return (bytes[last - 1]! << 8) | bytes[last]!
}

function longestAt(needles: readonly Buffer[], bytes: Buffer, start: number): number {
  let end = start
  for (const needle of needles) {
    const stop = start + needle.length
    if (stop > end && stop <= bytes.length && bytes.compare(needle, 0, needle.length, start, stop) === 0) end = stop
  }
  return end
}

function startsLike(needle: Buffer, bytes: Buffer, start: number): boolean {
  const length = bytes.length - start
  return length < needle.length && bytes.compare(needle, 0, length, start, bytes.length) === 0
}

function groupBy(needles: readonly Buffer[], keyOf: (needle: Buffer) => number): Map<number, Buffer[]> {
  const groups = new Map<number, Buffer[]>()
  for (const needle of needles) groups.set(keyOf(needle), [...(groups.get(keyOf(needle)) ?? []), needle])
  return groups
}

/** Prefixes of well-known key formats. All following characters that a key may contain belong to the key. */
const heads = [
  'sk-',
  'ghp_',
  'gho_',
  'ghu_',
  'ghs_',
  'ghr_',
  'github_pat_',
  'AKIA',
  'ASIA',
  'xoxa-',
  'xoxb-',
  'xoxp-',
  'AIza',
  'xai-',
  'eyJ',
  '-----BEGIN ',
].map((head) => Buffer.from(head))

// Linear time: after the fixed prefix every part is bounded, or is a trailing run of one character class.
const boundary = '(?<![A-Za-z0-9])'
const key = [
  'sk-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20}',
  'gh[pousr]_[A-Za-z0-9]{20}',
  'github_pat_[A-Za-z0-9_]{20}',
  'A[KS]IA[0-9A-Z]{16}',
  'xox[abp]-[A-Za-z0-9-]{10}',
  'AIza[A-Za-z0-9_-]{30}',
  'xai-[A-Za-z0-9]{30}',
  'eyJ[A-Za-z0-9_-]{10,300}\\.eyJ[A-Za-z0-9_-]',
].join('|')
const privateKey = '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----'
const known = new RegExp(`${boundary}(?:${key})[A-Za-z0-9_.-]*|${privateKey}[A-Za-z0-9+/=\\\\\\r\\n]*`, 'g')
const unfinished = new RegExp(
  `${boundary}(?:sk-|gh[pousr]_|github_pat_|A[KS]IA|xox[abp]-|AIza|xai-|eyJ)[A-Za-z0-9_.-]*$|-----BEGIN [A-Z -]{0,50}$`,
)

/** `open` matches the bytes that still belong to a key at the end of the text. */
type FoundKeys = { readonly spans: Span[]; readonly open: RegExp | null; readonly growing: number }

/** Contract: finds a key however it is split into chunks: `growing` is the start of a prefix not yet decided. */
function findKeys(text: string): FoundKeys {
  const spans: Span[] = []
  let open: RegExp | null = null
  for (const match of text.matchAll(known)) {
    const end = match.index + match[0].length
    spans.push({ start: match.index, end })
    if (end === text.length) open = match[0].startsWith('-') ? bodyRun : tokenRun
  }
  return { spans, open, growing: growingHead(text) }
}

const tokenRun = /^[A-Za-z0-9_.-]*/
const bodyRun = /^[A-Za-z0-9+/=\\\r\n]*/
const maxUndecided = 512

function growingHead(text: string): number {
  const from = Math.max(0, text.length - maxUndecided)
  const match = unfinished.exec(text.slice(from))
  return match ? from + match.index : text.length
}

/** Masks one stream. Contract: the output does not depend on how the stream was split into chunks. */
export type Mask = {
  write(chunk: Buffer): Buffer
  /** Returns the bytes still held back. */
  end(): Buffer
}

/** Compiles the secrets once. Every stream needs its own mask. */
export function createMaskFactory(secrets: readonly string[]): () => Mask {
  const values = createFinder(encodeSecrets(secrets))
  return () => createMask(values)
}

const replacement = Buffer.from('[secret]')
const nothing = Buffer.alloc(0)
const partialHeads = createFinder(heads)

function createMask(values: Finder): Mask {
  // Undecided bytes. The first `shown` of them were already returned and serve as left context.
  let held: Buffer = nothing
  let shown = 0
  let endedInSecret = false
  let openRun: RegExp | null = null

  function advance(chunk: Buffer, last: boolean): Buffer {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    const text = bytes.toString('latin1')
    const keys = findKeys(text)
    const runEnd = openRun ? shown + openRun.exec(text.slice(shown))![0].length : 0
    const spans = merge([{ start: 0, end: runEnd }, ...values.find(bytes), ...keys.spans])
    const growing = Math.min(values.growing(bytes), keys.growing, partialHeads.growing(bytes))
    const output = show(bytes, spans, last ? bytes.length : growing)
    const reachesEnd = keys.open ?? (runEnd === bytes.length ? openRun : null)
    openRun = shown === held.length ? reachesEnd : null
    return output
  }

  function show(bytes: Buffer, spans: readonly Span[], growing: number): Buffer {
    const parts: Buffer[] = []
    const cut = Math.max(growing, shown)
    let at = shown
    for (const { start, end } of spans) {
      if (end <= shown) continue
      if (start >= cut) break
      if (start > at) parts.push(bytes.subarray(at, start))
      // A secret that overlaps or touches the previous one shares its replacement.
      if (start > shown || !endedInSecret) parts.push(replacement)
      at = end
      endedInSecret = true
    }
    if (at < cut) {
      parts.push(bytes.subarray(at, cut))
      at = cut
      endedInSecret = false
    }
    const keepFrom = Math.max(0, growing - 1)
    held = Buffer.from(bytes.subarray(keepFrom))
    shown = at - keepFrom
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  return { write: (chunk) => advance(chunk, false), end: () => advance(nothing, true) }
}

/** Merges overlapping and touching spans. */
function merge(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start)) {
    const before = merged.at(-1)
    if (before && span.start <= before.end) {
      merged[merged.length - 1] = { start: before.start, end: Math.max(before.end, span.end) }
    } else merged.push(span)
  }
  return merged
}

/** Returns every encoding of the secrets to search for. Values under 8 characters would mask ordinary text. */
function encodeSecrets(secrets: readonly string[]): readonly Buffer[] {
  const encodings = new Set<string>()
  for (const value of secrets.flatMap(splitSecret)) {
    if (value.length < minSecretLength) continue
    for (const encoding of encodeSecret(value)) encodings.add(encoding)
  }
  return [...encodings].map((encoding) => Buffer.from(encoding, 'latin1'))
}

const minSecretLength = 8
const minLineLength = 16

/** Adds the lines of a multi-line key and the secret fields of a JSON credential, which may be printed alone. */
function splitSecret(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= minLineLength && !line.startsWith('-----'))
  return secret.includes('\n') ? [secret, secret.trim(), ...lines] : [secret, ...secretFields(secret)]
}

function secretFields(secret: string): string[] {
  if (!secret.startsWith('{')) return []
  try {
    const fields = Object.entries(JSON.parse(secret) as Record<string, unknown>)
    return fields.flatMap(([name, value]) => (isSecretName.test(name) && typeof value === 'string' ? [value] : []))
  } catch {
    return []
  }
}

/** Returns byte strings, one character per byte. */
function encodeSecret(value: string): string[] {
  const bytes = Buffer.from(value)
  const json = Buffer.from(JSON.stringify(value).slice(1, -1)).toString('latin1')
  const asciiJson = json.replaceAll('/', '\\/')
  const hex = bytes.toString('hex')
  const alignments = [0, 1, 2].flatMap((offset) => base64At(bytes, offset))
  return [bytes.toString('latin1'), json, asciiJson, uriEncoded(value), hex, hex.toUpperCase(), ...alignments]
}

function uriEncoded(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

/** Returns the base64 characters that depend on the value alone if it starts `offset` bytes after a multiple of 3. */
function base64At(bytes: Buffer, offset: number): string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const decided = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  return [decided, decided.replaceAll('+', '-').replaceAll('/', '_')]
}
