import type { Outcome } from '../../../contract/event.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { DiffLabels } from '../contract/diff-labels.ts'
import type { Draft } from '../contract/request.ts'
import type { Hunk, SemanticDiff } from '../contract/semantic-diff.ts'
import { type ComputedDiff, computeDiff } from '../core/diff/compute.ts'
import { joinDiff } from '../core/diff/join.ts'
import { diffReplySchema, readLabels } from '../core/diff/labels.ts'
import { listLevelFiles } from '../core/level/levels.ts'
import type { WritingMemo } from '../core/memo.ts'
import { findLeadParts, formatSummary } from '../core/summary.ts'
import { ask, NoAnswerError } from './call.ts'
import { readDraft } from './evaluate.ts'
import { commonValues, findFeedback, readFeedback, renderPrompt } from './prompts.ts'
import type { WritingTools } from './tools.ts'

type MemoView = View<WritingMemo>

/** Computes the difference of the newest draft and asks a model to describe it. Without a usable description the computed one stands. */
export async function describeDraft(
  a: Attempt,
  view: MemoView,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<Outcome> {
  const { memo } = view
  const { request, run } = tools
  const draft = await readDraft({ output: memo.draft! }, tools)
  const computed = computeDraft(draft, tools)
  const isSkipped = memo.skips === 'describe' || (request.answers?.provider === 'skip' && a.attempt > 1)
  const labels = isSkipped ? undefined : await orNone(askForLabels(a, computed, view, tools, signal))
  const diff = joinDiff(computed, labels, {
    ...draftSides(draft, tools),
    iteration_id: run,
    target: request.target,
    request: await findFeedback(memo, tools),
    verdict: { judge: memo.verdict ?? 'none', attempts: memo.attempts },
    model: labels ? tools.rungOf(request.describer).label : null,
  })
  const summary = formatSummary(diff, { level: tools.level, leadParts: findLeadParts(tools.level, tools.base.files) })
  tools.debug('final_semantic_diff.md', `${summary.join('\n')}\n`)
  const output = await tools.content.put('semantic-diff.json', JSON.stringify(diff))
  return { status: 'ok', output, data: countDiff(diff) }
}

/** A model that is away may be asked again. One that fails is done without, so that the person always sees the difference. */
async function orNone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NoAnswerError && error.outcome.status !== 'unavailable') return undefined
    throw error
  }
}

const countDiff = ({ changes, flags, unexplained_hunks, fallback }: SemanticDiff) => ({
  changes: changes.length,
  flags: flags.length,
  unexplained: unexplained_hunks.length,
  ...(fallback && { fallback: true as const }),
})

/** The texts of the level before and after a draft. */
export function draftSides({ files }: Draft, { base }: Pick<WritingTools, 'base'>) {
  const before = new Map(base.files.map(({ path, text }) => [path, text]))
  const after = new Map(before)
  for (const [path, text] of Object.entries(files)) {
    if (text === null) after.delete(path)
    else after.set(path, text)
  }
  return { before, after }
}

export function computeDraft(draft: Draft, { base, level }: Pick<WritingTools, 'base' | 'level'>): ComputedDiff {
  const { before, after } = draftSides(draft, { base })
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  const { format } = level
  const units = listLevelFiles(level, paths).map(({ path, kind, label }) => ({ path, kind, label, format }))
  return computeDiff({ units, before, after })
}

/** The temperature of the seed. */
const temperature = 0.3

async function askForLabels(
  a: Attempt,
  computed: ComputedDiff,
  view: MemoView,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<DiffLabels | undefined> {
  const { request } = tools
  const said = await readFeedback(view, tools)
  const { hunks, omitted } = fitHunks(computed, tools)
  const values = {
    ...commonValues(tools),
    feedback: said.feedback,
    reasoning: said.verdicts.at(-1)?.reasoning ?? '',
    facts: formatFacts(computed),
    hunks,
    omitted,
  }
  const prompt = renderPrompt('describe', values, tools)
  const step = { ...prompt, via: request.describer, role: 'describe', temperature, schema: diffReplySchema } as const
  const first = readLabels((await ask(a, { ...step, key: 'describe' }, tools, signal)).text, computed)
  if ('labels' in first) return first.labels
  const again = tools.render('repair', { prompt: prompt.prompt, why: first.unreadable })
  const answer = await ask(a, { ...step, key: 'describe-again', prompt: again }, tools, signal)
  const second = readLabels(answer.text, computed)
  return 'labels' in second ? second.labels : undefined
}

const formatFacts = ({ stats, units }: ComputedDiff): string =>
  [
    `${stats.files_changed} of ${stats.files_total} files changed, ${stats.words_before} words before, ${stats.words_after} after.`,
    ...units
      .filter(({ status }) => status !== 'unchanged')
      .map(
        ({ id, label, path, status, words_before, words_after }) =>
          `${id}: ${label} (${path}), ${status}, ${words_before} → ${words_after} words`,
      ),
  ].join('\n')

const hunkShare = 0.6

/** The passages that fit into the prompt, with their places. Long ones are shortened. */
function fitHunks({ hunks, units }: ComputedDiff, tools: WritingTools) {
  const { contextTokens } = tools.rungOf(tools.request.describer)
  let left = (contextTokens - tools.request.rules.outputTokens) * hunkShare
  const shown: { id: string; place: string; before: string; after: string }[] = []
  for (const hunk of hunks) {
    const place = formatPlace(hunk, units.find(({ id }) => id === hunk.unit)?.label ?? '')
    const line = { id: hunk.id, place, before: shorten(hunk.before.text), after: shorten(hunk.after.text) }
    left -= tools.estimateTokens(`${place}${line.before}${line.after}`) + 12
    if (left < 0 && shown.length > 0) break
    shown.push(line)
  }
  return { hunks: shown, omitted: hunks.length - shown.length }
}

function formatPlace({ after, before, field, heading, moved }: Hunk, label: string): string {
  const lines = after.lines > 0 ? after : before
  const end = lines.start + Math.max(0, lines.lines - 1)
  const where = field ?? (end > lines.start ? `lines ${lines.start}-${end}` : `line ${lines.start}`)
  return [
    label,
    ...(heading === null ? [] : [heading]),
    where,
    ...(moved === null ? [] : [`moved, see ${moved}`]),
  ].join(', ')
}

const maxLetters = 1600

const shorten = (text: string): string => {
  if (text === '') return '(nothing)'
  return text.length <= maxLetters ? text : `${text.slice(0, maxLetters / 2)} […] ${text.slice(-maxLetters / 2)}`
}
