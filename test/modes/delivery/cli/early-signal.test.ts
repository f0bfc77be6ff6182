import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDelivery } from './santiago.ts'

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s while the program is loading is no different from later',
  async (signal) => {
    const delivery = newDelivery()
    await delivery.plan()
    const hook = join(delivery.root, 'hook.cjs')
    // This function is called right before the engine is loaded.
    writeFileSync(
      hook,
      `const url = require('url'), was = url.pathToFileURL
     url.pathToFileURL = (...given) => { url.pathToFileURL = was; process.kill(process.pid, '${signal}'); return was(...given) }`,
    )
    delivery.env.NODE_OPTIONS = `--require ${hook}`
    const { code } = await delivery.execute()
    expect([code, delivery.result().status, delivery.tries()]).toEqual([
      signal === 'SIGTERM' ? 143 : 130,
      'interrupted',
      expect.any(Array),
    ])
    delivery.env.NODE_OPTIONS = ''
    expect(await delivery.execute()).toMatchObject({ code: 0 })
  },
)
