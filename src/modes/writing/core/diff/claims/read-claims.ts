import type { Clause, Subject } from './clauses.ts'
import type { Known } from './known.ts'
import {
  changeNouns,
  deniedWords,
  fillers,
  hedges,
  negations,
  onlyWords,
  type Predicate,
  predicates,
  sameWords,
} from './lexicon.ts'
import { hasWord, wordPattern } from './match.ts'
import { findNumbers } from './numbers.ts'

/** A clause says this about a subject. */
export type Claim = {
  readonly subject: Subject
  readonly predicate: Predicate
  /** Only this subject, and no other. */
  readonly isExclusive: boolean
  /** It denies only changes of some kind, such as structural ones. */
  readonly isQualified: boolean
  /** It leaves room for exceptions. */
  readonly isHedged: boolean
}

/** Finds what a clause says about its subjects. A negated change is the claim that nothing changed. */
export function readClaims(clause: Clause, known: Known): readonly Claim[] {
  const isHedged = hasWord(clause.text, hedges)
  return [...readPredicates(clause), ...readNouns(clause), ...readCounts(clause, known)].map((claim) => ({
    isExclusive: false,
    isQualified: false,
    isHedged,
    ...claim,
  }))
}

type Found = Pick<Claim, 'subject' | 'predicate'> & Partial<Claim>

const endOfWord = '(?![\\p{L}\\p{N}])'
const anyPredicate = [...Object.values(predicates), sameWords, deniedWords].join('|')
const filler = `(?:\\s+(?:${fillers}|${negations}))*`

/** `⟦0⟧ was completely rewritten or deleted`. */
const saidOf = new RegExp(
  `⟦(?<subject>\\d+)⟧(?<between>${filler})\\s+(?<first>${anyPredicate})${endOfWord}(?:\\s+(?:or|and|oder|und)\\s+(?<second>${anyPredicate})${endOfWord})?`,
  'giu',
)

function readPredicates({ text, subjects }: Clause): readonly Found[] {
  return [...text.matchAll(saidOf)].flatMap((found) => {
    const { subject, between, first, second } = found.groups!
    const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)]
    const isNegated =
      hasWord(between!, negations) || new RegExp(`${wordPattern('neither|weder')}\\s*$`, 'iu').test(before)
    const isExclusive = new RegExp(`${wordPattern(onlyWords)}\\s*$`, 'iu').test(before)
    return [first!, ...(second === undefined ? [] : [second])].flatMap((word): Found[] => {
      const predicate = readPredicate(word, between!, after, isNegated)
      // `a quarter of ⟦0⟧ is gone` says of the whole only that it changed.
      const isWhole = predicate === 'changed' || !/(?<![\p{L}])(?:of|in|from|von|aus|des)\s+$/iu.test(before)
      return predicate === undefined || !isWhole
        ? []
        : [{ subject: subjects[Number(subject)]!, predicate, isExclusive }]
    })
  })
}

/** Undefined if nothing that can be checked is said. */
function readPredicate(word: string, between: string, after: string, isNegated: boolean): Predicate | undefined {
  const is = (words: string): boolean => new RegExp(`^(?:${words})$`, 'iu').test(word)
  if (is(sameWords)) return between.trim() === '' || isNegated ? undefined : 'unchanged'
  if (is(deniedWords)) return isNegated ? 'unchanged' : undefined
  // `cut to two pages` is not `cut`.
  const isCutDown = is('cut|dropped') && /^\s+(?:by|to|down|back|short|auf|um)(?![\p{L}])/iu.test(after)
  const found = isCutDown ? 'changed' : (Object.keys(predicates) as Predicate[]).find((name) => is(predicates[name]))!
  if (!isNegated) return found
  return found === 'changed' ? 'unchanged' : undefined
}

const before = '(?<before>(?:\\p{L}+\\s+){0,3})'
/** `no structural changes to ⟦0⟧`. */
const changesOf = new RegExp(
  `${before}${wordPattern(changeNouns)}(?:\\s+(?:were|was|are)\\s+made)?\\s+(?:to|of|in|for|an|bei|von|am|im)\\s+⟦(?<subject>\\d+)⟧`,
  'giu',
)
/** `⟦0⟧: no structural changes`. */
const titleOfChanges = new RegExp(`⟦(?<subject>\\d+)⟧\\s*[:–—]\\s*${before}${wordPattern(changeNouns)}`, 'giu')
/** `nothing changed in ⟦0⟧`. */
const nothingOf = new RegExp(
  `${wordPattern('nothing|nichts')}${filler}\\s+(?:${predicates.changed})\\s+(?:in|to|an)\\s+⟦(?<subject>\\d+)⟧`,
  'giu',
)

/** A change "of tone" is no claim about a line called "Tone": nouns are only read for units. */
function readNouns({ text, subjects }: Clause): readonly Found[] {
  const nouns = [...text.matchAll(changesOf), ...text.matchAll(titleOfChanges)].map((found): Found => {
    const words = found.groups!.before!.trim()
    const isQualified = !new RegExp(`${wordPattern(negations)}$`, 'iu').test(words)
    const predicate = hasWord(words, negations) ? 'unchanged' : 'changed'
    return { subject: subjects[Number(found.groups!.subject)]!, predicate, isQualified }
  })
  return [
    ...nouns.filter(({ subject }) => subject.kind !== 'parts'),
    ...[...text.matchAll(nothingOf)].map(
      (found): Found => ({ subject: subjects[Number(found.groups!.subject)]!, predicate: 'unchanged' }),
    ),
  ]
}

/** `Files changed: 8 of 16`, `two new chapters`. */
function readCounts({ text, subjects }: Clause, known: Known): readonly Found[] {
  const listed = /(?:files|dateien)\s+(?:changed|geändert)\s*:\s*(\S+)/iu.exec(text)
  const count = listed ? findNumbers(listed[1]!)[0]?.value : undefined
  return [
    ...(count === undefined
      ? []
      : [{ subject: { kind: 'quantity', units: known.units, count, isNew: false }, predicate: 'changed' } as const]),
    ...subjects.flatMap((subject): Found[] =>
      subject.kind === 'quantity' && subject.isNew ? [{ subject, predicate: 'added' }] : [],
    ),
  ]
}
