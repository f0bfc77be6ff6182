import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCommandAgent } from '../../adapters/agents/command.ts'
import { findDialect, isAgentName } from '../../adapters/agents/dialects.ts'
import { knownAgents } from '../../adapters/agents/known.ts'
import { findReader } from '../../adapters/agents/readers.ts'
import { allPids, carriesMark } from '../../adapters/shell/processes.ts'
import { createShell } from '../../adapters/shell/shell.ts'
import { readPlain, realDisk } from '../../adapters/stores/files/disk.ts'
import { loadSettings } from '../../config/load-settings.ts'
import { chooseAgent } from '../../config/run-settings.ts'
import { buildEnvironment, findSecretValues } from '../../contract/environment.ts'
import { PawlError } from '../../contract/exit.ts'
import type { Usage } from '../../contract/values.ts'
import { buildAgentArgv } from '../../machine/agents.ts'
import { askProgram } from '../../machine/ask-program.ts'
import { openPrograms } from '../../machine/programs.ts'
import type { Agent, AgentReport } from '../../ports/agent.ts'
import type { Environment, Machine } from '../../run/machine.ts'
import { machineAt } from '../../run/machine.ts'
import { findAgents } from '../find-agents.ts'
import type { Finding } from './finding.ts'

/** An agent by name, a command, or (if empty) every known agent that may be logged in. */
export type ProbeChoice = { readonly agent?: string; readonly aiCmd?: string }

type Say = (line: string) => void

export async function probeFindings(
  machine: Machine,
  choice: ProbeChoice,
  say: Say,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  // Outside any repository, so that only the person's own config, variables and flags apply.
  const nowhere = mkdtempSync(join(tmpdir(), 'pawl-nowhere-'))
  const here = machineAt(machine, nowhere)
  try {
    const findings: Finding[] = []
    for (const one of await listChoices(here.environment, choice)) findings.push(await probeOne(here, one, say, signal))
    const fix = `log in to an agent, or: ${machine.environment.program} doctor --probe --ai-cmd "<command>"`
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
    say(`Asking ${name} to create one small file. This is a real call.`)
    const probe = await probeAgent(agent, { environment: machine.environment }, signal)
    signal.throwIfAborted()
    return toFinding(name, probe)
  } catch (error) {
    if (signal.aborted || !(error instanceof PawlError)) throw error
    const fix = error.hintFor(machine.environment)
    return { check: `probe ${name}`, status: 'fail', says: error.message, ...(fix && { fix }) }
  }
}

/** Opens the agent the same way a run does. */
async function openAgent(machine: Machine, choice: ProbeChoice): Promise<Agent> {
  const { env: ours } = machine.environment
  const settings = await loadSettings(machine, { flags: choice, procedure: 'probe' })
  const agent = chooseAgent(settings, machine.agents.choose)
  const dialect = findDialect(agent.name)
  const env = buildEnvironment(ours, { allow: [...settings.value('env'), ...(dialect?.env ?? [])], add: {} })
  const named = settings.value('secrets').flatMap((name) => ours[name] ?? [])
  const isolation = settings.value('sandbox') === 'off' ? 'off' : 'auto'
  const { bubblewrap } = openPrograms(machine.environment, machine.environment.cwd)
  const shell = createShell({ secrets: [...findSecretValues(ours), ...named], isolation, bubblewrap })
  const artifacts = { adopt: async () => undefined }
  const { name } = agent
  const newReader = findReader(name)
  return createCommandAgent(shell, artifacts, {
    name,
    argv: buildAgentArgv(agent, false),
    env,
    now: Date.now,
    newReader,
  })
}

function toFinding(name: string, { status, says, usage, ms }: Probe): Finding {
  const check = `probe ${name}`
  const reported = [
    usage.tokens === null ? 'no token count' : `${usage.tokens} tokens`,
    usage.costUsd === null ? 'no cost' : `$${usage.costUsd}`,
  ].join(' and ')
  const result = `${says} (${(ms / 1000).toFixed(1)} s; reported ${reported})`
  if (status === 'works') return { check, status: 'ok', says: result }
  const fix = fixes[status] ?? describeLogin(name)
  return { check, status: status === 'unavailable' ? 'weak' : 'fail', says: result, fix }
}

