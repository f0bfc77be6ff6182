import type { Outcome, Verdict } from '../../../contract/event.ts'
import { type AnswerMarkers, chooseMarkers, extractText } from '../../../judging/text/extract-text.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Attempt, Work } from '../../../kernel/run.ts'
import type { AttemptData, PhasesData } from '../core/event-data.ts'
import { listMeasures } from '../core/measures.ts'
import type { RefinementMemo } from '../core/memo.ts'
import { fallbackPhases, phasesSchema, readPhases } from '../core/phases.ts'
import { decomposePrompt, generatePrompt, type Prompt, singleShotPrompt } from '../core/prompts.ts'
import { pruneText } from '../core/prune.ts'
import { findStronger, isPastSoftLimit } from '../core/rules.ts'
import { type Asked, ask, isOverhead, measure, type Question } from './call.ts'
import { createJudging } from './judge.ts'
import { gatherMaterial, type Material } from './material.ts'
import type { RefinementTools } from './tools.ts'

type MemoView = View<RefinementMemo>

/** The work of a run: plans the phases, writes a text, scores it, tries a single shot. */
export function refinementWork(tools: RefinementTools): Work<RefinementMemo> {
  const judge = createJudging(tools)
  const attempt: Work<RefinementMemo>['attempt'] = (a, view, signal) => {
    const key = callKey(a)
    if (key === 'decompose') return decompose(a, tools, signal)
    return key === 'single-shot' ? singleShot(a, view, tools, signal) : generate(a, view, tools, signal)
  }
  return {
    attempt,
    evaluate: async (a, view, signal) =>
      a.task.kind === 'chore' ? toVerdict(view.state.outcome) : judge(a, view, signal),
    // An answer that was recorded before a crash is used, not asked for again.
    recover: async (a, view) => (a.recorded(callKey(a)) ? attempt(a, view, new AbortController().signal) : undefined),
  }
}

/** Returns the key of the call that an attempt makes. */
const callKey = ({ task: { id } }: Attempt): 'decompose' | 'single-shot' | 'generate' =>
  id === 'decompose' || id === 'single-shot' ? id : 'generate'

const toVerdict = (outcome: Outcome | undefined): Verdict => ({
  status: outcome?.status === 'ok' ? 'passed' : 'failed',
})

/** Seed 000: the model plans three to five phases. Fallback: the three of the seed. */
async function decompose(a: Attempt, tools: RefinementTools, signal: AbortSignal): Promise<Outcome> {
  const { phases, stepLimits } = tools.request.rules
  const prompt = { ...decomposePrompt(await tools.brief(), phases.least, phases.most), schema: phasesSchema }
  const room = measure(a, prompt, a.via, isOverhead(tools, 'decompose'), tools)
  if (!room.fits && !a.recorded('decompose')) return keepPhases(undefined, room.says, tools)
  const question = { ...prompt, key: 'decompose', role: 'decompose', temperature: 0.2 } as const
  const asked = await ask(a, { ...question, via: a.via, limitMs: stepLimits.decomposeMs }, room, tools, signal)
  if (asked.status === 'unavailable') return unavailableOutcome(asked, { iteration: 0, prunedTokens: 0, feedback: 0 })
  const read = asked.status === 'ok' ? readPhases(asked.text, phases.least, phases.most) : undefined
  return keepPhases(read, asked.detail ?? "the model's plan could not be parsed", tools)
}

async function keepPhases(
  read: ReturnType<typeof readPhases>,
  why: string,
  { content }: RefinementTools,
): Promise<Outcome> {
  const kept = read ?? fallbackPhases
  const data: PhasesData = {
    phases: kept.length,
    source: read ? 'model' : 'fallback',
    ...(!read && { why: why.slice(0, 200) }),
  }
  return { status: 'ok', output: await content.put('phases.json', JSON.stringify(kept)), data }
}

