import { systemClock } from '../adapters/clock/system.ts'
import { openKeys } from '../adapters/keys/keys.ts'
import { createPlaceText } from '../adapters/place/place-file.ts'
import { startDetached } from '../adapters/shell/detach.ts'
import { createMaskFactory } from '../adapters/shell/output/mask.ts'
import { fileTools } from '../adapters/stores/files/file-tools.ts'
import { processStart } from '../adapters/stores/files/process.ts'
import { openFilesStore } from '../adapters/stores/files/store.ts'
import { estimateTokens } from '../adapters/tokens/estimate.ts'
import type { RunStore } from '../ports/run-store.ts'
import type { Environment, Machine } from '../run/machine.ts'
import type { ModeEntry } from '../run/mode.ts'
import { openAgents } from './agents.ts'
import { openConfigShape } from './config-shape.ts'
import { findProgram } from './find-program.ts'
import { openGitTools } from './git.ts'
import { openModels } from './models.ts'
import { openShared } from './shared.ts'
import { withLock } from './with-lock.ts'

export type MachineParts = {
  /** Their own settings are keys of every configuration that is read here. */
  readonly modes: readonly ModeEntry[]
  /** Where runs lie, if not in files. */
  readonly store?: RunStore
}

/** Makes a machine out of adapters. */
export function openMachine(environment: Environment, { modes, store }: MachineParts): Machine {
  const { cwd, env, folder, stateFolder } = environment
  const files = fileTools
  const shared = openShared(environment, files)
  const path = env.PATH ?? ''
  return {
    environment,
    store: store ?? openFilesStore({ workspace: cwd, folder, stateFolder }),
    clock: systemClock,
    files,
    configShape: openConfigShape(modes),
    findProgram: (name, from) => findProgram(name, from, path),
    askProgram: async (argv, options) => (await import('./ask-program.ts')).askProgram(environment, argv, options),
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
    startDetached: ({ words, log, add }) => {
      const argv = [process.execPath, process.argv[1]!, ...words] as const
      return startDetached({ argv, cwd: process.cwd(), env: { ...env, ...add }, log })
    },
    isAlive,
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
