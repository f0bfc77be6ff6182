import { expect, test } from 'vitest'
import { fileTricks } from './tricks/files.ts'
import { hold, isPossible } from './tricks/hold.ts'
import { homeTricks } from './tricks/home.ts'
import { leftOut } from './tricks/left-out.ts'
import { neighbourTricks, watcherTricks } from './tricks/neighbours.ts'
import { repositoryTricks } from './tricks/repository.ts'
import { runTricks } from './tricks/run.ts'
import { systemTricks } from './tricks/system.ts'

for (const trick of [...fileTricks, ...homeTricks, ...repositoryTricks, ...systemTricks]) hold(trick)
test.skipIf(true).each(leftOut)('not tried: %s: %s', () => {})

test('there are 60 tricks at least, all different, that this machine can do', () => {
  const elsewhere = [...runTricks, ...neighbourTricks, ...watcherTricks]
  const all = [...fileTricks, ...homeTricks, ...repositoryTricks, ...systemTricks, ...elsewhere]
  const scripts = all.filter(isPossible).map(([, script]) => script)
  expect(new Set(scripts).size).toBe(scripts.length)
  expect(scripts.length).toBeGreaterThanOrEqual(60)
})
