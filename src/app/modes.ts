import { join, resolve } from 'node:path'
import { createCommandAgent } from '../adapters/agents/command.ts'
import { dialectOf } from '../adapters/agents/dialects.ts'
import { buildEnvironment } from '../adapters/shell/env.ts'
import { estimateTokens } from '../adapters/tokens/estimate.ts'
import type { Progress } from '../contract/progress.ts'
import type { RunRequest } from '../contract/request.ts'
import type { Policy } from '../kernel/policy.ts'
import type { Work } from '../kernel/run.ts'
import { procedurePolicy } from '../modes/procedure/policy.ts'
import { procedureWork } from '../modes/procedure/work.ts'
import type { Artifacts } from '../ports/artifacts.ts'
import type { Shell } from '../ports/shell.ts'
import { commandOf } from './agent-of.ts'
import { openRepository } from './open-repository.ts'
import type { Place } from './paths.ts'
import { type Projection, stateFileProjection } from './projection.ts'
import { readPromptFile } from './prompt-file.ts'
import { sharingLimits } from './shared-limit.ts'
import { stateFilePath } from './state-file.ts'

export type Tools = {
  readonly place: Place
  /** What a person has made of the request since the run began. Decisions go by the original and the journal. */
  readonly current: RunRequest
  readonly dir: string
  readonly shell: Shell
  readonly artifacts: Artifacts
  /** Commands are held to what they may write. */
  readonly confined: boolean
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly onNotice: (text: string) => void
}

/** A memo belongs to its own policy; whoever only drives the loop does not look inside. */
type Mode = { readonly policy: Policy<unknown>; readonly work: Work<unknown>; readonly projection: Projection }

/** A total record: a mode without its composition does not compile. */
const modes: Readonly<Record<RunRequest['mode'], (request: RunRequest, tools: Tools) => Mode>> = { procedure }

export const composeMode = (original: RunRequest, tools: Tools): Mode => modes[original.mode](original, tools)

export const policyOf = (request: RunRequest): Policy<unknown> =>
  procedurePolicy(request.procedure, request.caps) as unknown as Policy<unknown>

function procedure(
  original: RunRequest,
  { place, current: request, dir, shell, artifacts, confined, onProgress, onNotice }: Tools,
): Mode {
  const add = { PAWL_RUN_ID: request.run_id }
  const env = buildEnvironment(place.env, { allow: request.env, add })
  const { agent, silenceMs } = request.procedure
  const dialect = dialectOf(agent.name)
  const agentEnv = buildEnvironment(place.env, { allow: [...request.env, ...(dialect?.env ?? [])], add })
  const commandAgent = createCommandAgent(shell, artifacts, {
    name: agent.name,
    argv: commandOf(agent, confined),
    env: agentEnv,
    silenceMs,
    now: Date.now,
    newReader: dialect?.newReader,
    capArgs: dialect?.capArgs,
  })
  const work = procedureWork(request.procedure, {
    agent: sharingLimits(commandAgent, place, Date.now),
    shell,
    artifacts,
    run: request.run_id,
    workspace: request.workspace,
    env,
    fileOf: (path) => join(dir, path),
    readText: (path) => readPromptFile(resolve(request.workspace, path)),
    repository: openRepository(place, request.workspace),
    estimateTokens,
    onProgress,
    onNotice,
  })
  const path = stateFilePath({ ...place, cwd: request.workspace }, request.name)
  const projection = stateFileProjection(path, request.name, (error) =>
    onNotice(`cannot write ${path}: ${(error as Error).message}. The loop goes on.`),
  )
  return { policy: policyOf(original), work: work as unknown as Work<unknown>, projection }
}
