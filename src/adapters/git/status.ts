import { isOwn, toText } from './paths.ts'

/** `staged`: modes and hashes in HEAD and index; empty for untracked files. */
export type Entry = { readonly path: string; readonly staged: string }

export type Status = {
  readonly head: string | null
  readonly branch: string | null
  readonly entries: readonly Entry[]
}

export const statusArgs = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--untracked-files=all',
  '--no-renames',
  '--no-ahead-behind',
  '--ignore-submodules=dirty',
]

/** With more entries, reading them all would take too long. */
export const mostEntries = 20_000

/** Parses the output of `statusArgs`. Skips unknown headers and lines. Throws if there are too many entries. */
export function parseStatus(output: Buffer, most = mostEntries): Status {
  let head: string | null = null
  let branch: string | null = null
  const entries: Entry[] = []
  const add = (path: string, staged: string): void => {
    if (!isOwn(path)) entries.push({ path, staged })
  }
  for (const line of output.toString('latin1').split('\0')) {
    const [kind] = line
    if (kind === '?') add(line.slice(2), '')
    if (kind === '1') add(afterFields(line, 8), fields(line, 3, 8))
    if (kind === 'u') add(afterFields(line, 10), fields(line, 3, 10))
    if (kind !== '#') continue
    const [, key, value = ''] = line.split(' ', 3)
    if (key === 'branch.oid' && value !== '(initial)') head = value
    if (key === 'branch.head' && value !== '(detached)') branch = toText(value)
  }
  if (entries.length > most) throw new Error(`more than ${most} files are changed or untracked`)
  return { head, branch, entries }
}

const fields = (line: string, from: number, to: number): string => line.split(' ', to).slice(from).join(' ')

/** A path may contain spaces, so it is everything after the fields. */
function afterFields(line: string, count: number): string {
  let at = -1
  for (let field = 0; field < count; field++) at = line.indexOf(' ', at + 1)
  return line.slice(at + 1)
}
