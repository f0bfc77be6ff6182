import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Disk, realDisk } from '../src/adapters/stores/files/disk.ts'
import { openFilesStore } from '../src/adapters/stores/files/store.ts'
import { openMemoryStore } from '../src/adapters/stores/memory/store.ts'
import type { Rung } from '../src/contract/models.ts'
import { general } from '../src/judging/scoring/rubrics/general.ts'
import { openMachine } from '../src/machine/open-machine.ts'
import { refinementEntry } from '../src/modes/refinement/entry.ts'
import { buildRules, createRefinement, type NewRefinement } from '../src/modes/refinement/start/create.ts'
import type { Model } from '../src/ports/model.ts'
import type { RunStore } from '../src/ports/run-store.ts'
import { executeRun } from '../src/run/execution/execute.ts'
import type { Environment, Machine } from '../src/run/machine.ts'
import { openRun } from '../src/run/open-run.ts'
import { steps, task } from './instant-model.ts'
import { neverStop } from './trivial.ts'

/** Where a loop stores its state: files that survive power loss, files that survive kill -9, or memory. */
export type Keeping = 'strict' | 'unsynced' | 'memory'

/**
 * Refinements in one workspace, each a separate run, created and executed like in the program. Each one has five drafts,
 * each judged, and writes every line of the log.
 */
export function refineLoops(workspace: string, model: Model, keeping: Keeping): () => Promise<void> {
  const machine = openBenchMachine(workspace, model, keeping)
  const program = { machine, modes: [refinementEntry] }

  return async () => {
    const notices: string[] = []
    const stored = await create(machine)
    const { state } = await executeRun(await openRun(program, stored), {
      machine,
      stop: { ...neverStop, now: neverStop.hard },
      attended: false,
      mayShowWords: false,
      surface: { notice: (text) => notices.push(text) },
    })
    const reason = state.ended?.reason.code
    if (reason === 'threshold_met' && state.attempts === steps && notices.length === 0) return
    throw new Error(`${stored.entry.address} ended as ${reason} after ${state.attempts} steps: ${notices.join('; ')}`)
  }
}

/** Unique ids, because two of a thousand runs that start in one second may get the same one. */
const create = (machine: Machine) => createRefinement(machine, wanted).catch(() => createRefinement(machine, wanted))

/** Reads and writes no settings or files of the person who runs the bench. */
function openBenchMachine(workspace: string, model: Model, keeping: Keeping): Machine {
  const stateFolder = join(workspace, 'state')
  const environment: Environment = {
    program: 'pawl',
    cwd: workspace,
    home: workspace,
    env: { PAWL_KEY: randomBytes(32).toString('hex') },
    folder: '.pawl',
    stateFolder,
  }
  const stores: Readonly<Record<Keeping, () => RunStore>> = {
    strict: () => openFilesStore({ workspace, folder: '.pawl', stateFolder }),
    unsynced: () => openFilesStore({ workspace, folder: '.pawl', stateFolder, disk: unsynced }),
    memory: openMemoryStore,
  }
  const machine = openMachine(environment, { modes: [], store: stores[keeping]() })
  return { ...machine, models: { ...machine.models, open: () => model } }
}

/** Without fsync, written data survives kill -9 but not power loss. */
const unsynced: Disk = {
  ...realDisk,
  fdatasyncSync: () => {},
  fsyncSync: () => {},
  fdatasync: async () => {},
  fsync: async () => {},
}

export const rung: Rung = {
  id: 'instant',
  label: 'Instant',
  provider: 'scripted',
  model: 'instant',
  local: true,
  contextTokens: 100_000,
  price: null,
}

/** The rules of the preset, with room for five drafts of 2 KB in a row, and without pauses. */
export const buildRefinement = (only: Rung): NewRefinement => ({
  name: 'bench',
  brief: { task, context: [] },
  rubric: general,
  rules: buildRules('sap-0010', {
    tokens: 1_000_000,
    escalateTokens: 1_000_000,
    overheadTokens: 1_000_000,
    retries: steps,
    backOffMs: [],
    phases: { least: 1, most: 1 },
  }),
  ladder: { ladder: [only], start: only.id, escalateTo: [], failover: [only.id], judges: [only.id] },
  localOnly: true,
  caps: {},
  origins: {},
  common: { sandbox: 'off', env: [], secrets: [] },
  branch: null,
})
const wanted = buildRefinement(rung)
