import { expect, test } from 'vitest'
import { describeRun, describeRuns } from '../../../../src/modes/delivery/core/describe-run.ts'

const red = (run: string, times?: number) => ({ run, ended: 'red' as const, ...(times && { times }) })
const green = (run: string) => ({ run, ended: 'green' as const })

test('says what a run shows, and how often it was made', () => {
  expect(describeRun(red('altered-values', 3))).toBe('altered assertions fail, as they must (3 runs)')
  expect(describeRun(green('altered-values'))).toBe('an altered assertion passes')
  expect(describeRun(red('old-checks-again'))).toBe(describeRun(red('old-checks')))
  // Of a later version.
  expect(describeRun(red('something-else'))).toBe('something-else red')
})

test('one line says each thing once, and not that a comment changes nothing', () => {
  const runs = [red('old-checks'), red('old-checks-again'), green('commented'), red('altered-values'), red('commented')]
  expect(describeRuns(runs)).toBe(
    'the tests and settings from before fail with the new code; altered assertions fail, as they must; the tests fail if a comment is added to them',
  )
  expect(describeRuns([green('commented')])).toBe('')
})
