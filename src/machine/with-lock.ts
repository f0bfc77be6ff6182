import { mkdirSync } from 'node:fs'
import { acquireLease } from '../adapters/stores/files/lease.ts'
import { type Lease, RunOwnedError } from '../ports/lease.ts'

const tryEveryMs = 5
const longestMs = 5000

/** One process at a time; one that died in there holds nobody up. `folder` lies where no repository can write. */
export function withLock<Result>(folder: string, action: () => Result): Result {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lease = acquire(folder, Date.now() + longestMs)
  try {
    return action()
  } finally {
    lease.release()
  }
}

/** What is done in there takes milliseconds, so this waits without giving way. */
function acquire(folder: string, until: number): Lease {
  for (;;) {
    try {
      return acquireLease(folder)
    } catch (error) {
      if (!(error instanceof RunOwnedError) || Date.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tryEveryMs)
    }
  }
}
