import { harmlessAmong } from './harmless.ts'
import { standIns } from './stand-ins.ts'
import { switchedOff } from './switched-off.ts'
import type { Hunk } from './text/compare.ts'
import { andMore, became, type Finding, many, wasAdded, wasRemoved } from './text/finding.ts'
import { languageOf, weakAssertion } from './text/languages.ts'
import { isSameText } from './text/lines.ts'
import { type Line, type Read, readBoth, readLines } from './text/read.ts'

/** Whether a line that is gone here stands in another test file now, together with its test. */
export type Moved = (bare: string) => boolean

/** What became of tests that were there. Lines that were only added say nothing, unless they switch something off. */
export function changedTest(path: string, before: string, after: string, moved: Moved = () => false): Finding[] {
  if (isSameText(before, after)) return []
  const read = readBoth(languageOf(path), before, after)
  const off = switchedOff(read)
  const { gone, weakened, changed } = whatIsGone(read, moved)
  const findings: Finding[] = []
  weakened.push(...standIns(read))
  const fewer = gone.length - off.tests
  if (fewer > 0) findings.push({ kind: 'test-deleted', says: `${many(fewer, 'test')} fewer: ${wasRemoved(gone[0]!)}` })
  if (off.says.length > 0) findings.push({ kind: 'test-skipped', says: andMore(off.says) })
  if (weakened.length > 0) findings.push({ kind: 'test-weakened', says: andMore(weakened) })
  if (findings.length === 0 && changed.length > 0) findings.push({ kind: 'test-changed', says: andMore(changed) })
  return findings
}

/** A new file of tests is honest work, unless it keeps the others from running. */
export function newTest(path: string, text: string): Finding[] {
  const { stops, comment } = languageOf(path)
  const found = readLines(text).find(({ raw, code }) => !comment.test(raw) && stops.test(code))
  return found === undefined ? [] : [{ kind: 'test-skipped', says: wasAdded(found.raw) }]
}

/** The lines by which tests begin. */
export function openersOf(path: string, text: string): string[] {
  const { opener } = languageOf(path)
  return readLines(text).flatMap(({ code, bare }) => (opener.test(code) ? [bare] : []))
}

function whatIsGone({ language, before, after, comparison }: Read, moved: Moved) {
  const { opener, assertion, comment } = language
  const [gone, weakened, changed]: [string[], string[], string[]] = [[], [], []]
  // A line that only stands elsewhere now is not gone.
  const elsewhere = new Map<string, number>()
  for (const { added } of comparison.hunks)
    for (const j of added) elsewhere.set(after[j]!.bare, (elsewhere.get(after[j]!.bare) ?? 0) + 1)
  for (const hunk of comparison.hunks) judge(hunk)
  return { gone, weakened, changed }

  function judge({ removed, added }: Hunk): void {
    if (removed.length === 0) return
    const news = added.map((j) => after[j]!).filter(({ raw }) => !comment.test(raw))
    const left = removed.map((i) => before[i]!).filter(isGone)
    const tests = left.filter(({ code }) => opener.test(code))
    const lost = tests.length - news.filter(({ code }) => opener.test(code)).length
    for (const { raw } of lost > 0 ? tests.slice(-lost) : []) gone.push(raw)
    const asserting = news.filter(({ code }) => assertion.test(code))[Symbol.iterator]()
    const others = news.filter(({ code }) => !assertion.test(code))[Symbol.iterator]()
    const isHarmless = harmlessAmong(news)
    for (const line of left) {
      if (isHarmless(line)) continue
      const asserts = assertion.test(line.code)
      const now: Line | undefined = (asserts ? asserting : others).next().value
      const says = now ? became(line.raw, now.raw) : wasRemoved(line.raw)
      // With a whole test gone, what it asserted is told already.
      if (!now && lost > 0) continue
      const isWeaker = asserts && !(now && weakAssertion.test(line.raw) && !weakAssertion.test(now.raw))
      ;(isWeaker ? weakened : changed).push(says)
    }
  }

  function isGone({ raw, bare }: Line): boolean {
    if (!/\w/.test(bare) || comment.test(raw) || moved(bare)) return false
    const count = elsewhere.get(bare) ?? 0
    if (count > 0) elsewhere.set(bare, count - 1)
    return count === 0
  }
}
