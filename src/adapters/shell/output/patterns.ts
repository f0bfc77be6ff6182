import type { Span } from './finder.ts'

/** Keys that are known by their looks. A head decides; what follows it belongs to the key for as long as it may. */
export const heads = [
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

// Linear time: after the fixed head every part is bounded, or is one run of a class with nothing after it.
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

/** `open` says which bytes still belong to a key that reaches the end of what has been seen. */
export type Seen = { readonly spans: Span[]; readonly open: RegExp | null; readonly growing: number }

/** Contract: a key is found however it is cut, for `growing` is where a head begins that is not decided yet. */
export function findKeys(text: string): Seen {
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
const longestUndecided = 512

function growingHead(text: string): number {
  const from = Math.max(0, text.length - longestUndecided)
  const match = unfinished.exec(text.slice(from))
  return match ? from + match.index : text.length
}
