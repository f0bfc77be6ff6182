import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCommandAgent } from '../../adapters/agents/command.ts'
import { dialectOf, isAgentName } from '../../adapters/agents/dialects.ts'
import { knownAgents } from '../../adapters/agents/known.ts'
import { readerOf } from '../../adapters/agents/readers.ts'
import { createShell } from '../../adapters/shell/shell.ts'
import { chosenAgent } from '../../config/run-settings.ts'
import { settingsHere } from '../../config/settings-here.ts'
import { buildEnvironment, secretValues } from '../../contract/environment.ts'
import { PawlError } from '../../contract/exit.ts'
import { commandOf } from '../../machine/choose-agent.ts'
import type { Agent } from '../../ports/agent.ts'
import type { Environment, Machine } from '../../run/machine.ts'
import { machineAt } from '../../run/machine-at.ts'
import { findAgents } from '../agents-found.ts'
import type { Finding } from './finding.ts'
import { type Probe, probeAgent } from './probe.ts'

/** What to probe: an agent by name, any command, or every known agent that may be logged in. */
export type ProbeChoice = { readonly agent?: string; readonly aiCmd?: string }

type Say = (line: string) => void

export async function probeFindings(
  machine: Machine,
  choice: ProbeChoice,
  say: Say,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  // Away from any repository, so that only the person's own files, variables and flags are in force.
  const nowhere = mkdtempSync(join(tmpdir(), 'pawl-nowhere-'))
  const here = machineAt(machine, nowhere)
  try {
    const findings: Finding[] = []
    for (const one of await listChoices(here.environment, choice)) findings.push(await probeOne(here, one, say, signal))
    const fix = `log in to one, or: ${machine.environment.program} doctor --probe --ai-cmd "<command>"`
    return findings.length ? findings : [{ check: 'probe', status: 'weak', says: 'no agent to probe', fix }]
  } finally {
    rmSync(nowhere, { recursive: true, force: true })
  }
}

async function listChoices(environment: Environment, choice: ProbeChoice): Promise<readonly ProbeChoice[]> {
  if (choice.agent !== undefined || choice.aiCmd !== undefined) return [choice]
  const found = await findAgents(environment)
  const usable = found.filter(({ version, login }) => version !== null && login.status !== 'no')
  return usable.map(({ name }) => ({ agent: name }))
}

async function probeOne(machine: Machine, choice: ProbeChoice, say: Say, signal: AbortSignal): Promise<Finding> {
  const name = choice.agent ?? choice.aiCmd ?? ''
  try {
    const agent = await openAgent(machine, choice)
    say(`Asking ${name} for one small file. This is a real call.`)
    const probe = await probeAgent(agent, { environment: machine.environment }, signal)
    signal.throwIfAborted()
    return findingOf(name, probe)
  } catch (error) {
    if (signal.aborted || !(error instanceof PawlError)) throw error
    return { check: `probe ${name}`, status: 'fail', says: error.message, ...(error.hint && { fix: error.hint }) }
  }
}

/** The agent as a run would start it. */
async function openAgent(machine: Machine, choice: ProbeChoice): Promise<Agent> {
  const { env: ours } = machine.environment
  const settings = await settingsHere(machine, { flags: choice, procedure: 'probe' })
  const agent = chosenAgent(settings, machine.agents.choose)
  const dialect = dialectOf(agent.name)
  const env = buildEnvironment(ours, { allow: [...settings.value('env'), ...(dialect?.env ?? [])], add: {} })
  const named = settings.value('secrets').flatMap((name) => ours[name] ?? [])
  const isolation = settings.value('sandbox') === 'off' ? 'off' : 'auto'
  const shell = createShell({ secrets: [...secretValues(ours), ...named], isolation })
  const artifacts = { adopt: async () => undefined }
  const { name } = agent
  const newReader = readerOf(name)
  return createCommandAgent(shell, artifacts, { name, argv: commandOf(agent, false), env, now: Date.now, newReader })
}

function findingOf(name: string, { status, says, usage, ms }: Probe): Finding {
  const check = `probe ${name}`
  const reported = [
    usage.tokens === null ? 'no tokens' : `${usage.tokens} tokens`,
    usage.costUsd === null ? 'no dollars' : `$${usage.costUsd}`,
  ].join(' and ')
  const told = `${says} (${(ms / 1000).toFixed(1)} s; reported ${reported})`
  if (status === 'works') return { check, status: 'ok', says: told }
  const fix = fixes[status] ?? howToLogIn(name)
  return { check, status: status === 'unavailable' ? 'weak' : 'fail', says: told, fix }
}

const fixes: Readonly<Partial<Record<Probe['status'], string>>> = {
  'no-file': 'let it edit files without asking: see its own settings for permissions and sandbox',
  'wrong-text': 'look at what it was told by its own settings, then probe again',
  'left-processes': 'report this, with pawl doctor --json',
  unavailable: 'wait until the limit is over',
}

const howToLogIn = (agent: string): string =>
  isAgentName(agent)
    ? `${knownAgents[agent].login.how}, then probe again`
    : 'run it by hand in a new folder, and see what it says'
