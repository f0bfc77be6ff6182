import type { FrozenAgent } from '../../../contract/envelope.ts'
import type { Block, Line } from '../../../contract/show.ts'
import { formatAmount, formatCount, formatDuration, toOneLine } from '../../../show/format.ts'
import type { DeliveryDraft } from '../core/draft.ts'
import { countIgnored } from '../core/planner/explain.ts'

/** Shows stories, commands and limits of a delivery before it starts. */
export function formatDraft(draft: DeliveryDraft): readonly Block[] {
  const { input, plan, agent, commit } = draft
  const { story_commands, run_commands } = input.verification
  const ignored = countIgnored(plan)
  const explain = { do: 'command', argv: ['pawl', 'plan', input.prd_path, '--explain'] } as const
  const heading: Line = [`${input.prd_path}: ${formatCount(plan.stories.length, 'story', 'stories')}`]
  const lines: Line[] = [
    ...(ignored ? [[`  ${formatCount(ignored, 'line')} ignored: `, { is: 'action', action: explain } as const]] : []),
    ['Commands for each story:'],
    ...(story_commands.length ? story_commands.map((command) => [`  ${toOneLine(command, 100)}`]) : [['  none']]),
    ...run_commands.map((command) => [`At the end: ${toOneLine(command, 100)}`]),
    ...listAround(input.verification),
    [places[String(input.policy.clean_room ?? false) as keyof typeof places]],
    [`Agent: ${agent ? formatAgent(agent) : 'none yet, choose one with --agent <name>'}`],
    [
      `Verified stories are ${commit ? `committed on ${input.working_branch}` : 'saved under refs/pawl'}; ${tamperingWords[input.policy.tampering]}.`,
    ],
    [formatBounds(draft)],
  ]
  return [{ kind: 'text', lines: [heading] }, storyTable(draft), { kind: 'text', lines }]
}

const places = {
  true: 'They run in a clean room: a copy from before the first agent.',
  auto: 'They run in a clean room, a copy from before the first agent. Where none can be made, the run says why.',
  false: 'They run in the work tree, where files that git ignores count.',
} as const

/** Commands that run before those of a story. */
function listAround({
  setup = [],
  reset = [],
  prepare = [],
  format = [],
}: DeliveryDraft['input']['verification']): Line[] {
  const show = (when: string, commands: readonly string[]): Line[] =>
    commands.map((command) => [`${when}: ${toOneLine(command, 100)}`])
  return [
    ...show('Before each time', [...reset, ...prepare]),
    ...show('If dependencies change', setup),
    ...show('To format the work', format),
  ]
}

function storyTable({ input, plan }: DeliveryDraft): Block {
  const rows = plan.stories.map(({ id, title, depends_on, source, verification }) => {
    const common = input.verification.story_commands.map((command) => command.replaceAll('{story_id}', id))
    const own = verification.filter((command) => !common.includes(command))
    return [
      `  ${id}`,
      toOneLine(title, 70),
      source.id ?? '',
      depends_on.length ? `after ${depends_on.join(', ')}` : '',
      own.length ? `also: ${toOneLine(own.join('; '), 60)}` : '',
    ].map((text) => ({ line: [text] }))
  })
  return { kind: 'table', head: [], rows, narrow: { shorten: [1, 4], drop: [2, 4, 3] } }
}

/** Returns the command, or the script of the scripted agent. */
const formatAgent = ({ name, argv }: FrozenAgent): string =>
  toOneLine(name === 'scripted' ? `scripted, by ${argv.at(-1)}` : argv.join(' '), 100)

const tamperingWords = {
  block: 'stories that pass only with tests or settings they changed are rejected',
  warn: 'stories that pass only with tests or settings they changed are reported first',
  ask: 'you are asked about stories that pass only with tests or settings they changed',
} as const

function formatBounds({ input: { limits }, caps }: DeliveryDraft): string {
  const parts = [
    `${formatCount(limits.story_max_attempts, 'attempt')} per story`,
    `${limits.run_max_attempts} in total`,
    caps.costUsd && `$${caps.costUsd}`,
    caps.tokens && `${formatAmount(caps.tokens)} tokens`,
    `${formatDuration(limits.story_timeout_minutes * 60_000)} per story`,
    formatDuration(limits.run_timeout_minutes * 60_000),
  ].filter(Boolean)
  return `Bounds: at most ${parts.join(', ')}.`
}
