import { loadConfig } from '../../../config/load.ts'
import type { Settings } from '../../../config/settings.ts'
import type { ExitCode } from '../../../contract/exit.ts'
import { endRun } from '../../../run/end-run.ts'
import { listRuns, type RunEntry } from '../../../run/index-of-runs.ts'
import { preflight } from '../../../run/modes.ts'
import { contextFromFlags, procedureRequest } from '../../../run/request.ts'
import { createRunAnywhere, ownNameIfPossible } from '../../../run/start-run.ts'
import { amount, duration, plural } from '../../../show/format.ts'
import type { Handler, Invocation } from '../../../surfaces/cli/command.ts'
import { handle as resume } from '../../../surfaces/cli/commands/resume.ts'
import { choose } from '../../../surfaces/terminal/ask.ts'
import { detach, wordsWithout } from '../../../surfaces/terminal/detach.ts'
import { drive } from '../../../surfaces/terminal/drive.ts'
import { quoted } from '../../../surfaces/terminal/quoted.ts'
import { checkTrust } from '../../../surfaces/terminal/trusting.ts'
import { checkCostBound } from '../start/cost-bound.ts'
import { dryRun } from '../start/dry-run.ts'
import { clearStateFile, earlierRun, unfinished } from '../start/earlier-run.ts'

export const handle: Handler = async (invocation) => {
  const { place, args, options, io } = invocation
  const name = args[0]!
  const settings = await settingsFor(invocation, name)
  const request = procedureRequest(place, settings, name, contextFromFlags(options.context, process.cwd()))
  preflight(place, request)
  const costs = checkCostBound(settings, request.procedure.agent.name, options.allowUnknownCost === true)
  if (costs) io.err(`warning: ${costs}`)
  if (options.dryRun) return showDryRun(invocation, await dryRun(request))
  await checkTrust(invocation, settings)
  if (options.detach) return detachFresh(invocation, name)
  const lost = (text: string): void => io.err(`${place.name}: ERROR: ${text}`)
  const lease = ownNameIfPossible(place, name, request.durability, lost)
  try {
    if ((await meetEarlier(invocation, name)) === 'resume') {
      lease.release()
      return await resume(invocation)
    }
    const notice = clearStateFile(place, name, options.fresh === true)
    if (notice) io.err(notice)
    const dir = createRunAnywhere(place, request, lost)
    if (!io.json && !options.quiet) io.err(worstCase(request.caps))
    return await drive(invocation, { id: request.run_id, dir, name })
  } finally {
    lease.release()
  }
}

/** Whatever can be refused or asked has been by now; the process of its own does the rest, under its own lock. */
async function detachFresh(invocation: Invocation, name: string): Promise<ExitCode> {
  const { place, options } = invocation
  const asked = options.fresh ? 'fresh' : await askEarlier(invocation, name)
  if (asked === 'resume') return resume(invocation)
  const words = wordsWithout('--detach', '-d', '--json', '--fresh')
  const candidates = (): RunEntry[] =>
    listRuns(place)
      .filter((run) => run.name === name && run.workspace === place.cwd)
      .slice(0, 3)
  return detach(invocation, asked === 'fresh' ? [...words, '--fresh'] : words, candidates)
}

export async function settingsFor({ place, options, io }: Invocation, procedure: string): Promise<Settings> {
  const { cwd: workspace, env, home } = place
  const name = place.name === 'santiago' ? 'pawl' : place.name
  // What is given as context adds to the configuration's instead of replacing it.
  const { context: _, ...flags } = options
  const settings = await loadConfig({ workspace, env, home, name, procedure, flags })
  for (const warning of settings.warnings) io.err(`warning: ${warning}`)
  return settings
}

/** Over an unfinished run a person is asked; without one it is refused. */
async function meetEarlier(invocation: Invocation, name: string): Promise<'go on' | 'resume'> {
  const { place, options, io } = invocation
  const earlier = earlierRun(place, name)
  if (earlier.found === 'unreadable') {
    io.err(`WARNING: the run ${earlier.run.id} cannot be read and is left as it is (${earlier.why}). Starting fresh.`)
  }
  if (earlier.found !== 'unfinished') return 'go on'
  if ((options.fresh ? 'fresh' : await askEarlier(invocation, name)) === 'resume') return 'resume'
  await endRun(place, earlier.run, (text) => io.err(`${place.name}: ${text}`))
  return 'go on'
}

async function askEarlier({ place, io }: Invocation, name: string): Promise<'nothing' | 'resume' | 'fresh'> {
  const earlier = earlierRun(place, name)
  if (earlier.found !== 'unfinished' || earlier.read.owner) return 'nothing'
  const refusal = unfinished(place, name, earlier.read)
  if (!io.attended || io.json) throw refusal
  const answer = await choose(io, `${refusal.message}.`, ['resume', 'fresh', 'cancel'])
  if (answer === 'cancel') throw refusal
  return answer
}

/** What it can cost at worst, before anything is spent. */
function worstCase(caps: Readonly<Record<string, number>>): string {
  const parts = [
    caps.tasks && plural(caps.tasks, 'iteration'),
    caps.costUsd && `$${caps.costUsd}`,
    caps.tokens && `${amount(caps.tokens)} tokens`,
    caps.activeMs && duration(caps.activeMs),
  ].filter(Boolean)
  return parts.length
    ? `Bounds: at most ${parts.join(', ')}.`
    : `No bound holds but ${caps.failuresInARow} failures in a row; Ctrl-C ends it.`
}

/** In the words of seed 002. */
function showDryRun({ io }: Invocation, run: Awaited<ReturnType<typeof dryRun>>): 0 {
  io.result({ dry_run: run }, () => [
    `[DRY RUN] Procedure: ${run.procedure}`,
    `[DRY RUN] Would execute with: ${run.argv.map(quoted).join(' ')}`,
    `[DRY RUN] Token count: ~${amount(run.tokens)}${run.budget === null ? '' : ` / ${amount(run.budget)} budget`}`,
    ...run.gates.map((gate) => `[DRY RUN] Gate: ${gate}`),
    '',
    ...run.prompt.trimEnd().split('\n'),
  ])
  if (run.budget !== null && run.tokens > run.budget) {
    io.err(`WARNING: Prompt exceeds token budget: ~${amount(run.tokens)} > ${amount(run.budget)}`)
  }
  return 0
}
