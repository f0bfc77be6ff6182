import { loadSettings } from '../../../config/load-settings.ts'
import type { Ladder } from '../../../config/models/ladder.ts'
import { checkWorkspaceFolders } from '../../../config/workspace-folders.ts'
import { PawlError } from '../../../contract/exit.ts'
import { noLock } from '../../../ports/locks.ts'
import type { Models } from '../../../run/machine.ts'
import { defineStart } from '../../../run/mode.ts'
import { formatAmount, formatCount, formatDuration } from '../../../show/format.ts'
import { createRefinement, type NewRefinement } from './create.ts'
import { refineForm } from './form.ts'
import { RefineOptions } from './options.ts'
import { prepareRefinement } from './prepare.ts'

/** Settles input, models and bounds before it creates the run. */
export const refine = defineStart({
  options: RefineOptions,
  // An agent used as a model only returns text and has no tools.
  startsAgents: false,
  form: refineForm,
  async start(machine, options, { tell, show }) {
    const { maxIterations, maxTime, maxCost, maxTokens } = options
    checkWorkspaceFolders(machine.environment.cwd, machine.environment.folder)
    const settings = await loadSettings(machine, { flags: { maxIterations, maxTime, maxCost, maxTokens } })
    for (const warning of settings.warnings) tell(`warning: ${warning}`)
    const { wanted, notices } = await prepareRefinement(machine, options, settings)
    const missing = await probeFirstModel(machine.models, wanted.ladder)
    for (const notice of [...missing, ...notices]) tell(`${machine.environment.program}: ${notice}`)
    const run = await createRefinement(machine, wanted)
    show([{ kind: 'text', lines: [[formatBounds(wanted)]] }])
    return { is: 'started', run, lock: noLock }
  },
})

/** Describes the most that the run may spend. */
function formatBounds({ rules, caps, ladder }: NewRefinement): string {
  const { ladder: rungs, start, escalateTo } = ladder
  const labels = [start, ...escalateTo].map((id) => rungs.find((rung) => rung.id === id)?.label ?? id)
  const parts = [
    formatCount(rules.iterations, 'iteration'),
    `${formatAmount(rules.tokens)} tokens and ${formatAmount(rules.overheadTokens)} for ${rules.counts === 'all' ? 'measuring the judge' : 'judging'}`,
    caps.costUsd && `$${caps.costUsd}`,
    caps.activeMs && formatDuration(caps.activeMs),
  ].filter(Boolean)
  return `Bounds: at most ${parts.join(', ')}. Models: ${labels.join(', then ')}.`
}

const never = new AbortController().signal

/**
 * Checks that the first model is available. Only models on this machine are probed: the check sends nothing elsewhere.
 * If other models can take over, a problem is only reported.
 */
async function probeFirstModel(
  models: Pick<Models, 'probe'>,
  { ladder, start }: Pick<Ladder, 'ladder' | 'start'>,
): Promise<readonly string[]> {
  const rung = ladder.find(({ id }) => id === start)!
  if (!rung.local && rung.provider !== 'agent') return []
  const { ok, says, hint, answers } = await models.probe(rung, never)
  if (ok) return []
  const what = `${rung.label} (${rung.id}): ${says}`
  // A server that answers may still be able to serve the model: the first call shows it.
  if (answers || ladder.length > 1) return [hint === undefined ? what : `${what}. ${hint}`]
  const others = 'Use another model: --model agent:claude, --model ollama:<model>, or your own ladder: docs/refine.md'
  throw new PawlError(10, what, hint === undefined ? others : `${hint}. ${others}`)
}
