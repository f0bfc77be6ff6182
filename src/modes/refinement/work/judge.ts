import type { Room } from '../../../calls/measure-room.ts'
import type { Verdict } from '../../../contract/event.ts'
import type { Rung } from '../../../contract/models.ts'
import type { Rubric } from '../../../contract/rubric.ts'
import { calibrate } from '../../../judging/scoring/calibrate.ts'
import { evaluatorId } from '../../../judging/scoring/evaluator-id.ts'
import { judgeTemperature } from '../../../judging/scoring/question.ts'
import type { AskJudge, Calibration } from '../../../judging/scoring/score-data.ts'
import { scoreText } from '../../../judging/scoring/score-text.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { RefineConfig } from '../contract/config.ts'
import type { Brief } from '../contract/request.ts'
import type { NoScoreData, ScoreData } from '../core/event-data.ts'
import type { RefinementMemo } from '../core/memo.ts'
import { pruneText } from '../core/prune.ts'
import { type Asked, ask, findRung, isOverhead, measure } from './call.ts'
import { gatherMaterial } from './material.ts'
import type { RefinementTools } from './tools.ts'

type JudgedAttempt = View<RefinementMemo>

export type Judging = (a: Attempt, view: JudgedAttempt, signal: AbortSignal) => Promise<Verdict>

/** Remembers judges that could not be calibrated, so that each is tried once per run. */
export function createJudging(tools: RefinementTools): Judging {
  const failedCalibrations = new Set<string>()
  return (a, view, signal) => judge(a, view, { ...tools, failedCalibrations }, signal)
}

type JudgeTools = RefinementTools & { readonly failedCalibrations: Set<string> }

async function judge(a: Attempt, view: JudgedAttempt, tools: JudgeTools, signal: AbortSignal): Promise<Verdict> {
  const { memo, state } = view
  const { rules, judges } = tools.request
  const via = judges[Math.min(memo.judge, judges.length - 1)]!
  const { outcome } = state
  if (outcome?.status !== 'ok' || !outcome.output) return noText(via, outcome?.detail)
  const rung = findRung(tools, via)
  const rubric = await tools.rubric()
  const asking = askJudge(a, via, tools, signal)
  const who = { via, model: rung.model }
  const known = await getCalibration(view, { rubric, rules, judge: who, ask: asking.ask }, tools)
  if (known === 'unavailable') return noScore(via, 'down', 'the judge could not be calibrated', asking.last()?.retryAt)
  if (known === 'blind') return noScore(via, 'unreadable', 'the judge cannot tell good texts from bad ones', undefined)
  const { brief, phases, base, issues, feedback } = await gatherMaterial(memo, tools)
  const phase = phases[memo.phase - 1]
  const text = new TextDecoder().decode(await tools.content.get(outcome.output))
  const scored = await scoreText({
    rubric,
    rules,
    brief,
    material: buildMaterial(brief, tools),
    feedback,
    phase: { title: phase?.title ?? '', aim: phase?.aim ?? '', number: memo.phase, of: phases.length },
    iteration: memo.iterations.filter(({ phase }) => phase === memo.phase).length + 1,
    text,
    base,
    issues,
    calibration: known,
    judge: who,
    selfJudged: isSame(findRung(tools, state.via), rung),
    ask: asking.ask,
  })
  if (scored.status === 'unavailable') {
    // The next judge may have a larger context.
    const isNext = asking.short() === 'context' && memo.judge + 1 < judges.length
    const why = isNext ? 'unreadable' : scored.why
    const last = asking.last()
    // A call that failed says more than that there are no scores in its answer.
    const failure = scored.why === 'unreadable' && last?.status === 'failed' ? last.detail : undefined
    return noScore(via, why, failure ?? scored.detail, last?.retryAt)
  }
  const { status: _, score, issues: found, ...parts } = scored
  const passed = parts.band === 'pass'
  const same = JSON.stringify(found) === JSON.stringify(issues)
  const ledger = same ? memo.ledger : await tools.content.put('issues.json', JSON.stringify(found))
  const data: ScoreData = {
    ...parts,
    issues: found.map(({ id, state: standing, severity, reopened, late }) => ({
      id,
      state: standing,
      severity,
      reopened,
      ...(late && { late }),
    })),
    ledger: ledger ?? null,
    better: passed || !memo.best || score > memo.best.score,
  }
  return { status: passed ? 'passed' : 'failed', score, evidence: asking.last()?.output, data }
}

