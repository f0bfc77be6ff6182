import type { TestIds } from './test-ids.ts'

/**
 * Whether all that is red now was red before, if only because its file could not be loaded, and all that was green still is. The tests of other
 * stories may be red.
 */
export function isNoWorse(before: TestIds, now: TestIds): boolean {
  const files = [...before.failed].filter((id) => isFile.test(id))
  const others = [...now.failed.difference(before.failed)]
  const isKnown = others.every((id) => files.some((file) => id.startsWith(`${file}::`)))
  return now.failed.size > 0 && isKnown && before.passed.isSubsetOf(now.passed)
}

/** Tests that were red before and are green now, and files that could not be loaded before and have tests now that pass. */
export function turnedGreen(before: TestIds, now: TestIds): ReadonlySet<string> {
  const loaded = [...before.failed.difference(now.failed)].filter((id) => isFile.test(id))
  const isLoaded = now.passed.difference(before.passed).size > 0
  return before.failed.intersection(now.passed).union(new Set(isLoaded ? loaded : []))
}

/** Tests that the story has turned green, as far as the outputs tell. Some name only failures, and a file that cannot be loaded has no tests. */
export function findTurned(before: TestIds | undefined, now: TestIds | undefined): ReadonlySet<string> {
  if (!before) return new Set()
  return now && now.passed.size > 0
    ? now.passed.difference(before.passed)
    : before.failed.difference(now?.failed ?? new Set())
}

/**
 * Tests that failed before and do not pass now, although the commands do: they are not run any more, or nobody minds. A file that could not be
 * loaded is no test. `isPartial`: tests of other stories may fail.
 */
export function findUnsolved(
  before: TestIds | undefined,
  now: TestIds | undefined,
  isPartial: boolean,
): readonly string[] {
  if (!before || !now || now.passed.size === 0) return []
  const open = before.failed.difference(now.passed)
  return [...(isPartial ? open.difference(now.failed) : open)].filter((id) => !isFile.test(id))
}
const isFile = /^[\w@./-]+\.\w{1,4}$/

/**
 * Those of the tests that passed all the same. Some have their values in their names, so that others fail in their place; or their file cannot
 * be loaded. `known` has the names without altered values.
 */
export function findUnnoticed(
  tests: ReadonlySet<string>,
  { passed, failed }: TestIds,
  known: TestIds,
  isFile: (id: string) => boolean,
): ReadonlySet<string> {
  const strangers = [...failed.difference(known.passed).difference(known.failed).difference(tests)]
  // The tests inside of one that failed before them are not listed.
  const isInside = (id: string): boolean =>
    [...failed].some(
      (outer) => known.passed.has(outer) && /^(?:\/| > )/.test(id.slice(outer.length)) && id.startsWith(outer),
    )
  const missing = new Set([...tests.difference(passed).difference(failed)].filter((id) => !isInside(id)))
  const plain = (id: string): string => id.replace(/\[.*$/, '')
  const isReplaced =
    known.passed.size > 0
      ? missing.size <= strangers.length
      : [...missing].every((id) => strangers.some((other) => plain(other) === plain(id)))
  const open = passed.size > 0 ? tests.intersection(passed) : new Set<string>()
  return isReplaced || strangers.some(isFile) ? open : open.union(missing)
}

/** Whether a test is the one that its source calls so. */
export function isNamed(id: string, name: string): boolean {
  const at = id.lastIndexOf(name)
  return at >= 0 && !/\w$/.test(id.slice(0, at)) && /^(?:$|[[(]|\W+$)/.test(id.slice(at + name.length))
}
