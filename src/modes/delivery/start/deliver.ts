import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { loadSettings } from '../../../config/load-settings.ts'
import { openRepositoryFiles } from '../../../config/repository/repository.ts'
import { findSetup } from '../../../config/repository/setup.ts'
import { chooseAgent, readNotifySettings } from '../../../config/run-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import { checkConfigTrust } from '../../../config/trust.ts'
import { checkWorkspaceFolders } from '../../../config/workspace-folders.ts'
import type { FrozenAgent } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Json } from '../../../contract/values.ts'
import { noLock } from '../../../ports/locks.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { CloneSource } from '../../../ports/snapshots.ts'
import type { Machine } from '../../../run/machine.ts'
import { machineAt } from '../../../run/machine.ts'
import { defineStart, type Started, type Starter } from '../../../run/mode.ts'
import { createRunId } from '../../../run/new-run.ts'
import { checkProgram } from '../../../run/preflight.ts'
import { readRun } from '../../../run/read-run.ts'
import type { Limits, RunInput, Verification } from '../contract/input.ts'
import type { Plan } from '../contract/plan.ts'
import { deliverySettings } from '../contract/settings.ts'
import type { DeliveryDraft } from '../core/draft.ts'
import { formatPlan } from '../core/planner/story.ts'
import { formatDraft } from '../show/draft.ts'
import { defaultMode } from './backends.ts'
import { callAgain } from './call-again.ts'
import { DeliverOptions, readAuthor, readCount, readPolicy, readStoryTime } from './deliver-options.ts'
import { findProofs } from './find-proofs.ts'
import { openDelivery } from './open-delivery.ts'
import { planPrd } from './plan-prd.ts'
import { lockRepository } from './repository/own-repository.ts'
import { checkAuthor, checkInput, checkRepository } from './repository/preconditions.ts'
import { chooseName, createDelivery, createEnvelope, saveWorkTree } from './request.ts'
import { describeUncommitted, findUncommitted, refuseForeign, type Uncommitted } from './uncommitted.ts'

/** Plans and executes a PRD for a person. Shows the stories and the limits first. */
export const deliver = defineStart({ options: DeliverOptions, startsAgents: true, start: startDelivery })

async function startDelivery(machine: Machine, options: DeliverOptions, starter: Starter): Promise<Started> {
  const here = machineAt(machine, findRepository(machine, options))
  const { environment } = here
  checkWorkspaceFolders(environment.cwd, environment.folder)
  const settings = await loadSettings(here, { flags: options.flags, procedure: 'deliver' })
  for (const warning of settings.warnings) starter.tell(`warning: ${warning}`)
  const draft = await draftDelivery(here, settings, options)
  const blocks = formatDraft(draft)
  if (options.dryRun) return { is: 'shown', facts: toJson(draft), blocks }
  await checkConfigTrust(environment, settings, options.trust)
  starter.show(blocks)
  // All checks have passed; the detached process does the rest under its own lock.
  if (options.detach) return { is: 'detach', name: draft.name, workspace: environment.cwd, add: [] }
  const clone = await readClone(here, draft, options.clone)
  const { run, lock, reopen } = await openOrCreate(here, draft, settings, { clone, fresh: options.fresh }, starter)
  return { is: 'started', run, lock, ...(reopen && { reopen }) }
}

/** Drops undefined values. */
const toJson = ({ name, input, plan, agent, commit }: DeliveryDraft): Json =>
  JSON.parse(JSON.stringify({ dry_run: { name, input, plan, agent, commit } })) as Json

