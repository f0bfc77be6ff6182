import * as fs from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Capture } from '../../ports/capture.ts'
import { NotSavedError } from '../../ports/journal.ts'
import type { RoomOptions } from '../../ports/room.ts'
import type { Snapshots } from '../../ports/snapshots.ts'
import { discard, lookAt, type Made, readMade, removeIn, writeMade } from './files.ts'

export type StartTools = {
  readonly snapshots: Pick<Snapshots, 'take' | 'listIgnored'>
  readonly capture: Capture
  /** From how many kilobytes on a folder of a build tool is left out. */
  readonly maxBuild?: number
}

const copyMs = 20 * 60_000
const scanMs = 5 * 60_000
const maxBuildKb = 2 << 20
const isBuild =
  /(?:^|\/)(?:target|build|\.next|\.nuxt|\.gradle|\.turbo|\.parcel-cache|\.cache|cmake-build-[^/]*|DerivedData)\/$/
const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
const copyFlags = process.platform === 'darwin' ? ['-a', '-c'] : ['-a', '--reflink=auto']

/** Copies the work tree into the folder of a room, or brings the copy of an earlier process up to date. Only a finished copy counts: `made` is written last. */
export async function prepareStart(options: RoomOptions, tools: StartTools): Promise<Made> {
  const known = readMade(join(options.folder, 'made'))
  return known ? bringUpToDate(known, options, tools) : copyStart(options, tools)
}

async function copyStart(options: RoomOptions, tools: StartTools): Promise<Made> {
  const { workspace, folder, without: own } = options
  discard(folder)
  const atMs = Date.now()
  // A copy that a killed process began may still be going on. It has a folder of its own, which is gone now.
  const name = `start-${process.pid}-${atMs}`
  const to = join(folder, name)
  fs.mkdirSync(to, { recursive: true, mode: 0o700 })
  const left = await listHuge(workspace, tools)
  const without = ['.git', ...own, ...left].map((name) => join(workspace, name))
  const unread = await copyFolder(workspace, to, { without: new Set([...without, folder]), capture: tools.capture })
  const named = [
    ...left.map((path) => `${path} (larger than 2 GB)`),
    ...unread.map((path) => `${relative(workspace, path)} (cannot be read)`),
  ]
  return writeMade(join(folder, 'made'), { tree: await tools.snapshots.take(), atMs, left: named, start: name })
}

/** Copies ignored files that people changed since the run was left: they may have installed what it lacked. */
async function bringUpToDate(
  { leftMs, ...known }: Made,
  { workspace, folder, without }: RoomOptions,
  { snapshots, capture }: StartTools,
): Promise<Made> {
  if (leftMs === undefined) return known
  const isLeft = (path: string): boolean =>
    without.some((own) => path === own || path === `${own}/`) ||
    (known.left ?? []).some((named) => named.startsWith(`${path.replace(/\/$/, '')} (`))
  const ignored = (await snapshots.listIgnored()).filter((path) => !isLeft(path)).map((path) => join(workspace, path))
  const changed = await findSince(leftMs, ignored, capture)
  const start = join(folder, known.start ?? 'start')
  try {
    for (const bytes of changed) {
      const path = Buffer.from(bytes, 'latin1').toString('utf8')
      if (!path.startsWith(`${folder}/`)) copyFile(workspace, start, relative(workspace, path))
    }
    return writeMade(join(folder, 'made'), known)
  } catch (error) {
    throw new NotSavedError(`cannot bring the clean room up to date: ${(error as Error).message}`)
  }
}

/** Copies a file or a link; sockets and the like have no content. Where a link was above it, the copy gets a folder. */
function copyFile(from: string, to: string, path: string): void {
  const [source, target] = [join(from, path), join(to, path)]
  const found = lookAt(source)
  if (!found?.isFile() && !found?.isSymbolicLink()) return
  removeIn(to, path)
  fs.mkdirSync(dirname(target), { recursive: true })
  fs.cpSync(source, target, { preserveTimestamps: true, verbatimSymlinks: true })
}

