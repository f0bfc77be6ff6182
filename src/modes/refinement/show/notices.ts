import type { Notice } from '../../../contract/show.ts'
import { formatReason } from '../../../show/reasons.ts'
import { refinementReasons } from '../core/reasons.ts'
import type { RefinementReport } from './report/facts.ts'
import { formatShortfall } from './shortfall.ts'

/** What a notice is about, as a code; the heaviest first. */
const weights = {
  asks: 100,
  'no-text': 90,
  'not-judged': 80,
  vetoed: 70,
  'score-too-low': 60,
  contested: 50,
  unheard: 40,
  'judge-unsure': 30,
  'bound-not-held': 20,
} as const
type About = keyof typeof weights

type Rule = (report: RefinementReport) => Notice | undefined

const most = 3

/** What a person should know of a refinement before anything else: what it asks, then why its text is not to be trusted. */
export const refinementNotices = (report: RefinementReport): Notice[] =>
  rules
    .flatMap((rule) => rule(report) ?? [])
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, most)

const notice = (about: About, says: string): Notice => ({ about, weight: weights[about], says, lines: [] })

const asks: Rule = ({ question }) => {
  if (!question) return undefined
  const { topic } = question
  const what =
    topic.code === 'paused' ? 'it is paused and waits for you' : `it asks: ${formatReason(refinementReasons, topic)}`
  return notice('asks', what)
}

const noText: Rule = ({ reason, output }) =>
  reason !== null && !output ? notice('no-text', 'there is no text') : undefined

const unjudged: Rule = ({ output, best }) => {
  if (output?.kind === 'single-shot') return notice('not-judged', 'the text is one plain answer that no judge has seen')
  return output && !best ? notice('not-judged', 'no judge has seen the text') : undefined
}

/** Of a text that a person took all the same: of others it is why they fell short. */
const vetoed: Rule = ({ best, phases: { done, of } }) =>
  done === of && best?.judged?.vetoes.length
    ? notice('vetoed', `the text is vetoed: ${best.judged.vetoes.join(', ')}`)
    : undefined

const tooLow: Rule = ({ reason, best, issues, rules: bounds, phases: { done, of } }) => {
  if (reason === null || !best?.judged || done === of) return undefined
  const left = of === null ? '' : `; ${done} of ${of} phases are done`
  if (best.judged.band === 'pass') return notice('score-too-low', `the text is that of phase ${best.phase}${left}`)
  return notice('score-too-low', `the best text: ${formatShortfall(best.judged, issues, bounds)}${left}`)
}

const contested: Rule = ({ issues }) => {
  const ids = issues.filter(({ reopened }) => reopened >= 2).map(({ id }) => id)
  return ids.length > 0 ? notice('contested', `came back after it was fixed: ${ids.join(', ')}`) : undefined
}

const unheard: Rule = ({ feedback: { given, told } }) =>
  given > told ? notice('unheard', 'the text does not know yet what was said last') : undefined

const doubtful: Rule = ({ best }) => {
  if (!best?.judged) return undefined
  const { selfJudged, calibrated, unverified } = best.judged
  if (selfJudged && !calibrated)
    return notice('judge-unsure', 'the model judged what it wrote itself, and nobody measured how it judges')
  if (unverified > 0) return notice('judge-unsure', `${unverified} quotes of the judge are not in the text`)
  return undefined
}

const unheld: Rule = ({ bounds }) =>
  bounds.some(({ atLeast }) => atLeast)
    ? notice('bound-not-held', 'not every call told what it used: the bounds count only the others')
    : undefined

const rules: readonly Rule[] = [asks, noText, unjudged, vetoed, tooLow, contested, unheard, doubtful, unheld]
