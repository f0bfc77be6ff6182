import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dialects, isAgentName } from '../../adapters/agents/dialects.ts'
import { knownAgents } from '../../adapters/agents/known.ts'
import { PawlError } from '../../contract/exit.ts'
import { findNearest } from '../../contract/nearest.ts'
import type { RunStore } from '../../ports/run-store.ts'
import type { Machine } from '../../run/machine.ts'
import { deliver, deliverAndCrash, planTwice, resumeDelivery, showDelivery } from './acts.ts'
import type { Evidence } from './evidence.ts'
import {
  askGit,
  type Check,
  type Claim,
  checkClaim,
  hasProcessTable,
  listProcesses,
  openEvidence,
  readResult,
} from './evidence.ts'
import { misbehaviourClaims } from './misbehaviour-claims.ts'
import { novelClaims } from './novel-claims.ts'
import { reviseNovel } from './revise-novel.ts'
import { type Audience, type Stage, setStage } from './stage.ts'

export type { Audience, Claim }
export type Demo = {
  readonly dir: string
  readonly run: string | null
  readonly claims: readonly Claim[]
  readonly seen: Evidence
}

type Asked = { readonly keep: string | undefined; readonly agent: string | undefined }

/** Lets a misbehaving agent deliver a PRD as three verified commits and a model revise a novel, then checks every claim. */
export async function runDemo(machine: Machine, asked: Asked, audience: Audience, stop: AbortSignal): Promise<Demo> {
  const agent = findRealAgent(machine, asked.agent)
  const stage = setStage(machine, { keep: asked.keep, atHome: agent !== undefined }, audience, stop)
  try {
    const seen = await (agent === undefined ? playScript(stage, audience) : playAgent(stage, audience, agent))
    return { dir: stage.dir, run: seen.run?.id ?? null, claims: await checkClaims(seen, stage.store), seen }
  } finally {
    await stage.clear()
  }
}

async function playScript(stage: Stage, { act }: Audience): Promise<Evidence> {
  act('1 of 6: one PRD, one plan', aboutPlan)
  const begun = await planTwice(stage)
  act(
    '2 of 6: a liar and a cheat',
    'The agent is scripted. In S1 it claims that all tests pass, which is not true. In S2 it skips a test and leaves a process running.',
  )
  const misbehaviour = await deliverAndCrash(stage, () =>
    act('3 of 6: kill -9', 'The agent of S3 hangs and has started a daemon. Now pawl itself is killed.'),
  )
  if (misbehaviour.crash) {
    const { running, survivors } = misbehaviour.crash
    const outlived = `${survivors} of its ${running.length} child processes survived.`
    act('4 of 6: resume', `${outlived} S1 and S2 are done and stay done. S3 is resumed and hits a usage limit.`)
    await resumeDelivery(stage)
  }
  act('5 of 6: the result', aboutResult)
  const delivered = await showDelivery(stage)
  act(
    '6 of 6: written work',
    'A novel, and a person who wants chapter 2 darker. The model is scripted: it wants to rewrite all chapters, and the judge rejects its first draft. Chapter 1 has an edit that is not committed.',
  )
  return { ...begun, ...delivered, misbehaviour, novel: await reviseNovel(stage) }
}

async function playAgent(stage: Stage, { act }: Audience, agent: string): Promise<Evidence> {
  act('1 of 3: one PRD, one plan', aboutPlan)
  const begun = await planTwice(stage)
  act(
    `2 of 3: ${agent} at work`,
    `The same PRD, with your own ${agent} and login. Left out, because only a script misbehaves on demand: the lie, the cheat, the stray process, kill -9, the usage limit and the draft that a judge rejects.`,
  )
  await deliver(stage, agent)
  act('3 of 3: the result', aboutResult)
  return { ...begun, ...(await showDelivery(stage)) }
}

