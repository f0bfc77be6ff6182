import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../adapters/clock/system.ts'
import { openKeys } from '../adapters/keys/keys.ts'
import { isLocal, resolveEndpoint } from '../adapters/models/endpoint.ts'
import { knownRungs } from '../adapters/models/known.ts'
import { createPlaceText } from '../adapters/place/place-file.ts'
import { createQueue } from '../adapters/queue/in-process.ts'
import { startDetached } from '../adapters/shell/detach.ts'
import { createMaskFactory } from '../adapters/shell/mask.ts'
import { fileTools } from '../adapters/stores/files/disk.ts'
import { acquireLease, processStart } from '../adapters/stores/files/lease.ts'
import { openFilesStore } from '../adapters/stores/files/store.ts'
import { estimateTokens } from '../adapters/tokens/estimate.ts'
import type { ConfigShape } from '../contract/config/shape.ts'
import { findSecretValues } from '../contract/environment.ts'
import type { Rung } from '../contract/models.ts'
import type { Files } from '../ports/files.ts'
import { type Lease, RunOwnedError } from '../ports/lease.ts'
import type { Model } from '../ports/model.ts'
import type { RunStore } from '../ports/run-store.ts'
import type { Environment, Machine, Models } from '../run/machine.ts'
import type { ModeEntry } from '../run/mode.ts'
import { openAgents } from './agents.ts'
import { findProgram } from './ask-program.ts'
import { openDatabase } from './database.ts'
import { openGitTools } from './git-tools.ts'
import { isInstalledIn } from './programs.ts'

export type MachineParts = {
  /** Their settings become config keys. */
  readonly modes: readonly ModeEntry[]
  /** Default: the files store. */
  readonly store?: RunStore
}

/** Builds a machine from the adapters. */
export function openMachine(environment: Environment, { modes, store }: MachineParts): Machine {
  const { cwd, env, folder, stateFolder } = environment
  const files = fileTools
  const shared = openShared(environment, files)
  const path = env.PATH ?? ''
  const local = store ?? openFilesStore({ workspace: cwd, folder, stateFolder })
  const database = env.PAWL_DATABASE_URL ? openDatabase(env.PAWL_DATABASE_URL, local) : undefined
  return {
    environment,
    store: local,
    database,
    createQueue,
    clock: systemClock,
    files,
    configShape: openConfigShape(modes),
    findProgram: (name, from) => findProgram(name, from, path),
    git: openGitTools(environment),
    agents: openAgents(environment, shared),
    models: openModels(environment, { estimateTokens }),
    estimateTokens,
    keys: (options) => openKeys(environment, options),
    shared,
    place: createPlaceText({ isAlive }),
    withLock,
    createMask: (secrets) => maskTexts(secrets),
    openShell: async (options) => (await import('./shell.ts')).openShell(environment, options),
    openRoom: async (options, snapshots) => (await import('./room.ts')).openRoomHere(environment, options, snapshots),
    startDetached: ({ words, log, add }) => {
      const argv = [process.execPath, process.argv[1]!, ...words] as const
      return startDetached({ argv, cwd: process.cwd(), env: { ...env, ...add }, log })
    },
    isAlive,
    isInstalledIn,
  }
}

const isAlive = (pid: number): boolean => processStart(pid) !== undefined

function maskTexts(secrets: readonly string[]): (text: string) => string {
  const newMask = createMaskFactory(secrets)
  return (text) => {
    const mask = newMask()
    return Buffer.concat([mask.write(Buffer.from(text)), mask.end()]).toString('utf8')
  }
}

/** Returns a loader for the allowed config keys. Lazy, because most commands read no config. */
export function openConfigShape(modes: readonly ModeEntry[]): () => Promise<ConfigShape> {
  let shape: Promise<ConfigShape> | undefined
  return () => (shape ??= loadConfigShape(modes))
}

