import type { OtherRun } from '../contract/result.ts'

/** What runs on other trees show, in the words of people, where they end red and where they end green. */
const meanings: Readonly<Record<string, readonly [red: string, green: string]>> = {
  'new-dependencies': [
    'its new dependencies alone do not make the commands pass',
    'its new dependencies alone make the commands pass',
  ],
  'old-checks': [
    'the tests and settings from before fail with the new code',
    'the tests and settings from before pass with the new code',
  ],
  'old-product': [
    'its tests and settings fail with the old code',
    'its tests and settings pass with the old code, too',
  ],
  'old-tests': ['the old tests fail with its settings', 'the old tests pass with its settings'],
  'old-product-and-tests': [
    'its settings alone do not make the old code pass',
    'its settings alone make the old code pass',
  ],
  'altered-values': ['altered assertions fail, as they must', 'an altered assertion passes'],
  'altered-data': ['altered output in files is noticed', 'altered output in files goes unnoticed'],
  commented: ['the tests fail if a comment is added to them', 'a comment in the tests changes nothing'],
  'without-failed': [
    'without the tests that failed first, others fail with the old code',
    'without the tests that failed first, the old code passes',
  ],
  'must-fail': ['a test that must fail does', 'a test that must fail passes'],
  'must-fail-before': [
    'a test that must fail fails with the old code',
    'a test that must fail passes with the old code',
  ],
  'without-tests': ['without its tests, the old code fails', 'without its tests, the old code passes'],
}

/** "altered assertions fail, as they must (3 runs)". The same run made again has the same meaning. */
export function describeRun({ run, ended, times = 1 }: OtherRun): string {
  const says = meanings[run.replace(/-again$/, '')]?.[ended === 'red' ? 0 : 1] ?? `${run} ${ended}`
  return `${says}${times > 1 ? ` (${times} runs)` : ''}`
}

/** The same in one line: what was to be expected is left out, and so is what was said. */
export function describeRuns(runs: readonly OtherRun[]): string {
  const telling = runs.filter(
    ({ run, ended }) => !run.endsWith('-again') && !(run === 'commented' && ended === 'green'),
  )
  return [...new Set(telling.map(describeRun))].join('; ')
}
