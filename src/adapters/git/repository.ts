import { createHash, type Hash } from 'node:crypto'
import {
  type BigIntStats,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer, Capture } from '../../ports/capture.ts'
import type { Changes, Commit, Look, Repository } from '../../ports/repository.ts'
import { diffArgs, readFiles, readSome } from './changed-files.ts'
import { type Git, type GitOptions, openGit } from './git.ts'
import { findGitDir, findRepositoryRoot, inside, toText } from './paths.ts'
import { type Entry, mostEntries, parseStatus, statusArgs } from './status.ts'

export type RepositoryOptions = {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly capture: Capture
}

const mostMs = 10_000

/** Opens the repository that contains this folder, or the folder itself if there is no repository. */
export function createRepository({ folder, env, capture }: RepositoryOptions): Repository {
  const withinTime = () => ({ capture, env, deadline: performance.now() + mostMs })
  const root = (): string | undefined => findRepositoryRoot(folder)
  return {
    look: () =>
      orUnknown(async () => {
        const [at, options] = [root(), withinTime()]
        return at !== undefined ? lookAt(at, options) : walkFolder(folder, options.deadline)
      }),
    changesSince: (base) =>
      orUnknown(async () => {
        const at = root()
        return at === undefined ? undefined : changesBetween(await openGit(at, withinTime()), base)
      }),
  }
}

/** Too many files, too little time or a failing disk all mean unknown. */
async function orUnknown<T>(answer: () => Promise<T>): Promise<T | undefined> {
  try {
    return await answer()
  } catch {
    return undefined
  }
}

const maxNested = 100
const maxDepth = 4

/**
 * One git process lists what differs from HEAD; the files themselves give their current state. Nested repositories are
 * read the same way, because git only reports that something in them changed.
 */
async function lookAt(root: string, options: GitOptions, depth = 0): Promise<Look> {
  const git = await openGit(root, options)
  const answer = await askStatus(git)
  if ('cut' in answer) throw new Error(answer.problem)
  if (!('code' in answer) || answer.code !== 0) {
    return { ...walkFolder(root, options.deadline), problem: describeFailure(answer) }
  }
  const { head, branch, entries } = parseStatus(answer.stdout)
  const nested = [...(await submodules(git)), ...entries.flatMap(findNested)]
  if (nested.length > maxNested || depth > maxDepth) throw new Error(`too many repositories inside ${root}`)

  let dirty = entries.length
  const digest = createHash('sha256').update(`${head}\n`)
  addEntries(digest, root, entries)
  for (const path of nested.filter((path) => existsSync(join(root, path, '.git')))) {
    const look = await lookAt(join(root, path), options, depth + 1)
    dirty += look.dirty
    digest.update(JSON.stringify([path, look.fingerprint]))
  }
  return { head, branch, dirty, fingerprint: digest.digest('hex') }
}

/** git names the cause and, where it knows one, the command that helps. */
function describeFailure(answer: Answer): string {
  if ('problem' in answer) return answer.problem
  const words = answer.stderrTail.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return words || `git status ended with ${answer.code}`
}

function addEntries(digest: Hash, root: string, entries: readonly Entry[]): void {
  const stamp = createStamper()
  for (const { path, staged } of entries) {
    const [says, ...bytes] = stamp(inside(root, path))
    digest.update(JSON.stringify([path, staged, says, bytes.map(({ length }) => length)]))
    for (const part of bytes) digest.update(part)
  }
}

/**
 * With its filter off, a file would look changed where git compares contents. It does so if a file is as young as the index, so the
 * index is read from a copy, which is younger.
 */
