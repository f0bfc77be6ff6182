import type { Notice } from '../../../contract/show.ts'
import { chooseNotices, noticedIn, workNotices } from '../../../show/notices.ts'
import type { Report } from '../../../show/show.ts'
import type { DeliveryFacts } from '../core/facts.ts'

/** What a person should look at first. Of tests that were changed it is known attempt by attempt. */
export const deliveryNotices = (report: Report<DeliveryFacts>): readonly Notice[] =>
  chooseNotices([
    ...[storyFailed, tampered, unproven].flatMap((rule) => rule(report.facts) ?? []),
    ...workNotices(noticedIn(report), ['judge-changed']),
  ])

type Rule = (facts: DeliveryFacts) => Notice | undefined

const storyFailed: Rule = ({ delivery: { stories }, page }) => {
  const lost = stories.filter(({ status }) => status === 'failed' || status === 'blocked')
  const [first] = lost
  if (!first) return undefined
  const { id, status, because, reason } = first
  const why = because ?? reason ?? 'nobody knows why'
  const more = lost.length > 1 ? `; ${lost.length - 1} more did not come through` : ''
  const says = `${id} is ${status}: ${why}${more}`
  return { about: 'story-failed', weight: 110, says, lines: [], ...(page !== null && { log: page }) }
}

const tampered: Rule = ({ delivery: { stories } }) => {
  const named = stories.flatMap(({ id, tampering }) =>
    tampering.flatMap(({ expected, ...one }) => (expected ? [] : [{ id, ...one }])),
  )
  const [first] = named
  if (!first) return undefined
  const more = named.length > 1 ? ` and ${named.length - 1} more` : ''
  const says = `${first.id} attempt ${first.attempt} touched ${first.path} (${first.kind}): ${first.says}${more}`
  return { about: 'tampered', weight: 80, says, lines: [] }
}

const unproven: Rule = ({ delivery: { stories } }) => {
  const ids = stories.filter(({ evidence }) => evidence === 'unproven').map(({ id }) => id)
  if (ids.length === 0) return undefined
  return {
    about: 'unproven',
    weight: 70,
    says: `done without proof: ${ids.join(', ')} (nothing was changed)`,
    lines: [],
  }
}
