import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCommandAgent } from '../../adapters/agents/command.ts'
import { dialectOf, isAgentName } from '../../adapters/agents/dialects.ts'
import { knownAgents } from '../../adapters/agents/known.ts'
import { buildEnvironment, secretValues } from '../../adapters/shell/output/env.ts'
import { createShell } from '../../adapters/shell/shell.ts'
import { settingsHere } from '../../config/settings-here.ts'
import { PawlError } from '../../contract/exit.ts'
import { commandOf } from '../../machine/agent-of.ts'
import type { Agent } from '../../ports/agent.ts'
import type { Place } from '../../run/paths.ts'
import { procedureRequest } from '../../run/request.ts'
import { findAgents } from '../agents-found.ts'
import type { Finding } from './finding.ts'
import { type Probe, probeAgent } from './probe.ts'

/** What to probe: an agent by name, any command, or every known agent that may be logged in. */
export type ProbeChoice = { readonly agent?: string; readonly aiCmd?: string }

type Say = (line: string) => void

export async function probeFindings(
  place: Place,
  choice: ProbeChoice,
  say: Say,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  // Away from any repository, so that only the person's own files, variables and flags are in force.
  const nowhere = mkdtempSync(join(tmpdir(), 'pawl-nowhere-'))
  const here = { ...place, cwd: nowhere }
  try {
    const findings: Finding[] = []
    for (const one of await choicesFrom(here, choice)) findings.push(await probeOne(here, one, say, signal))
    const fix = `log in to one, or: ${place.name} doctor --probe --ai-cmd "<command>"`
    return findings.length ? findings : [{ check: 'probe', status: 'weak', says: 'no agent to probe', fix }]
  } finally {
    rmSync(nowhere, { recursive: true, force: true })
  }
}

async function choicesFrom(place: Place, choice: ProbeChoice): Promise<readonly ProbeChoice[]> {
  if (choice.agent !== undefined || choice.aiCmd !== undefined) return [choice]
  const found = await findAgents(place)
  const usable = found.filter(({ version, login }) => version !== null && login.status !== 'no')
  return usable.map(({ name }) => ({ agent: name }))
}

async function probeOne(place: Place, choice: ProbeChoice, say: Say, signal: AbortSignal): Promise<Finding> {
  const name = choice.agent ?? choice.aiCmd ?? ''
  try {
    const agent = await agentFor(place, choice)
    say(`Asking ${name} for one small file. This is a real call.`)
    const probe = await probeAgent(agent, { place }, signal)
    signal.throwIfAborted()
    return findingOf(name, probe)
  } catch (error) {
    if (signal.aborted || !(error instanceof PawlError)) throw error
    return { check: `probe ${name}`, status: 'fail', says: error.message, ...(error.hint && { fix: error.hint }) }
  }
}

/** The agent as a run would start it, from a request that nobody keeps. */
async function agentFor(place: Place, choice: ProbeChoice): Promise<Agent> {
  const settings = await settingsHere(place, { flags: choice, procedure: 'probe' })
  const request = procedureRequest(place, { ...settings, procedures: ['probe'] }, 'probe')
  const { env: allow, secrets, sandbox } = request
  const { agent } = request.procedure
  const dialect = dialectOf(agent.name)
  const env = buildEnvironment(place.env, { allow: [...allow, ...(dialect?.env ?? [])], add: {} })
  const named = secrets.flatMap((name) => place.env[name] ?? [])
  const isolation = sandbox === 'off' ? 'off' : 'auto'
  const shell = createShell({ secrets: [...secretValues(place.env), ...named], isolation })
  const artifacts = { adopt: async () => undefined }
  const { name } = agent
  const newReader = dialect?.newReader
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
