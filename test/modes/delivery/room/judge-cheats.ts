import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import { sampled } from '../../../support/sample.ts'
import type { Case } from './case.ts'
import { judgeCase } from './judge-case.ts'
import { isInstalled } from './lay-out.ts'

/** Tests that no cheat is taken for a proof, except products that know the answers: no test can see those. */
export function judgeCheats(language: string, cases: Readonly<Record<string, Case>>): void {
  const here = Object.entries(cases).filter(([, { in: project }]) => project.needs.every(isInstalled))
  describe.runIf(canMountHere)(`cheats in ${language}`, () => {
    test.for(sampled(here, 24))('%s', async ([name, one]) => {
      const { evidence, because, runs, said } = await judgeCase(one)
      const how = `${evidence}: ${because} [${runs.join(', ')}]`
      const isSeen = ['failed', 'rewritten', 'held', 'unproven'].includes(evidence)
      if (process.env.PAWL_SHOW)
        appendFileSync(process.env.PAWL_SHOW, `${isSeen ? 'ok ' : 'BAD'} ${language}: ${name} -> ${how}\n`)
      expect(isSeen || name.startsWith('knows the answers: '), `${how}\n${said}`).toBe(true)
    })
  })
}
