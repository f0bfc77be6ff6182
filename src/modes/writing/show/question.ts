import type { Question } from '../../../contract/event.ts'
import type { Block, QuestionShown } from '../../../contract/show.ts'
import { formatAmount, formatCount } from '../../../show/format.ts'
import { formatReason } from '../../../show/reasons.ts'
import { SemanticDiff } from '../contract/semantic-diff.ts'
import { StoredVerdict } from '../contract/verdict.ts'
import { writingReasons } from '../core/reasons.ts'
import type { WritingAbout } from './lines.ts'
import { quoteLines } from './wording.ts'

const does: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  judge_rejects: {
    yes: 'write again with the feedback of the judge',
    no: 'stop here and use this text anyway',
    'view-partial': 'show what this attempt changes, then decide',
    abort: 'give up this iteration; nothing is saved',
    edit: 'change your feedback and write again',
  },
  continue_after_view: {
    yes: 'write again with the feedback of the judge',
    no: 'use this text anyway',
    abort: 'give up this iteration; nothing is saved',
    edit: 'change your feedback and write again',
  },
  accept_changes: {
    yes: 'save all changes',
    no: 'reject them; nothing is saved',
    some: 'save the picked changes only',
  },
  no_answer: {
    retry: 'ask again now',
    wait: 'ask again later',
    skip: 'go on without this step',
    abort: 'give up this iteration; nothing is saved',
  },
  cannot_save: { retry: 'try again', abort: 'give up this iteration; nothing is saved' },
}

export function showQuestion({ id, topic, choices = [], about: ref }: Question, about: WritingAbout): QuestionShown {
  const diff = SemanticDiff.safeParse(ref && about.words(ref)).data
  const verdict = StoredVerdict.safeParse(ref && about.words(ref)).data
  return {
    id,
    asks: [formatReason(writingReasons, topic)],
    choices: choices.map((choice) => ({ choice, does: does[topic.code]?.[choice] ?? '' })),
    takesText: choices.includes('edit'),
    about: [
      { kind: 'text', lines: [[`Feedback: "${about.inputs.brief.feedback}"`]] },
      ...(verdict ? [{ kind: 'text' as const, lines: quoteLines(verdict.reasoning).map((line) => [line]) }] : []),
      ...(diff ? [showChanges(diff)] : []),
    ],
  }
}

/** The changes of a diff, each with its passages. Passages that no change explains are one more. */
function showChanges({ changes, hunks, units, stats, flags, unexplained_hunks }: SemanticDiff): Block {
  const labels = new Map(units.map(({ id, label }) => [id, label]))
  const showPassages = (ids: readonly string[]) =>
    hunks
      .filter(({ id }) => ids.includes(id))
      .map(({ unit, heading, before, after }) => ({
        place: [labels.get(unit), heading].filter(Boolean).join(', '),
        before: before.text,
        after: after.text,
      }))
  const named = changes.map(({ id, magnitude, title, summary, before, after, why, depends_on, hunks: own }) => ({
    id,
    magnitude,
    title,
    summary,
    before,
    after,
    why,
    depends_on,
    passages: showPassages(own),
  }))
  const rest = {
    id: 'rest',
    magnitude: 'minor' as const,
    title: 'Passages that no change explains',
    summary: '',
    before: '',
    after: '',
    why: '',
    depends_on: [],
    passages: showPassages(unexplained_hunks),
  }
  return {
    kind: 'changes',
    changes: [...named, ...(unexplained_hunks.length > 0 ? [rest] : [])],
    counted: [
      `${stats.files_changed} of ${formatCount(stats.files_total, 'file')} changed`,
      `${formatCount(stats.lines_added, 'line')} added, ${stats.lines_removed} removed`,
      `${formatAmount(stats.words_before)} words before, ${formatAmount(stats.words_after)} after`,
    ],
    doubts: flags.map(({ says }) => says),
  }
}
