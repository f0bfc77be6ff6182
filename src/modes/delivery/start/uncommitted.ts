import { openRepository } from '../../../machine/open-repository.ts'
import type { Place } from '../../../run/paths.ts'

const shown = 5

/** Whoever goes on takes what lies in the work tree for the run's own: said, since a person may have put something there. */
export async function uncommittedNotice(place: Place, repository: string): Promise<string | undefined> {
  const { look, changesSince } = openRepository(place, repository)
  const head = (await look())?.head
  if (head === undefined) return undefined
  const changes = await changesSince(head)
  if (!changes || changes.uncommitted === 0) return undefined
  const names = changes.files.slice(0, shown).map(({ path }) => path)
  const more = changes.totalFiles > shown ? ` and ${changes.totalFiles - shown} more` : ''
  return `not committed, and from here on part of the story's work: ${names.join(', ')}${more}. Yours? Ctrl-C, and put them away`
}
