import { amount, duration, plural } from '../../../show/format.ts'
import { sayReason } from '../../../show/words.ts'
import { refinementReasons } from '../core/reasons.ts'
import type { RefinementReport } from './report/report.ts'
import type { Turn } from './report/turns.ts'
import { sayPoints } from './say-score.ts'
import type { RefineSubject } from './subject.ts'
import { labelOf, short } from './told.ts'

const shownTurns = 10

/** Where it left its straight way, and why. */
export function turnLines({ turns, rules }: RefinementReport, refine: RefineSubject): string[] {
  const shown = turns.slice(-shownTurns)
  const cut = turns.length > shown.length ? [`(the last ${shown.length} of ${turns.length})`] : []
  return [...cut, ...shown.map((turn) => `${whenOf(turn)}: ${sayTurn(turn, rules, refine)}`)]
}

const whenOf = ({ after }: Turn): string => (after === 0 ? 'at the start' : `after iteration ${after}`)

function sayTurn(turn: Turn, rules: RefinementReport['rules'], refine: RefineSubject): string {
  const [from, to] = [labelOf(turn.from, refine), labelOf(turn.to ?? '', refine)]
  switch (turn.did) {
    case 'escalate':
      return `escalated from ${from} to ${to}, since ${whyStronger(turn, rules, refine)}`
    case 'failover':
      return `went on with ${to} instead of ${from}, which ${faults[turn.about ?? ''] ?? 'did not answer'}`
    case 'wait': {
      const length = turn.waitMs ? `waited ${duration(turn.waitMs)}` : 'asked again'
      if (turn.why === 'outage') return `${length} for ${from} (${short(turn.about ?? '')})`
      return `${length}, since the judge ${from} ${turn.about === 'unreadable' ? 'cannot be read' : 'did not answer'}`
    }
    case 'pause':
      return turn.about === 'paused'
        ? 'paused by a person'
        : `asked: ${short(sayReason(refinementReasons, turn.about ?? ''), 200)}`
  }
}

function whyStronger({ why, score }: Turn, rules: RefinementReport['rules'], { rules: config }: RefineSubject): string {
  if (why === 'score')
    return `${score === null ? 'the score' : sayPoints(score, rules)} is below ${rules.escalateScore}`
  if (why === 'soft-limit') return `${amount(config.escalateTokens)} tokens were reached`
  if (why === 'hard-limit') return 'the tokens were used up'
  return sayReason(refinementReasons, why)
}

const faults: Readonly<Record<string, string>> = {
  limit: 'is at its rate limit',
  login: 'takes no call without a key or login',
  model: 'is not there',
}

/** "Llama 3.1 70B left 3 calls unanswered". */
export const downWords = ({ down }: RefinementReport, refine: RefineSubject): string =>
  Object.entries(down)
    .map(([via, calls]) => `${labelOf(via, refine)} left ${plural(calls, 'call')} unanswered`)
    .join(', ')
