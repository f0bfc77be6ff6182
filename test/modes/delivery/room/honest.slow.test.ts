import { appendFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import type { HonestCase } from './case.ts'
import { cases as compiled } from './honest/compiled.ts'
import { cases as found } from './honest/found.ts'
import { cases as javascript } from './honest/javascript.ts'
import { cases as othersAimed } from './honest/others-aimed.ts'
import { cases as othersJavascript } from './honest/others-javascript.ts'
import { cases as othersMixed } from './honest/others-mixed.ts'
import { cases as othersPython } from './honest/others-python.ts'
import { cases as python } from './honest/python.ts'
import { cases as repositories } from './honest/repositories.ts'
import { judgeCase } from './judge-case.ts'
import { isInstalled } from './lay-out.ts'
import { refused } from './refused.ts'

const kinds: Readonly<Record<string, Readonly<Record<string, HonestCase>>>> = {
  javascript,
  python,
  compiled,
  repositories,
  found,
  // By those who did not write the rules; the last ones aim at them.
  othersJavascript,
  othersPython,
  othersMixed,
  othersAimed,
}

/** `npm run cheats` takes all, `npm run test:slow` every second. */
const every = process.env.PAWL_CHEATS === 'all' ? 1 : 2

describe.runIf(canMountHere).each(Object.entries(kinds))('honest work: %s', (_kind, cases) => {
  const here = Object.entries(cases).filter(([, { in: project }]) => project.needs.every(isInstalled))
  const missed: string[] = []
  afterAll(() => expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(Math.ceil(here.length / 10)))
  test.skipIf(here.length > 0)('what it needs is not installed', ({ skip }) => skip())
  test.for(here.filter((_, index) => index % every === 0))('%s', async ([name, one]) => {
    const { evidence, because, runs, said, elsewhere } = await judgeCase(one)
    const how = `${evidence}: ${because} [${runs.join(', ')}]`
    if (process.env.PAWL_SHOW)
      appendFileSync(
        process.env.PAWL_SHOW,
        `${one.shows.includes(evidence) ? 'ok ' : 'BAD'} ${name} (${one.shows.join(', ')}) -> ${how}\n`,
      )
    // Which assertion is altered is a matter of chance, so that a proof may be missed. It is never refused for it.
    const isKnown = one.shows.includes(evidence) || (evidence === 'failed' && refused.includes(name))
    const isMissed = !isKnown && ['held', 'unproven'].includes(evidence)
    if (isMissed) missed.push(name)
    expect(isKnown || isMissed, `${how}\n${said}`).toBe(true)
    expect(elsewhere).toBe(0)
  })
})
