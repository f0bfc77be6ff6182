import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { confines, forbidden, makeWorld, runFree, runIn } from '../confine-helpers.ts'
import type { Trick } from './trick.ts'

/** A test: the trick changes something outside when nothing holds it, which is tried first, and nothing when held. */
export function hold(trick: Trick, names: Parameters<typeof makeWorld>[0] = {}): void {
  const [name, script] = trick
  test.skipIf(!confines || !isPossible(trick))(`held: ${name} (skipped where it is impossible)`, async () => {
    const free = makeWorld(names)
    const before = forbidden(free)
    await runFree(free, script)
    expect(forbidden(free)).not.toEqual(before)
    for (const folder of ['/dev/shm', '/var/tmp']) rmSync(`${folder}/${free.mark}`, { force: true })

    const held = makeWorld(names)
    const was = forbidden(held)
    const exit = await runIn(held, script)
    expect(exit.status).toBe('exited')
    expect(forbidden(held)).toEqual(was)
  })
}

export function isPossible([, , needs]: Trick): boolean {
  if (needs === undefined) return true
  try {
    execFileSync('sh', ['-c', needs], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
