import { pushedBranch } from '../../ports/snapshots.ts'
import type { Machine } from '../../run/machine.ts'
import type { FactsOptions } from '../../run/mode.ts'
import type { Run } from '../../run/run.ts'
import { collectWork } from '../../show/report/collect.ts'
import type { DeliveryRequest } from './contract/request.ts'
import type { StoryResult } from './contract/result.ts'
import type { DeliveryFacts } from './core/facts.ts'
import type { DeliveryMemo } from './core/memo.ts'
import type { Plans } from './start/open-delivery.ts'
import { standingResult } from './start/open-delivery.ts'

/** Collects the facts of a delivery from its journal and git. */
export async function deliveryFacts(
  { entry, stored, original }: Run<DeliveryRequest>,
  plans: Plans,
  { git }: Pick<Machine, 'git'>,
  { view, standing, upTo }: FactsOptions<DeliveryMemo>,
): Promise<DeliveryFacts> {
  const { clone } = original.envelope
  const { events } = await stored.read(upTo === undefined ? {} : { upTo })
  const work = await collectWork({
    events,
    running: standing === 'running',
    gates: [],
    changesSince: async (base) => (clone ? undefined : git.openRepository(entry.workspace).changesSince(base)),
    outputEnd: async () => undefined,
    where: (name) => stored.where(name),
  })
  const { stories, run_verification, still_red, detail } = standingResult(entry.id, plans, view)
  const page = findFailedPage(stories, work)
  // Failures are reported per story.
  return {
    ...work,
    ...(clone && { changesNote: describePushed(clone.url, entry.id) }),
    failure: null,
    delivery: { stories, run_verification, still_red, detail },
    page,
  }
}

const describePushed = (url: string, run: string): string =>
  `commits are pushed to the branch ${pushedBranch(run)} of ${url}. To get them: git fetch ${url} ${pushedBranch(run)}`

function findFailedPage(stories: readonly StoryResult[], { attempts }: Pick<DeliveryFacts, 'attempts'>): string | null {
  const failed = stories.find(({ status }) => status === 'failed' || status === 'blocked')
  if (!failed || failed.attempts === 0) return null
  const last = attempts.findLast(({ task, verdict }) => task === failed.id && verdict !== '')
  return `${failed.id}-attempt-${last?.attempt ?? failed.attempts}.md`
}