async function generate(a: Attempt, view: MemoView, tools: RefinementTools, signal: AbortSignal): Promise<Outcome> {
  const { request, estimateTokens } = tools
  const { rules } = request
  const { memo, state } = view
  const begun: AttemptData = { iteration: state.attempts + 1, prunedTokens: 0, feedback: memo.known }
  const earlier = a.recorded('generate')
  if (!earlier && !state.grace && isPastSoftLimit(request, view) && findStronger(request, view)) {
    return skippedOutcome(
      { ...begun, crossing: 'soft' },
      'above the token count from which a stronger model takes over',
    )
  }
  const [{ before, phases, ...material }, rubric] = await Promise.all([gatherMaterial(memo, tools), tools.rubric()])
  const measures = listMeasures(rubric, rules)
  const markers = pickMarkers({ ...material, before })
  const phase = phases[memo.phase - 1]!
  const compose = (pieces: typeof before): Prompt =>
    generatePrompt({ ...material, markers, measures, phase, number: memo.phase, of: phases.length, before: pieces })
  const bare = compose([])
  const bareTokens = before.length ? estimateTokens(bare.system) + estimateTokens(bare.prompt) : 0
  const leftTokens = a.left().tokens + (earlier?.usage.tokens ?? 0)
  const { prunedTokens, pieces } = pruneText(before, {
    tokens: Math.max(0, Math.min(rules.contextTokens, leftTokens - bareTokens - 4 * rules.leastOutputTokens)),
    about: `${material.brief.task} ${material.brief.goal ?? ''} ${phase.title} ${phase.aim}`,
    estimateTokens,
    elapsed: tools.elapsed,
    deadline: tools.elapsed() + rules.stepLimits.pruneMs,
  })
  const prompt = pieces.length ? compose(pieces) : bare
  const room = measure(a, prompt, a.via, false, tools)
  const seen = { ...begun, prunedTokens }
  if (!earlier && room.short) {
    const { needsTokens, short } = room
    return skippedOutcome({ ...seen, crossing: 'hard', needsTokens, fault: short }, room.says)
  }
  const question: Question = {
    ...prompt,
    key: 'generate',
    via: a.via,
    role: 'generate',
    temperature: 0.7,
    limitMs: rules.stepLimits.generateMs,
  }
  const asked = await ask(a, question, room, tools, signal)
  if (asked.status === 'unavailable') return unavailableOutcome(asked, seen)
  const { status, output, detail, text } = await takeText(asked, markers, material, tools)
  const mark = status === 'ok' ? { mark: tools.markOf(text) } : {}
  return { status, output, detail, data: { ...seen, ...mark, ...callFaultData(asked) } }
}

async function singleShot(
  a: Attempt,
  { memo }: MemoView,
  tools: RefinementTools,
  signal: AbortSignal,
): Promise<Outcome> {
  const { brief, feedback } = await gatherMaterial(memo, tools)
  const markers = pickMarkers({ brief, feedback, base: undefined, before: [] })
  const prompt = singleShotPrompt(brief, feedback, markers)
  const room = measure(a, prompt, a.via, false, tools)
  if (!room.fits && !a.recorded('single-shot')) {
    return { status: 'failed', detail: `one more call does not fit: ${room.says}` }
  }
  const { generateMs: limitMs } = tools.request.rules.stepLimits
  const question: Question = {
    ...prompt,
    key: 'single-shot',
    via: a.via,
    role: 'single-shot',
    temperature: 0.7,
    limitMs,
  }
  const asked = await ask(a, question, room, tools, signal)
  const { status, output, detail } = await takeText(asked, markers, { brief, base: undefined }, tools)
  return { status: status === 'ok' ? 'ok' : 'failed', output, detail }
}

type Seen = Pick<Material, 'brief' | 'base' | 'before' | 'feedback'>

const pickMarkers = ({ brief: { task, goal = '', text = '' }, base = '', before, feedback }: Seen): AnswerMarkers =>
  chooseMarkers([task, goal, text, base, ...before.map((piece) => piece.text), ...feedback])

/** Takes the text out of a reply, so that the text that is judged is the one that is written. The reply itself stays in the run. */
async function takeText(
  asked: Asked,
  markers: AnswerMarkers,
  { brief, base }: Pick<Seen, 'brief' | 'base'>,
  { content }: RefinementTools,
): Promise<Pick<Asked, 'status' | 'text' | 'output' | 'detail'>> {
  if (asked.status !== 'ok') return asked
  const text = extractText(
    asked.text,
    markers,
    [brief.text, base].filter((source) => source !== undefined),
  )
  if (text === asked.text) return asked
  if (text.trim() === '') return { status: 'failed', text: '', detail: 'an empty answer' }
  return { ...asked, text, output: await content.put('text.md', text) }
}

/** For a call that was not made. Nothing was spent; the policy decides what follows. */
const skippedOutcome = (data: AttemptData, detail: string): Outcome => ({ status: 'unavailable', detail, data })

const unavailableOutcome = (asked: Asked, data: AttemptData): Outcome => ({
  status: 'unavailable',
  detail: asked.detail,
  retryAt: asked.retryAt,
  data: { ...data, ...callFaultData(asked) },
})

const callFaultData = ({ data: { fault, cut } }: Asked): Partial<AttemptData> => ({
  ...(fault && { fault }),
  ...(cut && { cut }),
})
