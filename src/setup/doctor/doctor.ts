import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createShell } from '../../adapters/shell/shell.ts'
import { buildEnvironment } from '../../contract/environment.ts'
import type { Environment, Machine } from '../../run/machine.ts'
import { findAgents } from '../agents-found.ts'
import { agentFindings } from './agents.ts'
import { configurationFinding } from './configuration.ts'
import type { Finding } from './finding.ts'
import { gitFindings } from './git.ts'
import { modelFindings } from './models.ts'
import { runFindings } from './runs.ts'
import { sandboxFinding } from './sandbox.ts'

/** Proves what runs rest on by doing it: nothing here is believed from a version number alone. All of it at once. */
export async function examine(machine: Machine): Promise<Finding[]> {
  const { environment } = machine
  const scratch = mkdtempSync(join(tmpdir(), 'pawl-doctor-'))
  const agents = findAgents(environment)
  try {
    const findings = await Promise.all([
      gitProgram(machine),
      gitFindings(environment),
      disk(environment.stateFolder),
      supervision(environment, scratch, 'auto'),
      supervision(environment, scratch, 'off'),
      sandboxFinding(scratch),
      agents.then(agentFindings),
      modelFindings(machine),
      agents.then((found) => configurationFinding(machine, found)),
    ])
    const node: Finding = { check: 'node', status: 'ok', says: `${process.version} (${process.execPath})` }
    return [node, ...findings.flat(), ...(await runFindings(machine))]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const never = new AbortController().signal

async function gitProgram({ askProgram }: Machine): Promise<Finding> {
  const { status, text, problem } = await askProgram(['git', '--version'])
  if (status === 'answered') return { check: 'git', status: 'ok', says: text }
  return { check: 'git', status: 'fail', says: problem, fix: 'install git' }
}

async function disk(folder: string): Promise<Finding> {
  const path = join(folder, `.doctor-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const fd = openSync(path, 'w', 0o600)
    const began = performance.now()
    writeSync(fd, 'x')
    fsyncSync(fd)
    closeSync(fd)
    return {
      check: 'disk',
      status: 'ok',
      says: `${folder} is writable and syncs in ${(performance.now() - began).toFixed(1)} ms`,
    }
  } catch (error) {
    const says = `${folder}: ${(error as Error).message}`
    return { check: 'disk', status: 'fail', says, fix: 'make room, or set XDG_STATE_HOME to a writable folder' }
  } finally {
    rmSync(path, { force: true })
  }
}

/** Starts a process that leaves a daemon behind on purpose, and sees whether it is gone afterwards. */
async function supervision({ env: ours }: Environment, dir: string, isolation: 'auto' | 'off'): Promise<Finding> {
  const shell = createShell({ secrets: [], isolation })
  const level = await shell.isolation()
  const check = isolation === 'auto' ? 'process tree' : 'process tree, by marker'
  const argv = ['/bin/sh', '-c', `setsid nohup sh -c 'sleep 30' >/dev/null 2>&1 & sleep 0.1`] as const
  const env = buildEnvironment(ours, { allow: [], add: {} })
  const scope = `doctor-${process.pid}-${isolation}`
  const log = join(dir, `tree-${isolation}.log`)
  const exit = await shell.run({ argv, cwd: dir, env, log, scope, wallMs: 4000 }, never)
  const left = await shell.endLeftovers(scope)
  if (exit.status !== 'exited' || left > 0) {
    return {
      check,
      status: 'fail',
      says: `${left} processes survived (${level})`,
      fix: 'report this, with pawl doctor --json',
    }
  }
  if (level === 'bubblewrap') return { check, status: 'ok', says: 'bubblewrap: every descendant dies with its process' }
  const says = 'by environment marker: a process that clears its environment may survive'
  return isolation === 'off'
    ? { check, status: 'ok', says }
    : { check, status: 'weak', says, fix: 'install bubblewrap' }
}
