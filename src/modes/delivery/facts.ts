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

/** What the journal and git say of a delivery. */
export async function deliveryFacts(
  { entry, stored }: Run<DeliveryRequest>,
  plans: Plans,
  { git }: Pick<Machine, 'git'>,
  { view, standing, upTo }: FactsOptions<DeliveryMemo>,
): Promise<DeliveryFacts> {
  const { events } = await stored.read(upTo === undefined ? {} : { upTo })
  const work = await collectWork({
    events,
    running: standing === 'running',
    gates: [],
    changesSince: (base) => git.openRepository(entry.workspace).changesSince(base),
    outputEnd: async () => undefined,
    where: (name) => stored.where(name),
  })
  const { stories, run_verification, detail } = standingResult(entry.id, plans, view)
  const page = lostPage(stories, work)
  // What failed is told story by story.
  return {
    ...work,
    failure: null,
    delivery: { stories, run_verification, detail },
    page,
  }
}

function lostPage(stories: readonly StoryResult[], { attempts }: Pick<DeliveryFacts, 'attempts'>): string | null {
  const lost = stories.find(({ status }) => status === 'failed' || status === 'blocked')
  if (!lost || lost.attempts === 0) return null
  const last = attempts.findLast(({ task, verdict }) => task === lost.id && verdict !== '')
  return `${lost.id}-attempt-${last?.attempt ?? lost.attempts}.md`
}
