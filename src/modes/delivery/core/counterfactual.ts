import type { Evidence } from '../contract/result.ts'
import { findRole } from './tampering/text/roles.ts'

export type Ran = 'red' | 'green'

/** How the commands ended on trees that never existed, beside the one that is to be committed, where they were green. */
export type Runs = {
  /** Before the story. */
  readonly before: Ran
  /** The story changed tests, settings or other files that decide verification. */
  readonly touched: boolean
  /** The plan names all of those files. */
  readonly named: boolean
  /** The new product with the tests and settings from before the story. */
  readonly oldTests: () => Promise<Ran>
  /** The old product with the new tests and settings. */
  readonly oldProduct: () => Promise<Ran>
}

/** Says what the runs show. `refused`: the tests alone make it green. Runs no more than the answer needs. */
export async function weighRuns(runs: Runs): Promise<Evidence | 'refused'> {
  const { before, touched, named, oldTests, oldProduct } = runs
  if (!touched) return before === 'red' ? 'proven' : 'held'
  if ((await oldTests()) === 'green') {
    if (before === 'red') return 'proven'
    return (await oldProduct()) === 'red' ? 'proven_by_new_tests' : 'held'
  }
  const alone = (await oldProduct()) === 'green'
  if (before === 'red' && alone) return 'refused'
  if (!named) return 'rewritten'
  return alone ? 'held' : 'proven_by_new_tests'
}

/** Files that decide verification, by their paths alone: what an agent writes into them does not count here. */
export const hasRole = (path: string): boolean => findRole(path) !== undefined || isDotFile.test(path)
const isDotFile = /(?:^|\/)\.(?!gitignore$|gitkeep$)/

/** The keys of package.json that belong to the product. All others belong to its checks. */
const productKeys = new Set(
  `name version description keywords homepage bugs license author contributors funding files exports imports main module browser types typings bin man
   directories repository dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies bundleDependencies engines
   os cpu private publishConfig sideEffects`.split(/\s+/),
)

/** Returns the new package.json with the old scripts and settings, or undefined if one of them is no object. */
export function mergeManifest(before: string, after: string): string | undefined {
  const [old, young] = [parseObject(before), parseObject(after)]
  if (!old || !young) return undefined
  const kept = Object.entries(old).filter(([key]) => !productKeys.has(key))
  const taken = Object.entries(young).filter(([key]) => productKeys.has(key))
  return `${JSON.stringify(Object.fromEntries([...taken, ...kept]), null, 2)}\n`
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
