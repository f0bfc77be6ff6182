import { closeSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openPlain, realDisk } from '../adapters/stores/files/disk.ts'
import { journalName, newScan } from '../adapters/stores/files/journal.ts'
import { readEvents } from '../adapters/stores/files/reader.ts'
import type { LoopEvent } from '../contract/event.ts'

const lookMs = 200

/** A run's events from the first on, and with `follow` those still to come, until it ends. */
export async function* followEvents(dir: string, follow: boolean): AsyncGenerator<LoopEvent> {
  const path = join(dir, journalName)
  const scan = newScan()
  for (;;) {
    let over = !follow
    for (const event of readOn(path, scan)) {
      yield event
      // Only the last of them counts: an ended or interrupted run may have gone on.
      if (follow) over = event.type === 'run-ended' || event.type === 'run-interrupted'
    }
    if (over) return
    await delay(lookMs)
  }
}

function* readOn(path: string, scan: ReturnType<typeof newScan>): Generator<LoopEvent> {
  if (!statSync(path, { throwIfNoEntry: false })) return
  const fd = openPlain(realDisk, path)
  try {
    for (const { event } of readEvents(realDisk, fd, path, scan)) yield event
  } finally {
    closeSync(fd)
  }
}
