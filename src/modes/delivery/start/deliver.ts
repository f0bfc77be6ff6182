import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { workTreeOf } from '../../../adapters/git/git.ts'
import type { Settings } from '../../../config/settings.ts'
import { Config } from '../../../contract/config.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { FrozenAgent } from '../../../contract/request.ts'
import type { Caps } from '../../../contract/values.ts'
import { openRepository } from '../../../machine/open-repository.ts'
import type { Place } from '../../../run/paths.ts'
import { chosenAgent, newRunId } from '../../../run/request.ts'
import { findGates } from '../../../setup/init/gates.ts'
import { repositoryAt } from '../../../setup/init/repository.ts'
import type { Limits, RunInput } from '../contract/input.ts'
import type { Plan } from '../contract/plan.ts'
import { usualMode } from './backends.ts'
import { planPrd } from './plan-prd.ts'
import { checkInput } from './preconditions.ts'
import { nameOf } from './request.ts'

/** What a person may say beyond the configuration. */
export type DeliverFlags = Readonly<Record<string, unknown>>

export type Drafted = {
  readonly input: RunInput
  readonly plan: Plan
  readonly name: string
  /** None where there is none yet and nothing is to be started. */
  readonly agent: FrozenAgent | undefined
  readonly caps: Caps
  readonly origins: Readonly<Record<string, string>>
  readonly commit: boolean
  readonly author: { readonly name: string; readonly email: string } | undefined
}

/** The repository that a PRD lies in: deliveries work on it as a whole, wherever they are started. */
export function repositoryOf(place: Place, prd: string): Place {
  const path = resolve(prd)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new PawlError(2, `no such file: ${prd}`, 'Give the PRD as a file: pawl deliver docs/feature.md')
  }
  const root = workTreeOf(place.cwd)
  if (root === undefined)
    throw new PawlError(30, `${place.cwd} is not a git repository`, 'git init, and a first commit')
  if (relative(root, path).startsWith('..'))
    throw new PawlError(30, `${prd} lies outside of ${root}`, 'Copy it into the repository.')
  return { ...place, cwd: root }
}

/** From a PRD, the configuration and what was said to a run input and its plan. Starts nothing, writes nothing. */
export async function draftDelivery(
  here: Place,
  settings: Settings,
  prd: string,
  flags: DeliverFlags,
): Promise<Drafted> {
  const look = await openRepository(here, here.cwd).look()
  if (!look || look.branch === null) throw new PawlError(10, 'HEAD is on no branch', 'git switch -c <branch>')
  const story_commands = proofs(here, settings, flags)
  const draft: RunInput = {
    contract_version: 1,
    run_id: newRunId(new Date()),
    repo_path: here.cwd,
    prd_path: relative(here.cwd, resolve(prd)),
    base_branch: look.branch,
    working_branch: look.branch,
    limits: {
      story_max_attempts: 4,
      run_max_attempts: 20,
      story_timeout_minutes: 20,
      run_timeout_minutes: 180,
      wait_minutes: 360,
    },
    verification: { story_commands, run_commands: listIn(flags.verifyRun) },
    agent: { mode: usualMode },
    policy: policyOf(flags),
    env: settings.value('env'),
    secrets: settings.value('secrets'),
    sandbox: settings.value('sandbox'),
  }
  checkInput(draft)
  const { plan } = planPrd(draft.repo_path, draft.prd_path, draft.verification)
  return {
    input: { ...draft, limits: limitsOf(draft.limits, plan, settings, flags) },
    plan,
    name: nameOf(draft),
    agent: agentIn(settings, flags.dryRun === true),
    ...moneyOf(settings),
    commit: flags.commit !== false,
    author: authorIn(flags.author),
  }
}

function agentIn(settings: Settings, dryRun: boolean): FrozenAgent | undefined {
  try {
    return chosenAgent(settings)
  } catch (error) {
    if (dryRun && error instanceof PawlError) return undefined
    throw error
  }
}

