import type { Tree } from '../../../ports/snapshots.ts'
import type { Story } from '../contract/plan.ts'
import type { Tampering } from '../contract/result.ts'
import { describeTouched, type Found } from '../core/evidence/findings.ts'
import { findReplaced } from '../core/evidence/watch.ts'
import type { DeliveryTools } from './tools.ts'

type Attempted = {
  /** The tree before the story, so that tests of earlier attempts are not protected. */
  readonly base: Tree
  readonly tree: Tree
  /** Fingerprints from before the agent started. */
  readonly watched: Readonly<Record<string, string>>
  readonly story: Story
  readonly tools: Pick<DeliveryTools, 'findTouched' | 'watch'>
}

/** Finds changes to files that decide verification, tracked by git or not. */
export async function findTampering({ base, tree, watched, story, tools }: Attempted): Promise<readonly Found[]> {
  const touched = await tools.findTouched({ base, tree, commands: story.verification })
  const replaced = findReplaced(watched, await tools.watch(story.verification))
  return [...replaced, ...describeTouched(touched, story)]
}

/** Finds only changes made after `from`: tests run the agent's code, which may write files too. */
export async function findTamperingSince({
  from,
  ...attempted
}: Attempted & { readonly from: Tree }): Promise<readonly Found[]> {
  const { base, tree } = attempted
  const before = from === tree ? [] : await findTampering({ ...attempted, tree: from })
  const known = new Set(before.map(({ kind, path }) => `${kind} ${path}`))
  const now = await findTampering({ ...attempted, base: from === tree ? tree : base })
  return now.filter(({ kind, path, expected }) => !expected && !known.has(`${kind} ${path}`))
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
