import { dialects, isAgentName } from '../../adapters/agents/dialects.ts'
import { knownAgents } from '../../adapters/agents/known.ts'
import { PawlError } from '../../contract/exit.ts'
import { nearest } from '../config/nearest.ts'
import { findProgram } from '../find-program.ts'
import type { Place } from '../paths.ts'
import { deliver, deliverAndCrash, goOn, lookAtIt, planTwice } from './acts.ts'
import type { Claim } from './check.ts'
import { claimsAbout } from './claims.ts'
import type { Seen } from './seen.ts'
import { type Audience, type Stage, setStage } from './stage.ts'

export type { Audience, Claim }
export type Demo = {
  readonly dir: string
  readonly run: string | null
  readonly claims: readonly Claim[]
  readonly seen: Seen
}

type Asked = { readonly keep: string | undefined; readonly agent: string | undefined }

/** A PRD is brought to three verified commits by an agent that misbehaves; then every claim is read back. */
export async function runDemo(place: Place, asked: Asked, audience: Audience, stop: AbortSignal): Promise<Demo> {
  const agent = realAgent(place, asked.agent)
  const stage = setStage(place, { keep: asked.keep, atHome: agent !== undefined }, audience, stop)
  try {
    const seen = await (agent === undefined ? misbehaved(stage, audience) : byAgent(stage, audience, agent))
    return { dir: stage.dir, run: seen.run?.id ?? null, claims: await claimsAbout(seen), seen }
  } finally {
    await stage.clear()
  }
}

async function misbehaved(stage: Stage, audience: Audience): Promise<Seen> {
  audience.act('1 of 5: one PRD, one plan', 'Planned twice, under other locales and time zones: the same bytes.')
  const begun = await planTwice(stage)
  audience.act(
    '2 of 5: a liar and a cheat',
    'The agent is scripted. In S1 it says that all tests pass, and they do not. In S2 it skips a test and leaves a process behind.',
  )
  const misbehaviour = await deliverAndCrash(stage, audience)
  if (misbehaviour.crash) {
    const { running, survivors } = misbehaviour.crash
    const outlived = `${survivors} of ${running.length} processes below it outlived it.`
    const goesOn = 'S1 and S2 are done and stay so. S3 goes on, and meets a usage limit.'
    audience.act('4 of 5: going on', `${outlived} ${goesOn}`)
    await goOn(stage)
  }
  audience.act('5 of 5: what came of it', 'All tests, the commits, and what a person looks at in the morning.')
  return { ...begun, ...(await lookAtIt(stage)), misbehaviour }
}

async function byAgent(stage: Stage, audience: Audience, agent: string): Promise<Seen> {
  audience.act('1 of 3: one PRD, one plan', 'Planned twice, under other locales and time zones: the same bytes.')
  const begun = await planTwice(stage)
  const left =
    'Left out, as only a script does them on demand: the lie, the cheat, the stray process, kill -9, the limit.'
  audience.act(`2 of 3: ${agent} at work`, `The same repository, with your own ${agent} and login. ${left}`)
  await deliver(stage, agent)
  audience.act('3 of 3: what came of it', 'All tests, the commits, and what a person looks at in the morning.')
  return { ...begun, ...(await lookAtIt(stage)) }
}

/** The one that is asked for, if it is there. undefined: the scripted one. */
function realAgent({ cwd, env }: Place, name: string | undefined): string | undefined {
  if (name === undefined || name === 'scripted') return undefined
  if (!isAgentName(name)) {
    const known = Object.keys(dialects)
    const close = nearest(name, known)
    throw new PawlError(
      2,
      `the demo knows no agent ${name}`,
      close ? `Did you mean ${close}?` : `Known: ${known.join(', ')}`,
    )
  }
  const { program, install, login } = knownAgents[name]
  if (findProgram(program, cwd, env.PATH ?? '')) return name
  throw new PawlError(
    10,
    `${name} is not installed: no program ${program} on PATH`,
    `Install it: ${install}; then ${login.how}`,
  )
}
