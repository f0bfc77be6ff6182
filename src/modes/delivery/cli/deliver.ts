import { settingsHere } from '../../../config/settings-here.ts'
import { listRuns, type RunEntry } from '../../../run/index-of-runs.ts'
import { notifyOf } from '../../../run/request.ts'
import { amount, duration, plural, table } from '../../../show/format.ts'
import type { Handler, Invocation } from '../../../surfaces/cli/command.ts'
import { detach, wordsWithout } from '../../../surfaces/terminal/detach.ts'
import { drive } from '../../../surfaces/terminal/drive.ts'
import { oneLine } from '../../../surfaces/terminal/one-line.ts'
import { checkTrust } from '../../../surfaces/terminal/trusting.ts'
import { type Drafted, draftDelivery, repositoryOf } from '../start/deliver.ts'
import { startDelivery } from '../start/start-delivery.ts'
import { uncommittedNotice } from '../start/uncommitted.ts'

/** Plan and execute for a person: what it will do and what it can cost at worst come first. */
export const handle: Handler = async (invocation) => {
  const { place, args, options, io } = invocation
  const here = repositoryOf(place, args[0]!)
  const at = { ...invocation, place: here }
  const { agent, aiCmd, model, maxTime, maxCost, maxTokens } = options
  const flags = { agent, aiCmd, model, maxTime, maxCost, maxTokens }
  const settings = await settingsHere(here, { flags, procedure: 'deliver' })
  for (const warning of settings.warnings) io.err(`warning: ${warning}`)
  const drafted = await draftDelivery(here, settings, args[0]!, options)
  if (options.dryRun) return showDraft(at, drafted)
  await checkTrust(at, settings)
  if (!io.json && !options.quiet) for (const line of draftLines(drafted)) io.err(line)
  if (options.detach) return detachDelivery(at, drafted.name)
  const silenceMs = settings.value('silence_timeout')
  const prepared = await startDelivery(here, drafted, {
    ...notifyOf(settings),
    silenceMs,
    fresh: options.fresh === true,
  })
  const found = prepared.created ? undefined : await uncommittedNotice(here, here.cwd)
  if (found) io.err(`${place.name}: ${found}`)
  try {
    return await drive(at, prepared)
  } finally {
    prepared.lease.release()
  }
}

/** Whatever can be refused has been by now; the process of its own does the rest, under its own lock. */
function detachDelivery(invocation: Invocation, name: string): Promise<0> {
  const { place } = invocation
  const candidates = (): RunEntry[] =>
    listRuns(place)
      .filter((run) => run.name === name && run.workspace === place.cwd)
      .slice(0, 3)
  return detach(invocation, wordsWithout('--detach', '-d', '--json'), candidates)
}

function showDraft({ io }: Invocation, drafted: Drafted): 0 {
  const { input, plan, name, agent, commit } = drafted
  io.result({ dry_run: { name, input, plan, agent, commit } }, () => draftLines(drafted))
  return 0
}

function draftLines(drafted: Drafted): string[] {
  const { input, plan, agent, commit } = drafted
  const { story_commands } = input.verification
  const rows = plan.stories.map(({ id, title, depends_on, source, verification }) => {
    const usual = story_commands.map((command) => command.replaceAll('{story_id}', id))
    const own = verification.filter((command) => !usual.includes(command))
    return [
      `  ${id}`,
      oneLine(title, 70),
      source.id ?? '',
      depends_on.length ? `after ${depends_on.join(', ')}` : '',
      own.length ? `also: ${oneLine(own.join('; '), 60)}` : '',
    ]
  })
  const lost = plan.unmapped.length
  return [
    `${input.prd_path}: ${plural(plan.stories.length, 'story', 'stories')}`,
    ...table(rows),
    ...(lost ? [`  ${plural(lost, 'line')} of it belong to no story: pawl plan ${input.prd_path} --explain`] : []),
    'Each story is proved by:',
    ...(story_commands.length
      ? story_commands.map((command) => `  ${oneLine(command, 100)}`)
      : ['  nothing of its own']),
    ...input.verification.run_commands.map((command) => `and the whole by: ${oneLine(command, 100)}`),
    `Agent: ${agent ? agentWords(agent) : 'none chosen yet: --agent <name>'}`,
    `What is verified is ${commit ? `committed on ${input.working_branch}` : 'kept under refs/pawl'}; ${tamperingWords[input.policy.tampering]}.`,
    boundsLine(drafted),
  ]
}

/** The command itself; of the scripted one, which is a program of ours, the script. */
const agentWords = ({ name, argv }: NonNullable<Drafted['agent']>): string =>
  oneLine(name === 'scripted' ? `scripted, by ${argv.at(-1)}` : argv.join(' '), 100)

const tamperingWords = {
  block: 'an attempt that touches what decides verification is rejected',
  warn: 'an attempt that touches what decides verification is named',
  ask: 'you are asked about an attempt that touches what decides verification',
} as const

function boundsLine({ input: { limits }, caps }: Drafted): string {
  const parts = [
    `${plural(limits.story_max_attempts, 'attempt')} a story`,
    `${limits.run_max_attempts} in all`,
    caps.costUsd && `$${caps.costUsd}`,
    caps.tokens && `${amount(caps.tokens)} tokens`,
    `${duration(limits.story_timeout_minutes * 60_000)} a story`,
    duration(limits.run_timeout_minutes * 60_000),
  ].filter(Boolean)
  return `Bounds: at most ${parts.join(', ')}.`
}
