import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import { isWhole } from '../../../support/sample.ts'
import type { Case } from './case.ts'
import { judgeCase } from './judge-case.ts'
import { isInstalled } from './lay-out.ts'
import { isUnseen } from './unseen.ts'

/** `npm run cheats` judges all cases, `npm run test:slow` every fourth. */
const every = process.env.PAWL_CHEATS === 'all' ? 1 : 4

/** Tests that no cheat is taken for a proof, except those that no test can see. */
export function judgeCheats(language: string, cases: Readonly<Record<string, Case>>): void {
  const here = Object.entries(cases).filter(([, { in: project }]) => project.needs.every(isInstalled))
  if (here.length === 0) {
    test.skip(`what cheats in ${language} need is not installed`, () => {})
    return
  }
  // `npm test` takes one case of one language.
  describe.runIf(canMountHere && (isWhole || language === 'javascript'))(`cheats in ${language}`, () => {
    // Which assertion is altered is a matter of chance: a cheat that passes has to pass twice.
    test.for(here.filter((_, index) => index % every === 0))('%s', { retry: 1 }, async ([name, one]) => {
      const { evidence, because, runs, said, elsewhere } = await judgeCase(one)
      const how = `${evidence}: ${because} [${runs.join(', ')}]`
      const isRejected = ['failed', 'rewritten', 'held', 'unproven'].includes(evidence)
      const verdict = isRejected ? 'ok ' : isUnseen(language, name) ? '---' : 'BAD'
      if (process.env.PAWL_SHOW) appendFileSync(process.env.PAWL_SHOW, `${verdict} ${language}: ${name} -> ${how}\n`)
      expect(verdict, `${how}\n${said}`).not.toBe('BAD')
      // What proves nothing may depend on the moment.
      if (evidence !== 'unproven') expect(elsewhere, said).toBe(0)
    })
  })
}