async function loadConfigShape(modes: readonly ModeEntry[]): Promise<ConfigShape> {
  const { createConfigShape } = await import('../contract/config/shape.ts')
  return createConfigShape(await Promise.all(modes.map(async ({ settings }) => (await settings?.()) ?? {})))
}

const maxBytes = 1 << 16

/** Opens the data that all runs of this user share, one small file each. Losing a file costs only time. */
export function openShared({ stateFolder }: Environment, files: Files): Machine['shared'] {
  const sharedPath = (kind: string, id: string): string => join(stateFolder, kind, `${id}.json`)
  return {
    async get(kind, id) {
      try {
        return JSON.parse(files.read(sharedPath(kind, id), maxBytes))
      } catch {
        return undefined
      }
    },
    async put(kind, id, value) {
      try {
        if (value === undefined) return files.remove(sharedPath(kind, id))
        files.makeFolder(join(stateFolder, kind))
        files.write(sharedPath(kind, id), `${JSON.stringify(value)}\n`)
      } catch {
        // The next run finds the same out by itself.
      }
    },
  }
}

const retryMs = 5
const maxWaitMs = 5000

/** Runs an action in one process at a time. A dead owner does not block. No repository may be able to write `folder`. */
export function withLock<Result>(folder: string, action: () => Result): Result {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lease = acquire(folder, Date.now() + maxWaitMs)
  try {
    return action()
  } finally {
    lease.release()
  }
}

/** Waits synchronously, because the actions take milliseconds. */
function acquire(folder: string, until: number): Lease {
  for (;;) {
    try {
      return acquireLease(folder)
    } catch (error) {
      if (!(error instanceof RunOwnedError) || Date.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
    }
  }
}

/** Opens the models that this machine can reach. Each is loaded on its first call. */
export function openModels(
  environment: Pick<Environment, 'env' | 'cwd'>,
  { estimateTokens }: Pick<Machine, 'estimateTokens'>,
): Models {
  const { env } = environment
  // A script goes on from run to run, as a session does.
  const scripted = new Map<string, Model>()
  const open: Models['open'] = (rung, tools) =>
    deferModel(rung.label, async () => {
      const { createModel } = await import('./create-model.ts')
      return createModel(rung, { ...tools, env, estimateTokens })
    })
  return {
    known: knownRungs,
    open: (rung, tools) => {
      if (rung.provider !== 'scripted' || rung.baseUrl === undefined) return open(rung, tools)
      const model = scripted.get(rung.baseUrl) ?? open(rung, tools)
      scripted.set(rung.baseUrl, model)
      return model
    },
    guard: (model, rung) => {
      const tools = { keys: findSecretValues(env), now: () => Date.now(), estimateTokens }
      return deferModel(model.name, async () => {
        const { createGuardedModel } = await import('../adapters/models/guard-model.ts')
        return createGuardedModel(model, rung, tools)
      })
    },
    probe: async (rung, signal) => (await import('./probe-rung.ts')).probeRung(rung, environment, signal),
    isLocal: (rung) => staysHere(rung, env),
    problem(rung) {
      if (rung.provider === 'agent' || rung.provider === 'scripted') return undefined
      const endpoint = resolveEndpoint(rung, env)
      if (!('problem' in endpoint)) return undefined
      return { fault: endpoint.fault === 'login' ? 'login' : 'address', says: endpoint.problem }
    },
  }
}

/** Loads a model on its first call. */
function deferModel(name: string, load: () => Promise<Model>): Model {
  let model: Promise<Model> | undefined
  return {
    name,
    async call(request, signal) {
      model ??= load()
      return (await model).call(request, signal)
    },
  }
}

/** Decides by the address. A vendor's model never counts as local, because a local proxy may forward the call. */
function staysHere(rung: Rung, env: Environment['env']): boolean {
  switch (rung.provider) {
    case 'scripted':
      return true
    case 'ollama':
    case 'openai-compatible':
      return isLocal(rung, env)
    case 'agent':
    case 'xai':
    case 'anthropic':
      return false
  }
}
