import { formatAmount, formatCount, formatDuration } from '../../../show/format.ts'
import { formatReason } from '../../../show/reasons.ts'
import { refinementReasons } from '../core/reasons.ts'
import { formatPoints } from './format.ts'
import type { RefinementReport } from './report/facts.ts'
import type { ModelChange } from './report/model-changes.ts'
import { findLabel, type RunLabels, short } from './run-labels.ts'

const shownChanges = 10

/** Lists model changes, waits and questions with their reasons. */
export function modelChangeLines({ turns, rules }: RefinementReport, subject: RunLabels): string[] {
  const shown = turns.slice(-shownChanges)
  const cut = turns.length > shown.length ? [`(the last ${shown.length} of ${turns.length})`] : []
  return [...cut, ...shown.map((turn) => `${formatWhen(turn)}: ${formatModelChange(turn, rules, subject)}`)]
}

const formatWhen = ({ after }: ModelChange): string => (after === 0 ? 'at the start' : `after iteration ${after}`)

function formatModelChange(turn: ModelChange, rules: RefinementReport['rules'], subject: RunLabels): string {
  const [from, to] = [findLabel(turn.from, subject), findLabel(turn.to ?? '', subject)]
  switch (turn.did) {
    case 'escalate':
      return `escalated from ${from} to ${to}, because ${whyStronger(turn, rules, subject)}`
    case 'failover':
      return `switched from ${from} to ${to}, because ${from} ${faults[turn.about ?? ''] ?? 'did not answer'}`
    case 'wait': {
      const length = turn.waitMs ? `waited ${formatDuration(turn.waitMs)}` : 'asked again'
      if (turn.why === 'outage') return `${length} for ${from} (${short(says(turn))})`
      return `${length}, because the judge ${from} ${turn.about === 'unreadable' ? 'gave an unreadable answer' : 'did not answer'}`
    }
    case 'pause':
      return turn.reason?.code === 'paused' ? 'paused by a person' : `asked: ${short(says(turn), 200)}`
  }
}

const says = ({ reason }: ModelChange): string => (reason ? formatReason(refinementReasons, reason) : '')

function whyStronger(
  { why, score }: ModelChange,
  rules: RefinementReport['rules'],
  { rules: config }: RunLabels,
): string {
  if (why === 'score')
    return `${score === null ? 'the score' : formatPoints(score, rules)} is below ${rules.escalateScore}`
  if (why === 'soft-limit') return `${formatAmount(config.escalateTokens)} tokens were reached`
  if (why === 'hard-limit') return 'the tokens were used up'
  return formatReason(refinementReasons, { code: why })
}

const faults: Readonly<Record<string, string>> = {
  limit: 'is at its rate limit',
  login: 'needs a key or login',
  model: 'is not available',
}

/** "Llama 3.1 70B left 3 calls unanswered". */
export const formatOutage = ({ down }: RefinementReport, subject: RunLabels): string =>
  Object.entries(down)
    .map(([via, calls]) => `${findLabel(via, subject)} left ${formatCount(calls, 'call')} unanswered`)
    .join(', ')
