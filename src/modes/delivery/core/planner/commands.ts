import type { Verification } from '../../contract/input.ts'
import { parseId } from './read/ids.ts'

/** The commands that prove a story: what every story runs, then what is asked for it or for one of its requirements. */
export const commandsFor = (story: string, ids: readonly string[], verification: Verification): string[] =>
  commandsBefore(story, ids, verification).map((command) => filledIn(command, story))

/** The same as they are written, `{story_id}` not filled in. */
export function commandsBefore(story: string, ids: readonly string[], verification: Verification): string[] {
  const { story_commands, by_requirement = {} } = verification
  const names = new Set([story, ...ids, ...ids.map(sameKey)])
  const own = Object.entries(by_requirement).flatMap(([id, commands]) =>
    names.has(id) || names.has(sameKey(id)) ? commands : [],
  )
  return [...new Set([...story_commands, ...own])]
}

export const filledIn = (command: string, story: string): string => command.replaceAll('{story_id}', () => story)

/** AC-1 and AC-01 are one requirement. The mark keeps a story's S1 apart from a requirement of that name. */
const sameKey = (id: string): string => `=${parseId(id)?.key ?? id}`
