import type { FrozenAgent } from '../../../contract/envelope.ts'
import type { Block, Line } from '../../../contract/show.ts'
import { formatAmount, formatCount, formatDuration, formatTable, toOneLine } from '../../../show/format.ts'
import type { DeliveryDraft } from '../core/draft.ts'

/** Stories, proofs and bounds of a delivery, before anything is started. */
export function draftBlocks(draft: DeliveryDraft): readonly Block[] {
  const { input, plan, agent, commit } = draft
  const { story_commands, run_commands } = input.verification
  const lost = plan.unmapped.length
  const explain = { do: 'command', argv: ['pawl', 'plan', input.prd_path, '--explain'] } as const
  const lines: Line[] = [
    [`${input.prd_path}: ${formatCount(plan.stories.length, 'story', 'stories')}`],
    ...storyRows(draft).map((row) => [row]),
    ...(lost
      ? [[`  ${formatCount(lost, 'line')} of it belong to no story: `, { is: 'action', action: explain } as const]]
      : []),
    ['Each story is proved by:'],
    ...(story_commands.length
      ? story_commands.map((command) => [`  ${toOneLine(command, 100)}`])
      : [['  nothing of its own']]),
    ...run_commands.map((command) => [`and the whole by: ${toOneLine(command, 100)}`]),
    [`Agent: ${agent ? agentWords(agent) : 'none chosen yet: --agent <name>'}`],
    [
      `What is verified is ${commit ? `committed on ${input.working_branch}` : 'kept under refs/pawl'}; ${tamperingWords[input.policy.tampering]}.`,
    ],
    [boundsLine(draft)],
  ]
  return [{ kind: 'text', lines }]
}

function storyRows({ input, plan }: DeliveryDraft): string[] {
  const rows = plan.stories.map(({ id, title, depends_on, source, verification }) => {
    const usual = input.verification.story_commands.map((command) => command.replaceAll('{story_id}', id))
    const own = verification.filter((command) => !usual.includes(command))
    return [
      `  ${id}`,
      toOneLine(title, 70),
      source.id ?? '',
      depends_on.length ? `after ${depends_on.join(', ')}` : '',
      own.length ? `also: ${toOneLine(own.join('; '), 60)}` : '',
    ]
  })
  return formatTable(rows)
}

/** The command itself; of the scripted one, which is a program of ours, the script. */
const agentWords = ({ name, argv }: FrozenAgent): string =>
  toOneLine(name === 'scripted' ? `scripted, by ${argv.at(-1)}` : argv.join(' '), 100)

const tamperingWords = {
  block: 'an attempt that touches what decides verification is rejected',
  warn: 'an attempt that touches what decides verification is named',
  ask: 'you are asked about an attempt that touches what decides verification',
} as const

function boundsLine({ input: { limits }, caps }: DeliveryDraft): string {
  const parts = [
    `${formatCount(limits.story_max_attempts, 'attempt')} a story`,
    `${limits.run_max_attempts} in all`,
    caps.costUsd && `$${caps.costUsd}`,
    caps.tokens && `${formatAmount(caps.tokens)} tokens`,
    `${formatDuration(limits.story_timeout_minutes * 60_000)} a story`,
    formatDuration(limits.run_timeout_minutes * 60_000),
  ].filter(Boolean)
  return `Bounds: at most ${parts.join(', ')}.`
}
