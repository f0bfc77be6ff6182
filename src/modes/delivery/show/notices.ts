import type { Notice } from '../../../contract/show.ts'
import { chooseNotices, gatherNoticed, workNotices } from '../../../show/notices.ts'
import type { Report } from '../../../show/show.ts'
import type { Evidence, StoryResult } from '../contract/result.ts'
import type { DeliveryFacts } from '../core/facts.ts'
import { formatRed } from '../core/result.ts'

/** Notices, most important first. Changed tests are reported per attempt instead of in total. */
export const deliveryNotices = (report: Report<DeliveryFacts>): readonly Notice[] =>
  chooseNotices([
    ...[storyFailed, finalFailed, rewrittenTests, rewrittenByChecks, tampered, stillRed, unproven, onlyHeld].flatMap(
      (rule) => rule(report.facts) ?? [],
    ),
    ...workNotices(gatherNoticed(report), ['judge-changed']),
  ])

type Rule = (facts: DeliveryFacts) => Notice | undefined

const storyFailed: Rule = ({ delivery: { stories }, page }) => {
  const failed = stories.filter(({ status }) => status === 'failed' || status === 'blocked')
  const [first] = failed
  if (!first) return undefined
  const { id, status, because, reason } = first
  const why = because ?? reason
  const more = failed.length > 1 ? `; ${failed.length - 1} more failed or blocked` : ''
  const says = `${id} ${status}${why ? `: ${why}` : ', reason unknown'}${more}`
  return { about: 'story-failed', weight: 110, says, lines: [], ...(page !== null && { log: page }) }
}

const finalFailed: Rule = ({ delivery: { run_verification: final } }) =>
  final === 'failed'
    ? { about: 'run-verification', weight: 109, says: 'the final verification failed', lines: [] }
    : undefined

const rewrittenTests: Rule = ({ delivery: { stories } }) => {
  const ids = stories.filter(({ evidence }) => evidence === 'rewritten').map(({ id }) => id)
  if (ids.length === 0) return undefined
  const says = `${ids.join(', ')} passed only with tests or settings that the story itself changed: read those changes`
  return { about: 'rewritten-tests', weight: 108, says, lines: [] }
}

const rewrittenByChecks: Rule = ({ delivery: { stories } }) => {
  const first = stories.find(({ rewritten }) => rewritten)
  if (!first) return undefined
  const says = `the verification of ${first.id} changed ${first.rewritten!.slice(0, 3).join(', ')} and then passed: read that commit`
  return { about: 'rewritten-by-checks', weight: 105, says, lines: [] }
}

const tampered: Rule = ({ delivery: { stories } }) => {
  const named = stories.flatMap(({ id, tampering, verified_in, evidence }) => {
    // The runs with the old tests have shown that this does no harm.
    const isTried = (verified_in ?? 'work_tree') !== 'work_tree' && evidence !== 'rewritten'
    return tampering.flatMap(({ expected, ...one }) =>
      expected || (isTried && one.kind === 'test-changed') ? [] : [{ id, ...one }],
    )
  })
  const [first] = named
  if (!first) return undefined
  const more = named.length > 1 ? `, and ${named.length - 1} more` : ''
  const says = `${first.id} attempt ${first.attempt} touched ${first.path} (${first.kind}): ${first.says}${more}`
  return { about: 'tampered', weight: 80, says, lines: [] }
}

const stillRed: Rule = ({ delivery: { still_red: red } }) =>
  red && { about: 'still-red', weight: 75, says: `still red, as before the run: ${formatRed(red)}`, lines: [] }

const unproven: Rule = ({ delivery: { stories } }) => {
  const says = listWithReasons(stories, 'unproven', 'nothing shows that its changes did it')
  return says === undefined
    ? undefined
    : { about: 'unproven', weight: 70, says: `done without proof: ${says}`, lines: [] }
}

/** "S1 (its tests are flaky), S2 (git sees no change) and 3 more" */
function listWithReasons(stories: readonly StoryResult[], kind: Evidence, usual: string): string | undefined {
  const found = stories.filter(({ evidence }) => evidence === kind)
  const named = found.slice(0, 3).map(({ id, because }) => `${id} (${because ?? usual})`)
  if (found.length === 0) return undefined
  return `${named.join(', ')}${found.length > 3 ? ` and ${found.length - 3} more` : ''}`
}

const onlyHeld: Rule = ({ delivery: { stories } }) => {
  const says = listWithReasons(stories, 'held', 'its checks passed before the work too')
  if (says === undefined) return undefined
  return { about: 'held', weight: 60, says: `nothing shows that these do what was asked: ${says}`, lines: [] }
}
