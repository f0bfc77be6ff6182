import { wasAdded } from './text/finding.ts'
import type { Read } from './text/read.ts'

/** New lines by which tests that were there meet something else than what they are about. */
export function standIns({ before, after, comparison }: Read): string[] {
  const tested = new Set(
    before.flatMap(({ raw }) => /^(?:import|export|const|let|var)\b.*(["'])(\.[^"']*)\1/.exec(raw)?.[2] ?? []),
  )
  const isStandIn = (j: number): boolean => {
    const { raw, code } = after[j]!
    if (ownAssertion.test(code)) return true
    if (decorator.test(code)) return (comparison.origin[j + 1] ?? -1) !== -1
    return tested.has(moduleMock.exec(raw)?.[2] ?? '')
  }
  const found = comparison.hunks.flatMap(({ added }) => added.filter(isStandIn)).map((j) => wasAdded(after[j]!.raw))
  return found.slice(0, 1)
}

const ownAssertion =
  /^(?:const|let|var|function|class) (?:expect|assert|test|it|describe)\b|^(?:globalThis|global|window)\.\w+ ?=|^def (?:assert\w*|approx)\(|^(?:expect|assert|pytest\.\w+) ?=(?!=)|^macro_rules! assert/
const decorator = /^@(?:\w+\.){0,3}patch\b/
const moduleMock = /\b(?:vi|jest)\.(?:mock|doMock|unstable_mockModule)\(\s?(["'`])([^"'`]*)\1/
