import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { loadSettings } from '../../../config/load-settings.ts'
import { findGates } from '../../../config/repository/gates.ts'
import { repositoryAt } from '../../../config/repository/repository.ts'
import { chooseAgent, readNotifySettings } from '../../../config/run-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import { checkConfigTrust } from '../../../config/trust.ts'
import type { FrozenAgent } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Json } from '../../../contract/values.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import { machineAt } from '../../../run/machine.ts'
import { defineStart, type Started, type Starter } from '../../../run/mode.ts'
import { createRunId } from '../../../run/new-run.ts'
import { checkProgram } from '../../../run/preflight.ts'
import type { Limits, RunInput } from '../contract/input.ts'
import type { Plan } from '../contract/plan.ts'
import type { DeliveryDraft } from '../core/draft.ts'
import { planText } from '../core/planner/story.ts'
import { draftBlocks } from '../show/draft.ts'
import { usualMode } from './backends.ts'
import { callAgain } from './call-again.ts'
import { DeliverOptions, readAuthor, readCount, readPolicy, readStoryTime } from './deliver-options.ts'
import { openDelivery } from './open-delivery.ts'
import { planPrd } from './plan-prd.ts'
import { ownRepository } from './repository/own-repository.ts'
import { checkAuthor, checkInput, checkRepository } from './repository/preconditions.ts'
import { uncommittedNotice } from './repository/uncommitted.ts'
import { chooseName, createDelivery, createEnvelope, keepBefore } from './request.ts'

/** Plan and execute for a person: what it will do and what it can cost at worst come first. */
export const deliver = defineStart({ options: DeliverOptions, startsAgents: true, start: startDelivery })

async function startDelivery(machine: Machine, options: DeliverOptions, starter: Starter): Promise<Started> {
  const here = machineAt(machine, findRepository(machine, options))
  const { environment } = here
  const settings = await loadSettings(here, { flags: options.flags, procedure: 'deliver' })
  for (const warning of settings.warnings) starter.tell(`warning: ${warning}`)
  const draft = await draftDelivery(here, settings, options)
  const blocks = draftBlocks(draft)
  if (options.dryRun) return { is: 'shown', facts: toJson(draft), blocks }
  await checkConfigTrust(environment, settings, options.trust)
  starter.show(blocks)
  // Whatever can be refused has been by now; the process of its own does the rest, under its own lock.
  if (options.detach) return { is: 'detach', name: draft.name, workspace: environment.cwd, add: [] }
  const { run, lock, reopen } = await open(here, draft, settings, options.fresh, starter)
  return { is: 'started', run, lock, ...(reopen && { reopen }) }
}

/** As JSON has it: what is undefined is not there. */
const toJson = ({ name, input, plan, agent, commit }: DeliveryDraft): Json =>
  JSON.parse(JSON.stringify({ dry_run: { name, input, plan, agent, commit } })) as Json

type Opened = Pick<Extract<Started, { is: 'started' }>, 'run' | 'lock' | 'reopen'>

