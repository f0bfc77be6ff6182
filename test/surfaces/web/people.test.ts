import { expect, test } from 'vitest'
import { hidePeople, hidePerson } from '../../../src/surfaces/web/people.ts'

test('mail addresses and people who sent notes are hidden, wherever they stand in a line', () => {
  const hide = (text: string) => hidePeople([text], new Set(['mara']))
  const [ann, mara] = [hidePerson('ann.lee@example.org'), hidePerson('mara')]
  expect(hide('ask ann.lee@example.org, mara')).toEqual([`ask ${ann}, ${mara}`])
  expect(hide('(Ann.Lee@example.org) marathon')).toEqual([`(${ann}) marathon`])
  expect(hide('?to=ann.lee%40example.org')).toEqual([`?to=${hidePerson('ann.lee%40example.org')}`])
  expect(hide('a@b.c_d@e.f')).toEqual([`${hidePerson('a@b.c')}${hidePerson('_d@e.f')}`])
})

test('a long word does not keep the server from answering', () => {
  const long = 'x'.repeat(200_000)
  const start = performance.now()
  expect(hidePeople([long, `${long} @`], new Set())).toEqual([long, `${long} @`])
  // Takes a tenth of a second. The square of the length would take a minute.
  expect(performance.now() - start).toBeLessThan(10_000)
})
