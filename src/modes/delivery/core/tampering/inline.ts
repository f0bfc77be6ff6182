import { changedTest } from './changed-test.ts'
import type { Finding, Touched } from './text/finding.ts'

/** Tests that stand in the file they test: from their mark to the end, as everybody writes them. */
export function inlineTests({ path, before, after }: Touched): Finding[] {
  const mark = marks.find(([files]) => files.test(path))?.[1]
  const from = mark === undefined ? -1 : (before?.search(mark) ?? -1)
  if (mark === undefined || before === undefined || from < 0) return []
  const now = after?.search(mark) ?? -1
  return changedTest(path, before.slice(from), now < 0 ? '' : after!.slice(now))
}

const marks: readonly (readonly [RegExp, RegExp])[] = [
  [/\.rs$/, /#\[cfg\((?:test|all\(test)/],
  [/\.[cm]?[jt]sx?$/, /\bif \(import\.meta\.vitest\b/],
]
