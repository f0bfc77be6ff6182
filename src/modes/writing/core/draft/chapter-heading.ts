import { parseNumeral } from './numerals.ts'

/** What a heading of a draft means. */
export type ChapterHeading =
  | { readonly kind: 'chapter'; readonly number: number; readonly titled: boolean }
  /** Chapters without a number. `place` says where they stand: before, between or after the numbered ones. */
  | { readonly kind: 'special'; readonly word: string; readonly place: 'before' | 'between' | 'after' }
  /** Contains chapters: "Part Two". */
  | { readonly kind: 'part' }
  /** A number and nothing else. Only a row of them can be taken for chapters. */
  | { readonly kind: 'numeral'; readonly number: number }

const chapterWords = [
  'chapter',
  'kapitel',
  'chapitre',
  'capítulo',
  'capitulo',
  'capitolo',
  'hoofdstuk',
  'rozdział',
  'глава',
]
const partWords = ['part', 'book', 'volume', 'act', 'teil', 'buch', 'band', 'akt', 'partie', 'livre', 'parte', 'libro']

const beforeWords = ['prologue', 'prolog', 'prelude', 'vorspiel', 'prólogo', 'prologo']
const betweenWords = ['interlude', 'intermezzo', 'intermission', 'zwischenspiel']
const endWords = ['epilogue', 'epilog', 'épilogue', 'epílogo', 'epilogo', 'nachspiel', 'coda', 'afterword', 'nachwort']
const backWords = [
  'acknowledgements',
  'acknowledgments',
  'danksagung',
  "author's note",
  'about the author',
  'appendix',
  'glossary',
]
const specials = new Map([
  ...beforeWords.map((word) => [word, 'before'] as const),
  ...betweenWords.map((word) => [word, 'between'] as const),
  ...[...endWords, ...backWords].map((word) => [word, 'after'] as const),
])

/** Reads one line without markup. `words` are further words for a chapter in lower case, such as "episode". */
export function parseChapterHeading(line: string, words: readonly string[] = []): ChapterHeading | undefined {
  const text = line.replace(/\s+/g, ' ').replaceAll('’', "'").trim()
  if (text === '' || text.length > 120) return undefined
  const known = [...chapterWords, ...words]
  return (
    parseNumbered(text, known) ??
    parseTurned(text, known) ??
    (parseNumbered(text, partWords) && { kind: 'part' }) ??
    parseSpecial(text) ??
    parseBare(text)
  )
}

type Chapter = Extract<ChapterHeading, { kind: 'chapter' }>

/** "Chapter 3", "CHAPTER THREE: Title", "Kapitel 4 – Titel", "Chapter the Third". */
function parseNumbered(text: string, words: readonly string[]): Chapter | undefined {
  const [word = ''] = text.split(' ', 1)
  if (word === text || !words.includes(word.toLowerCase())) return undefined
  const after = text.slice(word.length + 1).replace(/^the /i, '')
  const [, pair = ''] = /^(\p{L}+ \p{L}+)/u.exec(after) ?? []
  const [, single = ''] = /^([\p{L}\d]+(?:-\p{L}+)?)/u.exec(after) ?? []
  for (const numeral of [pair, single]) {
    const number = parseNumeral(numeral)
    if (number !== undefined) return finishNumbered(number, after.slice(numeral.length))
  }
  return undefined
}

/** "3. Kapitel", "Drittes Kapitel", "Third Chapter". */
function parseTurned(text: string, words: readonly string[]): Chapter | undefined {
  const [, numeral = '', word = '', rest = ''] = /^(\d+|\p{L}+(?:st|nd|rd|th|tes))\.? (\p{L}+)(.*)$/iu.exec(text) ?? []
  const number = parseNumeral(numeral)
  const isHeading = words.includes(word.toLowerCase()) && /^(?:[.:|]|\s*[–—-]|$)/.test(rest)
  return number !== undefined && isHeading ? finishNumbered(number, rest) : undefined
}

/** Without a mark before it, a title must not look like the end of a sentence: "Chapter 3 of the manual was missing." */
function finishNumbered(number: number, rest: string): Chapter | undefined {
  const title = rest.trim()
  if (title === '' || /^[.:–—-]+$/.test(title)) return { kind: 'chapter', number, titled: false }
  const isTitle = /^\s*[.:|–—-]/.test(rest) ? !/[,;]$/.test(title) : /^\s/.test(rest) && !/[.,;!?…]["”’]?$/.test(title)
  return isTitle && title.length <= 100 ? { kind: 'chapter', number, titled: true } : undefined
}

function parseSpecial(text: string): ChapterHeading | undefined {
  const [, name = ''] = /^([\p{L}' ]+?)(?:\s*[.:|–—-].*)?$/u.exec(text) ?? []
  const word = name.toLowerCase()
  const place = specials.get(word)
  // "Interlude II" and "Appendix B".
  const [start = ''] = word.split(' ')
  const numbered = /^\S+ (?:[ivxlc]+|[a-z]|one|two|three)$/.test(word) ? specials.get(start) : undefined
  const found = place ?? numbered
  return found && { kind: 'special', word, place: found }
}

/** "3", "3.", "(3)", "— 3 —", "IV.", "Twelve". */
function parseBare(text: string): ChapterHeading | undefined {
  const [, inner = ''] = /^(?:[-–—~*[(]+ ?)?([\p{L}\d]+(?:[- ]\p{L}+)?)\.?(?: ?[-–—~*\])]+)?$/u.exec(text) ?? []
  const number = parseNumeral(inner)
  return number === undefined ? undefined : { kind: 'numeral', number }
}

/** "3. The Storm", "IV – The Storm". In a plain text this could be an item of a list, so it counts only in a heading. */
export function parseNumberedTitle(text: string): ChapterHeading | undefined {
  const [, numeral = ''] = /^(\d{1,3}|[IVXLC]+)(?:[.:)]| [–—-]) \S/.exec(text) ?? []
  const number = parseNumeral(numeral)
  return number === undefined ? undefined : { kind: 'numeral', number }
}
