import type { ChangedFile } from '../../../ports/repository.ts'
import type { Tree } from '../../../ports/snapshots.ts'
import type { Story } from '../contract/plan.ts'
import type { Tampering } from '../contract/result.ts'
import { decidesVerification, type Found, findTampering, type Touched } from '../core/tampering/find-tampering.ts'
import { findRole } from '../core/tampering/text/roles.ts'
import { findReplaced } from '../core/tampering/watch.ts'
import type { DeliveryTools } from './tools.ts'

type Attempted = {
  /** The tree before the story, so that tests of earlier attempts are not protected. */
  readonly base: Tree
  readonly tree: Tree
  /** Fingerprints from before the agent started. */
  readonly watched: Readonly<Record<string, string>>
  readonly story: Story
  readonly tools: Pick<DeliveryTools, 'snapshots' | 'watch'>
}

/** Finds changes to files that decide verification, tracked by git or not. */
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
  const { read, unread } = selectFiles(files.filter((file) => decidesVerification(file.path, about)))
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

/** Finds only changes made after `from`: tests run the agent's code, which may write files too. */
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

const maxAdded = 500
const tooMany = 'too many new files that decide verification: this one was not read'

/**
 * Selects all existing files and a limited number of new ones, so that many new files cannot hide a change. New tests
 * and fixtures come last, because adding them is fine.
 */
function selectFiles(files: readonly ChangedFile[]): Record<'read' | 'unread', readonly ChangedFile[]> {
  const added = files.filter(({ status }) => status === 'added')
  const settings = added.filter(({ path }) => isSetting(path)).sort((a, b) => countFolders(a) - countFolders(b))
  const others = added.filter(({ path }) => !isSetting(path))
  const known = files.filter(({ status }) => status !== 'added')
  return { read: [...known, ...[...settings, ...others].slice(0, maxAdded)], unread: settings.slice(maxAdded) }
}

const isSetting = (path: string): boolean =>
  !['test', 'fixture', undefined].includes(findRole(path)) && !/(?:^|\/)(?:node_modules|\.venv)\//.test(path)
const countFolders = ({ path }: ChangedFile): number => path.split('/').length

/** Reads the package scripts from before the story. */
async function readScripts(tree: Tree, { snapshots }: Attempted['tools']): Promise<Readonly<Record<string, string>>> {
  try {
    const { scripts } = JSON.parse((await snapshots.read(tree, 'package.json')) ?? '{}') as { scripts?: unknown }
    const entries = Object.entries(Object(scripts) as Record<string, unknown>)
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return {}
  }
}

/** A journal line holds 4 KiB, including the rest of the attempt's data. */
const maxBytes = 1600

/** Shortens the findings and returns as many as fit into one event. */
export function fitIntoEvent(tampering: readonly Tampering[]): Tampering[] {
  const fitting: Tampering[] = []
  let bytes = 0
  for (const one of tampering) {
    const short = { ...one, path: one.path.slice(0, 200), says: one.says.slice(0, 120) }
    bytes += Buffer.byteLength(JSON.stringify(short))
    if (bytes > maxBytes && fitting.length > 0) break
    fitting.push(short)
  }
  return fitting
}

export function formatTampering(tampering: readonly Tampering[]): string {
  const [first, ...others] = tampering
  const more = others.length ? ` and ${others.length} more` : ''
  return `it touched what decides verification: ${first?.path} (${first?.kind})${more}`
}
