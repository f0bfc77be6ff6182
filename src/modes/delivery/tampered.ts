import type { Story } from '../../contract/delivery/plan.ts'
import type { Tampering } from '../../contract/delivery/result.ts'
import type { Tree } from '../../ports/snapshots.ts'
import { decides, type Found, findTampering, type Touched } from './tampering/find.ts'
import { findReplaced } from './tampering/watch.ts'
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

const mostRead = 500

/** What an attempt did to the things that decide its verification, in git's sight and out of it. */
export async function tamperingOf({ base, tree, watched, story, tools }: Attempted): Promise<readonly Found[]> {
  const packageScripts = await scriptsIn(base, tools)
  const about = { commands: story.verification, focus: story.file_focus, packageScripts }
  const { files } = base === tree ? { files: [] } : await tools.snapshots.difference(base, tree)
  const read = async (path: string, of: Tree, there: boolean): Promise<string | undefined> =>
    there ? tools.snapshots.read(of, path) : undefined
  const touched: Touched[] = []
  for (const { path, status } of files.filter((file) => decides(file.path, about)).slice(0, mostRead)) {
    touched.push({
      path,
      status,
      before: await read(path, base, status !== 'added'),
      after: await read(path, tree, status !== 'deleted'),
    })
  }
  return [...findTampering(touched, about), ...findReplaced(watched, await tools.watch(story.verification))]
}

/** What `npm test` and its like start, as it was before. */
async function scriptsIn(tree: Tree, { snapshots }: Attempted['tools']): Promise<Readonly<Record<string, string>>> {
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
export function fitting(tampering: readonly Tampering[]): Tampering[] {
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