const fixes: Readonly<Partial<Record<Probe['status'], string>>> = {
  'no-file': "allow it to edit files without asking: see the agent's permission and sandbox settings",
  'wrong-text': "check the instructions in the agent's own settings, then probe again",
  'left-processes': 'report this bug, with the output of doctor --json',
  unavailable: 'wait until its limit resets, then probe again',
}

const describeLogin = (agent: string): string =>
  isAgentName(agent)
    ? `${knownAgents[agent].login.how}, then probe again`
    : 'run it by hand in an empty folder and read its output'

type Probe = {
  readonly agent: string
  readonly status: 'works' | 'no-file' | 'wrong-text' | 'left-processes' | 'failed' | 'timed-out' | 'unavailable'
  readonly says: string
  readonly usage: Usage
  readonly ms: number
}

type ProbeOptions = { readonly environment: Environment; readonly boundMs?: number }

/**
 * Makes one small real call: the agent has to create a file with a random text. The result is read from the disk and the
 * process table, not from the agent's answer. Contract: never rejects because of the agent.
 */
export async function probeAgent(agent: Agent, options: ProbeOptions, signal: AbortSignal): Promise<Probe> {
  const { environment, boundMs = 120_000 } = options
  const scratch = mkdtempSync(join(tmpdir(), 'pawl-probe-'))
  const cwd = join(scratch, 'repository')
  const run = `probe-${randomUUID()}`
  const wanted = randomBytes(8).toString('hex')
  const began = performance.now()
  try {
    mkdirSync(cwd)
    // Some agents refuse to work outside a repository.
    await askProgram(environment, ['git', 'init', '--quiet'], { cwd })
    const prompt = { text: promptFor(wanted) }
    // Fallback for an agent that ignores its timeout.
    const stop = AbortSignal.any([signal, AbortSignal.timeout(boundMs + graceMs)])
    const log = join(scratch, 'agent.log')
    const request = { run, task: 'probe', attempt: 1, cwd, prompt, log, wallMs: boundMs }
    const report = await agent.run(request, stop)
    const left = allPids().filter((pid) => carriesMark(pid, `PAWL_SCOPE=${run}`)).length
    const found = readText(join(cwd, fileName))
    const judged = judge(report, { found, wanted, left, boundMs })
    return { agent: agent.name, ...judged, usage: report.usage, ms: Math.round(performance.now() - began) }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const fileName = 'probe.txt'
const graceMs = 15_000

const promptFor = (wanted: string): string => `\
Create a file called ${fileName} in the current folder. Its entire content is this one line:

${wanted}

Do nothing else, ask nothing, and stop when the file is there.
`

type ProbeOutput = {
  readonly found: string | null
  readonly wanted: string
  readonly left: number
  readonly boundMs: number
}

function judge(report: AgentReport, { found, wanted, left, boundMs }: ProbeOutput): Pick<Probe, 'status' | 'says'> {
  if (left > 0) return { status: 'left-processes', says: `processes still running: ${left}` }
  const why = report.detail ?? 'no reason given'
  switch (report.status) {
    case 'timed-out':
      return { status: 'timed-out', says: `did not finish within ${boundMs / 1000} s` }
    case 'interrupted':
      return { status: 'timed-out', says: 'killed from outside' }
    case 'unavailable':
      return { status: 'unavailable', says: `usage limit reached: ${why}` }
    case 'failed':
      return { status: 'failed', says: why }
    case 'ok':
      if (found === null) {
        const says = `created no file (exit ${report.exitCode}): it probably needs permission to edit files`
        return { status: 'no-file', says: withLastWords(says, report.lastMessage) }
      }
      if (found.trim() !== wanted) return { status: 'wrong-text', says: 'created the file, but with a different text' }
      return { status: 'works', says: 'created the file and left no process running' }
  }
}

const withLastWords = (says: string, last: string): string => (last ? `${says}; it said: ${last.slice(0, 200)}` : says)

function readText(path: string): string | null {
  try {
    return readPlain(realDisk, path, 1 << 16)
  } catch {
    return null
  }
}
