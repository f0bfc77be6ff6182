import { amount, duration, plural } from '../../../show/format.ts'
import { formatReason } from '../../../show/reasons.ts'
import { refinementReasons } from '../core/reasons.ts'
import { formatPoints } from './format.ts'
import type { RefinementReport } from './report/facts.ts'
import type { Turn } from './report/model-changes.ts'
import { labelOf, type RefineSubject, short } from './run-labels.ts'

const shownTurns = 10

/** Where it left its straight way, and why. */
export function turnLines({ turns, rules }: RefinementReport, subject: RefineSubject): string[] {
  const shown = turns.slice(-shownTurns)
  const cut = turns.length > shown.length ? [`(the last ${shown.length} of ${turns.length})`] : []
  return [...cut, ...shown.map((turn) => `${whenOf(turn)}: ${formatTurn(turn, rules, subject)}`)]
}

const whenOf = ({ after }: Turn): string => (after === 0 ? 'at the start' : `after iteration ${after}`)

function formatTurn(turn: Turn, rules: RefinementReport['rules'], subject: RefineSubject): string {
  const [from, to] = [labelOf(turn.from, subject), labelOf(turn.to ?? '', subject)]
  switch (turn.did) {
    case 'escalate':
      return `escalated from ${from} to ${to}, since ${whyStronger(turn, rules, subject)}`
    case 'failover':
      return `went on with ${to} instead of ${from}, which ${faults[turn.about ?? ''] ?? 'did not answer'}`
    case 'wait': {
      const length = turn.waitMs ? `waited ${duration(turn.waitMs)}` : 'asked again'
      if (turn.why === 'outage') return `${length} for ${from} (${short(says(turn))})`
      return `${length}, since the judge ${from} ${turn.about === 'unreadable' ? 'cannot be read' : 'did not answer'}`
    }
    case 'pause':
      return turn.reason?.code === 'paused' ? 'paused by a person' : `asked: ${short(says(turn), 200)}`
  }
}

const says = ({ reason }: Turn): string => (reason ? formatReason(refinementReasons, reason) : '')

function whyStronger({ why, score }: Turn, rules: RefinementReport['rules'], { rules: config }: RefineSubject): string {
  if (why === 'score')
    return `${score === null ? 'the score' : formatPoints(score, rules)} is below ${rules.escalateScore}`
  if (why === 'soft-limit') return `${amount(config.escalateTokens)} tokens were reached`
  if (why === 'hard-limit') return 'the tokens were used up'
  return formatReason(refinementReasons, { code: why })
}

const faults: Readonly<Record<string, string>> = {
  limit: 'is at its rate limit',
  login: 'takes no call without a key or login',
  model: 'is not there',
}

/** "Llama 3.1 70B left 3 calls unanswered". */
export const formatDown = ({ down }: RefinementReport, subject: RefineSubject): string =>
  Object.entries(down)
    .map(([via, calls]) => `${labelOf(via, subject)} left ${plural(calls, 'call')} unanswered`)
    .join(', ')
