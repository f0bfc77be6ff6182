import type { IssueMark } from '../../../judging/scoring/score-data.ts'
import { formatScore } from './format.ts'
import type { Judgement } from './report/iterations.ts'

type Bounds = { readonly stopScore: number; readonly escalateScore: number }

/** Says why a text is not good enough: "score 76 ± 5 stayed below 80". */
export function formatShortfall(judged: Judgement, issues: readonly IssueMark[], bounds: Bounds): string {
  const { stopScore, escalateScore } = bounds
  const score = `score ${formatScore(judged, bounds)}`
  if (judged.band === 'escalate') return `${score} is below ${escalateScore}`
  if (judged.score < stopScore) return `${score} stayed below ${stopScore}`
  if (judged.vetoes.length > 0) return `${score}, but vetoed: ${judged.vetoes.join(', ')}`
  const open = issues.filter(({ state, severity, late }) => state === 'open' && severity === 'major' && !late)
  if (open.length > 0) return `${score}, but still open: ${open.map(({ id }) => id).join(', ')}`
  return `${score} is not clearly above ${stopScore}`
}
