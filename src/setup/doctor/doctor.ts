import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knownAgents } from '../../adapters/agents/known.ts'
import { type Git, type GitConfig, openGit } from '../../adapters/git/git.ts'
import { findRepositoryRoot } from '../../adapters/git/paths.ts'
import { parseStatus, statusArgs } from '../../adapters/git/status.ts'
import { capture } from '../../adapters/shell/capture.ts'
import { createShell } from '../../adapters/shell/shell.ts'
import { buildEnvironment } from '../../contract/environment.ts'
import { packageFile } from '../../installation.ts'
import type { LoopState } from '../../kernel/state.ts'
import { askProgram } from '../../machine/ask-program.ts'
import { createSafeCapture, openPrograms } from '../../machine/programs.ts'
import type { RunListing } from '../../ports/run-store.ts'
import type { Environment, Machine } from '../../run/machine.ts'
import { chooseNextAction } from '../../run/next-action.ts'
import { readRun } from '../../run/read-run.ts'
import { formatAction } from '../../show/action.ts'
import { formatCount } from '../../show/format.ts'
import { type FoundAgent, findAgents } from '../find-agents.ts'
import { configurationFinding } from './configuration.ts'
import type { Finding } from './finding.ts'
import { modelFindings } from './models.ts'

/** Checks everything that runs depend on by trying it, not by version numbers. All checks run in parallel. */
export async function runDoctor(machine: Machine): Promise<Finding[]> {
  const { environment } = machine
  const scratch = mkdtempSync(join(tmpdir(), 'pawl-doctor-'))
  const agents = findAgents(environment)
  try {
    const findings = await Promise.all([
      gitProgram(environment),
      gitFindings(environment),
      disk(environment.stateFolder),
      supervision(environment, scratch, 'auto'),
      supervision(environment, scratch, 'off'),
      sandboxFinding(environment, scratch),
      agents.then(agentFindings),
      modelFindings(machine),
      agents.then((found) => configurationFinding(machine, found)),
    ])
    const node: Finding = { check: 'node', status: 'ok', says: `${process.version} (${process.execPath})` }
    return [node, ...installationFindings(machine), ...findings.flat(), ...(await runFindings(machine))]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const never = new AbortController().signal

/** An agent that works here could change the program that supervises it. */
function installationFindings({ isInstalledIn, environment: { cwd } }: Machine): readonly Finding[] {
  if (!isInstalledIn(cwd)) return []
  const says = `${packageFile('')} is in this folder, so agents can change the program that supervises them`
  return [
    {
      check: 'installation',
      status: 'weak',
      says,
      fix: 'use a copy outside of it: a clone with its bin folder on PATH',
    },
  ]
}

async function gitProgram(environment: Environment): Promise<Finding> {
  const { status, text, problem } = await askProgram(environment, ['git', '--version'])
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

/** Starts a process that leaves a daemon behind, and checks that the daemon was ended. */
async function supervision(environment: Environment, dir: string, isolation: 'auto' | 'off'): Promise<Finding> {
  const { bubblewrap, path } = openPrograms(environment, environment.cwd)
  const shell = createShell({ secrets: [], isolation, bubblewrap })
  const level = await shell.isolation()
  const check = isolation === 'auto' ? 'process tree' : 'process tree, by marker'
  const argv = ['/bin/sh', '-c', `setsid nohup sh -c 'sleep 30' >/dev/null 2>&1 & sleep 0.1`] as const
  const env = buildEnvironment(environment.env, { allow: [], add: { PATH: path } })
  const scope = `doctor-${process.pid}-${isolation}`
  const log = join(dir, `tree-${isolation}.log`)
  const exit = await shell.run({ argv, cwd: dir, env, log, scope, wallMs: 4000 }, never)
  const left = await shell.endLeftovers(scope)
  if (exit.status !== 'exited' || left > 0) {
    return {
      check,
      status: 'fail',
      says: `${left} processes survived (${level})`,
      fix: 'report this bug, with the output of doctor --json',
    }
  }
  if (level === 'bubblewrap')
    return { check, status: 'ok', says: 'bubblewrap: all child processes end with their parent' }
  const says = 'environment marker: a child process that clears its environment may survive'
  return isolation === 'off'
    ? { check, status: 'ok', says }
    : { check, status: 'weak', says, fix: 'install bubblewrap' }
}

/** Tries a forbidden write inside the sandbox, and checks from outside that it failed. */
async function sandboxFinding(environment: Environment, scratch: string): Promise<Finding> {
  const confine = { writable: [join(scratch, 'open')], protectedFolders: [], protectedFiles: [] }
  const programs = openPrograms(environment, environment.cwd)
  const { bubblewrap } = programs
  const level = await createShell({ secrets: [], isolation: 'auto', confine, bubblewrap }).confinement()
  if (level === 'bubblewrap') {
    return { check: 'sandbox', status: 'ok', says: 'bubblewrap: a forbidden write was tried and refused' }
  }
  const found = programs.find('bwrap')
  const why = 'refused' in found ? ` (${found.problem})` : ''
  const says = `none: agents and gates can change any file that you can change${why}`
  return { check: 'sandbox', status: 'weak', says, fix: 'install bubblewrap' }
}

/** Returns one finding per known agent. If none is installed, each one says how to install it. */
export const agentFindings = (found: readonly FoundAgent[]): readonly Finding[] =>
  found.map((agent) =>
    toFinding(
      agent,
      found.some(({ path }) => path !== null),
    ),
  )

function toFinding(agent: FoundAgent, anyInstalled: boolean): Finding {
  const { name, path, version, problem, login } = agent
  const { install, login: way, reports, tested } = knownAgents[name]
  const check = `agent ${name}`
  if (path === null) {
    const says = 'not installed'
    return anyInstalled ? { check, status: 'absent', says } : { check, status: 'weak', says, fix: install }
  }
  if (version === null) {
    return { check, status: 'weak', says: `${path} does not respond: ${problem}`, fix: `reinstall it: ${install}` }
  }
  const reported = [
    reports.tokens && 'tokens',
    reports.costUsd && 'cost',
    reports.limitReset && 'limit reset times',
    reports.denials && 'denials',
  ].filter(Boolean)
  const range = isOutside(version, tested) ? `; tested with ${tested.join(' to ')}` : ''
  const says = `${version} (${path}), ${formatLogin(login)}; reports ${reported.join(', ')}${range}`
  return login.status === 'no' ? { check, status: 'weak', says, fix: way.how } : { check, status: 'ok', says }
}

/** Compares the numbers of versions. False for a version without numbers. */
function isOutside(version: string, [oldest, newest]: readonly [string, string]): boolean {
  const compare = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })
  return /^[0-9]/.test(version) && (compare(version, oldest) < 0 || compare(version, newest) > 0)
}

function formatLogin({ status, by }: FoundAgent['login']): string {
  if (status === 'yes') return `logged in (${by})`
  return status === 'no' ? 'not logged in' : 'login unknown'
}

const maxRead = 50
const maxShown = 5

/** Lists unfinished runs of this folder, each with the command that continues it. */
async function runFindings(machine: Machine): Promise<readonly Finding[]> {
  const { program, cwd } = machine.environment
  const here = await machine.store.list({ workspace: cwd, limit: maxRead })
  const open = (await Promise.all(here.filter(mayBeOpen).map((run) => openFinding(machine, run)))).flat()
  if (open.length === 0) return [{ check: 'runs', status: 'ok', says: 'no unfinished runs in this folder' }]
  const left = open.length - maxShown
  const more: Finding = { check: 'runs', status: 'weak', says: `${left} more unfinished`, fix: `${program} ls` }
  return left > 0 ? [...open.slice(0, maxShown), more] : open
}

const ended: readonly string[] = ['completed', 'failed', 'blocked', 'cancelled']

/** An up-to-date card can be believed; otherwise the journal has to be read. */
const mayBeOpen = ({ card, seq }: RunListing): boolean => !card || card.seq !== seq || !ended.includes(card.standing)

/** Includes the running attempt, which the kernel counts only when it ends. */
const countBegun = ({ attempts, running, task }: LoopState): number =>
  attempts + (running && task?.kind === 'work' ? 1 : 0)

async function openFinding({ store, environment: { program } }: Machine, run: RunListing): Promise<readonly Finding[]> {
  const { id, name, address, problem } = run
  const check = `run ${name}`
  try {
    const stored = await store.open(address)
    if (!stored) throw new Error(problem ?? 'it no longer exists')
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

/** Checks that agents can commit here, and that their changes can be told apart from the person's. */
export async function gitFindings(environment: Environment, maxMs = 3500): Promise<readonly Finding[]> {
  const { cwd, env } = environment
  const programs = openPrograms(environment, cwd)
  // The git check reports that git is missing.
  if ('problem' in programs.find('git')) return []
  const options = { capture: createSafeCapture(programs, capture), env, deadline: performance.now() + maxMs }
  const root = findRepositoryRoot(cwd)
  try {
    const git = await openGit(root ?? cwd, { ...options, forWriting: true })
    return [identityFinding(git.config.people), await repositoryFinding(root === undefined ? undefined : git)]
  } catch {
    // Only a git that had to be stopped ends here: on a busy machine, or in a very large repository.
    const says = `git did not answer within ${maxMs / 1000} s`
    return [{ check: 'repository', status: 'weak', says, fix: 'run git status here to see what takes so long' }]
  }
}

function identityFinding(people: GitConfig['people']): Finding {
  const check = 'git identity'
  const [name, email] = [people['user.name'], people['user.email']]
  if (name && email) return { check, status: 'ok', says: `${name} <${email}>` }
  const fix = 'git config --global user.name "Your Name" && git config --global user.email you@example.org'
  return { check, status: 'weak', says: 'not set: agents cannot commit', fix }
}

async function repositoryFinding(git: Git | undefined): Promise<Finding> {
  const check = 'repository'
  const weak = (says: string, fix: string): Finding => ({ check, status: 'weak', says, fix })
  if (!git) return weak("not a git repository: an agent's changes cannot be seen or undone", 'git init')
  const answer = await git.run([...statusArgs, '--untracked-files=normal'])
  if ('cut' in answer) throw new Error(answer.problem)
  if ('problem' in answer || answer.code !== 0) {
    const [says = ''] = ('problem' in answer ? answer.problem : answer.stderrTail).trim().split('\n', 1)
    return weak(`git status failed: ${says}`, 'run git status and fix what it reports')
  }
  const { head, entries } = parseStatus(answer.stdout)
  if (head === null) {
    return weak('no commit yet: there is no state to go back to', 'git add -A && git commit -m "first"')
  }
  if (entries.length === 0) return { check, status: 'ok', says: 'everything is committed' }
  return weak(
    entries.length === 1 ? '1 uncommitted change' : `${entries.length} uncommitted changes`,
    "commit or stash them, so that a run's changes do not mix with yours",
  )
}
