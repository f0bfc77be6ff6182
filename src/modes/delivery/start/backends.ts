import { resolve } from 'node:path'
import type { FrozenAgent } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import { findNearest } from '../../../contract/nearest.ts'
import type { Agents } from '../../../run/machine.ts'
import type { RunInput } from '../contract/input.ts'
import { DeliveryError } from './input/contract-error.ts'

type Choose = Agents['choose']

/** From what a run input says about its agent to the command that is started. The executor knows nothing of it. */
export type Backend = (agent: RunInput['agent'], repository: string, choose: Choose) => FrozenAgent
export type Backends = Readonly<Record<string, Backend>>

/** By `agent.mode`. A new mode is a line here, or one that a program of its own passes along. */
export const backends: Backends = {
  ralph_fresh: ({ model_hint }, _, choose) => choose({ agent: hinted(model_hint) }),
  acp: ({ model_hint }, _, choose) => choose({ agent: `acp:${hinted(model_hint)}` }),
  scripted: ({ script }, repository, choose) =>
    choose({ agent: 'scripted', script: script === undefined ? undefined : resolve(repository, script) }),
}

/** A fresh process for each attempt: what a person gets who names no mode. */
export const usualMode = 'ralph_fresh'

export type Override = { readonly agent?: string | undefined; readonly aiCmd?: string | undefined }

/** What a person says on the command line wins over the run input. */
export function chooseBackend(
  input: RunInput,
  { agent, aiCmd }: Override,
  known: Backends,
  { choose }: Pick<Agents, 'choose'>,
): FrozenAgent {
  try {
    if (aiCmd !== undefined) return choose({ command: aiCmd })
    if (agent !== undefined) return choose({ agent, script: input.agent.script })
    const backend = Object.hasOwn(known, input.agent.mode) ? known[input.agent.mode] : undefined
    if (backend) return backend(input.agent, input.repo_path, choose)
  } catch (error) {
    // Which agents there are is the machine's matter, not the plan's.
    if (error instanceof PawlError) throw new DeliveryError('blocked_dependency', error.message, { hint: error.hint })
    throw error
  }
  const names = Object.keys(known)
  const close = findNearest(input.agent.mode, names)
  const hint = close ? `Did you mean ${close}?` : `Known: ${names.join(', ')}`
  const says = `no agent mode is called ${input.agent.mode}`
  throw new DeliveryError('plan_generation_failed', says, { hint, pointer: '/agent/mode' })
}

function hinted(hint: string | undefined): string {
  if (hint !== undefined) return hint
  throw new PawlError(10, 'no agent is named', 'Set agent.model_hint in the run input, or give --agent <name>.')
}
