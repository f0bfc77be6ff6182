import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type LoadOptions, loadConfig } from '../../src/config/load-settings.ts'
import { ConfigError } from '../../src/config/problem.ts'
import type { Settings } from '../../src/config/settings.ts'
import { openConfigShape } from '../../src/machine/open-machine.ts'
import { modes } from '../support/runs.ts'

/** Includes the keys of all modes. */
export const shape = await openConfigShape(modes)()

export type Machine = {
  readonly home: string
  readonly workspace: string
  readonly userFile: string
  write(path: string, content: string | Uint8Array): Promise<void>
  load(options?: Partial<LoadOptions>): Promise<Settings>
  refusal(options?: Partial<LoadOptions>): Promise<ConfigError>
}

type Files = { readonly user?: string | Uint8Array; readonly workspace?: string | Uint8Array }

/** Creates a home and a workspace on disk, removed after the test. */
export async function machine(files: Files = {}): Promise<Machine> {
  const root = await mkdtemp(join(tmpdir(), 'pawl-config-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const home = join(root, 'home')
  const workspace = join(root, 'workspace')
  const userFile = join(home, '.config/pawl/config.yml')
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  await mkdir(workspace, { recursive: true })
  if (files.user !== undefined) await write(userFile, files.user)
  if (files.workspace !== undefined) await write(join(workspace, '.pawl/config.yml'), files.workspace)
  const load: Machine['load'] = (options) =>
    loadConfig({ shape, workspace, home, env: {}, flags: {}, name: 'pawl', ...options })
  const refusal: Machine['refusal'] = async (options) => {
    const outcome = await load(options).catch((error: unknown) => error)
    if (outcome instanceof ConfigError) return outcome
    throw new Error('expected a ConfigError', { cause: outcome })
  }
  return { home, workspace, userFile, write: (path, content) => write(join(root, path), content), load, refusal }
}
