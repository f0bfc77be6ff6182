import { isSameMeaning } from '../../../judging/scoring/text-similarity.ts'
import { criteria, type Issue, type JudgeReply, type StoredVerdict } from '../contract/verdict.ts'

/**
 * True if the verdict does not follow from the ratings: approved although a question is not met or an issue is left, or rejected without
 * any of that. Then a second judge is asked.
 */
export function contradictsItself({
  verdict,
  criteria: ratings,
  specific_issues,
  earlier_issues,
}: JudgeReply): boolean {
  const met = criteria.map((name) => ratings[name].met)
  const isOpen = earlier_issues.some(({ state }) => state === 'open')
  if (verdict === 'approved') return met.includes('no') || (isOpen && specific_issues.length > 0)
  return met.every((one) => one === 'yes') && specific_issues.length === 0 && !isOpen
}

/** Decides by two replies: the second one counts, unless it contradicts itself too. Then the text is not approved. */
export function decideTie(first: JudgeReply, second: JudgeReply): JudgeReply {
  if (!contradictsItself(second)) return second
  const specific_issues = [...first.specific_issues, ...second.specific_issues]
  return { ...second, verdict: 'needs_revision', specific_issues }
}

const maxIssues = 40

/** Returns all issues after one more judgement: answered, found again and new ones. Ids stay. */
function updateLedger(
  known: readonly Issue[],
  { specific_issues, earlier_issues }: Pick<JudgeReply, 'specific_issues' | 'earlier_issues'>,
  attempt: number,
): readonly Issue[] {
  const found = specific_issues.map((text) => text.trim()).filter((text) => text !== '')
  const answers = new Map(earlier_issues.map(({ id, state }) => [id.trim().toUpperCase(), state] as const))
  const kept = known.map((issue): Issue => {
    const again = found.some((text) => isSameMeaning(text, issue.text))
    return { ...issue, state: again ? 'open' : (answers.get(issue.id) ?? issue.state) }
  })
  const fresh = found.filter((text) => !known.some((issue) => isSameMeaning(text, issue.text)))
  const distinct = fresh.filter((text, at) => !fresh.slice(0, at).some((other) => isSameMeaning(text, other)))
  const last = Math.max(0, ...known.map(({ id }) => Number(id.slice(1)) || 0))
  return [
    ...kept,
    ...distinct.map((text, at): Issue => ({ id: `I${last + at + 1}`, text, state: 'open', raised: attempt })),
  ].slice(-maxIssues)
}

/** An approved text has no open issues: what the judge lets pass is settled. */
export function storeVerdict(
  reply: JudgeReply,
  known: readonly Issue[],
  attempt: number,
  by: StoredVerdict['by'],
): StoredVerdict {
  const ledger = updateLedger(known, reply, attempt)
  const isApproved = reply.verdict === 'approved'
  return {
    verdict: reply.verdict,
    reasoning: reply.reasoning.trim(),
    specific_issues: reply.specific_issues,
    suggestions: reply.suggestions,
    criteria: reply.criteria,
    ledger: isApproved ? ledger.map((issue) => ({ ...issue, state: 'fixed' as const })) : ledger,
    by,
  }
}

/** A text that code rejects, without asking a judge. */
export function rejectBroken(problems: readonly string[], known: readonly Issue[], attempt: number): StoredVerdict {
  const ledger = updateLedger(known, { specific_issues: [...problems], earlier_issues: [] }, attempt)
  return {
    verdict: 'needs_revision',
    reasoning: `The text cannot be used as it is: ${problems.join(' ')}`,
    specific_issues: problems,
    suggestions: [],
    ledger,
    by: 'structure',
  }
}
