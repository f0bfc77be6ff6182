import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCommandAgent } from '../../../../src/adapters/agents/command.ts'
import { readers } from '../../../../src/adapters/agents/readers.ts'
import { createShell } from '../../../../src/adapters/shell/shell.ts'
import type { ProcedureRequest } from '../../../../src/modes/procedure/contract/request.ts'
import { procedurePolicy } from '../../../../src/modes/procedure/core/policy.ts'
import { composePrompt } from '../../../../src/modes/procedure/core/prompt.ts'
import { procedureReasons } from '../../../../src/modes/procedure/core/reasons.ts'
import { procedureWork } from '../../../../src/modes/procedure/work/work.ts'
import { formatReason } from '../../../../src/show/reasons.ts'
import { go } from '../../../kernel/harness.ts'
import { type Speaker, usualAct } from './claim.ts'
import type { Shown } from './speak.ts'

const shell = createShell({ secrets: [], isolation: 'off', ladder: { termMs: 100, killMs: 200 } })
const env = { PATH: process.env.PATH! }
const nowhere = {
  put: async () => undefined,
  adopt: async () => undefined,
  get: () => Promise.reject(new Error('none')),
}
const unread = (): Promise<string> => Promise.reject(new Error('no prompt files here'))

export type Terms = { readonly act?: string | undefined; readonly gate?: string | undefined }

export const promptOf = ({ act }: Terms): Promise<string> => composePrompt(requestOf({ act }), unread)

const requestOf = ({ act = usualAct, gate = 'true' }: Terms): ProcedureRequest => ({
  phases: { observe: ['Read PLAN.md.'], orient: ['What is open?'], decide: ['Take one task.'], act: [act] },
  context: [],
  gates: [gate],
  agent: { name: 'agent', argv: ['agent'] },
  until: 'promise+gates',
  redIsFine: false,
  stuck: true,
})

/** One iteration in earnest: a process that prints what is shown, its adapter, the gate, the policy. Then what it came to. */
export async function iterate(into: string, speaker: Speaker, shown: Shown, terms: Terms) {
  const folder = mkdtempSync(join(into, 'run-'))
  for (const part of ['attempts', 'hand-over']) mkdirSync(join(folder, part))
  const request = requestOf(terms)
  const agent = createCommandAgent(shell, nowhere, {
    name: speaker,
    argv: ['sh', '-c', scriptOf(folder, shown)],
    env,
    now: Date.now,
    newReader: speaker === 'text' ? undefined : readers[speaker],
  })
  const work = procedureWork(request, {
    agent,
    shell,
    content: nowhere,
    repository: { look: async () => undefined },
    run: 'r',
    workspace: folder,
    env,
    folder,
    file: () => Promise.reject(new Error('none')),
    readText: unread,
    estimateTokens: () => 1,
    onNotice: () => {},
  })
  const { status, state, memo, events } = await go(procedurePolicy(request, { tasks: 1 }), work, { holdMs: 0 })
  const { data, status: agentStatus } = events.find((event) => event.type === 'attempt-ended')!.outcome
  const { fault, denied } = data as { fault?: string; denied?: number }
  return {
    left: status,
    ending: state.ended?.ending,
    reason: state.ended && formatReason(procedureReasons, state.ended.reason),
    agent: agentStatus,
    fault,
    denied: denied ?? 0,
    idle: memo.idle,
    done: memo.done,
    failed: memo.failed,
  }
}

function scriptOf(folder: string, { stdout, stderr, exitCode }: Shown): string {
  writeFileSync(join(folder, 'out'), stdout)
  if (stderr === '' && exitCode === 0) return 'exec cat out'
  writeFileSync(join(folder, 'err'), stderr)
  return `cat out; cat err >&2; exit ${exitCode}`
}
