import type { Question } from '../../../contract/event.ts'
import type { Json } from '../../../contract/values.ts'
import type { Level } from '../contract/project-type.ts'
import { SemanticDiff } from '../contract/semantic-diff.ts'
import { StoredVerdict } from '../contract/verdict.ts'
import { findLeadParts, formatSummary } from '../core/summary.ts'
import { quoteLines } from '../show/wording.ts'
import { askChoice, askText, isExit, leaveHint, matchChoice } from './ask-choice.ts'
import { viewDetails, viewUnit } from './diff-view.ts'
import type { Session } from './state.ts'

/** What a person answers to a run. `left`: nothing; the run keeps its question. */
export type Answered = { readonly choice: string; readonly text?: string; readonly picks?: readonly string[] } | 'left'

export type QuestionContext = {
  readonly session: Session
  readonly isCompact: boolean
  /** Only an iteration has a judge. */
  readonly isJudged: boolean
  readonly feedback: string
  readonly level: Level
  readonly files: readonly { readonly path: string; readonly text: string }[]
  /** The question was asked before, and what it is about is no longer on the screen. */
  readonly isOld: boolean
  /** The content that the question is about. */
  readonly about: Json | undefined
}

/** Asks the person what a run asks, in the words of the seed. */
export async function askQuestion(question: Question, context: QuestionContext): Promise<Answered> {
  const { choices = [], topic } = question
  if (context.isOld) showAgain(context)
  switch (topic.code) {
    case 'judge_rejects':
      // Without a text, no judge has said anything.
      if (!context.isJudged || !choices.includes('no')) return askAboutJudge(context, choices, 'Try again?')
      return askAboutJudge(context, choices, context.isCompact ? 'Continue?' : 'Continue with judge feedback?')
    case 'continue_after_view':
      return askAfterView(context, choices)
    case 'accept_changes':
      return askToAccept(context)
    default:
      return simpleChoice(context, `Try again? (${choices.join('/')})`, choices)
  }
}

/** Says what an open question is about. */
function showAgain(context: QuestionContext): void {
  const { page } = context.session
  if (context.feedback !== '') page.line(`Feedback: "${context.feedback}"`)
  const diff = readDiff(context)
  if (diff) showSummary(context, diff)
  const verdict = StoredVerdict.safeParse(context.about)
  if (verdict.success) page.lines(['The judge said:', ...quoteLines(verdict.data.reasoning)])
}

async function simpleChoice(
  { session }: QuestionContext,
  prompt: string,
  choices: readonly string[],
): Promise<Answered> {
  const choice = await askChoice(session, prompt, choices)
  return choice === undefined ? 'left' : { choice }
}

async function askAboutJudge(context: QuestionContext, choices: readonly string[], words: string): Promise<Answered> {
  const answer = await simpleChoice(context, `${words} (${choices.join('/')})`, choices)
  if (answer === 'left' || answer.choice !== 'edit') return answer
  const text = await askText(context.session, 'Your feedback: ', context.feedback)
  if (text === undefined) return 'left'
  return text.trim() === '' ? askAboutJudge(context, choices, words) : { choice: 'edit', text }
}

async function askAfterView(context: QuestionContext, choices: readonly string[]): Promise<Answered> {
  const diff = readDiff(context)
  if (diff && context.isCompact) {
    const choice = await askChoice(context.session, 'View full? (yes/no)', ['yes', 'no'])
    if (choice === undefined) return 'left'
    if (choice === 'yes') showSummary(context, diff)
  } else if (diff && !(await viewDetails(context.session, diff))) return 'left'
  return askAboutJudge(context, choices, 'Continue with judge feedback?')
}

const readDiff = ({ about }: QuestionContext): SemanticDiff | undefined => SemanticDiff.safeParse(about).data

const showSummary = ({ session, level, files }: QuestionContext, diff: SemanticDiff): void =>
  session.page.lines(formatSummary(diff, { level, leadParts: findLeadParts(level, files) }))