/** The original text in full, and as much context as a writer sees. */
function buildMaterial(brief: Brief, tools: RefinementTools): readonly { name: string; text: string }[] {
  const { rules } = tools.request
  const { pieces } = pruneText(
    brief.context.map(({ name, text }) => ({ label: name, text })),
    {
      tokens: rules.contextTokens,
      about: `${brief.task} ${brief.goal ?? ''}`,
      estimateTokens: tools.estimateTokens,
      elapsed: tools.elapsed,
      deadline: tools.elapsed() + rules.stepLimits.pruneMs,
    },
  )
  const original = brief.text === undefined ? [] : [{ name: 'the text before', text: brief.text }]
  return [...original, ...pieces.map(({ label, text }) => ({ name: label, text }))]
}

/** True if a model judges its own text. Agents do not report their model. */
const isSame = (writer: Rung, judging: Rung): boolean =>
  writer.id === judging.id || (writer.model !== '' && writer.model === judging.model)

/** Returns a function that asks the judge within its budget and records the calls. */
function askJudge(
  a: Attempt,
  via: string,
  tools: RefinementTools,
  signal: AbortSignal,
): { ask: AskJudge; last: () => Asked | undefined; short: () => Room['short'] } {
  let asked: Asked | undefined
  let short: Room['short']
  const askOne: AskJudge = async (question, name, role) => {
    // Recorded answers of another judge must not be reused.
    const key = `${via}/${name}`
    const room = measure(a, question, via, isOverhead(tools, role), tools)
    short = a.recorded(key) ? undefined : room.short
    if (short) return { status: 'budget', detail: `judging does not fit: ${room.says}` }
    const { judgeMs: limitMs } = tools.request.rules.stepLimits
    const temperature = judgeTemperature
    asked = await ask(a, { ...question, key, via, role, temperature, limitMs }, room, tools, signal)
    if (asked.status === 'unavailable' || asked.data.fault === 'stopped') {
      return { status: 'down', detail: asked.detail ?? 'no answer' }
    }
    // A refusal or an empty answer counts as unparsable.
    return { status: 'ok', text: asked.status === 'ok' ? asked.text : '' }
  }
  return { ask: askOne, last: () => asked, short: () => short }
}

type CalibrationInput = {
  readonly rubric: Rubric
  readonly rules: RefineConfig
  readonly judge: { readonly via: string; readonly model: string }
  readonly ask: AskJudge
}

/** Returns the calibration of this run, of an earlier one, or a new one. Null if none is wanted or possible. */
async function getCalibration(
  { memo }: JudgedAttempt,
  input: CalibrationInput,
  tools: JudgeTools,
): Promise<Calibration | null | 'unavailable' | 'blind'> {
  const { rules, rubric, judge: who } = input
  const known = memo.calibrations[who.via]
  if (known) return known
  const differ = tools.request.judges[0] !== who.via
  const wanted = rules.calibrates === 'always' || (rules.calibrates === 'when-models-differ' && differ)
  if (!wanted || rubric.anchors.length === 0) return null
  const id = evaluatorId(rubric, who, rules)
  const earlier = await tools.calibrations.get(id)
  if (earlier) return earlier
  if (tools.failedCalibrations.has(id)) return null
  const says = `calibrating the judge with ${rubric.anchors.length} texts, once`
  tools.onProgress?.({ phase: 'model', role: 'calibrate', via: who.via, says })
  const { calibration, why } = await calibrate(input)
  if (why === 'down') return 'unavailable'
  if (why === 'blind') return 'blind'
  if (calibration) await tools.calibrations.put(id, calibration)
  else tools.failedCalibrations.add(id)
  return calibration
}

const noText = (via: string, detail = 'there is no text to judge'): Verdict => ({
  status: 'failed',
  detail,
  data: { why: 'no-text', judge: via } satisfies NoScoreData,
})

const noScore = (via: string, why: NoScoreData['why'], detail: string, retryAt: number | undefined): Verdict => ({
  status: 'unavailable',
  detail,
  retryAt,
  data: { why, judge: via } satisfies NoScoreData,
})
