import type { Allowance } from '../../../kernel/policy.ts'
import type { Plan, Story } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import { fenced } from './critique.ts'
import { type DeliveryMemo, findStoryMemo } from './memo.ts'

export type Packet = {
  readonly request: DeliveryRequest
  readonly plan: Plan
  readonly story: Story
  readonly memo: DeliveryMemo
  /** Why the attempt before this one was rejected; empty where none was. */
  readonly critique: string
  /** Paths that earlier attempts at this story have changed. */
  readonly changed: readonly string[]
  readonly left: Allowance
  readonly attempt: number
}

const mostListed = 30

/** All that a fresh agent needs to know for one attempt at one story, and nothing that it must remember. */
export function composePacket(packet: Packet): string {
  const { request, story, critique } = packet
  const sections = [
    `# ${story.id}: ${story.title}`,
    intent(packet),
    section('Acceptance criteria', criteria(story)),
    section('How it is verified', verification(story, request)),
    section('Where you are', whereabouts(packet)),
    ...(story.file_focus.length ? [section('Files that the plan names', list(story.file_focus))] : []),
    ...(critique ? [section('Why the attempt before this one was rejected', quote(critique))] : []),
    section('What is left', budget(packet)),
    section('Rules', rules),
  ]
  return `${sections.join('\n\n')}\n`
}

const section = (title: string, text: string): string => `## ${title}\n\n${text}`
const list = (items: readonly string[]): string => {
  const shown = items.slice(0, mostListed).map((item) => `- ${item}`)
  return [...shown, ...(items.length > mostListed ? [`- and ${items.length - mostListed} more`] : [])].join('\n')
}

/** Headings inside would be read as sections of the packet. */
const quote = (text: string): string => text.trimEnd().replace(/^(#+) /gm, '##$1 ')

function intent({ request, story, attempt }: Packet): string {
  const { prd_path } = request.input
  const lines =
    story.source.line === story.source.end_line
      ? `line ${story.source.line}`
      : `lines ${story.source.line} to ${story.source.end_line}`
  const id = story.source.id ? `${story.source.id}, ` : ''
  return [
    `Bring this one story to done in the repository that you are in. It comes from \`${prd_path}\` (${id}${lines}).`,
    `This is attempt ${attempt}. You start fresh: what is done so far lies in the files, not in a conversation.`,
  ].join('\n')
}

function criteria({ acceptance_criteria, title }: Story): string {
  if (acceptance_criteria.length === 0) return `- ${title}`
  return acceptance_criteria.map(({ id, text }) => `- ${id ? `${id}: ` : ''}${text}`).join('\n')
}

function verification({ verification: commands }: Story, { input }: DeliveryRequest): string {
  const run = input.verification.run_commands
  return [
    'After you have finished, these commands are run in this order, and all must exit with 0:',
    commands.length ? fenced(commands.join('\n')) : '(none of its own)',
    'The commands of the stories that are done are run again too.',
    ...(run.length ? [`When all stories are done, the whole is checked by:\n\n${fenced(run.join('\n'))}`] : []),
    'Nothing else decides: not what you say, not a file that you write.',
  ].join('\n\n')
}

function whereabouts({ request, plan, story, memo, changed }: Packet): string {
  const { base_branch, working_branch } = request.input
  const named = (of: readonly Story[]): string => list(of.map(({ id, title }) => `${id}: ${title}`))
  const done = plan.stories.filter(({ id }) => findStoryMemo(memo, id).status === 'done')
  const others = plan.stories.filter(({ id }) => id !== story.id && findStoryMemo(memo, id).status === 'open')
  return [
    `Branch \`${working_branch}\`, made from \`${base_branch}\`.`,
    ...(done.length ? [`Done and verified; do not break them:\n${named(done)}`] : []),
    ...(others.length ? [`Other stories of the plan; leave them alone:\n${named(others)}`] : []),
    ...(changed.length ? [`Changed by earlier attempts at this story:\n${list(changed)}`] : []),
  ].join('\n\n')
}

function budget({ request, story, memo, left }: Packet): string {
  const { story_max_attempts } = request.input.limits
  const { tries } = findStoryMemo(memo, story.id)
  const attempts = story_max_attempts - tries
  const time = Number.isFinite(left.ms)
    ? `, and about ${Math.max(1, Math.round(left.ms / 60_000))} minutes for all of them`
    : ''
  return `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} at this story, this one included${time}.`
}

const rules = list([
  'Do this story and nothing else. Keep the change as small as it can be.',
  'Do not commit, branch, stash, reset or push: what is verified is kept for you.',
  'Do not skip, delete or weaken tests, and do not touch CI, test scripts, runners or lint rules to make a check pass. It is seen, named and rejected. Adding tests is welcome.',
  'Run the verification commands yourself before you finish.',
  'If something outside the repository keeps you from it (access, a decision, a missing service), say what would unblock you and end your last message with the line <promise>BLOCKED</promise>.',
])
