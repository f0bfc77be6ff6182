import type { Level } from '../contract/project-type.ts'
import type { Change, SemanticDiff, Unit } from '../contract/semantic-diff.ts'
import { formatRanges } from './ranges.ts'

export const rule = '━'.repeat(47)

export type SummaryAbout = {
  readonly level: Level
  /** The parts of the lead file, such as metadata, characters, world. */
  readonly leadParts: readonly string[]
}

/** The summary of an iteration as the seed shows it. Figures are computed; descriptions are the model's. Lines are not wrapped. */
export function formatSummary(diff: SemanticDiff, about: SummaryAbout): string[] {
  const { verdict, request } = diff
  return [
    rule,
    'ITERATION SUMMARY',
    rule,
    '',
    'User feedback:',
    ...request.split('\n').map((line, at, all) => `  ${at === 0 ? '"' : ''}${line}${at === all.length - 1 ? '"' : ''}`),
    '',
    `Judge attempts: ${verdict.attempts} ${formatVerdict(verdict)}`,
    '',
    `CHANGES TO ${about.level.title.toUpperCase()}:`,
    '',
    ...formatLead(diff, about),
    ...formatParts(diff, about),
    'Overall impact:',
    ...formatImpact(diff, about),
    '',
    ...formatDoubts(diff),
    ...(diff.rationale === '' ? [] : ['Why these changes work:', `  ${diff.rationale}`, '']),
    rule,
  ]
}

/** One line for each magnitude, for the compact view. */
export function formatBriefSummary(diff: SemanticDiff): string[] {
  const titles = (magnitude: Change['magnitude']): string[] => {
    const found = diff.changes.filter((change) => change.magnitude === magnitude)
    return found.length > 0
      ? [`${magnitudeNames[magnitude]} changes: ${found.map(({ title }) => title).join('; ')}`]
      : []
  }
  const lines = [...titles('major'), ...titles('moderate'), ...titles('minor')]
  return [
    ...(lines.length > 0 ? lines : ['No changes']),
    ...(diff.flags.length > 0 ? [`Check: ${diff.flags.map(({ says }) => says).join(' ')}`] : []),
    ...(diff.unexplained_hunks.length > 0 ? [formatUnexplained(diff)] : []),
  ]
}

/** The parts of the file that belongs to all others, from its headings. */
export function findLeadParts(
  level: Level,
  files: readonly { readonly path: string; readonly text: string }[],
): string[] {
  const lead = files.find(({ path }) => level.series?.lead && path === `${level.folder}/${level.series.lead}`)
  return lead?.text.match(/^# .+$/gm)?.map((heading) => heading.slice(2).trim()) ?? []
}

function formatVerdict({ judge, attempts }: SemanticDiff['verdict']): string {
  if (judge === 'approved') return `(approved on attempt ${attempts})`
  return judge === 'none' ? '(not judged)' : '(not approved)'
}

const stars = { major: '★★★', moderate: '★★', minor: '★' } as const
const magnitudeNames = { major: 'Major', moderate: 'Moderate', minor: 'Minor' } as const

/** The changes of the file that belongs to all parts. */
function formatLead(diff: SemanticDiff, { leadParts }: SummaryAbout): string[] {
  const lead = diff.units.find(({ kind }) => kind === 'lead')
  const own = diff.changes.filter((change) => isLeadChange(change, lead))
  if (!lead || own.length === 0) return []
  const parts = leadParts.length > 0 ? ` (${leadParts.join(', ').toLowerCase()})` : ''
  const lines = own.flatMap(({ facts, title }) =>
    facts.length > 0
      ? facts.map(({ entity, attribute, from, to }) => formatFact(entity, attribute, from, to))
      : [title],
  )
  return [`${lead.label}${parts}:`, ...lines.map((line) => `  ✓ ${line}`), '']
}

function formatFact(entity: string, attribute: string, from: string, to: string): string {
  const what = [entity, attribute].filter((word) => word !== '').join(' ')
  if (from === '') return `${what}: added ${to}`
  return to === '' ? `${what}: removed ${from}` : `${what}: ${from} → ${to}`
}

const isLeadChange = ({ units }: Change, lead: Unit | undefined): boolean =>
  lead !== undefined && units.length === 1 && units[0] === lead.id

function formatParts(diff: SemanticDiff, { level }: SummaryAbout): string[] {
  const lead = diff.units.find(({ kind }) => kind === 'lead')
  const changes = diff.changes.filter((change) => !isLeadChange(change, lead))
  const isSeries = diff.units.some(({ kind }) => kind === 'part')
  const indent = isSeries ? '  ' : ''
  const heading = isSeries && level.series ? [`${capitalize(level.series.one)} Structure:`, ''] : []
  const groups = (['major', 'moderate', 'minor'] as const).flatMap((magnitude) => {
    const found = groupByUnits(changes.filter((change) => change.magnitude === magnitude))
    const same = magnitude === 'minor' ? formatUnchanged(diff) : []
    if (found.length + same.length === 0) return []
    const bullets = found.flatMap((group) => [...formatGroup(group, diff), ''])
    return [
      `${magnitudeNames[magnitude]} changes (${stars[magnitude]}):`,
      ...bullets,
      ...same,
      ...(same.length ? [''] : []),
    ]
  })
  return [...heading, ...groups.map((line) => (line === '' ? '' : indent + line))]
}

/** Changes of the same files stand together. */
function groupByUnits(changes: readonly Change[]): Change[][] {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const key = change.units.join(' ')
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups.values()]
}

