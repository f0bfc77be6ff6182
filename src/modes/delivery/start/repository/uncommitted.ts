import type { Machine } from '../../../../run/machine.ts'

const shown = 5

/** Whoever goes on takes what lies in the work tree for the run's own: said, since a person may have put something there. */
export async function uncommittedNotice(
  { git }: Pick<Machine, 'git'>,
  repository: string,
): Promise<string | undefined> {
  const { look, changesSince } = git.openRepository(repository)
  const head = (await look())?.head
  if (head === undefined) return undefined
  const changes = await changesSince(head)
  if (!changes || changes.uncommitted === 0) return undefined
  const names = changes.files.slice(0, shown).map(({ path }) => path)
  const more = changes.totalFiles > shown ? ` and ${changes.totalFiles - shown} more` : ''
  return `not committed, and from here on part of the story's work: ${names.join(', ')}${more}. Yours? Ctrl-C, and put them away`
}
