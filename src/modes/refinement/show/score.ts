import { plural } from '../../../show/format.ts'
import type { ScoreTold } from '../contract/told.ts'
import { sayScore } from './say-score.ts'
import type { RefineSubject } from './subject.ts'
import { labelOf, short } from './told.ts'

const mostWants = 3

/** A score with how sure it is and who gave it; below it what the judge still wants. */
export function scoreLines(
  title: string,
  told: ScoreTold & { readonly score: number },
  refine: RefineSubject,
): string[] {
  const { spread, judge, samples, issues, vetoes, unverified, better } = told
  const marks = [
    short(refine.rubric),
    `judged by ${labelOf(judge, refine)}`,
    plural(samples, 'sample'),
    ...(told.selfJudged ? ['self-judged'] : []),
    ...(told.calibration ? [] : ['uncalibrated']),
  ]
  const open = issues.filter(({ state }) => state === 'open')
  return [
    `${title}: ${sayScore({ score: told.score, spread }, refine.rules)} (${marks.join(', ')})`,
    ...(vetoes.length > 0 ? [`  vetoed: ${vetoes.map((veto) => short(veto)).join(', ')}`] : []),
    ...(open.length > 0 ? [`  open: ${open.map(issueMark).join(', ')}`] : []),
    ...wants(told, refine),
    ...(unverified > 0 ? [`  ${plural(unverified, 'quote')} of the judge not found in the text`] : []),
    ...(better ? [] : ['  not better than before: the best so far stays']),
  ]
}

export const issueMark = ({ id, severity, reopened, late }: ScoreTold['issues'][number]): string => {
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
