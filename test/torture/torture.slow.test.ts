import { expect, test } from 'vitest'
import { isWhole } from '../support/sample.ts'
import { tortureDelivery } from './delivery.ts'
import { raceDeliveries } from './race.ts'
import { torture } from './torture.ts'

test('kills with -9 at random moments: nothing finished is lost or repeated, no process is left', async () => {
  const wanted = isWhole ? 50 : 10
  const { kills, problems } = await torture(wanted, 20260214)
  expect(problems).toEqual([])
  expect(kills).toBe(wanted)
})

test('8 kills with -9 of deliveries: no story is lost or repeated, one commit each, the result is right', async () => {
  const { kills, problems } = await tortureDelivery(8, 20261115)
  expect(problems).toEqual([])
  expect(kills).toBe(8)
})

test('3 deliveries that are started twice: one works, the other is refused and leaves its result alone', async () => {
  const { refused, problems } = await raceDeliveries(3, 6)
  expect(problems).toEqual([])
  expect(refused).toBeGreaterThan(1)
})