const aboutPlan = 'The PRD is planned twice, with different locales and time zones. Both plans must be identical.'
const aboutResult = 'All tests, the commits, and the report to read in the morning.'

/** Returns the requested agent, or undefined for the scripted one. Throws if the agent is not installed. */
function findRealAgent({ findProgram, environment }: Machine, name: string | undefined): string | undefined {
  if (name === undefined || name === 'scripted') return undefined
  if (!isAgentName(name)) {
    const known = Object.keys(dialects)
    const close = findNearest(name, known)
    throw new PawlError(
      2,
      `unknown agent ${name}`,
      close ? `Did you mean ${close}?` : `Known agents: ${known.join(', ')}`,
    )
  }
  const { program, install, login } = knownAgents[name]
  if (findProgram(program, environment.cwd)) return name
  throw new PawlError(
    10,
    `${name} is not installed: no program ${program} on PATH`,
    `Install it: ${install}; then ${login.how}`,
  )
}

/** Checks each claim against git, the run and the process table, never against printed output. */
export function checkClaims(seen: Evidence, store: Pick<RunStore, 'open'>): Promise<Claim[]> {
  const { run, misbehaviour, novel } = seen
  const checks = [
    planClaim(seen),
    ...(misbehaviour ? misbehaviourClaims({ ...seen, misbehaviour }, store) : []),
    ...endClaims(seen, store),
    ...(hasProcessTable() ? [processClaim(run?.id)] : []),
    ...(novel ? novelClaims(novel, store) : []),
  ]
  return Promise.all(checks.map(checkClaim))
}

const planClaim = ({ plans }: Evidence): Check => ({
  says: 'the same PRD gives the same plan in any locale and time zone',
  check: () => {
    const [one, other] = plans.map((path) => createHash('sha256').update(readFileSync(path)).digest('hex'))
    return [one === other, `hashes of plan.json: ${one?.slice(0, 16)}… and ${other?.slice(0, 16)}…`]
  },
})

function endClaims(seen: Evidence, store: Pick<RunStore, 'open'>): Check[] {
  const { repository, first, exits } = seen
  return [
    {
      says: 'the tests are unchanged',
      check: async () => {
        const changed = await askGit(repository, 'diff', '--stat', first, '--', 'test', 'package.json')
        return [changed === '', `git diff ${first.slice(0, 10)} -- test package.json: ${changed || 'no difference'}`]
      },
    },
    { says: 'all tests pass', check: () => [exits.tests === 0, `node --test: exit ${exits.tests}`] },
    {
      says: 'three stories, three commits',
      check: async () => {
        const format = '--format=%(trailers:key=Pawl-Story,valueonly,separator=%x2C)'
        const stories = await askGit(repository, 'log', '--reverse', format, `${first}..HEAD`)
        const list = stories.split('\n').join(', ')
        return [list === 'S1, S2, S3', `trailers Pawl-Story since ${first.slice(0, 10)}: ${list || 'none'}`]
      },
    },
    {
      says: 'everything is committed',
      check: async () => {
        const status = await askGit(repository, 'status', '--porcelain')
        return [status === '', `git status: ${status.replaceAll('\n', ', ') || 'clean'}`]
      },
    },
    {
      says: 'result.json reports success',
      check: async () => {
        const { status, summary, run_verification } = await readResult(await openEvidence(store, seen))
        const holds = status === 'success' && summary.completed === 3 && run_verification === 'passed'
        return [holds, `${status}, ${summary.completed} stories completed, run verification ${run_verification}`]
      },
    },
    {
      says: 'every recorded decision replays the same',
      check: () => [exits.fsck === 0, `pawl fsck: exit ${exits.fsck}`],
    },
  ]
}

const processClaim = (run: string | undefined): Check => ({
  says: 'no process is left running',
  check: () => {
    const left = run === undefined ? [] : listProcesses(run)
    return [run !== undefined && left.length === 0, `${left.length} processes of run ${run ?? '(none)'}`]
  },
})
