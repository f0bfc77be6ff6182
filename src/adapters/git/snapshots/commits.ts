import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RepositoryBlockedError, type VerifiedTree } from '../../../ports/snapshots.ts'
import { findCommonDir } from '../paths.ts'
import { dropOldLock } from './stale-lock.ts'
import { syncCommit, syncRef } from './sync.ts'
import type { Tool } from './tool.ts'
import { parseId, resolveIds } from './trees.ts'

const maxTries = 3

const ifStale = ' If no git is running, remove the lock file that it names, then try again'

/** Undefined if the ref does not exist, as HEAD before the first commit. */
export const findCommit = async (tool: Tool, ref: string): Promise<string | undefined> =>
  (await resolveIds(tool, [`${ref}^{commit}`]))[0]

export const makeCommit = async (
  { run }: Tool,
  {
    tree,
    parent,
    message,
    env,
  }: { tree: string; parent: string | undefined; message: Buffer; env: Record<string, string> },
): Promise<string> => {
  const parents = parent === undefined ? [] : ['-p', parent]
  return parseId(await run(['commit-tree', '--no-gpg-sign', ...parents, '-F', '-', tree], { input: message, env }))
}

/** Moves a ref. False if it is no longer where it was. Waits for a lock, then throws. */
export async function moveRef(
  tool: Tool,
  {
    ref,
    to,
    from,
    why,
    env,
  }: { ref: string; to: string; from: string | undefined; why: string; env: Record<string, string> },
): Promise<boolean> {
  const args = ['update-ref', '--no-deref', '-m', why, ref, to, from ?? '0'.repeat(to.length)]
  syncCommit(tool, to)
  for (let tries = 1; ; tries++) {
    const { code, says } = await tool.attempt(args, { env })
    if (code === 0) {
      syncRef(tool, ref)
      return true
    }
    if ((await findCommit(tool, ref)) !== from) return false
    dropOldLocks(tool, ref)
    if (tries === maxTries) throw new RepositoryBlockedError(`${ref} cannot be moved: ${says}${ifStale}`)
    await pause(20 + Math.random() * 80)
  }
}

/** git locks HEAD too, and all packed refs. Only the owner of a run moves its refs, and git has waited for the lock. */
function dropOldLocks({ root, gitDir }: Tool, ref: string): void {
  const common = findCommonDir(gitDir)
  const own = join(common, `${ref}.lock`)
  if (ref.startsWith('refs/pawl/')) rmSync(own, { force: true })
  for (const path of [own, join(gitDir, 'HEAD.lock'), join(common, 'packed-refs.lock')]) dropOldLock(path, root)
}

/** An empty value means that the trailer is absent. */
export type Trailers = Readonly<Record<string, string>>

const part = '[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*'
const wellFormed = new RegExp(`^(${part})/(${part})$`)

/** A key becomes a ref and a trailer, so it may contain nothing that means something else there. */
function readKey(key: string): { readonly run: string; readonly story: string } {
  const [, run, story] = wellFormed.exec(key) ?? []
  if (run === undefined || story === undefined || /\.lock(\/|$)/.test(key)) throw new Error(`invalid key: ${key}`)
  return { run, story }
}

export const storyRef = (key: string): string => {
  const { run, story } = readKey(key)
  return `refs/pawl/${run}/${story}`
}

/** A story that is done a second time, such as `S2-again-1`, has the same story trailer and another round. */
export function storyTrailers(key: string): Trailers {
  const { run, story } = readKey(key)
  const [, id = story, round = ''] = /^(S[0-9]+)-(.+)$/.exec(story) ?? []
  return { 'Pawl-Run': run, 'Pawl-Story': id, 'Pawl-Round': round }
}

export function undoTrailers(key: string): Trailers {
  readKey(key)
  return { 'Pawl-Undo': key }
}

/** The trailers are always the last paragraph, whatever the body contains. */
export function buildMessage({ subject, body }: Pick<VerifiedTree, 'subject' | 'body'>, trailers: Trailers): Buffer {
  const lines = Object.entries(trailers).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  const paragraphs = [plain(subject).replace(/\s+/g, ' '), plain(body), lines.join('\n')]
  return Buffer.from(
    `${paragraphs
      .map((text) => text.trim())
      .filter(Boolean)
      .join('\n\n')}\n`,
  )
}

/** Titles come from agents, and git prints a message unescaped. */
const plain = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\t\n]/gu, '')

const maxCommits = 5000
const plainLog = ['--no-show-signature', '--no-color', '--no-notes', '--no-decorate', '--no-mailmap', '--no-follow']
/** Also names a merge that brings an older state back, which git leaves out of the history of a path otherwise. */
const wholeHistory = ['--full-history', '--simplify-merges']

type LoggedCommit = {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly subject: string
  /** For each trailer that was asked for, its values; usually one. */
  readonly values: readonly (readonly string[])[]
}

export type LogOptions = {
  readonly trailers: readonly string[]
  /** A commit: only later ones are listed. */
  readonly after?: string | undefined
  /** A file or folder: only commits that touch it are listed. */
  readonly path?: string | undefined
}

/** Lists at most 5000 commits of HEAD's history, newest first. */
export async function listCommits(tool: Tool, { trailers, after, path }: LogOptions): Promise<LoggedCommit[]> {
  const wanted = trailers.map((name) => `%(trailers:key=${name},valueonly,separator=%x02)`)
  const format = ['%H', '%ct', ...wanted, '%s'].join('%x01')
  const range = after === undefined ? ['HEAD'] : ['HEAD', `^${after}`]
  const limits = path === undefined ? ['--'] : [...wholeHistory, '--', path]
  const args = ['log', '-z', `--max-count=${maxCommits}`, ...plainLog, `--format=${format}`, ...range, ...limits]
  const { code, stdout, says } = await tool.attempt(args, { env: { GIT_LITERAL_PATHSPECS: '1' } })
  // Before the first commit there is none. Any other failure does not mean that there is none.
  if (code !== 0 && (await findCommit(tool, 'HEAD')) === undefined) return []
  if (code !== 0) throw new RepositoryBlockedError(`git log failed: ${says}`)
  return stdout
    .toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const [id = '', seconds, ...rest] = line.split('\x01')
      const values = trailers.map((_, at) => (rest[at] ?? '').trim().split('\x02').filter(Boolean))
      return { id, at: Number(seconds) * 1000, subject: rest.slice(trailers.length).join('\x01'), values }
    })
}

/** Returns the newest commit of HEAD's history, up to `after`, that has exactly these trailers. */
export async function findByTrailers(tool: Tool, trailers: Trailers, after?: string): Promise<string | undefined> {
  const wanted = Object.values(trailers)
  const commits = await listCommits(tool, { trailers: Object.keys(trailers), after })
  return commits.find(({ values }) => wanted.every((value, at) => values[at]?.join('\x02') === value))?.id
}