/** Lists files that changed since then, each as its bytes. Nobody can set the time of a change. */
export async function findSince(ms: number, paths: readonly string[], capture: Capture): Promise<readonly string[]> {
  const since = new Date(ms).toISOString()
  const found: string[] = []
  for (let at = 0; at < paths.length; at += maxArguments) {
    const some = paths.slice(at, at + maxArguments)
    const argv = ['find', ...some, '-xdev', '!', '-type', 'd', '-newerct', since, '-print0'] as const
    const answer = await capture({ argv: [...argv], cwd: '/', env, maxBytes: 64 << 20, timeoutMs: scanMs })
    if (!('code' in answer)) throw new NotSavedError(`cannot look for changes below ${some[0]}: ${answer.problem}`)
    found.push(...answer.stdout.toString('latin1').split('\0').filter(Boolean))
  }
  return found
}
const maxArguments = 1000

/** Lists ignored folders of build tools that are huge: a copy would cost more than to build them again. */
async function listHuge(
  workspace: string,
  { snapshots, capture, maxBuild = maxBuildKb }: StartTools,
): Promise<readonly string[]> {
  const builds = (await snapshots.listIgnored()).filter((path) => isBuild.test(path)).map((path) => path.slice(0, -1))
  const paths = builds.map((path) => join(workspace, path))
  if (paths.length === 0) return []
  const argv = ['du', '-sk', '--', ...paths] as const
  const answer = await capture({ argv, cwd: '/', env, maxBytes: 1 << 20, timeoutMs: scanMs })
  if (!('code' in answer)) return []
  const sizes = answer.stdout.toString('utf8').trim().split('\n').map(Number.parseFloat)
  return sizes.length === paths.length ? builds.filter((_, index) => sizes[index]! > maxBuild) : []
}

/** Goes into the folders above what is left out, such as the room itself in the work tree. */
async function copyFolder(
  from: string,
  to: string,
  { without, capture }: { readonly without: ReadonlySet<string>; readonly capture: Capture },
): Promise<string[]> {
  const paths = fs.readdirSync(from).flatMap((name) => (without.has(join(from, name)) ? [] : [join(from, name)]))
  const isAbove = (path: string): boolean => [...without].some((one) => one.startsWith(`${path}/`))
  const below = paths.filter((path) => !isAbove(path))
  const unread = [...(await copy(below, to, capture))]
  for (const path of paths.filter(isAbove)) {
    fs.mkdirSync(join(to, basename(path)))
    unread.push(...(await copyFolder(path, join(to, basename(path)), { without, capture })))
  }
  return unread
}

/** Returns the paths that this user cannot read. */
export async function copy(
  paths: readonly string[],
  to: string,
  capture: Capture,
  flags = copyFlags,
): Promise<readonly string[]> {
  if (paths.length === 0) return []
  const argv = ['cp', ...flags, '--', ...paths, to] as const
  const answer = await capture({ argv: [...argv], cwd: '/', env, maxBytes: 1 << 16, timeoutMs: copyMs })
  if ('code' in answer && answer.code === 0) return []
  const why = 'problem' in answer ? answer.problem : answer.stderrTail.trim()
  if (flags.length > 1 && /(?:unrecognized|unknown|illegal|invalid) option/i.test(why))
    return copy(paths, to, capture, ['-a'])
  // Of many lines, the first one that is left may be cut. What vanished meanwhile is not missed.
  const lines = why.split('\n').filter((line, index) => index > 0 || line.startsWith('cp: '))
  const problems = lines.filter((line) => !line.endsWith(': No such file or directory'))
  const unread = problems.map((line) => /'([^']+)'.*: Permission denied$/.exec(line)?.[1])
  if (lines.length > 0 && unread.every((path) => path !== undefined)) return unread
  throw new NotSavedError(`cannot copy the work tree for the clean room: ${why}`)
}