async function askStatus(git: Git): Promise<Answer> {
  const index = join(findGitDir(git.root) ?? git.root, 'index')
  if (git.config.filters.length === 0 || !existsSync(index)) return git.run(statusArgs)
  const folder = mkdtempSync(join(tmpdir(), 'pawl-index-'))
  try {
    const soon = Date.now() / 1000 + 10
    copyFileSync(index, join(folder, 'index'))
    utimesSync(join(folder, 'index'), soon, soon)
    return await git.run(statusArgs, { env: { GIT_INDEX_FILE: join(folder, 'index') } })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function submodules({ root, ask }: Git): Promise<string[]> {
  const file = join(root, '.gitmodules')
  if (!existsSync(file)) return []
  const found = await ask('config', '--null', '--file', file, '--get-regexp', '^submodule\\..*\\.path$')
  const paths = (found?.toString('utf8') ?? '').split('\0').flatMap((line) => line.split('\n')[1] ?? [])
  return paths.filter((path) => !path.startsWith('/') && !path.split('/').includes('..'))
}

/** git lists a nested repository that is not a submodule as a folder. */
const findNested = ({ path }: Entry): string[] => (path.endsWith('/') ? [toText(path)] : [])

const passedOver = new Set(['.git', 'node_modules', '.pawl', '.rooda', '.agentic'])

/** Fingerprints a folder without git by names, sizes and dates. Throws if there are too many files. */
function walkFolder(folder: string, deadline: number): Look {
  const digest = createHash('sha256')
  const open = [folder]
  let entries = 0
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (performance.now() > deadline) throw new Error(`${folder} takes too long to read`)
    for (const name of listNames(at)) {
      if (passedOver.has(name)) continue
      entries += 1
      if (entries > mostEntries) throw new Error(`${folder} has more than ${mostEntries} entries`)
      const path = join(at, name)
      const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
      if (!found) continue
      // A folder's date changes with its entries, which are read themselves.
      digest.update(JSON.stringify([path, String(found.mode), found.isDirectory() ? '' : formatStat(found)]))
      if (found.isDirectory()) open.push(path)
    }
  }
  return { head: null, branch: null, dirty: 0, fingerprint: digest.digest('hex') }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

const maxFilesRead = 2000
const maxFileBytes = 256 * 1024
const mostBytes = 8 * 1024 * 1024

/** Distinguishes one state of a file from another. */
type Stamp = readonly [string, ...Uint8Array[]]

/**
 * Small files are compared by content, so that `touch` changes nothing. Beyond some thousand files or some megabytes,
 * size and dates are compared.
 */
function createStamper(): (path: Buffer) => Stamp {
  let left = maxFilesRead
  let bytesLeft = mostBytes

  function stamp(path: Buffer): Stamp {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (!found) return ['gone']
    const kind = `mode ${found.mode}`
    const size = Number(found.size)
    if (found.isSymbolicLink()) return [kind, readlinkSync(path, 'buffer')]
    if (!found.isFile() || size > maxFileBytes || size > bytesLeft || left === 0)
      return [`${kind} ${formatStat(found)}`]
    left -= 1
    bytesLeft -= size
    return [kind, readSome(path, size) ?? Buffer.from(formatStat(found))]
  }

  return (path) => {
    try {
      return stamp(path)
    } catch (error) {
      return [String((error as NodeJS.ErrnoException).code)]
    }
  }
}

/** Includes ctime, which cannot be set: it reveals changes that keep size and date. */
const formatStat = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string => `${size} ${mtimeNs} ${ctimeNs} ${ino}`

const maxCommits = 200

/** Lists the commits since `base` and how each file differs from it now, committed or not. */
async function changesBetween(git: Git, base: string | null): Promise<Changes | undefined> {
  const status = await git.ask(...statusArgs)
  if (!status) return undefined
  const { head, entries } = parseStatus(status)
  const uncommitted = entries.length
  const history = await compareHistory(git, base, head)
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

async function compareHistory({ ask }: Git, base: string | null, head: string | null): Promise<Changes['history']> {
  if (base === null || base === head) return 'continued'
  if (!/^[0-9a-f]{4,64}$/.test(base) || !(await ask('cat-file', '-e', `${base}^{commit}`))) return 'lost'
  return head && (await ask('merge-base', '--is-ancestor', base, head)) ? 'continued' : 'rewritten'
}

/** git knows this tree without storing it. Its id depends on the repository's hash function. */
async function emptyTree({ ask }: Git): Promise<string | undefined> {
  return (await ask('hash-object', '-t', 'tree', '--stdin'))?.toString('latin1').trim()
}

type Log = Pick<Changes, 'commits' | 'totalCommits'>

async function commitsAfter({ ask }: Git, base: string | null, head: string): Promise<Log | undefined> {
  if (base === head) return noCommits
  const range = base === null ? [head] : [head, `^${base}`]
  const count = await ask('rev-list', '--count', ...range, '--')
  const log = await ask('log', '-z', `--max-count=${maxCommits}`, ...plainLog, '--format=%H %s', ...range, '--')
  if (!count || !log) return undefined
  const commits = log.toString('utf8').split('\0').filter(Boolean).map(parseCommit)
  return { commits, totalCommits: Number(count.toString('latin1')) }
}

/** git would check a signature with a program from the config. */
const plainLog = ['--no-show-signature', '--no-color', '--no-notes', '--no-decorate', '--no-mailmap']

function parseCommit(line: string): Commit {
  const blank = line.indexOf(' ')
  return { id: line.slice(0, blank), subject: line.slice(blank + 1) }
}
