import type { Allowance } from '../../../kernel/policy.ts'
import type { ContextTopic, Plan, Story } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import { fenceCode } from './critique.ts'
import { type DeliveryMemo, findStoryMemo } from './memo.ts'

export type Packet = {
  readonly request: DeliveryRequest
  readonly plan: Plan
  readonly story: Story
  readonly memo: DeliveryMemo
  /** Why the previous attempt was rejected. Empty if none was. */
  readonly critique: string
  /** Paths changed by earlier attempts at this story. */
  readonly changed: readonly string[]
  readonly left: Allowance
  readonly attempt: number
}

const maxListed = 30
/** Characters quoted from the PRD: the story's own lines, and what concerns every story. */
const maxStory = 12_000
const maxContext = 6_000

/** Composes everything a new agent needs for one attempt at one story. */
export function composePrompt(packet: Packet): string {
  const { request, story, critique } = packet
  const sections = [
    `# ${story.id}: ${story.title}`,
    formatIntent(packet),
    ...(story.text ? [formatSection('The story as the PRD has it', formatStoryText(packet, story.text))] : []),
    formatSection('Acceptance criteria', formatCriteria(story)),
    ...formatContext(packet),
    formatSection('How it is verified', formatVerification(story, request)),
    formatSection('Current state', formatState(packet)),
    ...(story.file_focus.length ? [formatSection('Files named in the plan', formatList(story.file_focus))] : []),
    ...(critique ? [formatSection('Why the attempt before this one was rejected', lowerHeadings(critique))] : []),
    formatSection('Remaining budget', formatBudget(packet)),
    formatSection('Rules', rules),
  ]
  return `${sections.join('\n\n')}\n`
}

const formatSection = (title: string, text: string): string => `## ${title}\n\n${text}`
const formatList = (items: readonly string[]): string => {
  const shown = items.slice(0, maxListed).map((item) => `- ${item}`)
  return [...shown, ...(items.length > maxListed ? [`- and ${items.length - maxListed} more`] : [])].join('\n')
}

/** Lowers the headings, which would otherwise look like sections of the packet. */
const lowerHeadings = (text: string): string => text.trimEnd().replace(/^(#+) /gm, '##$1 ')

function formatIntent({ request, story, attempt }: Packet): string {
  const { prd_path } = request.input
  const lines =
    story.source.line === story.source.end_line
      ? `line ${story.source.line}`
      : `lines ${story.source.line} to ${story.source.end_line}`
  const id = story.source.id ? `${story.source.id}, ` : ''
  return [
    `Complete this one story in the current repository. It comes from \`${prd_path}\` (${id}${lines}).`,
    'Read that file if you need more than is quoted here.',
    `This is attempt ${attempt}. You start without any conversation history: all earlier work is in the files.`,
  ].join('\n')
}

const formatStoryText = ({ request, story }: Packet, text: string): string =>
  quoteText(text, maxStory, `lines ${story.source.line} to ${story.source.end_line} of \`${request.input.prd_path}\``)

/** Quotes the goals, constraints and non-goals of the document, as far as they fit. */
function formatContext({ request, plan: { context = [] } }: Packet): string[] {
  let left = maxContext
  const parts = context.map(({ topic, text, line, end_line }) => {
    const where = `lines ${line} to ${end_line} of \`${request.input.prd_path}\``
    const part = left > 0 ? quoteText(text, left, where) : `(left out: ${where})`
    left -= text.length
    return `${topicWords[topic]}\n\n${part}`
  })
  return parts.length ? [formatSection('What the PRD says about all stories', parts.join('\n\n'))] : []
}

const topicWords: Readonly<Record<ContextTopic, string>> = {
  goals: 'Goals:',
  constraints: 'Constraints, which hold for this story, too:',
  'non-goals': 'Not wanted. Do not build any of this:',
}

/** Quotes a text from the PRD word for word, cut at the end of a line, with a note if it was cut. */
function quoteText(text: string, most: number, where: string): string {
  if (text.length <= most) return fenceCode(text)
  const end = text.lastIndexOf('\n', most)
  return `${fenceCode(text.slice(0, end > 0 ? end : most).toWellFormed())}\n\n(cut: read the rest in ${where})`
}

function formatCriteria({ acceptance_criteria, title }: Story): string {
  if (acceptance_criteria.length === 0) return `- ${title}`
  return acceptance_criteria.map(({ id, text }) => `- ${id ? `${id}: ` : ''}${text}`).join('\n')
}

function formatVerification({ verification: commands }: Story, { input }: DeliveryRequest): string {
  const { run_commands: run, results } = input.verification
  return [
    `When you have finished, these commands run in this order. ${results === undefined ? 'All of them must exit with code 0:' : 'Tests that failed before this story and belong to others may go on failing. All other tests must pass:'}`,
    commands.length ? fenceCode(commands.join('\n')) : '(this story has no commands of its own)',
    'The commands of completed stories run again, too.',
    ...(run.length
      ? [`When all stories are done, these commands check the final result:\n\n${fenceCode(run.join('\n'))}`]
      : []),
    'Only commands decide. Claims in your messages or in files do not count.',
  ].join('\n\n')
}

function formatState({ request, plan, story, memo, changed }: Packet): string {
  const { base_branch, working_branch } = request.input
  const named = (of: readonly Story[]): string => formatList(of.map(({ id, title }) => `${id}: ${title}`))
  const done = plan.stories.filter(({ id }) => findStoryMemo(memo, id).status === 'done')
  const others = plan.stories.filter(({ id }) => id !== story.id && findStoryMemo(memo, id).status === 'open')
  return [
    `Branch \`${working_branch}\`, created from \`${base_branch}\`.`,
    ...(done.length ? [`Done and verified; do not break them:\n${named(done)}`] : []),
    ...(others.length ? [`Other stories of the plan; leave them alone:\n${named(others)}`] : []),
    ...(changed.length ? [`Changed by earlier attempts at this story:\n${formatList(changed)}`] : []),
  ].join('\n\n')
}

function formatBudget({ request, story, memo, left }: Packet): string {
  const { story_max_attempts } = request.input.limits
  const { tries } = findStoryMemo(memo, story.id)
  const attempts = story_max_attempts - tries
  const time = Number.isFinite(left.ms) ? `, and about ${formatMinutes(left.ms)} in total` : ''
  return `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} left for this story, including this one${time}.`
}

function formatMinutes(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
}

const rules = formatList([
  'Do this story and nothing else. Keep the change as small as possible.',
  'Do not commit, branch, stash, reset or push: verified work is saved for you.',
  'Do not skip, delete or weaken tests, and do not change CI, test scripts, runners or lint rules to make a check pass. Such changes are found and reported, and prove nothing. Adding tests is welcome.',
  'Run the verification commands yourself before you finish.',
  'If something outside the repository blocks you (access, a decision, a missing service), say what would unblock you and end your last message with the line <promise>BLOCKED</promise>.',
])
