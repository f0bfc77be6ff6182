import type { Rubric } from '../../contract/rubric.ts'
import { bandOf, confidenceOf, wantsAnother } from './band.ts'
import { failedChecks } from './checks.ts'
import { evaluatorId, type Judge } from './evaluator-id.ts'
import { isBlocking, issuesAfter } from './issues.ts'
import { type Asked, givenIn, judgeQuestion } from './question.ts'
import { type Reading, readReply } from './read-reply.ts'
import type { ScoringRules } from './rules.ts'
import type { Band, Calibration } from './score-data.ts'
import type { AskJudge, Issue, Scored } from './scored.ts'
import { type Weighed, weigh } from './weigh.ts'

export type ScoreOptions = {
  readonly rubric: Rubric
  readonly rules: ScoringRules
  readonly brief: { readonly task: string; readonly goal?: string | undefined }
  readonly material?: Asked['material']
  readonly feedback?: Asked['feedback']
  readonly phase: Asked['phase']
  /** Of this phase, from 1. */
  readonly iteration: number
  readonly text: string
  /** The best so far. */
  readonly base?: string | undefined
  /** Of this phase, open and fixed. */
  readonly issues: readonly Issue[]
  readonly calibration: Calibration | null
  readonly judge: Judge
  readonly selfJudged: boolean
  readonly ask: AskJudge
}

type Unavailable = Extract<Scored, { status: 'unavailable' }>

/** Has a text judged as often as it takes to be sure, at most as often as the rules allow. The judge scores; what follows from it is decided here. */
export async function scoreText(options: ScoreOptions): Promise<Scored> {
  const { rubric, rules, calibration, selfJudged } = options
  const readings: Reading[] = []
  const weighed = (): Weighed =>
    weigh(
      readings.map(({ dimensions }) => dimensions),
      { rubric, calibration, selfJudged },
    )
  do {
    const judged = await judgeOnce(options, readings.length + 1)
    if (judged.status === 'read') readings.push(judged.reading)
    else if (readings.length === 0) return judged
    // What was judged before still stands; nothing that was not read can turn it into a pass.
    else break
  } while (wantsAnother(weighed(), rules))
  return scored(options, { readings, weighed: weighed() })
}

/** An answer that cannot be read is asked for once more, with what was wrong. */
async function judgeOnce(
  { rubric, rules, brief, material, feedback, phase, text, issues, ask }: ScoreOptions,
  sample: number,
): Promise<{ readonly status: 'read'; readonly reading: Reading } | Unavailable> {
  const { task, goal } = brief
  const asked: Asked = { rubric, scale: rules.scale, task, goal, material, feedback, phase, text, issues, sample }
  let why: string | undefined
  for (const key of [`judge-${sample}`, `judge-${sample}-again`]) {
    const answer = await ask(judgeQuestion({ ...asked, unreadable: why }), key, 'judge')
    if (answer.status !== 'ok') return { status: 'unavailable', why: answer.status, detail: answer.detail }
    const read = readReply(answer.text, { ...asked, given: givenIn(asked) })
    if (read.status === 'read') return read
    why = read.why
  }
  return { status: 'unavailable', why: 'unreadable', detail: why! }
}

function scored(
  options: ScoreOptions,
  { readings, weighed }: { readings: readonly Reading[]; weighed: Weighed },
): Scored {
  const { rubric, rules, text, judge, calibration, selfJudged } = options
  const { raw, score, spread, dimensions } = weighed
  const unverified = readings.reduce((sum, reading) => sum + reading.unverified, 0)
  const vetoes = [...belowFloor(weighed, rubric, rules), ...failedChecks(text, rubric.checks)]
  const issues = issuesAfter({ ...options, known: options.issues, readings })
  const isHeld = vetoes.length > 0 || (rules.decidesBy === 'interval' && issues.some(isBlocking))
  const band: Band = bandOf(weighed, rules)
  return {
    status: 'scored',
    band: band === 'pass' && isHeld ? 'retry' : band,
    raw,
    score,
    spread,
    dimensions,
    confidence: confidenceOf(weighed, { ...rules, selfJudged, unverified }),
    samples: readings.length,
    evaluator: evaluatorId(rubric, judge, rules),
    calibration,
    judge: judge.via,
    selfJudged,
    vetoes,
    unverified,
    issues,
  }
}

/** On a scale of levels the nearest half counts: a calibration that moves a 3 by a hair does not make it a 2.5. */
function belowFloor({ dimensions }: Weighed, rubric: Rubric, { scale }: ScoringRules): readonly string[] {
  return rubric.dimensions.flatMap(({ id, floor }) => {
    const value = scale === 'anchored' ? Math.round(dimensions[id]! / 10) * 10 : dimensions[id]!
    return value < floor ? [`${id} ${value} < ${floor}`] : []
  })
}
