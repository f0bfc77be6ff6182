import { findSection } from './sections.ts'

const asWords = (words: readonly string[]): RegExp => new RegExp(`(?<![\\w'])(?:${words.join('|')})(?!\\w)`, 'i')

const demand = asWords(["must|shall|should|(?<!n['’]t |not )needs? to"])

const wish = asWords([
  "ought to|(?<!n['’]t |not |never |you )ha(?:s|ve) to|needs? an?|(?:is|are) (?:required|expected|supposed|needed)",
  'would (?:\\w+ ){0,3}(?:great|nice|good|cool|ideal|helpful|useful|handy|better|awesome)',
  "(?:I|we)(?:['’]d| would)? (?:\\w+ )?(?:want|need|wish|love|like)|wants? to be able to",
  'please (?!see|read|refer|note|check|open|file|visit|contact|report|consult)\\w+',
  "(?:can|could) (?:we|you)|(?<!to )make sure|don['’]t forget",
])

// Only verbs that change something: a manual says "run", "see" and "use".
const verbs =
  'accept add allow build cache change convert count create define delete design develop disable ' +
  'display document drop enable ensure export expose extend fix generate handle hide ignore implement ' +
  'improve introduce let limit make mark merge migrate move parse port print provide raise refactor ' +
  'reject remove rename render replace return rewrite round save send set show simplify sort speed ' +
  'split store support switch track turn update upgrade validate write'
const order = new RegExp(
  `^[\\W_]{0,6}(?:(?:please|also|then|now|next|finally|first),? ){0,2}(?:${verbs.replaceAll(' ', '|')})[*_]{0,3} ` +
    '(?!(?:status|notes?|logs?|history|steps?|hours|system|instructions|guide)\\b)',
  'i',
)

const aboutItself =
  /^[\W_]{0,6}this (?:\w+ ){0,3}(?:document|prd|specification|spec|page|section|file|roadmap|plan|list)\b/i

/** Whether it asks in the words of a specification: "must", "should". */
export const isDemand = (text: string): boolean => demand.test(text) && hasSentence(text, isDemanding)

/** Whether it asks in other words: "we also need", "it would be great". */
export const isWish = (text: string): boolean => wish.test(text)

/** Whether it begins with an order: "Add a function." */
export const isOrder = (text: string): boolean => order.test(text)

export const hasOrder = (text: string): boolean => hasSentence(text, isOrder)

/** Whether a paragraph that is no item asks for something. Not so if it explains, or announces the lines below it. */
export const asksForMore = (text: string, orders: boolean): boolean =>
  !isExplanation(text) &&
  hasSentence(
    text,
    (sentence) =>
      !sentence.endsWith(':') && (isDemanding(sentence) || isWish(sentence) || (orders && isOrder(sentence))),
  )

const isDemanding = (sentence: string): boolean => demand.test(sentence) && !aboutItself.test(sentence)

const hasSentence = (text: string, isSuch: (sentence: string) => boolean): boolean =>
  text
    .trim()
    .split(/(?<=[.!?])\s+/)
    .some(isSuch)

/** `Note: …`, `**Goal:** …`, or the checkpoint after a phase: labels that would head a section without items. */
function isExplanation(text: string): boolean {
  const label = /^[\W_]{0,4}(\p{L}[^:*\n]{0,40}):/u.exec(text)?.[1]
  if (label === undefined) return false
  const section = findSection(label)
  return (
    /^checkpoint$/i.test(label) ||
    section === 'context' ||
    section === 'map' ||
    section === 'aside' ||
    section === 'excluded'
  )
}
