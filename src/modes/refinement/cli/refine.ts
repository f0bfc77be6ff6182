import { settingsHere } from '../../../config/settings-here.ts'
import { listRuns, type RunEntry } from '../../../run/index-of-runs.ts'
import { amount, duration, plural } from '../../../show/format.ts'
import type { Handler } from '../../../surfaces/cli/command.ts'
import { detach } from '../../../surfaces/terminal/detach.ts'
import { checkStart } from '../start/check-start.ts'
import { prepareRefinement } from '../start/prepare.ts'
import { startRefinement, type Wish } from '../start/start.ts'
import { driveRefinement } from './drive-refinement.ts'

/** What it is asked, whom it may ask and what that can cost at worst come first; then it runs, and ends with a diff. */
export const handle: Handler = async (invocation) => {
  const { place, args, options, io } = invocation
  const { maxIterations, maxTime, maxCost, maxTokens } = options
  const settings = await settingsHere(place, { flags: { maxIterations, maxTime, maxCost, maxTokens } })
  for (const warning of settings.warnings) io.err(`warning: ${warning}`)
  const around = { folder: process.cwd(), stdin: process.stdin }
  const { wish, notices } = await prepareRefinement(args[0]!, options, settings, place.env, around)
  const missing = await checkStart(place, wish.ladder)
  for (const notice of [...missing, ...notices]) io.err(`${place.name}: ${notice}`)
  if (!io.json && !options.quiet) io.err(worstCase(wish))
  const run = await startRefinement(place, wish)
  if (!options.detach) return driveRefinement(invocation, run)
  const found = (): RunEntry[] => listRuns(place).filter(({ id }) => id === run.id)
  return detach(invocation, ['resume', run.id, '--trust'], found)
}

function worstCase({ rules, caps, ladder }: Wish): string {
  const { ladder: rungs, start, escalateTo } = ladder
  const labels = [start, ...escalateTo].map((id) => rungs.find((rung) => rung.id === id)?.label ?? id)
  const parts = [
    plural(rules.iterations, 'iteration'),
    `${amount(rules.tokens)} tokens and ${amount(rules.overheadTokens)} for ${rules.counts === 'all' ? 'measuring the judge' : 'judging'}`,
    caps.costUsd && `$${caps.costUsd}`,
    caps.activeMs && duration(caps.activeMs),
  ].filter(Boolean)
  return `Bounds: at most ${parts.join(', ')}. Models: ${labels.join(', then ')}.`
}
