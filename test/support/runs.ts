import * as fs from 'node:fs'
import { join } from 'node:path'
import { realDisk } from '../../src/adapters/stores/files/disk.ts'
import { newScan, readEvents } from '../../src/adapters/stores/files/event-reader.ts'
import { journalName } from '../../src/adapters/stores/files/lines.ts'
import type { Envelope } from '../../src/contract/envelope.ts'
import type { LoopEvent } from '../../src/contract/event.ts'
import { openMachine } from '../../src/machine/open-machine.ts'
import { deliveryEntry } from '../../src/modes/delivery/entry.ts'
import { procedureEntry } from '../../src/modes/procedure/entry.ts'
import { refinementEntry } from '../../src/modes/refinement/entry.ts'
import type { StoredRun } from '../../src/ports/run-store.ts'
import type { Environment } from '../../src/run/machine.ts'
import type { Program } from '../../src/run/mode.ts'
import { checkRun } from '../../src/run/reports/fsck.ts'

// Runs as they lie in folders, for tests that look at what the program has left there.

export const modes = [procedureEntry, deliveryEntry, refinementEntry]

/** The whole program as seen from a folder. `home` is where this person keeps index, trust and keys. */
export function programAt(cwd: string, home = cwd, env: Environment['env'] = process.env): Program {
  const stateFolder = join(env.XDG_STATE_HOME ?? join(home, '.local', 'state'), 'pawl')
  return { machine: openMachine({ program: 'pawl', cwd, env, home, folder: '.pawl', stateFolder }, { modes }), modes }
}

export async function runAt(dir: string, program: Program = programAt(dir)): Promise<StoredRun> {
  const stored = await program.machine.store.open(dir)
  if (!stored) throw new Error(`${dir} is no run`)
  return stored
}

/** A run as its folder, for tests that look into it. */
export type RunFolder = { readonly id: string; readonly dir: string }

/** Those that the program would list, newest first. */
export async function listAt({ machine }: Program): Promise<RunFolder[]> {
  return (await machine.store.list({})).map(({ id, address }) => ({ id, dir: address }))
}

/** What fsck says is wrong with a run. */
export async function problemsAt(dir: string, program: Program = programAt(dir)): Promise<readonly string[]> {
  const stored = await program.machine.store.open(dir)
  return stored ? (await checkRun(program, stored)).problems : [`${dir} is no run`]
}

export function eventsAt(dir: string): LoopEvent[] {
  const path = join(dir, journalName)
  if (!fs.existsSync(path)) return []
  const fd = fs.openSync(path, 'r')
  try {
    return [...readEvents(realDisk, fd, path, newScan())].map(({ event }) => event)
  } finally {
    fs.closeSync(fd)
  }
}

/** The request that a run was started with; `Own` is its mode's part. */
export const requestAt = <Own>(dir: string): Envelope & { readonly with: Own } =>
  JSON.parse(fs.readFileSync(join(dir, 'request.json'), 'utf8'))
