import { buildEnvironment, findSecretValues } from '../../contract/environment.ts'
import type { Call } from '../../contract/event.ts'
import type { Progress } from '../../contract/progress.ts'
import type { Caps } from '../../contract/values.ts'
import { emptyState, reduce } from '../../kernel/state.ts'
import type { Agent } from '../../ports/agent.ts'
import type { HeldRun, StoredRun } from '../../ports/run-store.ts'
import type { Machine, RunShell, RunTools } from '../machine.ts'
import type { Mode } from '../mode.ts'
import { unsealContent } from '../open-run.ts'
import { type Run, readRunMark } from '../run.ts'
import { refuseToAdopt } from '../sealed-content.ts'
import { bestEffortContent } from './best-effort.ts'

export type ToolOptions = {
  readonly machine: Machine
  readonly stop: { readonly now: AbortSignal }
  readonly surface: { notice(text: string): void }
  /** Set for a best-effort run, and called when its content cannot be saved; the run then continues. */
  readonly onLost?: (error: unknown) => void
  readonly job?: string | undefined
  readonly onProgress: (progress: Progress) => void
}

/** Opens the tools of a run's work. First ends processes that an earlier owner left running. */
export async function openTools<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  held: HeldRun,
  { machine, stop, surface, job, onLost, onProgress }: ToolOptions,
): Promise<RunTools> {
  const { envelope, request } = run.current
  const { env } = machine.environment
  const secrets = [...findSecretValues(env), ...envelope.secrets.flatMap((name) => env[name] ?? [])]
  const { agents } = mode.commands(request)
  const hasAgents = agents.length > 0 && envelope.workspace !== ''
  const open = (inRoom = false): Promise<RunShell> =>
    machine.openShell({
      workspace: envelope.workspace,
      folder: held.folder,
      sandbox: envelope.sandbox,
      // Without a workspace there is no folder to confine writes to.
      unconfined: envelope.workspace === '',
      secrets,
      kill: stop.now,
      agents,
      mark: readRunMark(run),
      inRoom,
    })
  // If a required sandbox is missing, this throws before anything starts.
  const shell = envelope.sandbox === 'required' ? await open() : openLater(open)
  // The first owner has no predecessor that could have left processes.
  const ended = held.epoch > 1 ? await shell.endLeftovers(run.entry.id) : 0
  if (hasAgents && machine.isInstalledIn(envelope.workspace)) surface.notice(installedHere)
  if (ended) surface.notice(`ended ${ended} processes that an earlier start of this run left behind`)
  const proof = mode.sealedBy(run.original.request)
  const adopt = proof ? refuseToAdopt : held.adopt
  const content = unsealContent({ ...held.content, adopt }, run.entry.id, proof, machine)
  const environmentFor = (allow: readonly string[] = []): Record<string, string> =>
    buildEnvironment(env, { allow: [...envelope.env, ...allow], add: { PAWL_RUN_ID: run.entry.id } })
  const bound = { shell, content: onLost ? bestEffortContent(content, onLost) : content, environmentFor }
  return {
    ...machine,
    ...bound,
    roomShell: openLater(() => open(true)),
    workspace: envelope.workspace,
    get folder() {
      return held.folder
    },
    secrets,
    file: (ref) => held.file(ref),
    openAgent: (agent, options) => estimateUnknown(machine.agents.open(agent, { ...bound, ...options }), run.stored),
    job,
    onProgress,
    onNotice: (text) => surface.notice(text),
  }
}

const installedHere =
  'this program is installed in the folder that its agents work in, so they can change it: use a copy outside of it (a clone with its bin folder on PATH)'

/** The spending of a crashed attempt if nothing is known and no attempt of this run has reported its own. */
const defaultSpend = { tokens: 20_000, costUsd: 0.2 } as const

/**
 * Completes what a killed attempt has spent, so that a run that crashes for ever ends at its bounds: unknown amounts count as
 * the mean of the attempts that reported theirs. Before there is one, a bounded amount counts as a default. An agent that
 * never reports stays unknown.
 */
export function estimateUnknown(agent: Agent, stored: Pick<StoredRun, 'read'>): Agent {
  return {
    ...agent,
    async recover(files) {
      const known = (await agent.recover?.(files)) ?? { tokens: null, costUsd: null }
      if (known.tokens !== null && known.costUsd !== null) return known
      const { caps, calls } = await readCalls(stored)
      const tokens = known.tokens ?? estimate('tokens')
      const costUsd = known.costUsd ?? estimate('costUsd')
      const isEstimated = tokens !== known.tokens || costUsd !== known.costUsd
      return { ...known, tokens, costUsd, ...(isEstimated && { estimated: true }) }

      function estimate(unit: keyof typeof defaultSpend): number | null {
        const reported = calls.flatMap(({ usage }) => (usage.estimated ? [] : (usage[unit] ?? [])))
        const mean = reported.reduce((sum, amount) => sum + amount, 0) / reported.length
        if (reported.length > 0) return unit === 'tokens' ? Math.round(mean) : mean
        const neverReports = calls.some(({ status }) => status === 'ok')
        return neverReports || caps[unit] === undefined ? null : defaultSpend[unit]
      }
    },
  }
}

async function readCalls(stored: Pick<StoredRun, 'read'>): Promise<{ caps: Caps; calls: readonly Call[] }> {
  const calls: Call[] = []
  let state = emptyState
  for await (const page of (await stored.read()).events) {
    for (const event of page) {
      state = reduce(state, event)
      if (event.type === 'call-ended' && !event.call.overhead) calls.push(event.call)
    }
  }
  return { caps: state.caps, calls }
}

/** Opens the shell with the first process, because most runs that only call models need none. */
function openLater(open: () => Promise<RunShell>): RunShell {
  let opened: Promise<RunShell> | undefined
  const shell = (): Promise<RunShell> => {
    opened ??= open()
    return opened
  }
  return {
    run: async (command, signal) => (await shell()).run(command, signal),
    endLeftovers: async (scope) => (await shell()).endLeftovers(scope),
    confinement: async () => (await shell()).confinement(),
  }
}
