import type { Outcome, Verdict } from '../../../contract/event.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Attempt } from '../../../kernel/run.ts'
import { Draft } from '../contract/request.ts'
import { JudgeReply, type StoredVerdict } from '../contract/verdict.ts'
import { contradictsItself, decideTie, rejectBroken, storeVerdict } from '../core/judge.ts'
import type { WritingMemo } from '../core/memo.ts'
import { type Document, fitDocuments } from '../core/reply/documents.ts'
import { askForObject, NoAnswerError, type Read } from './call.ts'
import { fitOptions } from './draft.ts'
import { commonValues, readFeedback, renderPrompt } from './prompts.ts'
import type { WritingTools } from './tools.ts'

type MemoView = View<WritingMemo>

/** Judges an attempt: first by code, then by a model. A generated text is checked by code alone. */
export async function evaluateDraft(
  a: Attempt,
  view: MemoView,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<Verdict> {
  const outcome = view.state.outcome!
  const said = await readFeedback(view, tools)
  const { ledger } = said
  const attempt = view.memo.attempts
  const broken = outcome.status === 'ok' ? (await readDraft(outcome, tools)).problems : [describeFailure(outcome)]
  if (broken.length > 0) return toVerdict(rejectBroken(broken, ledger, attempt), attempt, tools)
  if (tools.request.kind !== 'iterate') return { status: 'passed' }
  try {
    const judged = await judge(a, await readDraft(outcome, tools), said, tools, signal)
    if ('unreadable' in judged)
      return { status: 'unavailable', detail: `unreadable: ${judged.unreadable}`, data: { why: 'unreadable' } }
    return await toVerdict(storeVerdict(judged.value, ledger, attempt, judged.by), attempt, tools)
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error
    const { detail, retryAt } = error.outcome
    return { status: 'unavailable', detail, ...(retryAt !== undefined && { retryAt }), data: { why: 'down' } }
  }
}

const describeFailure = ({ detail, status }: Outcome): string =>
  status === 'timed-out' ? 'The model took too long.' : `The model returned no text: ${detail ?? 'no reason given'}.`

async function toVerdict(stored: StoredVerdict, attempt: number, tools: WritingTools): Promise<Verdict> {
  const text = `${JSON.stringify(stored, null, 2)}\n`
  tools.debug(`attempt_${attempt}_judge_verdict.json`, text)
  const evidence = await tools.content.put('verdict.json', text)
  const issues = stored.ledger.filter(({ state }) => state === 'open').length
  return {
    status: stored.verdict === 'approved' ? 'passed' : 'failed',
    evidence,
    data: { verdict: stored.verdict, by: stored.by, issues },
  }
}

export const readDraft = async ({ output }: Pick<Outcome, 'output'>, { content }: WritingTools): Promise<Draft> =>
  Draft.parse(JSON.parse(new TextDecoder().decode(await content.get(output!))))

type Judged = Read<JudgeReply> & { readonly by: StoredVerdict['by'] }

/** The judge's temperature of the seed. */
const judgeTemperature = 0.1

/** Asks the judge, and a second one if its verdict contradicts its own ratings. */
async function judge(
  a: Attempt,
  draft: Draft,
  said: Pick<Awaited<ReturnType<typeof readFeedback>>, 'ledger' | 'feedback'>,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<Judged> {
  const { request } = tools
  const prompt = renderPrompt('judge', judgeValues(draft, said, tools), tools)
  const step = { ...prompt, role: 'judge', temperature: judgeTemperature } as const
  const first = await askForObject(a, { ...step, key: 'judge', via: request.judge }, JudgeReply, tools, signal)
  if ('unreadable' in first || !contradictsItself(first.value)) return { ...first, by: 'judge' }
  const again = { ...step, key: 'judge-second', via: request.secondJudge }
  const second = await askForObject(a, again, JudgeReply, tools, signal)
  return { value: 'value' in second ? decideTie(first.value, second.value) : first.value, by: 'second' }
}

/** Old and new texts of the changed files in full; the other files as far as there is room. */
function judgeValues(
  draft: Draft,
  { ledger, feedback }: Pick<Awaited<ReturnType<typeof readFeedback>>, 'ledger' | 'feedback'>,
  tools: WritingTools,
) {
  const before = new Map(tools.base.files.map(({ path, text }) => [path, text]))
  const entries = Object.entries(draft.files)
  const isChanged = (path: string): boolean => path in draft.files
  const unchanged = [...before].flatMap(([name, text]): Document[] => (isChanged(name) ? [] : [{ name, text }]))
  const fitted = fitDocuments(unchanged, fitOptions(tools))
  return {
    ...commonValues(tools),
    feedback,
    issues: ledger,
    unchanged: fitted.documents,
    outlined: fitted.isShortened,
    before: entries.map(([name]) => ({ name, text: before.get(name) ?? '(a new file)' })),
    after: entries.flatMap(([name, text]) => (text === null ? [] : [{ name, text }])),
    removed: entries.flatMap(([name, text]) => (text === null ? [name] : [])),
    ripples: draft.ripples,
  }
}
