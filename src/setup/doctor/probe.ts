import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allPids, carriesMark } from '../../adapters/shell/processes.ts'
import { readPlain, realDisk } from '../../adapters/stores/files/disk.ts'
import type { Usage } from '../../contract/values.ts'
import { askProgram } from '../../machine/ask-program.ts'
import type { Agent, AgentReport } from '../../ports/agent.ts'
import type { Environment } from '../../run/machine.ts'

export type Probe = {
  readonly agent: string
  readonly status: 'works' | 'no-file' | 'wrong-text' | 'left-processes' | 'failed' | 'timed-out' | 'unavailable'
  readonly says: string
  readonly usage: Usage
  readonly ms: number
}

type ProbeOptions = { readonly environment: Environment; readonly boundMs?: number }

/**
 * One small real call: the agent is to make a file with a text that nobody can guess. Believed is what lies on the disk
 * and in the process table, not what the agent says. Contract: never rejects for what the agent does.
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
    // Some agents refuse to work outside of a repository.
    await askProgram(environment, ['git', 'init', '--quiet'], { cwd })
    const prompt = { text: promptFor(wanted) }
    // For an agent that does not keep to its own bound.
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
Create a file called ${fileName} in the current folder. Its whole content is this one line:

${wanted}

Do nothing else, ask nothing, and stop when the file is there.
`

type Seen = {
  readonly found: string | null
  readonly wanted: string
  readonly left: number
  readonly boundMs: number
}

function judge(report: AgentReport, { found, wanted, left, boundMs }: Seen): Pick<Probe, 'status' | 'says'> {
  if (left > 0) return { status: 'left-processes', says: `${left} of its processes were still there afterwards` }
  const why = report.detail ?? 'no reason given'
  switch (report.status) {
    case 'timed-out':
      return { status: 'timed-out', says: `no end within ${boundMs / 1000} s` }
    case 'interrupted':
      return { status: 'timed-out', says: 'ended from outside' }
    case 'unavailable':
      return { status: 'unavailable', says: `at its limit: ${why}` }
    case 'failed':
      return { status: 'failed', says: withLastWords(why, report.lastMessage) }
    case 'ok':
      if (found === null) {
        const says = `headless edits do not happen: exit ${report.exitCode} but no file`
        return { status: 'no-file', says: withLastWords(says, report.lastMessage) }
      }
      if (found.trim() !== wanted) return { status: 'wrong-text', says: 'the file is there, with another text' }
      return { status: 'works', says: 'it made the file that it was asked for, and left no process' }
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
