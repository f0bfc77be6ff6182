import type { RefineSubject } from '../../app/refine/subject.ts'
import type { ScoreTold } from '../../contract/refinement/told.ts'
import { plural } from './format.ts'
import { labelOf, short } from './refine-told.ts'

const mostWants = 3
/** From a standard error to the interval that holds four times out of five. */
const four = 1.28

/** A score with how sure it is and who gave it; below it what the judge still wants. */
export function scoreLines(
  title: string,
  told: ScoreTold & { readonly score: number },
  refine: RefineSubject,
): string[] {
  const { spread, judge, samples, issues, vetoes, unverified, better } = told
  const { stopScore, escalateScore } = refine.rules
  const marks = [
    short(refine.rubric),
    `judged by ${labelOf(judge, refine)}`,
    plural(samples, 'sample'),
    ...(told.selfJudged ? ['self-judged'] : []),
    ...(told.calibration ? [] : ['uncalibrated']),
  ]
  const open = issues.filter(({ state }) => state === 'open')
  return [
    `${title}: ${scoreText(told.score, [stopScore, escalateScore])} ± ${Math.round(four * spread)} (${marks.join(', ')})`,
    ...(vetoes.length > 0 ? [`  vetoed: ${vetoes.map((veto) => short(veto)).join(', ')}`] : []),
    ...(open.length > 0 ? [`  open: ${open.map(issueMark).join(', ')}`] : []),
    ...wants(told, refine),
    ...(unverified > 0 ? [`  ${plural(unverified, 'quote')} of the judge not found in the text`] : []),
    ...(better ? [] : ['  not better than before: the best so far stays']),
  ]
}

const issueMark = ({ id, severity, reopened, late }: ScoreTold['issues'][number]): string => {
  const marks = [severity === 'minor' && 'minor', late && 'late', reopened > 0 && `back ${plural(reopened, 'time')}`]
  const said = marks.filter((mark) => mark !== false && mark !== undefined)
  return said.length > 0 ? `${short(id)} (${said.join(', ')})` : short(id)
}

/** The words of the worst open issues, where they can be read. */
function wants({ issues, ledger }: ScoreTold, { issueTexts }: RefineSubject): string[] {
  const texts: ReadonlyMap<string, string> = ledger ? issueTexts(ledger) : new Map()
  return issues
    .filter(({ id, state, severity }) => state === 'open' && severity === 'major' && texts.has(id))
    .slice(0, mostWants)
    .map(({ id }) => `  ${short(id)}: ${short(texts.get(id)!, 200)}`)
}

/** In whole points, unless that would put it on the other side of a bound. */
function scoreText(score: number, bounds: readonly number[]): string {
  const whole = Math.round(score)
  const crosses = bounds.some((bound) => score < bound !== whole < bound)
  return String(crosses ? Math.floor(score * 10) / 10 : whole)
}
