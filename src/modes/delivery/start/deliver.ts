import { notifyOf } from '../../../config/run-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import { settingsHere } from '../../../config/settings-here.ts'
import { checkConfigTrust } from '../../../config/trust.ts'
import type { Json } from '../../../contract/values.ts'
import type { Machine } from '../../../run/machine.ts'
import { machineAt } from '../../../run/machine-at.ts'
import { defineStart, type Started, type Starter } from '../../../run/mode.ts'
import { checkProgram } from '../../../run/preflight.ts'
import type { DeliveryDraft } from '../core/draft.ts'
import { planText } from '../core/planner/story.ts'
import { draftBlocks } from '../show/draft.ts'
import { callAgain } from './call-again.ts'
import { createDelivery } from './create-delivery.ts'
import { DeliverOptions } from './deliver-options.ts'
import { draftDelivery, findRepository } from './draft.ts'
import { findEarlier } from './earlier-delivery.ts'
import { keepBefore } from './repository/keep-before.ts'
import { ownRepository } from './repository/own-repository.ts'
import { checkAuthor, checkRepository } from './repository/preconditions.ts'
import { uncommittedNotice } from './repository/uncommitted.ts'
import { newEnvelope } from './request.ts'

/** Plan and execute for a person: what it will do and what it can cost at worst come first. */
export const deliver = defineStart({ options: DeliverOptions, startsAgents: true, start: startDelivery })

async function startDelivery(machine: Machine, options: DeliverOptions, starter: Starter): Promise<Started> {
  const here = machineAt(machine, findRepository(machine, options))
  const { environment } = here
  const settings = await settingsHere(here, { flags: options.flags, procedure: 'deliver' })
  for (const warning of settings.warnings) starter.tell(`warning: ${warning}`)
  const draft = await draftDelivery(here, settings, options)
  const blocks = draftBlocks(draft)
  if (options.dryRun) return { is: 'shown', facts: factsOf(draft), blocks }
  await checkConfigTrust(environment, settings, options.trust)
  starter.show(blocks)
  // Whatever can be refused has been by now; the process of its own does the rest, under its own lock.
  if (options.detach) return { is: 'detach', name: draft.name, workspace: environment.cwd, add: [] }
  const { run, lock, reopen } = await open(here, draft, settings, options.fresh, starter)
  return { is: 'started', run, lock, ...(reopen && { reopen }) }
}

/** As JSON has it: what is undefined is not there. */
const factsOf = ({ name, input, plan, agent, commit }: DeliveryDraft): Json =>
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
    const more = { name, caps, origins, commit, author, silenceMs, ...notifyOf(settings) }
    const envelope = newEnvelope({ program, input, agent, more })
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
