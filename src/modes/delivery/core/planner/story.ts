import { sha256 } from '../../../../judging/sha256.ts'
import type { Verification } from '../../contract/input.ts'
import { type Criterion, type Granularity, maxQuote, type Plan, type Story } from '../../contract/plan.ts'
import { cutText } from './read/clean.ts'
import { firstFiles } from './read/files.ts'
import { parseId } from './read/ids.ts'
import type { Item } from './read/item.ts'

export type Draft = {
  readonly id: string
  readonly item: Item
  readonly kind: Granularity
  readonly dependsOn: readonly string[]
  /** The lines assigned to it, in PRD order. */
  readonly lines: readonly Item[]
  readonly quote: (item: Item, endLine: number) => string
}

export function buildStory({ id, item, kind, dependsOn, lines, quote }: Draft, verification: Verification): Story {
  const criteria = [...(saysMore(item, lines) ? [item] : []), ...lines].map(toCriterion)
  const ids = [item, ...lines].flatMap((one) => [one.id, ...one.covers]).flatMap((one) => (one ? [one.shown] : []))
  const commands = commandsBefore(id, ids, verification)
  const end_line = findEnd(item, lines)
  const text = cutText(quote(item, end_line), maxQuote)
  const story = {
    id,
    title: item.title,
    depends_on: dependsOn,
    acceptance_criteria: criteria,
    file_focus: firstFiles([item, ...lines].flatMap(({ files }) => files)),
    verification: commands.map((command) => fillStoryId(command, id)),
    source: { kind, id: item.id?.shown ?? null, line: item.line, end_line },
    ...(text !== '' && { text }),
  }
  const code = [item, ...lines].flatMap((one) => one.code)
  return { ...story, sha256: storyHash(story, code, commands) }
}

/** Whether the item itself is a criterion. Not so for a task whose text is only its title and that has criteria. */
const saysMore = (item: Item, lines: readonly Item[]): boolean =>
  lines.length === 0 || item.text !== item.title || item.kind === 'criterion' || item.kind === 'requirement'

export const toCriterion = ({ id, text, line }: Item): Criterion => ({ id: id?.shown ?? null, text, line })

/** Counts only lines below the item, not lines assigned from elsewhere. */
function findEnd(item: Item, lines: readonly Item[]): number {
  const own = lines.filter(({ place }) => place.parent === item.place)
  return own.reduce((end, { endLine }) => Math.max(end, endLine), item.endLine)
}

/**
 * Hashes the content of the work, but not its number, position or line numbers, nor its lines as they stand: ticking a box is no
 * other work. `commands` still contain the `{story_id}` placeholder.
 */
function storyHash(story: Omit<Story, 'sha256'>, code: readonly string[], commands: readonly string[]): string {
  const { title, acceptance_criteria, file_focus, source } = story
  const criteria = acceptance_criteria.map(({ id, text }) => [id, text])
  const work = [title, criteria, file_focus, commands, source.kind, source.id]
  return sha256(JSON.stringify(code.length > 0 ? [...work, code] : work))
}

export const hashPlan = (plan: Omit<Plan, 'sha256'>): string => sha256(JSON.stringify(plan))

/** Formats `plan.json`. */
export const formatPlan = (plan: Plan): string => `${JSON.stringify(plan, null, 2)}\n`

/** Returns a story's verification commands: those for every story, then those for its id or requirements. */
export const listStoryCommands = (story: string, ids: readonly string[], verification: Verification): string[] =>
  commandsBefore(story, ids, verification).map((command) => fillStoryId(command, story))

/** The same commands with the `{story_id}` placeholder. */
function commandsBefore(story: string, ids: readonly string[], verification: Verification): string[] {
  const { story_commands, by_requirement = {} } = verification
  const names = new Set([story, ...ids, ...ids.map(sameKey)])
  const own = Object.entries(by_requirement).flatMap(([id, commands]) =>
    names.has(id) || names.has(sameKey(id)) ? commands : [],
  )
  return [...new Set([...story_commands, ...own])]
}

const fillStoryId = (command: string, story: string): string => command.replaceAll('{story_id}', () => story)

/** AC-1 and AC-01 are the same requirement. The prefix keeps the story S1 apart from a requirement S1. */
const sameKey = (id: string): string => `=${parseId(id)?.key ?? id}`
