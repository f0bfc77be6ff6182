import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createCommandAgent } from '../adapters/agents/command.ts'
import { buildEnvironment } from '../adapters/shell/env.ts'
import { PawlError } from '../contract/exit.ts'
import type { Progress } from '../contract/progress.ts'
import type { RunRequest } from '../contract/request.ts'
import type { Policy } from '../kernel/policy.ts'
import type { Work } from '../kernel/run.ts'
import { procedurePolicy } from '../modes/procedure/policy.ts'
import { procedureWork } from '../modes/procedure/work.ts'
import type { Artifacts } from '../ports/artifacts.ts'
import type { Shell } from '../ports/shell.ts'
import type { Place } from './paths.ts'

export type Tools = {
  readonly place: Place
  readonly dir: string
  readonly shell: Shell
  readonly artifacts: Artifacts
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** A memo belongs to its own policy; whoever only drives the loop does not look inside. */
type Mode = { readonly policy: Policy<unknown>; readonly work: Work<unknown> }

/** A total record: a mode without its composition does not compile. */
const modes: Readonly<Record<RunRequest['mode'], (request: RunRequest, tools: Tools) => Mode>> = { procedure }

export const composeMode = (request: RunRequest, tools: Tools): Mode => modes[request.mode](request, tools)

export const policyOf = (request: RunRequest): Policy<unknown> =>
  procedurePolicy(request.procedure, request.caps) as unknown as Policy<unknown>

function procedure(request: RunRequest, { place, dir, shell, artifacts, onProgress }: Tools): Mode {
  const env = buildEnvironment(place.env, { allow: request.env, add: { PAWL_RUN_ID: request.run_id } })
  const { agent, silenceMs } = request.procedure
  const work = procedureWork(request.procedure, {
    agent: createCommandAgent(shell, artifacts, { ...agent, env, silenceMs, now: Date.now }),
    shell,
    artifacts,
    run: request.run_id,
    workspace: request.workspace,
    env,
    fileOf: (path) => join(dir, path),
    readText: (path) => readFragment(resolve(request.workspace, path)),
    onProgress,
  })
  return { policy: policyOf(request), work: work as unknown as Work<unknown> }
}

async function readFragment(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new PawlError(30, `cannot read the prompt file ${path}: ${(error as Error).message}`)
  }
}
