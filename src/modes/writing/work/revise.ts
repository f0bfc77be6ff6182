import type { View } from '../../../kernel/policy.ts'
import type { Attempt } from '../../../kernel/run.ts'
import { formatLevelPath, listLevelFiles, parsePartNumber } from '../core/level/levels.ts'
import { findScope } from '../core/level/scope.ts'
import type { WritingMemo } from '../core/memo.ts'
import { PlanReply, planWithoutReply, type RevisionPlan, readPlan } from '../core/pieces.ts'
import { fitDocuments } from '../core/reply/documents.ts'
import { checkStructure } from '../core/reply/structure.ts'
import { askForObject } from './call.ts'
import { currentTexts, fitOptions, listSources, type Made, matchEnd, toDocuments, toDraft } from './draft.ts'
import { commonValues, readFeedback, renderPrompt } from './prompts.ts'
import type { WritingTools } from './tools.ts'
import { type PieceContext, writePieces } from './write-pieces.ts'

type MemoView = View<WritingMemo>

/** Changes the files of a level as the person asks: those that the feedback concerns, and no others. */
export async function revise(a: Attempt, view: MemoView, tools: WritingTools, signal: AbortSignal): Promise<Made> {
  const { level } = tools
  const current = currentTexts(tools)
  const said = await readFeedback(view, tools)
  const { pieces, removed } = await planRevision(a, current, said, tools, signal)
  const common = commonValues(tools)
  const about: PieceContext = {
    step: 'write',
    temperature: level.revisionTemperature ?? level.temperature,
    current,
    sources: listSources(tools, current),
    values: (group, written) => {
      const names = new Set(group.map(({ name }) => name))
      const others = toDocuments(current, (name) => !names.has(name) && !written.has(name))
      const fitted = fitDocuments(others, fitOptions(tools))
      const done = fitDocuments(
        toDocuments(written, () => true),
        fitOptions(tools),
      )
      const isLead = (name: string): boolean => name === level.series?.lead
      return {
        ...common,
        ...said,
        others: fitted.documents,
        written: done.documents,
        outlined: fitted.isShortened || done.isShortened,
        files: group.map(({ name }) => ({ name, text: current.get(name) ?? '(new)' })),
        must: group.filter(({ isRipple }) => !isRipple),
        may: group.filter(({ isRipple }) => isRipple),
        rules: group.every(({ name }) => isLead(name)) ? level.leadRules : level.rules,
      }
    },
  }
  const { texts, raw } = await writePieces(a, pieces, about, tools, signal)
  const files = [...texts].map(([name, after]) => ({ name, before: current.get(name), after: matchEnd(after) }))
  const problems = checkStructure(level, files, said)
  const ripples = pieces.filter(({ isRipple }) => isRipple).map(({ name, task }) => ({ path: name, why: task }))
  return { draft: toDraft(tools, files, removed, ripples, problems), raw }
}

/** Asks which files have to change, if there are several. */
async function planRevision(
  a: Attempt,
  current: ReadonlyMap<string, string>,
  said: Awaited<ReturnType<typeof readFeedback>>,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<RevisionPlan> {
  const { level, request } = tools
  const names = [...current.keys()]
  const { series } = level
  if (!series) return { pieces: names.map((name) => ({ name, task: '', isRipple: false })), removed: [] }
  const numberOf = (name: string): number | undefined => parsePartNumber(series, name)
  const scope = findScope(
    said.feedback,
    level,
    names.flatMap((name) => numberOf(name) ?? []),
  )
  const limits = {
    names,
    scope,
    numberOf,
    isValid: (name: string) => listLevelFiles(level, [formatLevelPath(level, name)]).length > 0,
  }
  const fallback = planWithoutReply(level, limits)
  const { documents, isShortened } = fitDocuments(
    toDocuments(current, () => true),
    fitOptions(tools),
  )
  const values = {
    ...commonValues(tools),
    ...said,
    files: documents,
    outlined: isShortened,
    scope: scope ? fallback.pieces.map(({ name }) => name) : [],
  }
  const prompt = renderPrompt('plan', values, tools)
  const step = { ...prompt, key: 'plan', via: request.writer, role: 'plan', temperature: 0.2 } as const
  const read = await askForObject(a, step, PlanReply, tools, signal)
  const plan = 'value' in read ? readPlan(read.value, level, limits) : fallback
  return plan.pieces.length + plan.removed.length > 0 ? plan : fallback
}
