import type { ChangedFile } from '../../../ports/repository.ts'
import type { Tree } from '../../../ports/snapshots.ts'
import type { Story } from '../contract/plan.ts'
import type { Tampering } from '../contract/result.ts'
import { decides, type Found, findTampering, type Touched } from '../core/tampering/find-tampering.ts'
import { findRole } from '../core/tampering/text/roles.ts'
import { findReplaced } from '../core/tampering/watch.ts'
import type { DeliveryTools } from './tools.ts'

type Attempted = {
  /** How it was before the story: a test that an earlier attempt has written is not there to be kept. */
  readonly base: Tree
  readonly tree: Tree
  /** What was watched before the agent began. */
  readonly watched: Readonly<Record<string, string>>
  readonly story: Story
  readonly tools: Pick<DeliveryTools, 'snapshots' | 'watch'>
}

/** What an attempt did to the things that decide its verification, in git's sight and out of it. */
export async function findAttemptTampering({
  base,
  tree,
  watched,
  story,
  tools,
}: Attempted): Promise<readonly Found[]> {
  const packageScripts = await readScripts(base, tools)
  const about = { commands: story.verification, focus: story.file_focus, packageScripts }
  const { files } = base === tree ? { files: [] } : await tools.snapshots.difference(base, tree)
  const readIf = async (path: string, of: Tree, there: boolean): Promise<string | undefined> =>
    there ? tools.snapshots.read(of, path) : undefined
  const touched: Touched[] = []
  const { read, unread } = worthReading(files.filter((file) => decides(file.path, about)))
  for (const { path, status } of read) {
    touched.push({
      path,
      status,
      before: await readIf(path, base, status !== 'added'),
      after: await readIf(path, tree, status !== 'deleted'),
    })
  }
  const hidden = unread.map(({ path }): Found => ({ kind: 'config-changed', path, says: tooMany, expected: false }))
  const replaced = findReplaced(watched, await tools.watch(story.verification))
  return [...findTampering(touched, about), ...hidden, ...replaced]
}

/** What came to it after `from`: tests run what was written, and that may write as well. */
export async function findTamperingSince({
  from,
  ...attempted
}: Attempted & { readonly from: Tree }): Promise<readonly Found[]> {
  const { base, tree } = attempted
  const before = from === tree ? [] : await findAttemptTampering({ ...attempted, tree: from })
  const known = new Set(before.map(({ kind, path }) => `${kind} ${path}`))
  const now = await findAttemptTampering({ ...attempted, base: from === tree ? tree : base })
  return now.filter(({ kind, path, expected }) => !expected && !known.has(`${kind} ${path}`))
}

const mostAdded = 500
const tooMany = 'there are more new files that decide verification than are read'

/**
 * Whatever was there before is read, and of what is new the first ones: no heap of new files hides a change. New tests
 * and fixtures come last, since adding them is nobody's fault.
 */
function worthReading(files: readonly ChangedFile[]): Record<'read' | 'unread', readonly ChangedFile[]> {
  const added = files.filter(({ status }) => status === 'added')
  const settings = added.filter(({ path }) => isSetting(path)).sort((a, b) => countFolders(a) - countFolders(b))
  const others = added.filter(({ path }) => !isSetting(path))
  const known = files.filter(({ status }) => status !== 'added')
  return { read: [...known, ...[...settings, ...others].slice(0, mostAdded)], unread: settings.slice(mostAdded) }
}

const isSetting = (path: string): boolean =>
  !['test', 'fixture', undefined].includes(findRole(path)) && !/(?:^|\/)(?:node_modules|\.venv)\//.test(path)
const countFolders = ({ path }: ChangedFile): number => path.split('/').length

/** What `npm test` and its like start, as it was before. */
async function readScripts(tree: Tree, { snapshots }: Attempted['tools']): Promise<Readonly<Record<string, string>>> {
  try {
    const { scripts } = JSON.parse((await snapshots.read(tree, 'package.json')) ?? '{}') as { scripts?: unknown }
    const entries = Object.entries(Object(scripts) as Record<string, unknown>)
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return {}
  }
}

/** A line of the journal holds 4 KiB, and whatever else is told of the attempt must fit as well. */
const mostBytes = 1600

/** The first ones, shortened, as many as fit into one event. */
export function takeFitting(tampering: readonly Tampering[]): Tampering[] {
  const fits: Tampering[] = []
  let bytes = 0
  for (const one of tampering) {
    const short = { ...one, path: one.path.slice(0, 200), says: one.says.slice(0, 120) }
    bytes += Buffer.byteLength(JSON.stringify(short))
    if (bytes > mostBytes && fits.length > 0) break
    fits.push(short)
  }
  return fits
}
