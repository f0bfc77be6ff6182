import { expect, test } from 'vitest'
import { until } from '../../../surfaces/cli/pawl.ts'
import { newPerson } from './person.ts'
import { honest } from './santiago.ts'

test('resume continues a delivery that is paused in its own process', async () => {
  const { deliver, run, names, titles } = newPerson({ agent: honest.map((step) => ({ ...step, delay_ms: 300 })) })
  expect((await deliver('--detach')).code).toBe(0)
  expect((await run('pause')).code).toBe(0)
  await expect.poll(async () => (await run('ls')).out, { timeout: 60_000 }).toMatch(/letters +paused /)
  const resumed = await run('resume', 'letters')
  expect([resumed.code, resumed.out]).toEqual([0, expect.stringContaining('continuing in its own process')])
  await until(() => names().includes('run/completed'), 'its end', 60_000)
  expect(titles()).toHaveLength(3)
})
