import { createHash, createHmac, randomBytes } from 'node:crypto'
import { planLadder } from '../../../config/models/ladder.ts'
import { general } from '../../../judging/scoring/rubrics/general.ts'
import type { Keys } from '../../../ports/keys.ts'
import type { RunStore, StoredRun } from '../../../ports/run-store.ts'
import type { Environment, Machine } from '../../../run/machine.ts'
import type { ModeEntry, Program } from '../../../run/mode.ts'
import type { PresetName } from '../contract/config.ts'
import { buildRules, createRefinement } from '../start/create.ts'
import type { RefineOptions } from './types.ts'

/** Dependencies of the library. */
export type LibraryParts = {
  openMachine(env: Environment['env']): Machine
  /** Creates a store for runs that end with this process. */
  createStore(): RunStore
  readonly modes: readonly ModeEntry[]
}

/** A run of this process, with everything needed to resume it. */
export type InProcess = { readonly program: Program; readonly stored: StoredRun }

export type BeginOptions = RefineOptions & { readonly preset: PresetName }

/** Creates the same run as `pawl refine`, from values. */
export async function beginRun(parts: LibraryParts, task: string, options: BeginOptions): Promise<InProcess> {
  const machine = openLibraryMachine(parts, options)
  const { goal, text, context = [], maxCostUsd, maxMs } = options
  const stored = await createRefinement(machine, {
    name: options.taskId ?? 'refine',
    brief: { task, goal, text, context },
    rubric: options.rubric ?? general,
    rules: buildRules(options.preset, options.config),
    ladder: planOwnLadder(machine, options),
    localOnly: options.localOnly ?? false,
    caps: {
      ...(maxCostUsd !== undefined && { costUsd: maxCostUsd }),
      ...(maxMs !== undefined && { activeMs: maxMs }),
    },
    origins: {},
    common: { sandbox: 'auto', env: [], secrets: [] },
    correlationId: options.correlationId,
    branch: options.branch ?? null,
  })
  return { program: { machine, modes: parts.modes }, stored }
}

/** Models in the options override others. Without a store a run leaves nothing on this machine except its log. */
export function openLibraryMachine(parts: LibraryParts, options: RefineOptions): Machine {
  const { env = process.env, clock, models = {}, workspace = '' } = options
  const given = options.machine ?? parts.openMachine(env)
  const base = options.store || options.machine ? given : keepToProcess(given, workspace)
  return {
    ...base,
    ...(clock && { clock }),
    environment: { ...base.environment, cwd: workspace },
    store: options.store ?? options.machine?.store ?? parts.createStore(),
    models: {
      ...base.models,
      open: (rung, tools) => {
        const own = models[rung.id]
        return own ? base.models.guard(own, rung) : base.models.open(rung, tools)
      },
    },
  }
}

export function planOwnLadder({ models, agents, environment }: Machine, options: BeginOptions) {
  const { ladder = ['ollama'], preset, judge, localOnly = false } = options
  const { notices: _, ...planned } = planLadder({
    settings: ladder.map((rung) => (typeof rung === 'string' ? rung : rung.id)),
    catalog: { ...models, agents: agents.names, folder: environment.cwd },
    own: ladder.filter((rung) => typeof rung !== 'string'),
    provided: Object.keys(options.models ?? {}),
    toggle: preset === 'sap-0020' ? 'escalates' : 'starts',
    env: environment.env,
    judge,
    localOnly,
  })
  return planned
}

/** The same machine, but with keys and shared values of this process only, and without looking at the repository. */
function keepToProcess(machine: Machine, workspace: string): Machine {
  // A log is read by people who compare the lines of several processes: its pseudonyms need the key of this person.
  const { pseudonymOf } = workspace === '' ? keys : machine.keys({ make: true })
  return {
    ...machine,
    keys: () => ({ ...keys, pseudonymOf }),
    shared: createShared(),
    git: {
      ...machine.git,
      openRepository: (folder) => ({ ...machine.git.openRepository(folder), look: async () => undefined }),
    },
  }
}

const secret = randomBytes(32)
const keys: Keys = {
  content: { secret, restore: 'The key of a run in memory is lost when its process ends.' },
  markOf: (text) => createHash('sha256').update(text).digest('hex').slice(0, 16),
  pseudonymOf: (text) => createHmac('sha256', secret).update(text).digest('hex'),
}

function createShared(): Machine['shared'] {
  const known = new Map<string, unknown>()
  return {
    get: async (kind, id) => known.get(`${kind}/${id}`),
    put: async (kind, id, value) => void known.set(`${kind}/${id}`, value),
  }
}
