import type { Changes, Commit } from '../../ports/repository.ts'
import { diffArgs, readFiles } from './changed-files.ts'
import type { Git } from './git.ts'
import { parseStatus, statusArgs } from './status.ts'

const mostCommits = 200

/** Commits since `base`, and how every file differs from it now, committed or not. */
export async function changesBetween(git: Git, base: string | null): Promise<Changes | undefined> {
  const status = await git.ask(...statusArgs)
  if (!status) return undefined
  const { head, entries } = parseStatus(status)
  const uncommitted = entries.length
  const history = await historyOf(git, base, head)
  if (history === 'lost') return { ...nothing, head, history, uncommitted }
  const log = head === null ? nothing : await commitsAfter(git, base, head)
  const from = base ?? (await emptyTree(git))
  const diff = from === undefined ? undefined : await git.ask(...diffArgs, from, '--')
  if (!diff || !log) return undefined
  const untracked = entries.flatMap(({ path, staged }) => (staged === '' ? [path] : []))
  return { ...log, ...readFiles(diff, untracked, git.root), head, history, uncommitted }
}

const noCommits = { commits: [], totalCommits: 0 } as const
const nothing = { ...noCommits, files: [], totalFiles: 0, added: 0, deleted: 0 } as const

async function historyOf({ ask }: Git, base: string | null, head: string | null): Promise<Changes['history']> {
  if (base === null || base === head) return 'continued'
  if (!/^[0-9a-f]{4,64}$/.test(base) || !(await ask('cat-file', '-e', `${base}^{commit}`))) return 'lost'
  return head && (await ask('merge-base', '--is-ancestor', base, head)) ? 'continued' : 'rewritten'
}

/** Git knows it without having it; its name depends on the kind of hash that the repository uses. */
async function emptyTree({ ask }: Git): Promise<string | undefined> {
  return (await ask('hash-object', '-t', 'tree', '--stdin'))?.toString('latin1').trim()
}

type Log = Pick<Changes, 'commits' | 'totalCommits'>

async function commitsAfter({ ask }: Git, base: string | null, head: string): Promise<Log | undefined> {
  if (base === head) return noCommits
  const range = base === null ? [head] : [head, `^${base}`]
  const count = await ask('rev-list', '--count', ...range, '--')
  const log = await ask('log', '-z', `--max-count=${mostCommits}`, ...plainly, '--format=%H %s', ...range, '--')
  if (!count || !log) return undefined
  const commits = log.toString('utf8').split('\0').filter(Boolean).map(commitOf)
  return { commits, totalCommits: Number(count.toString('latin1')) }
}

/** A signature would be checked by a program that the configuration names. */
const plainly = ['--no-show-signature', '--no-color', '--no-notes', '--no-decorate', '--no-mailmap']

function commitOf(line: string): Commit {
  const blank = line.indexOf(' ')
  return { id: line.slice(0, blank), subject: line.slice(blank + 1) }
}
