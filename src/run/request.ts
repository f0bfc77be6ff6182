import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../config/problem.ts'
import type { Settings } from '../config/settings.ts'
import { readFlags } from '../config/spoken.ts'
import { PawlError } from '../contract/exit.ts'
import { nearest } from '../contract/nearest.ts'
import type { FrozenAgent, ProcedureRequest, ProcedureRun, RunRequest } from '../contract/request.ts'
import type { CapName, Caps } from '../contract/values.ts'
import { agentOf } from '../machine/agent-of.ts'
import type { Place } from './paths.ts'

type Context = ProcedureRequest['context']

/** From configuration to a frozen request: the only place that sees both. */
export function procedureRequest(place: Place, settings: Settings, name: string, said: Context = []): ProcedureRun {
  refuseUnknown(settings, name)
  const { caps, origins } = boundsOf(settings)
  return {
    contract_version: 1,
    run_id: newRunId(new Date()),
    mode: 'procedure',
    name,
    workspace: place.cwd,
    created: new Date().toISOString(),
    invoked_as: place.name,
    durability: settings.value('durability'),
    sandbox: settings.value('sandbox'),
    env: settings.value('env'),
    secrets: settings.value('secrets'),
    caps,
    origins,
    ...notifyOf(settings),
    procedure: {
      phases: {
        observe: settings.value('observe') ?? [],
        orient: settings.value('orient') ?? [],
        decide: settings.value('decide') ?? [],
        act: settings.value('act') ?? [],
      },
      context: [...settings.value('context'), ...said],
      gates: settings.value('gates'),
      agent: chosenAgent(settings),
      silenceMs: settings.value('silence_timeout'),
      tokenBudget: settings.value('token_budget'),
      stuck: settings.value('stuck') === 'stop',
      until: settings.value('until'),
      redIsFine: place.name === 'rooda',
    },
  }
}

/** What a person adds for this one run: a file where there is one of that name, else the text itself. */
export const contextFromFlags = (given: unknown, from: string): Context =>
  (Array.isArray(given) ? (given as string[]) : []).map((entry) => {
    if (entry.trim() === '') throw new PawlError(2, '--context is empty', 'Give a file or a text.')
    const path = resolve(from, entry)
    return isFile(path) ? { file: path } : entry
  })

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

export function notifyOf(settings: Settings): Pick<RunRequest, 'notify' | 'bell'> {
  const [command, webhook] = [settings.value('notify'), settings.value('notify_webhook')]
  return { ...((command || webhook) && { notify: { command, webhook } }), bell: settings.value('bell') }
}

function refuseUnknown(settings: Settings, name: string): void {
  if (settings.procedures.includes(name)) return
  const close = nearest(name, settings.procedures)
  const known = settings.procedures.length
    ? `Known here: ${settings.procedures.join(', ')}`
    : 'None is configured here. To set one up: pawl init'
  throw new PawlError(30, `no procedure is called ${name}`, close ? `Did you mean ${close}?` : known)
}

/** Which bound each setting is, and where it was set, so that `why` can tell from the journal alone. */
const bounds: readonly (readonly [CapName, Parameters<Settings['effective']>[0]])[] = [
  ['tasks', 'default_iterations'],
  ['failuresInARow', 'failure_threshold'],
  ['activeMs', 'max_time'],
  ['costUsd', 'max_cost'],
  ['tokens', 'max_tokens'],
  ['attemptMs', 'attempt_timeout'],
  ['waitMs', 'max_wait'],
]

/** Nobody sets this one: a machine that crashes again and again, or a provider that is gone, must end some time. */
const mostInterruptions = 20

function boundsOf(settings: Settings): { caps: Caps; origins: Record<string, string> } {
  const caps: Partial<Record<CapName, number>> = { interruptionsInARow: mostInterruptions }
  const origins: Record<string, string> = { interruptionsInARow: 'built-in' }
  for (const [cap, key] of bounds) {
    const { value, origin } = settings.effective(key)
    // 0 iterations means unlimited, as seed 002 says; an absent bound is no bound.
    if (typeof value !== 'number' || (cap === 'tasks' && value === 0)) continue
    caps[cap] = value
    origins[cap] = origin.where
  }
  return { caps, origins }
}

/** Only what was given on the command line: going on with a run keeps its other bounds as they were. */
export function capsFromFlags(flags: Readonly<Record<string, unknown>>): Caps {
  const { claims, problems } = readFlags(flags)
  const [first, ...others] = problems
  if (first) throw new ConfigError([first, ...others])
  const given = bounds.flatMap(([cap, key]) =>
    claims.filter((claim) => claim.key === key).map(({ value }) => [cap, value]),
  )
  return Object.fromEntries(given) as Caps
}

/** A command and a name may both be set; the stronger tier says which of them is meant. */
export function chosenAgent(settings: Settings): FrozenAgent {
  const agent = settings.value('agent')
  const byCommand = agent === undefined || stronger(settings, 'ai_cmd', 'agent')
  return agentOf({
    command: byCommand ? settings.value('ai_cmd') : undefined,
    agent,
    model: settings.value('model'),
    script: settings.value('agent_script'),
  })
}

const tiers = ['built-in', 'user', 'workspace', 'procedure', 'environment', 'flag'] as const

const stronger = (settings: Settings, a: 'ai_cmd', b: 'agent'): boolean =>
  tiers.indexOf(settings.effective(a).origin.tier) > tiers.indexOf(settings.effective(b).origin.tier)

/** Sorts by time to the millisecond; the last three digits tell two starts in the same one apart. */
export function newRunId(now: Date): string {
  const day = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  const millisecond = now.getUTCMilliseconds().toString(16).padStart(3, '0')
  return `${day}-${millisecond}${randomBytes(2).toString('hex').slice(1)}`
}