/** Returns what workers clone: the commit that is checked out here. */
async function readClone(
  { git, environment: { cwd } }: Machine,
  { input, commit: commits }: DeliveryDraft,
  given: DeliverOptions['clone'],
): Promise<CloneSource | undefined> {
  if (given === undefined) return undefined
  const { url: origin, commit } = await git.findOrigin(cwd)
  const url = given === true ? origin : given
  if (url === undefined) throw new PawlError(2, `${cwd} has no remote called origin`, 'Give the URL: --clone <url>')
  if (commit === undefined) throw new PawlError(10, `${cwd} has no commit yet`)
  if (!/^[^-\p{Cc}][^\p{Cc}]*$/u.test(url) || url.includes('::'))
    throw new PawlError(2, `--clone cannot be ${JSON.stringify(url)}`, 'Give a path, or a URL of ssh or https.')
  if (/^https?:\/\/[^/]*@/.test(url)) {
    const hint = 'It would be stored. Give workers a credential helper or ssh instead.'
    throw new PawlError(2, '--clone does not take a URL with a user or password in it', hint)
  }
  if (!commits) throw new PawlError(2, '--clone and --no-commit exclude each other')
  if (input.policy.dirty !== 'refuse')
    throw new PawlError(2, '--clone and --dirty exclude each other', 'Commit and push.')
  return { url, commit, branch: input.working_branch }
}

type Opened = Pick<Extract<Started, { is: 'started' }>, 'run' | 'lock' | 'reopen'>

