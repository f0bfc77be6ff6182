import type { ChangeLabel, DiffLabels } from '../../contract/diff-labels.ts'
import type { Change, Hunk, SemanticDiff } from '../../contract/semantic-diff.ts'
import { collectKnown, type Known, type KnownUnit, measureHunks } from './claims/known.ts'
import type { ComputedDiff } from './compute.ts'
import { findFlags, isNamed, isVerified } from './flags.ts'
import { listWords } from './text/words.ts'

/** What a diff belongs to, and the texts that were compared. */
export type DiffSubject = Pick<SemanticDiff, 'iteration_id' | 'target' | 'request' | 'verdict' | 'model'> & {
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
}

/** Joins what code has found with what a model says about it. Without labels, each changed unit is a change. */
export function joinDiff(computed: ComputedDiff, labels: DiffLabels | undefined, about: DiffSubject): SemanticDiff {
  const known = collectKnown(computed, about.before, about.after, about.request)
  const changes = labels ? labels.changes.map((label) => joinChange(label, labels, known)) : describeUnits(known)
  const explained = new Set(changes.flatMap(({ hunks }) => hunks))
  const unexplained = computed.hunks.map(({ id }) => id).filter((id) => !explained.has(id))
  const quotes = changes.flatMap(({ evidence }) => evidence)
  return {
    schema: 'semdiff/1',
    iteration_id: about.iteration_id,
    target: about.target,
    request: about.request,
    stats: computed.stats,
    units: computed.units,
    hunks: computed.hunks,
    limited: computed.limited,
    changes,
    unexplained_hunks: unexplained,
    impact: labels?.impact ?? { tone: null, arcs: [], consistency: '' },
    risks: labels?.risks ?? [],
    rationale: labels?.rationale ?? '',
    coverage: {
      hunks_explained_pct: countPercent(computed.hunks.length - unexplained.length, computed.hunks.length),
      quotes_verified_pct: countPercent(quotes.filter(({ verified }) => verified).length, quotes.length),
    },
    flags: labels ? findFlags(labels, known) : [],
    verdict: about.verdict,
    fallback: labels === undefined,
    model: about.model,
  }
}

/** 100 means all. */
const countPercent = (count: number, total: number): number => (total === 0 ? 100 : Math.floor((100 * count) / total))

/** Keeps only ids that exist. The units are those of the hunks; a change without hunks keeps those it names. */
function joinChange(label: ChangeLabel, { changes }: DiffLabels, known: Known): Change {
  const hunks = [...new Set(label.hunks)].flatMap((id) => known.hunks.get(id) ?? [])
  const touched = known.units.filter(({ id }) => hunks.some((hunk) => hunk.unit === id))
  const units = touched.length > 0 ? touched : known.units.filter((unit) => label.units.some((id) => isNamed(unit, id)))
  const others = new Set(changes.map(({ id }) => id).filter((id) => id !== label.id))
  return {
    ...label,
    hunks: hunks.map(({ id }) => id),
    units: units.map(({ id }) => id),
    magnitude: boundMagnitude(label.magnitude, hunks, touched),
    depends_on: [...new Set(label.depends_on)].filter((id) => others.has(id)),
    ripple_of: label.ripple_of !== null && others.has(label.ripple_of) ? label.ripple_of : null,
    evidence: label.evidence.map(({ side, quote }) => ({
      side,
      quote,
      verified: isVerified(quote, side, units, known),
    })),
  }
}

/** A change of more than this share of a unit is a rewrite. */
const largeShare = 0.4
const mediumShare = 0.1

/**
 * A model knows what matters: one word can be major. But it may not hide a rewrite as a minor change, nor call a change major that
 * leaves every word as it was.
 */
function boundMagnitude(
  said: Change['magnitude'],
  hunks: readonly Hunk[],
  units: readonly KnownUnit[],
): Change['magnitude'] {
  if (hunks.length > 0 && hunks.every(hasSameWords)) return 'minor'
  return said === 'minor' && units.some((unit) => measureUnit(unit, hunks) > largeShare) ? 'moderate' : said
}

const hasSameWords = ({ before, after }: Hunk): boolean =>
  listWords(before.text).join(' ') === listWords(after.text).join(' ')

const measureUnit = (unit: KnownUnit, hunks: readonly Hunk[]): number =>
  measureHunks(
    unit,
    hunks.filter((hunk) => hunk.unit === unit.id),
  )

/** Makes a change of each changed unit, with nothing but what code knows. */
function describeUnits({ units }: Known): readonly Change[] {
  return units
    .filter(({ status }) => status !== 'unchanged')
    .map((unit, index): Change => {
      const share = measureUnit(unit, unit.hunks)
      return {
        id: `C${index + 1}`,
        magnitude: share > largeShare ? 'major' : share > mediumShare ? 'moderate' : 'minor',
        type: readType(unit),
        units: [unit.id],
        locator: '',
        title: makeTitle(unit),
        summary: listHeadings(unit),
        before: '',
        after: '',
        facts: [],
        why: '',
        hunks: unit.hunks.map(({ id }) => id),
        depends_on: [],
        ripple_of: null,
        evidence: [],
      }
    })
}

function readType({ status, hunks }: KnownUnit): Change['type'] {
  if (status === 'added') return 'add'
  if (status === 'removed') return 'remove'
  if (hunks.length === 0) return status === 'renamed' ? 'rename' : 'format'
  if (hunks.every(({ before }) => before.text === '')) return 'add'
  return hunks.every(({ after }) => after.text === '') ? 'remove' : 'rewrite'
}

/** "Chapter 3: 14 passages changed (+120/-80 words)". */
function makeTitle({ label, status, from_path, hunks, format, words_before, words_after }: KnownUnit): string {
  if (status === 'added') return `${label}: new (${words_after} words)`
  if (status === 'removed') return `${label}: removed (${words_before} words)`
  const sum = (side: 'words_before' | 'words_after'): number => hunks.reduce((total, hunk) => total + hunk[side], 0)
  const noun = `${format === 'json' ? 'field' : 'passage'}${hunks.length === 1 ? '' : 's'}`
  const what = `${hunks.length} ${noun} changed (+${sum('words_after')}/-${sum('words_before')} words)`
  if (status === 'renamed') return `${label}: renamed from ${from_path}${hunks.length === 0 ? '' : `, ${what}`}`
  return `${label}: ${hunks.length === 0 ? 'only spaces or line breaks changed' : what}`
}

const mostHeadings = 5

/** Names the sections of the hunks, for people who look for a place. */
function listHeadings({ hunks }: KnownUnit): string {
  const names = [...new Set(hunks.flatMap(({ heading, field }) => heading ?? field ?? []))]
  if (names.length === 0) return ''
  return `In ${names.slice(0, mostHeadings).join(', ')}${names.length > mostHeadings ? ` and ${names.length - mostHeadings} more` : ''}.`
}
