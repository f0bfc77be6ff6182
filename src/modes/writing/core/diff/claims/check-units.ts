import type { Clause, Subject } from './clauses.ts'
import { isChanged, type Known, type KnownUnit, measureHunks } from './known.ts'
import { type Claim, readClaims } from './read-claims.ts'
import type { Finding, Statement } from './statement.ts'

/** Checks what a statement says about files, chapters, sections and fields: that they changed, or not, or are new or gone. */
export function checkUnits(statement: Statement, known: Known): readonly Finding[] {
  return statement.clauses.flatMap((clause) => [
    ...readClaims(clause, known).flatMap((claim) => checkClaim(claim, statement, known) ?? []),
    ...findMissing(clause, statement),
  ])
}

/** Returns what is true instead, or undefined. */
function checkClaim(claim: Claim, statement: Statement, known: Known): Finding | undefined {
  const { subject } = claim
  if (claim.isExclusive && subject.kind === 'units' && claim.predicate === 'changed') {
    const others = known.units.filter((unit) => isChanged(unit) && !subject.units.includes(unit))
    return others.length === 0 ? undefined : deny(`${nameUnits(others)} changed too`)
  }
  if (subject.kind === 'units') return checkNamed(claim, subject.units)
  if (subject.kind === 'parts') return checkParts(claim, subject.parts, statement)
  return checkQuantity(claim, subject, statement)
}

const deny = (says: string): Finding => ({ code: 'denies-change', says })
const invent = (says: string): Finding => ({ code: 'claims-change-where-none', says })
const nameUnits = (units: readonly KnownUnit[]): string => units.map(({ label }) => label).join(', ')

function checkNamed(claim: Claim, units: readonly KnownUnit[]): Finding | undefined {
  const { predicate } = claim
  if (predicate === 'unchanged') {
    const changed = units.filter((unit) => isChanged(unit) && contradicts(unit, claim))
    return changed.length === 0 ? undefined : deny(`${nameUnits(changed)} changed`)
  }
  const wrong = units.filter((unit) => {
    if (predicate === 'changed') return !isChanged(unit)
    if (predicate === 'removed') return unit.status !== 'removed'
    return unit.status !== 'added' && unit.words_before > 0
  })
  if (wrong.length === 0) return undefined
  return invent(
    `${nameUnits(wrong)}: ${predicate === 'changed' ? 'not changed' : `not ${predicate}, but ${wrong[0]!.status}`}`,
  )
}

/** More than this share is not "largely unchanged". */
const largeShare = 0.4
/** More than this share is more than wording. */
const smallShare = 0.1

/** A hedged or qualified denial is only wrong if much changed, or lines came, went or changed. */
function contradicts(unit: KnownUnit, { isHedged, isQualified }: Claim): boolean {
  const share = measureHunks(unit, unit.hunks)
  if (isHedged) return share > largeShare
  const isRestructured = unit.status !== 'modified' || unit.hunks.some(({ granularity }) => granularity !== 'sentence')
  return !isQualified || isRestructured || share > smallShare
}

type Parts = (Subject & { readonly kind: 'parts' })['parts']

/** Parts of the same name in several units are only wrong if all are. */
function checkParts({ predicate, isHedged }: Claim, parts: Parts, { change }: Statement): Finding | undefined {
  for (const name of new Set(parts.map((part) => part.name))) {
    const own = parts.filter((part) => part.name === name)
    const changed = own.filter(({ before, after }) => before !== after)
    const areAllChanged = change === null ? changed.length === own.length : changed.length > 0
    if (predicate === 'unchanged' && areAllChanged && !isHedged) return deny(`"${name}" changed`)
    if (predicate === 'changed' && changed.length === 0) return invent(`"${name}" did not change`)
    if (predicate === 'removed' && own.every(({ after }) => after !== undefined))
      return invent(`"${name}" is still there`)
  }
  return undefined
}

type Quantity = Subject & { readonly kind: 'quantity' }

function checkQuantity(
  { predicate }: Claim,
  { units, count }: Quantity,
  { change, units: own }: Statement,
): Finding | undefined {
  const matching = units.filter((unit) => {
    if (predicate === 'unchanged') return !isChanged(unit)
    return predicate === 'changed' ? isChanged(unit) : unit.status === predicate
  })
  const truth = `${matching.length} of ${units.length} are ${predicate}`
  if (count === 'none') return matching.length === 0 ? undefined : deny(truth)
  // A change may speak of its own units only.
  const isOwn = change !== null && own.length > 1 && own.every((unit) => matching.includes(unit))
  const edited = units.filter(({ status }) => status === 'modified').length
  const isTrue =
    count === 'all'
      ? matching.length === units.length || isOwn
      : count === matching.length ||
        (predicate === 'changed' && count === edited) ||
        (change !== null && count === own.length)
  return isTrue ? undefined : { code: 'count-differs', says: truth }
}

/** A change cannot happen in a chapter that there is not. */
function findMissing({ subjects }: Clause, { field }: Statement): readonly Finding[] {
  if (field === 'why' || field === 'whole') return []
  const missing = subjects.flatMap((subject) => (subject.kind === 'units' ? subject.missing : []))
  return missing.length === 0 ? [] : [{ code: 'unknown-unit', says: `there is no ${missing.join(', ')}` }]
}
