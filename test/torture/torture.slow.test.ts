import { expect, test } from 'vitest'
import { torture } from './torture.ts'

test('50 kills with -9 at random moments: nothing finished is lost or repeated, no process is left', async () => {
  const { kills, problems } = await torture(50, 20260214)
  expect(problems).toEqual([])
  expect(kills).toBe(50)
}, 180_000)
