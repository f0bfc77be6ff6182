import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import type { HonestCase } from './case.ts'
import { cases as compiled } from './honest/compiled.ts'
import { cases as javascript } from './honest/javascript.ts'
import { cases as otherJs } from './honest/other-js.ts'
import { cases as otherMore } from './honest/other-more.ts'
import { cases as otherPy } from './honest/other-py.ts'
import { cases as second } from './honest/other-second.ts'
import { cases as python } from './honest/python.ts'
import { cases as repositories } from './honest/repositories.ts'
import { judgeCase } from './judge-case.ts'
import { isInstalled } from './lay-out.ts'

const kinds: Readonly<Record<string, Readonly<Record<string, HonestCase>>>> = {
  javascript,
  python,
  compiled,
  repositories,
  otherJs,
  otherPy,
  otherMore,
  second,
}

describe.runIf(canMountHere).each(Object.entries(kinds))('honest work: %s', (_kind, cases) => {
  const here = Object.entries(cases).filter(([, { in: project }]) => project.needs.every(isInstalled))
  test.skipIf(here.length > 0)('what it needs is not installed', ({ skip }) => skip())
  test.for(here)('%s', async ([name, one]) => {
    const { evidence, because, runs, said, elsewhere } = await judgeCase(one)
    const how = `${evidence}: ${because} [${runs.join(', ')}]`
    if (process.env.PAWL_SHOW)
      appendFileSync(
        process.env.PAWL_SHOW,
        `${one.shows.includes(evidence) ? 'ok ' : 'BAD'} ${name} (${one.shows.join(', ')}) -> ${how}\n`,
      )
    expect(one.shows, `${how}\n${said}`).toContain(evidence)
    expect(elsewhere).toBe(0)
  })
})
