import type { Story } from '../../contract/delivery/plan.ts'
import type { Tampering } from '../../contract/delivery/result.ts'
import type { Tree } from '../../ports/snapshots.ts'
import { decides, type Found, findTampering, type Touched } from './tampering/find.ts'
import { findReplaced } from './tampering/watch.ts'
import type { DeliveryTools } from './tools.ts'

type Attempted = {
  readonly before: Tree
  readonly tree: Tree
  /** What was watched before the agent began. */
  readonly watched: Readonly<Record<string, string>>
  readonly story: Story
  readonly tools: Pick<DeliveryTools, 'snapshots' | 'watch'>
}

const mostRead = 500

/** What an attempt did to the things that decide its verification, in git's sight and out of it. */
export async function tamperingOf({ before, tree, watched, story, tools }: Attempted): Promise<readonly Found[]> {
  const about = { commands: story.verification, focus: story.file_focus }
  const { files } = before === tree ? { files: [] } : await tools.snapshots.difference(before, tree)
  const read = async (path: string, of: Tree, there: boolean): Promise<string | undefined> =>
    there ? tools.snapshots.read(of, path) : undefined
  const touched: Touched[] = []
  for (const { path, status } of files.filter((file) => decides(file.path, about)).slice(0, mostRead)) {
    touched.push({
      path,
      status,
      before: await read(path, before, status !== 'added'),
      after: await read(path, tree, status !== 'deleted'),
    })
  }
  return [...findTampering(touched, about), ...findReplaced(watched, await tools.watch(story.verification))]
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