/** Resumes the last delivery of this PRD, or creates one. Verified stories stay done. */
async function openOrCreate(
  here: Machine,
  draft: DeliveryDraft,
  settings: Settings,
  { clone, fresh }: { readonly clone: CloneSource | undefined; readonly fresh: boolean },
  starter: Starter,
): Promise<Opened> {
  const { name, caps, origins, commit, author } = draft
  const { program, cwd } = here.environment
  const agent = draft.agent!
  const earlier = fresh || clone ? undefined : await findEarlier(here, draft)
  const input = { ...draft.input, run_id: earlier?.entry.id ?? draft.input.run_id }
  const lock = clone ? noLock : await lockRepository(here, { workspace: cwd, name })
  try {
    // Uncommitted files of an unfinished run are its own work.
    const dirty = earlier ? 'include' : input.policy.dirty
    await checkRepository(here, { ...input, policy: { ...input.policy, dirty } })
    if (commit && !clone) await checkAuthor(here, cwd, author)
    checkProgram(here, cwd, agent, { exit: 10, namedIn: 'run input' })
    const silenceMs = settings.value('silence_timeout')
    const more = { name, clone, caps, origins, commit, author, silenceMs, ...readNotifySettings(settings) }
    const envelope = createEnvelope({ program, input, agent, more })
    const text = formatPlan(draft.plan)
    if (!earlier) {
      const run = await createDelivery(here, envelope, text, { listed: true })
      if (dirty === 'snapshot') await saveWorkTree(here, run.entry)
      return { run, lock }
    }
    const uncommitted = await findUncommittedIn(here, earlier)
    const isDone = (await readRun(earlier)).state.ended?.ending === 'completed'
    if (!isDone) refuseForeign(uncommitted, name, input.policy.dirty)
    const { replace, ...again } = await callAgain(here, earlier, envelope, text, { insist: true })
    if (replace) {
      await lock.release()
      await starter.end(earlier)
      return await openOrCreate(here, draft, settings, { clone, fresh: true }, starter)
    }
    if (again.reopen) refuseForeign(uncommitted, name, input.policy.dirty)
    await here.store.trust(earlier.entry, (await earlier.requests()).at(-1)!.sha256)
    const notice = describeUncommitted(uncommitted)
    if (notice) starter.tell(`${program}: ${notice}`)
    return { run: earlier, lock, ...again }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function findUncommittedIn(machine: Machine, stored: StoredRun): Promise<Uncommitted> {
  const run = await openDelivery(machine, stored)
  return run ? findUncommitted(machine, run) : { files: [], isForeign: false }
}

/** Finds a run that this person started: a repository could contain a run with commands of its own. */
async function findEarlier(machine: Machine, { name, input }: DeliveryDraft): Promise<StoredRun | undefined> {
  const { store, environment } = machine
  for (const { address, trusted, ...entry } of await store.list({ workspace: environment.cwd })) {
    const stored = entry.name === name && trusted !== undefined ? await store.open(address) : undefined
    const before = stored && (await trustedInput(machine, stored))
    if (before?.prd_path !== input.prd_path) continue
    if (before.working_branch === input.working_branch) return stored
    const what = `the delivery of ${input.prd_path} is on branch ${before.working_branch}, but ${input.working_branch} is checked out`
    throw new PawlError(10, what, `git switch ${before.working_branch}, or start over here: --fresh`)
  }
  return undefined
}

/** Undefined if the run is not a delivery, cannot be read, or is not trusted by this person. */
async function trustedInput(machine: Machine, stored: StoredRun): Promise<RunInput | undefined> {
  try {
    const { current } = (await openDelivery(machine, stored)) ?? {}
    // The work of a cloned run is not in this work tree.
    if (current?.envelope.clone) return undefined
    return current?.sha256 === stored.entry.trusted ? current?.request.input : undefined
  } catch {
    return undefined
  }
}

type Named = Pick<DeliverOptions, 'prd' | 'cwd'>

/** Finds the root of the repository that contains the PRD. Deliveries always work on the complete repository. */
function findRepository({ git, environment }: Machine, { prd, cwd }: Named): string {
  const path = resolve(cwd, prd)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new PawlError(2, `no such file: ${prd}`, (pawl) => `Give the PRD as a file: ${pawl} deliver docs/feature.md`)
  }
  const root = git.findWorkTree(environment.cwd)
  if (root === undefined)
    throw new PawlError(30, `${environment.cwd} is not a git repository`, 'Run git init and make a first commit.')
  if (relative(root, path).startsWith('..'))
    throw new PawlError(30, `${prd} is outside ${root}`, 'Copy it into the repository.')
  return root
}

/** Builds a run input and its plan from the PRD, the configuration and the flags. Starts and writes nothing. */
async function draftDelivery(here: Machine, settings: Settings, options: DeliverOptions): Promise<DeliveryDraft> {
  const { cwd: root } = here.environment
  const branch = await here.git.findBranch(root)
  if (branch === null) throw new PawlError(10, 'HEAD is detached: no branch is checked out', 'git switch -c <branch>')
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
    verification: {
      story_commands: listProofs(root, settings, options),
      run_commands: options.verifyRun,
      ...readVerification(root, settings, options),
    },
    agent: { mode: defaultMode },
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

/** Commands beside the proofs. `setup` is found by lock files if nobody names one. */
function readVerification(root: string, settings: Settings, options: DeliverOptions): Partial<Verification> {
  const { setup, prepare, reset, format, results, test_files: tests } = settings.own(deliverySettings)
  const installs = options.setup.length > 0 ? options.setup : (setup ?? findSetup(openRepositoryFiles(root)))
  const given = { setup: installs, prepare, reset, format, tests }
  const lists = Object.entries(given).filter(([, list]) => (list?.length ?? 0) > 0)
  return { ...Object.fromEntries(lists), ...(results !== undefined && { results }) }
}

function listProofs(root: string, settings: Settings, { verify, verifyRun }: DeliverOptions): string[] {
  const proofs = findProofs(root, settings, verify)
  if (proofs.are === 'set') return [...proofs.commands]
  if (verifyRun.length) return []
  const found = proofs.gates.map(({ command }) => command)
  const proposal = (found.length ? found : ['npm test']).map((command) => `--verify ${JSON.stringify(command)}`)
  const hint = (pawl: string, folder: string): string =>
    `Name a command that proves a story: ${proposal.join(' ')}, or set gates in ${folder}/config.yml (${pawl} init).`
  throw new PawlError(30, 'no verification configured: there is no way to tell when a story is done', hint)
}

const minute = 60_000

/** Allows at least two attempts per story, because twenty are few for a long plan. The number is shown first. */
function chooseLimits(defaults: Limits, { stories }: Plan, settings: Settings, options: DeliverOptions): Limits {
  const maxTime = settings.value('max_time')
  return {
    story_max_attempts: readCount(options.attempts, '--attempts') ?? defaults.story_max_attempts,
    run_max_attempts:
      readCount(options.maxAttempts, '--max-attempts') ?? Math.max(defaults.run_max_attempts, 2 * stories.length),
    story_timeout_minutes: (readStoryTime(options) ?? defaults.story_timeout_minutes * minute) / minute,
    run_timeout_minutes: (maxTime ?? defaults.run_timeout_minutes * minute) / minute,
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
