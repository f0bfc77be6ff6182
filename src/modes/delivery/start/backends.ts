import { resolve } from 'node:path'
import type { FrozenAgent } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import { findNearest } from '../../../contract/nearest.ts'
import type { Agents } from '../../../run/machine.ts'
import type { RunInput } from '../contract/input.ts'
import { DeliveryError } from './input/contract-error.ts'

type Choose = Agents['choose']

/** Turns the `agent` part of a run input into the command to start. */
export type Backend = (agent: RunInput['agent'], repository: string, choose: Choose) => FrozenAgent
export type Backends = Readonly<Record<string, Backend>>

/** Keyed by `agent.mode`. Add a line for a new mode; library callers may pass their own. */
export const backends: Backends = {
  ralph_fresh: ({ model_hint }, _, choose) => choose({ agent: readHint(model_hint) }),
  acp: ({ model_hint }, _, choose) => choose({ agent: `acp:${readHint(model_hint)}` }),
  scripted: ({ script }, repository, choose) =>
    choose({ agent: 'scripted', script: script === undefined ? undefined : resolve(repository, script) }),
}

/** Starts a fresh process for each attempt. */
export const defaultMode = 'ralph_fresh'

export type Override = { readonly agent?: string | undefined; readonly aiCmd?: string | undefined }

/** Command-line flags override the run input. */
export function chooseBackend(
  input: RunInput,
  { agent, aiCmd }: Override,
  known: Backends,
  { choose }: Pick<Agents, 'choose'>,
): FrozenAgent {
  if (aiCmd === undefined && agent === undefined) checkMode(input, known)
  try {
    if (aiCmd !== undefined) return choose({ command: aiCmd })
    if (agent !== undefined) return choose({ agent, script: input.agent.script })
    return known[input.agent.mode]!(input.agent, input.repo_path, choose)
  } catch (error) {
    // A missing agent is a problem of this machine, not of the plan.
    if (error instanceof PawlError)
      throw new DeliveryError('blocked_dependency', error.message, { hint: error.ownHint })
    throw error
  }
}

/** Throws if no back end is known for `agent.mode`. */
export function checkMode({ agent }: RunInput, known: Backends): void {
  if (Object.hasOwn(known, agent.mode)) return
  const names = Object.keys(known)
  const close = findNearest(agent.mode, names)
  const hint = close ? `Did you mean ${close}?` : `Known: ${names.join(', ')}`
  const says = `unknown agent mode ${agent.mode}`
  throw new DeliveryError('plan_generation_failed', says, { hint, pointer: '/agent/mode' })
}

function readHint(hint: string | undefined): string {
  if (hint !== undefined) return hint
  throw new PawlError(10, 'no agent is named', 'Set agent.model_hint in the run input, or give --agent <name>.')
}