/** Commands come from the person or from a configuration that is trusted, never from the PRD. */
function proofs(here: Place, settings: Settings, flags: DeliverFlags): string[] {
  const given = [...listIn(flags.verify)]
  const commands = given.length ? given : [...settings.value('gates')]
  if (commands.length || listIn(flags.verifyRun).length) return commands
  const found = existsSync(join(here.cwd, '.git'))
    ? findGates(repositoryAt(here.cwd)).map(({ command }) => command)
    : []
  const proposal = (found.length ? found : ['npm test']).map((command) => `--verify ${JSON.stringify(command)}`)
  const hint = `Say what proves a story: ${proposal.join(' ')}, or set gates in .pawl/config.yml (pawl init).`
  throw new PawlError(30, 'no verification configured: without it nobody knows when a story is done', hint)
}

const minute = 60_000

/** Twenty attempts are few for a long plan: a person is given two a story at least, and shown the number first. */
function limitsOf(usual: Limits, { stories }: Plan, settings: Settings, flags: DeliverFlags): Limits {
  const maxTime = settings.value('max_time')
  const storyTime = flags.storyTime === undefined ? undefined : durationIn(flags.storyTime)
  return {
    story_max_attempts: countIn(flags.attempts, '--attempts') ?? usual.story_max_attempts,
    run_max_attempts:
      countIn(flags.maxAttempts, '--max-attempts') ?? Math.max(usual.run_max_attempts, 2 * stories.length),
    story_timeout_minutes: (storyTime ?? usual.story_timeout_minutes * minute) / minute,
    run_timeout_minutes: (maxTime ?? usual.run_timeout_minutes * minute) / minute,
    wait_minutes: settings.value('max_wait') / minute,
  }
}

function moneyOf(settings: Settings): Pick<Drafted, 'caps' | 'origins'> {
  const [cost, tokens] = [settings.effective('max_cost'), settings.effective('max_tokens')]
  return {
    caps: {
      ...(cost.value !== undefined && { costUsd: cost.value }),
      ...(tokens.value !== undefined && { tokens: tokens.value }),
    },
    origins: { costUsd: cost.origin.where, tokens: tokens.origin.where },
  }
}

function policyOf(flags: DeliverFlags): RunInput['policy'] {
  return {
    tampering: oneOf(flags.tampering, ['warn', 'block', 'ask'], '--tampering') ?? 'block',
    on_fail: oneOf(flags.onFail, ['keep', 'restore'], '--on-fail') ?? 'keep',
    dirty: oneOf(flags.dirty, ['refuse', 'include', 'snapshot'], '--dirty') ?? 'refuse',
    retry_unproven: true,
    strict_evidence: flags.strictEvidence === true,
  }
}

function oneOf<Choice extends string>(given: unknown, choices: readonly Choice[], flag: string): Choice | undefined {
  if (given === undefined) return undefined
  const found = choices.find((choice) => choice === given)
  if (found) return found
  throw new PawlError(2, `${flag} cannot be ${JSON.stringify(given)}`, `Allowed: ${choices.join(', ')}`)
}

function countIn(given: unknown, flag: string): number | undefined {
  if (given === undefined) return undefined
  if (typeof given === 'string' && /^[1-9][0-9]{0,3}$/.test(given)) return Number(given)
  throw new PawlError(2, `${flag} cannot be ${JSON.stringify(given)}`, 'Allowed: a whole number from 1 to 9999')
}

function durationIn(given: unknown): number {
  const read = Config.shape.max_time.safeParse(given)
  if (read.success && read.data !== undefined) return read.data
  throw new PawlError(
    2,
    `--story-time cannot be ${JSON.stringify(given)}`,
    'Allowed: a duration such as 90s, 30m or 3h',
  )
}

function authorIn(given: unknown): Drafted['author'] {
  if (given === undefined) return undefined
  const [, name, email] = /^([^<>\n]{1,200}) <([^<>\s]{1,200})>$/.exec(typeof given === 'string' ? given : '') ?? []
  if (name && email) return { name, email }
  throw new PawlError(2, `--author cannot be ${JSON.stringify(given)}`, 'Write it as "Name <name@example.org>".')
}

const listIn = (given: unknown): string[] => (Array.isArray(given) ? (given as string[]) : [])
