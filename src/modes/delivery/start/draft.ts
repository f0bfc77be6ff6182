import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { findGates } from '../../../config/repository/gates.ts'
import { repositoryAt } from '../../../config/repository/repository.ts'
import { chosenAgent } from '../../../config/run-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import type { FrozenAgent } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Machine } from '../../../run/machine.ts'
import { newRunId } from '../../../run/new-run.ts'
import type { Limits, RunInput } from '../contract/input.ts'
import type { Plan } from '../contract/plan.ts'
import type { DeliveryDraft } from '../core/draft.ts'
import { usualMode } from './backends.ts'
import { authorIn, countIn, type DeliverOptions, policyIn, storyTimeIn } from './deliver-options.ts'
import { planPrd } from './plan-prd.ts'
import { checkInput } from './repository/preconditions.ts'
import { nameOf } from './request.ts'

type Named = Pick<DeliverOptions, 'prd' | 'cwd'>

/** The repository that a PRD lies in: deliveries work on it as a whole, wherever they are started. */
export function findRepository({ git, environment }: Machine, { prd, cwd }: Named): string {
  const path = resolve(cwd, prd)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new PawlError(2, `no such file: ${prd}`, 'Give the PRD as a file: pawl deliver docs/feature.md')
  }
  const root = git.findWorkTree(environment.cwd)
  if (root === undefined)
    throw new PawlError(30, `${environment.cwd} is not a git repository`, 'git init, and a first commit')
  if (relative(root, path).startsWith('..'))
    throw new PawlError(30, `${prd} lies outside of ${root}`, 'Copy it into the repository.')
  return root
}

/** From a PRD, the configuration and what was said to a run input and its plan. Starts nothing, writes nothing. */
export async function draftDelivery(
  here: Machine,
  settings: Settings,
  options: DeliverOptions,
): Promise<DeliveryDraft> {
  const { cwd: root } = here.environment
  const look = await here.git.openRepository(root).look()
  if (!look || look.branch === null) throw new PawlError(10, 'HEAD is on no branch', 'git switch -c <branch>')
  const draft: RunInput = {
    contract_version: 1,
    run_id: newRunId(new Date()),
    repo_path: root,
    prd_path: relative(root, resolve(options.cwd, options.prd)),
    base_branch: look.branch,
    working_branch: look.branch,
    limits: {
      story_max_attempts: 4,
      run_max_attempts: 20,
      story_timeout_minutes: 20,
      run_timeout_minutes: 180,
      wait_minutes: 360,
    },
    verification: { story_commands: proofs(root, settings, options), run_commands: options.verifyRun },
    agent: { mode: usualMode },
    policy: policyIn(options),
    env: settings.value('env'),
    secrets: settings.value('secrets'),
    sandbox: settings.value('sandbox'),
  }
  checkInput(here, draft)
  const { plan } = planPrd(draft.repo_path, draft.prd_path, draft.verification)
  return {
    input: { ...draft, limits: limitsOf(draft.limits, plan, settings, options) },
    plan,
    name: nameOf(draft),
    agent: agentIn(here, settings, options.dryRun),
    ...moneyOf(settings),
    commit: options.commit,
    author: authorIn(options),
  }
}

function agentIn({ agents }: Machine, settings: Settings, dryRun: boolean): FrozenAgent | undefined {
  try {
    return chosenAgent(settings, agents.choose)
  } catch (error) {
    if (dryRun && error instanceof PawlError) return undefined
    throw error
  }
}

/** Commands come from the person or from a configuration that is trusted, never from the PRD. */
function proofs(root: string, settings: Settings, { verify, verifyRun }: DeliverOptions): string[] {
  const commands = verify.length ? verify : [...settings.value('gates')]
  if (commands.length || verifyRun.length) return commands
  const found = existsSync(join(root, '.git')) ? findGates(repositoryAt(root)).map(({ command }) => command) : []
  const proposal = (found.length ? found : ['npm test']).map((command) => `--verify ${JSON.stringify(command)}`)
  const hint = `Say what proves a story: ${proposal.join(' ')}, or set gates in .pawl/config.yml (pawl init).`
  throw new PawlError(30, 'no verification configured: without it nobody knows when a story is done', hint)
}

const minute = 60_000

/** Twenty attempts are few for a long plan: a person is given two a story at least, and shown the number first. */
function limitsOf(usual: Limits, { stories }: Plan, settings: Settings, options: DeliverOptions): Limits {
  const maxTime = settings.value('max_time')
  return {
    story_max_attempts: countIn(options.attempts, '--attempts') ?? usual.story_max_attempts,
    run_max_attempts:
      countIn(options.maxAttempts, '--max-attempts') ?? Math.max(usual.run_max_attempts, 2 * stories.length),
    story_timeout_minutes: (storyTimeIn(options) ?? usual.story_timeout_minutes * minute) / minute,
    run_timeout_minutes: (maxTime ?? usual.run_timeout_minutes * minute) / minute,
    wait_minutes: settings.value('max_wait') / minute,
  }
}

function moneyOf(settings: Settings): Pick<DeliveryDraft, 'caps' | 'origins'> {
  const [cost, tokens] = [settings.effective('max_cost'), settings.effective('max_tokens')]
  return {
    caps: {
      ...(cost.value !== undefined && { costUsd: cost.value }),
      ...(tokens.value !== undefined && { tokens: tokens.value }),
    },
    origins: { costUsd: cost.origin.where, tokens: tokens.origin.where },
  }
}
