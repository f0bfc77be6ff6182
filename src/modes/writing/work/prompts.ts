import type { Prompt } from '../../../calls/measure-room.ts'
import type { View } from '../../../kernel/policy.ts'
import { StoredVerdict } from '../contract/verdict.ts'
import { digestHistory } from '../core/history.ts'
import type { WritingMemo } from '../core/memo.ts'
import { type Document, fitDocuments } from '../core/reply/documents.ts'
import type { WritingTools } from './tools.ts'

type Values = Readonly<Record<string, unknown>>

/** Renders both parts of a prompt: `<step>-system.liquid` and `<step>.liquid`. */
export const renderPrompt = (step: string, values: Values, tools: WritingTools): Prompt => ({
  system: tools.render(`${step}-system`, values).trim(),
  prompt: `${tools.render(step, values).trim()}\n`,
})

/** What every prompt is given: the work, the texts it is based on, and the iterations so far. */
export function commonValues(tools: WritingTools, keep: ReadonlySet<string> = new Set()) {
  const { base, level, brief, request, estimateTokens } = tools
  const { lines: history, omitted } = digestHistory(base.history, {
    tokens: request.rules.historyTokens,
    estimateTokens,
  })
  const { documents: context } = fitDocuments(contextDocuments(tools), {
    tokens: Math.floor(contextTokens(tools) * contextShare),
    estimateTokens,
    keep,
  })
  const { project, taxonomy } = base
  return { project, level, taxonomy, context, history, omitted, feedback: brief.feedback }
}

/** The part of the model's context that may be used by texts of other levels, and by the files of this one. */
const contextShare = 0.35
export const filesShare = 0.35

/** The smallest context of the models that see the texts, without room for the reply. */
export function contextTokens({ request, rungOf }: WritingTools): number {
  const { writer, judge, describer, rules } = request
  const smallest = Math.min(...[writer, judge, describer].map((id) => rungOf(id).contextTokens))
  return Math.max(1000, smallest - rules.outputTokens)
}

const contextDocuments = ({ base }: WritingTools): readonly Document[] =>
  base.context.flatMap(({ files }) => files.map(({ path, text }) => ({ name: path, text })))

/** What the person asks for, and what the judge said about earlier attempts of this run. */
export async function readFeedback({ memo }: Pick<View<WritingMemo>, 'memo'>, tools: WritingTools) {
  const { content } = tools
  const read = async (ref: WritingMemo['edits'][number]): Promise<string> =>
    new TextDecoder().decode(await content.get(ref))
  const stored = await Promise.all(memo.verdicts.map(async (ref) => StoredVerdict.parse(JSON.parse(await read(ref)))))
  const ledger = stored.at(-1)?.ledger ?? []
  const first = memo.attempts - stored.length + 1
  return {
    feedback: await findFeedback(memo, tools),
    ledger,
    verdicts: stored.map(({ reasoning, suggestions }, at) => ({ attempt: first + at, reasoning, suggestions })),
    open: ledger.filter(({ state }) => state === 'open').map(({ text }) => text),
    fixed: ledger.filter(({ state }) => state === 'fixed').map(({ text }) => text),
  }
}

/** What the person asks for: the feedback of the start, or what it was changed to after an attempt. */
export async function findFeedback({ edits }: WritingMemo, { brief, content }: WritingTools): Promise<string> {
  const last = edits.at(-1)
  return last ? new TextDecoder().decode(await content.get(last)) : brief.feedback
}
