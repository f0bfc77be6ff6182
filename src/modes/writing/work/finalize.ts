import type { Outcome } from '../../../contract/event.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Draft } from '../contract/request.ts'
import { SemanticDiff } from '../contract/semantic-diff.ts'
import { StoredVerdict } from '../contract/verdict.ts'
import { applyPicks } from '../core/diff/apply.ts'
import { summarizeDiff } from '../core/diff/summary.ts'
import { listLevelFiles } from '../core/level/levels.ts'
import { findSources } from '../core/level/made-from.ts'
import type { WritingMemo } from '../core/memo.ts'
import { checkStructure } from '../core/reply/structure.ts'
import { formatMessage, type SavedFile, type SavePlan } from '../core/save-plan.ts'
import { computeDraft, draftSides } from './describe.ts'
import { readDraft } from './evaluate.ts'
import { findFeedback } from './prompts.ts'
import type { WritingTools } from './tools.ts'

type MemoView = View<WritingMemo>

/** Saves what the person accepted: the files, the history entry and the culls, in one commit. */
export async function saveDraft({ memo }: MemoView, tools: WritingTools): Promise<Outcome> {
  const { request, base, level } = tools
  const draft = await readDraft({ output: memo.draft! }, tools)
  const diff = memo.diff && request.kind === 'iterate' ? await readDiff(memo, tools) : undefined
  const accepted = await chooseFiles(draft, diff, memo, tools)
  if ('refused' in accepted) return { status: 'failed', detail: accepted.refused }
  const { stats } = computeDraft({ ...draft, files: accepted.files }, tools)
  const { after } = draftSides({ ...draft, files: accepted.files }, tools)
  const feedback = await findFeedback(memo, tools)
  const lines = stats.lines_added + stats.lines_removed
  const plan: SavePlan = {
    target: request.target,
    folder: level.folder,
    files: toSaved(accepted.files, base.files),
    culled: request.cull === 'all' ? listCulled(tools) : [],
    madeFrom: Object.fromEntries(
      Object.entries(accepted.files).flatMap(([path, text]) =>
        text === null ? [] : [[path, findSources(path.slice(level.folder.length + 1), level, base)]],
      ),
    ),
    entry: diff
      ? {
          timestamp: formatTime(new Date(memo.settledAt)),
          feedback,
          judge_attempts: memo.attempts,
          judge_verdict:
            memo.accepted === 'some' ? 'partial' : memo.verdict === 'approved' ? 'approved' : 'needs_revision',
          judge_reasoning: await readReasoning(memo, tools),
          semantic_summary: summarizeDiff(accepted.diff ?? diff),
          files_changed: stats.files_changed,
          lines_changed: lines,
          iteration_id: tools.run,
          ...(accepted.rejected.length > 0 && { rejected: accepted.rejected }),
        }
      : null,
    ...formatMessage(request, tools.brief, feedback),
  }
  const saved = await tools.save(plan)
  if (saved.is === 'refused') {
    for (const [path, text] of Object.entries(accepted.files))
      if (text !== null) tools.debug(`not_saved_${path.replaceAll('/', '_')}`, text)
    return { status: 'failed', detail: `${saved.says} The new texts are in ${request.debug}.` }
  }
  return {
    status: 'ok',
    data: {
      commit: saved.commit,
      files: listLevelFiles(level, [...after.keys()]).length,
      lines,
      changed: stats.files_changed,
      iterations: saved.iterations,
      culled:
        request.cull === 'all' ? base.downstream.map((part) => ({ level: part.level, files: part.files.length })) : [],
    },
  }
}

type Accepted =
  | {
      readonly files: Draft['files']
      readonly rejected: readonly string[]
      /** The diff of the accepted changes alone. */
      readonly diff?: SemanticDiff
    }
  | { readonly refused: string }

/** All files of the draft, or those with the accepted changes alone. A partly accepted text is checked again. */
async function chooseFiles(
  draft: Draft,
  diff: SemanticDiff | undefined,
  { accepted, picks }: WritingMemo,
  tools: WritingTools,
): Promise<Accepted> {
  if (accepted !== 'some' || !diff) return { files: draft.files, rejected: [] }
  const { before, after } = draftSides(draft, tools)
  const picked = applyPicks(diff, before, after, picks)
  if ('refused' in picked) return picked
  const files = Object.fromEntries([...picked.files].filter(([path, text]) => (before.get(path) ?? null) !== text))
  const changed = Object.entries(files).flatMap(([name, text]) =>
    text === null ? [] : [{ name, before: before.get(name), after: text }],
  )
  const problems = checkStructure(tools.level, changed, tools.brief)
  if (problems.length > 0) return { refused: `these changes alone break the text: ${problems.join(' ')}` }
  const rejected = diff.changes.filter(({ id }) => !picks.includes(id)).map(({ title, summary }) => summary || title)
  const kept = { ...diff, changes: diff.changes.filter(({ id }) => picks.includes(id)) }
  return { files, rejected, diff: kept }
}

const readDiff = async ({ diff }: WritingMemo, { content }: WritingTools): Promise<SemanticDiff> =>
  SemanticDiff.parse(JSON.parse(new TextDecoder().decode(await content.get(diff!))))

async function readReasoning({ verdicts }: WritingMemo, { content }: WritingTools): Promise<string> {
  const ref = verdicts.at(-1)
  if (!ref) return ''
  return StoredVerdict.parse(JSON.parse(new TextDecoder().decode(await content.get(ref)))).reasoning
}

function toSaved(files: Draft['files'], base: WritingTools['base']['files']): readonly SavedFile[] {
  const hashes = new Map(base.map(({ path, sha256 }) => [path, sha256]))
  return Object.entries(files).map(([path, text]) => ({ path, text, sha256: hashes.get(path) ?? null }))
}

const listCulled = ({ base }: WritingTools): readonly SavedFile[] =>
  base.downstream.flatMap(({ files }) => files.map(({ path, sha256 }) => ({ path, text: null, sha256 })))

/** To the second, as in the seed. */
const formatTime = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`
