import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knownAgents } from '../../adapters/agents/known.ts'
import { createShell } from '../../adapters/shell/shell.ts'
import { buildEnvironment } from '../../contract/environment.ts'
import type { LoopState } from '../../kernel/state.ts'
import { askProgram } from '../../machine/ask-program.ts'
import type { RunListing } from '../../ports/run-store.ts'
import type { Environment, Machine, ProgramAnswer } from '../../run/machine.ts'
import { chooseNextAction } from '../../run/next-action.ts'
import { readRun } from '../../run/read-run.ts'
import { formatAction } from '../../show/action.ts'
import { formatCount } from '../../show/format.ts'
import { type FoundAgent, findAgents } from '../find-agents.ts'
import { configurationFinding } from './configuration.ts'
import type { Finding } from './finding.ts'
import { modelFindings } from './models.ts'

/** Proves what runs rest on by doing it: nothing here is believed from a version number alone. All of it at once. */
export async function runDoctor(machine: Machine): Promise<Finding[]> {
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

/** Tries a forbidden write, and looks from outside whether it happened. */
async function sandboxFinding(scratch: string): Promise<Finding> {
  const confine = { writable: [join(scratch, 'open')], protectedFolders: [], protectedFiles: [] }
  const level = await createShell({ secrets: [], isolation: 'auto', confine }).confinement()
  if (level === 'bubblewrap') {
    return { check: 'sandbox', status: 'ok', says: 'bubblewrap: a forbidden write was tried and refused' }
  }
  const says = 'none: agents and gates can write every file that you can'
  return { check: 'sandbox', status: 'weak', says, fix: 'install bubblewrap' }
}

/** One finding for each agent that is known by name. With none there at all, each tells how to get it. */
export const agentFindings = (found: readonly FoundAgent[]): readonly Finding[] =>
  found.map((agent) =>
    toFinding(
      agent,
      found.some(({ path }) => path !== null),
    ),
  )

function toFinding(agent: FoundAgent, anyThere: boolean): Finding {
  const { name, path, version, problem, login } = agent
  const { install, login: way, reports } = knownAgents[name]
  const check = `agent ${name}`
  if (path === null) {
    const says = 'not installed'
    return anyThere ? { check, status: 'absent', says } : { check, status: 'weak', says, fix: install }
  }
  if (version === null) {
    return { check, status: 'weak', says: `${path} does not answer: ${problem}`, fix: `install it anew: ${install}` }
  }
  const told = [
    reports.tokens && 'tokens',
    reports.costUsd && 'dollars',
    reports.limitReset && 'limit reset times',
    reports.denials && 'denials',
  ].filter(Boolean)
  const says = `${version} (${path}), ${sayLogin(login)}; reports ${told.join(', ')}`
  return login.status === 'no' ? { check, status: 'weak', says, fix: way.how } : { check, status: 'ok', says }
}

function sayLogin({ status, by }: FoundAgent['login']): string {
  if (status === 'yes') return `logged in by ${by}`
  return status === 'no' ? 'not logged in' : 'login unknown'
}

const mostRead = 50
const mostTold = 5

/** Runs of this folder that somebody should look after, each with the command that does. */
async function runFindings(machine: Machine): Promise<readonly Finding[]> {
  const { program, cwd } = machine.environment
  const here = await machine.store.list({ workspace: cwd, limit: mostRead })
  const open = (await Promise.all(here.filter(mayBeOpen).map((run) => openFinding(machine, run)))).flat()
  if (open.length === 0) return [{ check: 'runs', status: 'ok', says: 'none here is unfinished' }]
  const left = open.length - mostTold
  const more: Finding = { check: 'runs', status: 'weak', says: `${left} more are unfinished`, fix: `${program} ls` }
  return left > 0 ? [...open.slice(0, mostTold), more] : open
}

const ended: readonly string[] = ['completed', 'failed', 'blocked', 'cancelled']

/** A card that goes as far as the journal says so itself. */
const mayBeOpen = ({ card, seq }: RunListing): boolean => !card || card.seq !== seq || !ended.includes(card.standing)

/** An attempt that runs is counted by the kernel when it ends. */
const countBegun = ({ attempts, running, task }: LoopState): number =>
  attempts + (running && task?.kind === 'work' ? 1 : 0)

async function openFinding({ store, environment: { program } }: Machine, run: RunListing): Promise<readonly Finding[]> {
  const { id, name, address, problem } = run
  const check = `run ${name}`
  try {
    const stored = await store.open(address)
    if (!stored) throw new Error(problem ?? 'it is gone')
    const { standing, state } = await readRun(stored)
    if (state.ended) return []
    const says = `${id} is ${standing} after ${formatCount(countBegun(state), 'attempt')}`
    if (standing === 'running') return [{ check, status: 'ok', says }]
    const next = chooseNextAction(id, standing, state)
    return [{ check, status: 'weak', says, ...(next && { fix: formatAction(next, program).join(' ') }) }]
  } catch (error) {
    const says = `${id} cannot be read: ${(error as Error).message}`
    return [{ check, status: 'weak', says, fix: `${program} fsck ${id}` }]
  }
}

/** Whether commits can be made here, and whether an agent's changes could be told from a person's. */
export async function gitFindings(environment: Environment): Promise<readonly Finding[]> {
  const git = (...words: string[]): Promise<ProgramAnswer> =>
    askProgram(environment, ['git', '-c', 'core.fsmonitor=false', ...words], { cwd: environment.cwd, add: plain })
  const [identity, head, status] = await Promise.all([
    git('config', '--get-regexp', '^user\\.(name|email)$'),
    git('rev-parse', '--verify', '--quiet', 'HEAD'),
    git('status', '--porcelain'),
  ])
  // That git is missing is told by a check of its own.
  return status.status === 'missing' ? [] : [identityFinding(identity), repositoryFinding(head, status)]
}

// In words that can be compared, and without taking a lock that somebody else may want.
const plain = { LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' }

function identityFinding({ text }: ProgramAnswer): Finding {
  const check = 'git identity'
  const values = new Map(text.split('\n').map((line) => [line.split(' ', 1)[0], line.replace(/^\S+ ?/, '')]))
  const [name, email] = [values.get('user.name'), values.get('user.email')]
  if (name && email) return { check, status: 'ok', says: `${name} <${email}>` }
  const fix = 'git config --global user.name "Your Name" && git config --global user.email you@example.org'
  return { check, status: 'weak', says: 'not set: agents cannot commit', fix }
}

function repositoryFinding(head: ProgramAnswer, status: ProgramAnswer): Finding {
  const check = 'repository'
  const weak = (says: string, fix: string): Finding => ({ check, status: 'weak', says, fix })
  if (status.problem.includes('not a git repository')) {
    return weak('not a git repository: what an agent changes cannot be told or taken back', 'git init')
  }
  if (status.status !== 'answered') return weak(`git status: ${status.problem}`, 'see what git status says')
  if (head.status === 'refused') {
    return weak('no commit yet: there is nothing to go back to', 'git add -A && git commit -m "first"')
  }
  const changed = status.text === '' ? 0 : status.text.split('\n').length
  if (changed === 0) return { check, status: 'ok', says: 'everything is committed' }
  const what = changed === 1 ? '1 path is' : `${changed} paths are`
  return weak(`${what} changed and not committed`, 'commit or stash, so that the work of a run can be told from yours')
}