/** Goes on with the last delivery of this PRD, or begins one. What that run has verified stays done. */
async function open(
  here: Machine,
  draft: DeliveryDraft,
  settings: Settings,
  fresh: boolean,
  { tell }: Starter,
): Promise<Opened> {
  const { name, caps, origins, commit, author } = draft
  const { program, cwd } = here.environment
  const agent = draft.agent!
  const earlier = fresh ? undefined : await findEarlier(here, draft)
  const input = { ...draft.input, run_id: earlier?.entry.id ?? draft.input.run_id }
  const lock = await ownRepository(here, cwd)
  try {
    // What an unfinished run has left in the work tree is its own.
    const dirty = earlier ? 'include' : input.policy.dirty
    await checkRepository(here, { ...input, policy: { ...input.policy, dirty } })
    if (commit) await checkAuthor(here, cwd, author)
    checkProgram(here, cwd, agent, { exit: 10, namedIn: 'run input' })
    const silenceMs = settings.value('silence_timeout')
    const more = { name, caps, origins, commit, author, silenceMs, ...readNotifySettings(settings) }
    const envelope = createEnvelope({ program, input, agent, more })
    const text = planText(draft.plan)
    if (!earlier) {
      const run = await createDelivery(here, envelope, text, { listed: true })
      if (dirty === 'snapshot') await keepBefore(here, run.entry)
      return { run, lock }
    }
    const again = await callAgain(here, earlier, envelope, text, { insist: true })
    await here.store.trust(earlier.entry, (await earlier.requests()).at(-1)!.sha256)
    const notice = await uncommittedNotice(here, cwd)
    if (notice) tell(`${program}: ${notice}`)
    return { run: earlier, lock, ...again }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Only one that this person has started: a repository could bring a run of its own, with commands of its own. */
async function findEarlier(machine: Machine, { name, input }: DeliveryDraft): Promise<StoredRun | undefined> {
  const { store, environment } = machine
  for (const { address, trusted, ...entry } of await store.list({ workspace: environment.cwd })) {
    const stored = entry.name === name && trusted !== undefined ? await store.open(address) : undefined
    const before = stored && (await trustedInput(machine, stored))
    if (before?.prd_path !== input.prd_path) continue
    if (before.working_branch === input.working_branch) return stored
    const what = `the delivery of ${input.prd_path} is on the branch ${before.working_branch}, and this is ${input.working_branch}`
    throw new PawlError(10, what, `git switch ${before.working_branch}, or begin anew here: --fresh`)
  }
  return undefined
}

/** undefined: it is no delivery, cannot be read, or is not what this person has trusted. */
async function trustedInput(machine: Machine, stored: StoredRun): Promise<RunInput | undefined> {
  try {
    const { current } = (await openDelivery(machine, stored)) ?? {}
    return current?.sha256 === stored.entry.trusted ? current?.request.input : undefined
  } catch {
    return undefined
  }
}

type Named = Pick<DeliverOptions, 'prd' | 'cwd'>

/** The repository that a PRD lies in: deliveries work on it as a whole, wherever they are started. */
function findRepository({ git, environment }: Machine, { prd, cwd }: Named): string {
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
async function draftDelivery(here: Machine, settings: Settings, options: DeliverOptions): Promise<DeliveryDraft> {
  const { cwd: root } = here.environment
  const branch = await here.git.findBranch(root)
  if (branch === null) throw new PawlError(10, 'HEAD is on no branch', 'git switch -c <branch>')
  const draft: RunInput = {
    contract_version: 1,
    run_id: createRunId(new Date()),
    repo_path: root,
    prd_path: relative(root, resolve(options.cwd, options.prd)),
    base_branch: branch,
    working_branch: branch,
    limits: {
      story_max_attempts: 4,
      run_max_attempts: 20,
      story_timeout_minutes: 20,
      run_timeout_minutes: 180,
      wait_minutes: 360,
    },
    verification: { story_commands: listProofs(root, settings, options), run_commands: options.verifyRun },
    agent: { mode: usualMode },
    policy: readPolicy(options),
    env: settings.value('env'),
    secrets: settings.value('secrets'),
    sandbox: settings.value('sandbox'),
  }
  checkInput(here, draft)
  const { plan } = planPrd(draft.repo_path, draft.prd_path, draft.verification)
  return {
    input: { ...draft, limits: chooseLimits(draft.limits, plan, settings, options) },
    plan,
    name: chooseName(draft),
    agent: chooseDeliveryAgent(here, settings, options.dryRun),
    ...chooseCostBound(settings),
    commit: options.commit,
    author: readAuthor(options),
  }
}

function chooseDeliveryAgent({ agents }: Machine, settings: Settings, dryRun: boolean): FrozenAgent | undefined {
  try {
    return chooseAgent(settings, agents.choose)
  } catch (error) {
    if (dryRun && error instanceof PawlError) return undefined
    throw error
  }
}

/** Commands come from the person or from a configuration that is trusted, never from the PRD. */
function listProofs(root: string, settings: Settings, { verify, verifyRun }: DeliverOptions): string[] {
  const commands = verify.length ? verify : [...settings.value('gates')]
  if (commands.length || verifyRun.length) return commands
  const found = existsSync(join(root, '.git')) ? findGates(repositoryAt(root)).map(({ command }) => command) : []
  const proposal = (found.length ? found : ['npm test']).map((command) => `--verify ${JSON.stringify(command)}`)
  const hint = `Say what proves a story: ${proposal.join(' ')}, or set gates in .pawl/config.yml (pawl init).`
  throw new PawlError(30, 'no verification configured: without it nobody knows when a story is done', hint)
}

const minute = 60_000

/** Twenty attempts are few for a long plan: a person is given two a story at least, and shown the number first. */
function chooseLimits(usual: Limits, { stories }: Plan, settings: Settings, options: DeliverOptions): Limits {
  const maxTime = settings.value('max_time')
  return {
    story_max_attempts: readCount(options.attempts, '--attempts') ?? usual.story_max_attempts,
    run_max_attempts:
      readCount(options.maxAttempts, '--max-attempts') ?? Math.max(usual.run_max_attempts, 2 * stories.length),
    story_timeout_minutes: (readStoryTime(options) ?? usual.story_timeout_minutes * minute) / minute,
    run_timeout_minutes: (maxTime ?? usual.run_timeout_minutes * minute) / minute,
    wait_minutes: settings.value('max_wait') / minute,
  }
}

function chooseCostBound(settings: Settings): Pick<DeliveryDraft, 'caps' | 'origins'> {
  const [cost, tokens] = [settings.effective('max_cost'), settings.effective('max_tokens')]
  return {
    caps: {
      ...(cost.value !== undefined && { costUsd: cost.value }),
      ...(tokens.value !== undefined && { tokens: tokens.value }),
    },
    origins: { costUsd: cost.origin.where, tokens: tokens.origin.where },
  }
}
