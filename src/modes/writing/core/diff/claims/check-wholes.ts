import { allWords, articles, countedNouns, fillers, keptWords, predicates } from './lexicon.ts'
import type { Finding, Statement } from './statement.ts'

const textNouns = [
  countedNouns.paragraph,
  countedNouns.sentence,
  'text|content|words?|passages?|lines?|wort|zeile',
].join('|')

/** `nothing was removed`, `no sentence changed`. "Nothing else" leaves room. */
const nothing = new RegExp(
  `(?<![\\p{L}])(?:nothing|nichts|(?:no|keine?)\\s+(?<noun>${textNouns}))(?:\\s+(?:${fillers}))*\\s+(?:(?<removed>${predicates.removed})|(?<added>${predicates.added})|(?<changed>${predicates.changed}))(?![\\p{L}])(?!\\s+(?:in|to|an)\\s+⟦)`,
  'iu',
)

/** `all paragraphs are kept`, `all ⟦0⟧ are preserved`. */
const allKept = new RegExp(
  `(?<![\\p{L}])(?:${allWords})\\s+(?:(?:${articles})\\s+)?(?:⟦(?<mark>\\d+)⟧|(?<noun>${textNouns}))(?:\\s+(?:${fillers}))*\\s+(?:${keptWords})(?![\\p{L}])`,
  'iu',
)

/** Checks claims that nothing of a kind was lost, added or changed. */
export function checkWholes({ field, clauses, hunks }: Statement): readonly Finding[] {
  // A gist tells the story: "nothing was removed from the house".
  if (field === 'before' || field === 'after') return []
  const [isCut, isGrown] = [
    hunks.some(({ after }) => after.text === ''),
    hunks.some(({ before }) => before.text === ''),
  ]
  const isRevised = hunks.some(({ before, after }) => before.text !== '' && after.text !== '')
  return clauses.flatMap(({ text, subjects }): Finding[] => {
    const { removed, added, changed, noun } = nothing.exec(text)?.groups ?? {}
    if (removed !== undefined && isCut) return [{ code: 'denies-change', says: 'something was removed' }]
    if (added !== undefined && isGrown) return [{ code: 'denies-change', says: 'something was added' }]
    if (changed !== undefined && (isRevised || (noun === undefined && hunks.length > 0)))
      return [{ code: 'denies-change', says: `${hunks.length} passages changed` }]
    const kept = allKept.exec(text)?.groups
    const subject = kept?.mark === undefined ? undefined : subjects[Number(kept.mark)]
    const parts = subject?.kind === 'parts' ? subject.parts : []
    const lost = parts.flatMap(({ items }) => items.before.filter((item) => !items.after.includes(item)))
    const isLost = kept !== undefined && (kept.noun === undefined ? lost.length > 0 : isCut)
    return isLost ? [{ code: 'denies-change', says: lost.length > 0 ? `"${lost[0]}" is gone` : 'some are gone' }] : []
  })
}
