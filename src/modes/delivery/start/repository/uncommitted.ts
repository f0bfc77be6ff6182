import type { Machine } from '../../../../run/machine.ts'

const maxNames = 5

/** Names uncommitted files on resume. They count as the run's own work, but may belong to a person. */
export async function uncommittedNotice(
  { git }: Pick<Machine, 'git'>,
  repository: string,
): Promise<string | undefined> {
  const { look, changesSince } = git.openRepository(repository)
  const head = (await look())?.head
  if (head === undefined) return undefined
  const changes = await changesSince(head)
  if (!changes || changes.uncommitted === 0) return undefined
  const names = changes.files.slice(0, maxNames).map(({ path }) => path)
  const more = changes.totalFiles > maxNames ? ` and ${changes.totalFiles - maxNames} more` : ''
  return `uncommitted files become part of the story: ${names.join(', ')}${more}. If they are yours, press Ctrl-C and move them away`
}
