import type { ChangeLabel, DiffLabels } from '../../contract/diff-labels.ts'
import type { DiffFlag } from '../../contract/semantic-diff.ts'
import { checkCounts } from './claims/check-counts.ts'
import { checkFacts, checkInlineQuotes, checkTone, searchQuote } from './claims/check-facts.ts'
import { checkGists } from './claims/check-gists.ts'
import { checkNames } from './claims/check-names.ts'
import { checkSizes } from './claims/check-sizes.ts'
import { checkUnits } from './claims/check-units.ts'
import { checkWholes } from './claims/check-wholes.ts'
import type { Known, KnownUnit } from './claims/known.ts'
import { escapePattern } from './claims/match.ts'
import { type Finding, listStatements, type Statement } from './claims/statement.ts'

/** Nobody reads more. */
const mostFlags = 200

/**
 * Finds claims of a model that contradict what code has found. Only what can be checked is checked: ids, quotes, values, numbers, names,
 * files, sections, directions and places. A paraphrase contradicts nothing.
 */
export function findFlags(labels: DiffLabels, known: Known): readonly DiffFlag[] {
  const statements = listStatements(labels, known)
  const flags = [
    ...labels.changes.flatMap((change) => {
      const own = statements.filter((statement) => statement.change === change)
      return toFlags(change.id, [
        ...checkIds(change, known),
        ...checkEvidence(change, own, known),
        ...checkGists(change, own, known),
        ...(own[0] ? checkFacts(own[0]) : []),
      ])
    }),
    ...statements.flatMap((statement) => toFlags(statement.change?.id ?? null, checkStatement(statement, known))),
    ...toFlags(null, [...checkTone(labels, known), ...findUnexplained(labels, known)]),
  ]
  return [...new Map(flags.map((flag) => [JSON.stringify(flag), flag])).values()].slice(0, mostFlags)
}

function checkStatement(statement: Statement, known: Known): readonly Finding[] {
  const found = [
    ...checkUnits(statement, known),
    ...checkWholes(statement),
    ...checkSizes(statement),
    ...checkCounts(statement, known),
    ...checkNames(statement, known),
    ...checkInlineQuotes(statement, known),
  ]
  return found.map(({ code, says }) => ({ code, says: `“${shorten(statement.text)}”: ${says}` }))
}

const shorten = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 159)}…`)

const toFlags = (change: string | null, found: readonly Finding[]): readonly DiffFlag[] =>
  found.map((finding) => ({ change, ...finding }))

/** Checks that a change names hunks and units that there are, and the units of its hunks. */
function checkIds(change: ChangeLabel, known: Known): readonly Finding[] {
  const units = new Set(change.hunks.flatMap((id) => known.hunks.get(id)?.unit ?? []))
  const lost = change.hunks.filter((id) => !known.hunks.has(id))
  const named = change.units.map((id) => ({ id, unit: known.units.find((unit) => isNamed(unit, id)) }))
  const strangers = named.filter(({ unit }) => unit === undefined)
  // A unit of which only the whitespace or the name changed has no hunks to cite.
  const isElsewhere = ({ id, status, hunks }: KnownUnit): boolean =>
    units.size > 0 && !units.has(id) && (hunks.length > 0 || status === 'unchanged')
  const elsewhere = named.flatMap(({ unit }) => (unit && isElsewhere(unit) ? [unit] : []))
  const titled = known.units.find((unit) =>
    new RegExp(`^${escapePattern(unit.label)}(?![\\p{L}\\p{N}])`, 'iu').test(change.title),
  )
  return [
    ...lost.map((id): Finding => ({ code: 'unknown-hunk', says: `there is no hunk ${id}` })),
    ...strangers.map(({ id }): Finding => ({ code: 'unknown-unit', says: `there is no unit ${id}` })),
    ...elsewhere.map(({ label }): Finding => ({ code: 'wrong-unit', says: `none of its hunks is in ${label}` })),
    ...(titled && units.size > 0 && !units.has(titled.id)
      ? [{ code: 'wrong-unit', says: `“${shorten(change.title)}”: none of its hunks is in ${titled.label}` } as const]
      : []),
  ]
}

/** A model may name a unit by its id, its path or its label. */
export const isNamed = (unit: Known['units'][number], name: string): boolean =>
  unit.id === name || unit.path === name || unit.label.toLowerCase() === name.toLowerCase()

function checkEvidence(change: ChangeLabel, own: readonly Statement[], known: Known): readonly Finding[] {
  return change.evidence.flatMap(({ side, quote }): Finding[] =>
    isVerified(quote, side, own[0]?.units ?? [], known)
      ? []
      : [{ code: 'quote-not-found', says: `not in the text ${side} the change: “${shorten(quote)}”` }],
  )
}

/** A quote must stand in a unit of the change; without units, in any. */
export const isVerified = (quote: string, side: 'before' | 'after', units: Known['units'], known: Known): boolean =>
  searchQuote(quote, side, units.length > 0 ? units : known.units)

/** Finds changed units of which no change says anything. */
function findUnexplained({ changes }: DiffLabels, known: Known): readonly Finding[] {
  const explained = new Set(changes.flatMap(({ hunks }) => hunks))
  return known.units
    .filter(({ hunks }) => hunks.length > 0 && !hunks.some(({ id }) => explained.has(id)))
    .map(({ label, hunks }) => ({
      code: 'unit-not-explained',
      says: `${label} changed in ${hunks.length} places that no change explains`,
    }))
}