function formatGroup(group: readonly Change[], diff: SemanticDiff): string[] {
  const [first] = group
  const units = diff.units.filter(({ id }) => first!.units.includes(id))
  const label = formatUnits(units)
  const head = `  • ${label}${label === '' ? '' : ': '}${first!.title}`
  const details = group.flatMap((change, at) => formatChange(change, at === 0))
  const tones = group.flatMap(({ facts }) => facts.filter(({ attribute }) => /\btone\b/i.test(attribute)))
  return [
    head,
    ...details,
    ...tones.map(({ from, to }) => `    Tone shift: ${from} → ${to}`),
    ...formatWordCount(units),
  ]
}

function formatChange({ locator, title, before, after, summary }: Change, isFirst: boolean): string[] {
  const name = locator === '' ? title : locator
  if (before === '' && after === '') {
    const text = summary === '' ? title : summary
    return isFirst && text === title ? [] : [`    - ${text}`]
  }
  return [
    `    ${name}:`,
    ...(before === '' ? [] : [`      Before: ${before}`]),
    ...(after === '' ? [] : [`      After:  ${after}`]),
  ]
}

/** Computed, whatever the model says. */
function formatWordCount(units: readonly Unit[]): string[] {
  const before = units.reduce((sum, unit) => sum + unit.words_before, 0)
  const after = units.reduce((sum, unit) => sum + unit.words_after, 0)
  const percent = before === 0 ? 0 : Math.round(((after - before) / before) * 100)
  return percent === 0 ? [] : [`    Word count: ${percent > 0 ? '+' : ''}${percent}%`]
}

function formatUnchanged({ units }: SemanticDiff): string[] {
  const same = units.filter(({ status, kind }) => status === 'unchanged' && kind === 'part')
  return same.length > 0 ? [`  • ${formatUnits(same)}: unchanged`] : []
}

/** "Chapters 1, 5-7", "Foundation and Chapter 2", "Chapter 3". */
function formatUnits(units: readonly Unit[]): string {
  const parts = units.filter(({ kind }) => kind === 'part')
  const numbers = parts.flatMap(({ label }) => /^(\D+?) (\d+)$/.exec(label) ?? [])
  const isNumbered = parts.length > 1 && numbers.length === 3 * parts.length
  const others = units.filter(({ kind }) => kind === 'lead').map(({ label }) => label)
  if (!isNumbered) return [...others, ...parts.map(({ label }) => label)].join(', ')
  const word = numbers[1]!
  const ranges = formatRanges(parts.map(({ label }) => Number(/\d+$/.exec(label)![0])))
  return [...others, `${word}s ${ranges}`].join(', ')
}

function formatImpact(diff: SemanticDiff, { level }: SummaryAbout): string[] {
  const { stats, impact, units } = diff
  const changed = units.filter(({ status }) => status !== 'unchanged')
  const lead = changed.find(({ kind }) => kind === 'lead')
  const parts = changed.filter(({ kind }) => kind === 'part').length
  const { one = 'file', many = 'files' } = level.series ?? {}
  const named = [
    ...(lead ? [lead.label.toLowerCase()] : []),
    ...(parts > 0 ? [`${parts} ${parts === 1 ? one : many}`] : []),
  ]
  const breakdown = named.length > 0 ? ` (${named.join(' + ')})` : ''
  return [
    `  • Files changed: ${stats.files_changed} of ${stats.files_total}${breakdown}`,
    `  • Lines changed: ±${stats.lines_added + stats.lines_removed} across all files`,
    ...impact.arcs.map((arc) => `  • Arc impact: ${arc}`),
    ...(impact.tone ? [`  • Tone: Shifted from ${impact.tone.from} to ${impact.tone.to}`] : []),
    ...(impact.consistency === '' ? [] : [`  • Consistency: ${impact.consistency}`]),
  ]
}

/** What the person should not take on trust. */
function formatDoubts(diff: SemanticDiff): string[] {
  const { flags, risks, unexplained_hunks, fallback } = diff
  return [
    ...(fallback
      ? ['The model gave no usable description, so this one is computed from the sizes of the changes.', '']
      : []),
    ...(risks.length > 0 ? ['Risks:', ...risks.map(({ text }) => `  • ${text}`), ''] : []),
    ...(flags.length > 0 ? ['Check these claims:', ...flags.map(({ says }) => `  ! ${says}`), ''] : []),
    ...(unexplained_hunks.length > 0 ? [formatUnexplained(diff), ''] : []),
  ]
}

function formatUnexplained({ unexplained_hunks: ids, hunks, units }: SemanticDiff): string {
  const found = hunks.filter(({ id }) => ids.includes(id))
  const where = units.filter(({ id }) => found.some((hunk) => hunk.unit === id))
  const count = `${ids.length} changed ${ids.length === 1 ? 'passage' : 'passages'}`
  return `Not explained: ${count} in ${where.map(({ label }) => label).join(', ')}`
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
