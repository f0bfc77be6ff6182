import { resolve } from 'node:path'
import { capSettings, chooseAgent, readNotifySettings } from '../../../config/run-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import type { Envelope } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import { findNearest } from '../../../contract/nearest.ts'
import type { OwnText } from '../../../contract/programs.ts'
import type { CapName, Caps } from '../../../contract/values.ts'
import type { Environment, Machine } from '../../../run/machine.ts'
import { createRunId } from '../../../run/new-run.ts'
import type { Frozen } from '../../../run/run.ts'
import type { ProcedureRequest, PromptEntry } from '../contract/request.ts'
import { procedureSettings } from '../contract/settings.ts'
import { parsePromptEntry } from './prompt-file.ts'

export type FrozenProcedure = Pick<Frozen<ProcedureRequest>, 'envelope' | 'request'>

/** A procedure as configured, before an agent is chosen for it. */
export type ProcedureDraft = Omit<ProcedureRequest, 'agent'>

/** Reads a procedure from the configuration. `extraContext` is for this run only. */
export function readProcedure(
  { program, cwd }: Pick<Environment, 'program' | 'cwd'>,
  settings: Settings,
  name: string,
  extraContext: ProcedureRequest['context'] = [],
): ProcedureDraft {
  refuseUnknown(settings, name)
  const { observe = [], orient = [], decide = [], act = [], ...own } = settings.own(procedureSettings)
  const parse = (written: readonly string[]): PromptEntry[] => written.map((entry) => parsePromptEntry(entry, cwd))
  return {
    phases: { observe: parse(observe), orient: parse(orient), decide: parse(decide), act: parse(act) },
    context: [...parse(settings.value('context')), ...extraContext],
    gates: settings.value('gates'),
    silenceMs: settings.value('silence_timeout'),
    tokenBudget: own.token_budget,
    stuck: own.stuck === 'stop',
    ...(own.verify === 'clean-room' && { cleanRoom: true }),
    until: own.until,
    redIsFine: program === 'rooda',
  }
}

/** Freezes a procedure with its agent and limits into a request. */
export function freezeProcedure(
  { environment: { program, cwd }, agents }: Pick<Machine, 'environment' | 'agents'>,
  settings: Settings,
  name: string,
  draft: ProcedureDraft,
): FrozenProcedure {
  const now = new Date()
  const request: ProcedureRequest = { ...draft, agent: chooseAgent(settings, agents.choose) }
  const envelope: Envelope = {
    contract_version: 2,
    run_id: createRunId(now),
    mode: 'procedure',
    name,
    workspace: cwd,
    created: now.toISOString(),
    invoked_as: program,
    durability: settings.value('durability'),
    sandbox: settings.value('sandbox'),
    env: settings.value('env'),
    secrets: settings.value('secrets'),
    ...readBounds(settings),
    ...readNotifySettings(settings),
    with: request,
  }
  return { envelope, request }
}

function refuseUnknown(settings: Settings, name: string): void {
  if (settings.procedures.includes(name)) return
  const close = findNearest(name, settings.procedures)
  const known: OwnText = settings.procedures.length
    ? `Known: ${settings.procedures.join(', ')}`
    : (pawl) => `No procedure is configured here. To set one up: ${pawl} init`
  throw new PawlError(30, `unknown procedure: ${name}`, close ? `Did you mean ${close}?` : known, 'no_such_procedure')
}

/** Not configurable: ends the run if the machine keeps crashing or the provider stays down. */
const maxInterruptions = 20

/** Returns each limit and where it was set, so that `pawl why` needs only the journal. */
function readBounds(settings: Settings): { caps: Caps; origins: Record<string, string> } {
  const caps: Partial<Record<CapName, number>> = { interruptionsInARow: maxInterruptions }
  const origins: Record<string, string> = { interruptionsInARow: 'built-in' }
  for (const [cap, key] of capSettings) {
    const { value, origin } = settings.effective(key)
    // Seed 002: 0 iterations means unlimited. An absent limit is no limit.
    if (typeof value !== 'number' || (cap === 'tasks' && value === 0)) continue
    caps[cap] = value
    origins[cap] = origin.where
  }
  return { caps, origins }
}

/** Parses `--context` like the entries of the configuration. Files are relative to `from`. */
export const contextFromFlags = (given: readonly string[], from: string): ProcedureRequest['context'] =>
  given.map((entry) => {
    if (entry.trim() === '') throw new PawlError(2, '--context is empty', 'Give a file or a text.')
    const parsed = parsePromptEntry(entry, from)
    return typeof parsed === 'object' && 'file' in parsed ? { file: resolve(from, parsed.file) } : parsed
  })