/** Approval as a whole, or change by change. */
async function askToAccept(context: QuestionContext): Promise<Answered> {
  const { session, isCompact } = context
  const { page, reader } = session
  const diff = readDiff(context)
  if (diff && !isCompact && !(await viewDetails(session, diff))) return 'left'
  if (diff && !isCompact && diff.changes.length > 1)
    page.line(`To accept single changes: some, or: accept C1 C3, or: reject C2. There are ${listIds(diff).join(', ')}`)
  for (;;) {
    const input = await reader.read(`${isCompact ? 'Accept?' : 'Accept these changes?'} (yes/no/diff): `, {
      keep: false,
      hint: leaveHint,
    })
    if (input.is !== 'text' || isExit(input.text)) return 'left'
    const picked = diff && readPicks(input.text, diff)
    if (picked && 'unknown' in picked) {
      page.line(`There is no ${picked.unknown}. The changes are ${listIds(diff).join(', ')}; diff shows them.`)
      continue
    }
    if (picked) return picked
    const choice = matchChoice(input.text, ['yes', 'no', 'diff', 'some'])
    if (choice === 'yes' || choice === 'no') return { choice }
    if (choice === 'some' && diff) {
      const some = await pickChanges(context, diff)
      if (some) return some
    } else if (choice === 'diff' && diff) {
      showSummary(context, diff)
      listChanges(context, diff)
      if (!(await viewDetails(session, diff))) return 'left'
    } else if (input.text !== '') page.line('Please answer yes, no, diff, some, accept C1 C3, or reject C2')
  }
}

/** The ids of changes that hunks without an explanation belong to. */
const restId = 'rest'

const listIds = ({ changes, unexplained_hunks }: SemanticDiff): readonly string[] => [
  ...changes.map(({ id }) => id),
  ...(unexplained_hunks.length > 0 ? [restId] : []),
]

/** `accept C1 C3`, `reject C2 because it is too much`. */
function readPicks(
  text: string,
  diff: SemanticDiff,
): Exclude<Answered, 'left'> | { readonly unknown: string } | undefined {
  const [, verb, list = ''] = /^\s*(accept|reject)\s+((?:C\d+|rest)(?:[\s,]+(?:C\d+|rest))*)/i.exec(text) ?? []
  if (verb === undefined) return undefined
  const named = list.split(/[\s,]+/).map((id) => (id.toLowerCase() === restId ? restId : id.toUpperCase()))
  const all = listIds(diff)
  const unknown = named.find((id) => !all.includes(id))
  if (unknown !== undefined) return { unknown }
  const picks = verb.toLowerCase() === 'accept' ? named : all.filter((id) => !named.includes(id))
  if (picks.length === 0) return { choice: 'no' }
  return picks.length === all.length ? { choice: 'yes' } : { choice: 'some', picks }
}

function listChanges({ session: { page } }: QuestionContext, diff: SemanticDiff): void {
  page.line('Changes by id:')
  for (const { id, magnitude, title } of diff.changes) page.line(`  ${id} (${magnitude}): ${title}`)
  page.line()
}

/** Goes through the changes one by one. undefined: the person wants to see the whole again. */
async function pickChanges(context: QuestionContext, diff: SemanticDiff): Promise<Answered | undefined> {
  const { session } = context
  const picks: string[] = []
  const rest = diff.unexplained_hunks.length > 0
  const entries = [
    ...diff.changes.map(({ id, magnitude, title, summary }) => ({
      id,
      says: `${id} (${magnitude}): ${title}. ${summary}`,
    })),
    ...(rest ? [{ id: restId, says: `rest: ${diff.unexplained_hunks.length} passages that no change explains` }] : []),
  ]
  for (const { id, says } of entries) {
    session.page.line(says)
    for (;;) {
      const choice = await askChoice(session, `Accept ${id}? (yes/no/diff/back)`, ['yes', 'no', 'diff', 'back'])
      if (choice === undefined) return 'left'
      if (choice === 'back') return undefined
      if (choice === 'yes') picks.push(id)
      if (choice !== 'diff') break
      if ((await viewChange(session, diff, id)) === 'left') return 'left'
    }
  }
  if (picks.length === 0) return { choice: 'no' }
  return picks.length === entries.length ? { choice: 'yes' } : { choice: 'some', picks }
}

async function viewChange(session: Session, diff: SemanticDiff, id: string): Promise<'seen' | 'quit' | 'left'> {
  const ids = id === restId ? diff.unexplained_hunks : (diff.changes.find((change) => change.id === id)?.hunks ?? [])
  const own = { ...diff, hunks: diff.hunks.filter((hunk) => ids.includes(hunk.id)) }
  for (const unit of diff.units.filter((one) => own.hunks.some((hunk) => hunk.unit === one.id))) {
    const seen = await viewUnit(session, own, unit)
    if (seen !== 'seen') return seen
  }
  return 'seen'
}
