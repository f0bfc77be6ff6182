import { constants } from 'node:fs'
import { join } from 'node:path'
import { type Disk, readPlain } from './disk.ts'

/** How long an owner has worked since an event, by its own monotonic clock. */
type Beat = { readonly epoch: number; readonly seq: number; readonly ms: number }

export type Heartbeat = {
  /** Call it for every event. The first call starts the timer. */
  wrote(seq: number): void
  /** Ends it and removes the file: an owner that leaves has recorded everything. */
  end(): void
}

const name = 'heartbeat'
const beatMs = 500
const length = 80

/**
 * Records twice a second how long the owner has worked since its last event, so that a crash loses at most half a second of
 * used time. Overwrites one file in place and never syncs it. Errors are ignored: a full disk must not end a run here.
 */
export function startHeartbeat(disk: Disk, dir: string, epoch: number): Heartbeat {
  let [seq, since] = [0, 0]
  let timer: NodeJS.Timeout | undefined
  let fd: number | undefined

  function beat(): void {
    const text = JSON.stringify({ epoch, seq, ms: Math.floor(performance.now() - since) } satisfies Beat)
    quietly(() => {
      fd ??= disk.openSync(join(dir, name), constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
      disk.writeSync(fd, Buffer.from(text.padEnd(length)), 0, length, 0)
    })
  }

  return {
    wrote(last) {
      seq = last
      since = performance.now()
      timer ??= setInterval(beat, beatMs).unref()
    },
    end() {
      clearInterval(timer)
      if (fd === undefined) return
      const open = fd
      fd = undefined
      quietly(() => disk.closeSync(open))
      quietly(() => disk.unlinkSync(join(dir, name)))
    },
  }
}

/** Returns how long the owner that wrote the last event worked after it. 0 if it left in order or nothing is known. */
export function readLostMs(disk: Disk, dir: string, last: { readonly epoch: number; readonly seq: number }): number {
  try {
    const { epoch, seq, ms } = JSON.parse(readPlain(disk, join(dir, name), 4096)) as Beat
    return epoch === last.epoch && seq >= last.seq && ms >= 0 ? ms : 0
  } catch {
    return 0
  }
}

function quietly(action: () => void): void {
  try {
    action()
  } catch {}
}
