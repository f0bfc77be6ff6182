import { loadSettings } from '../../../config/load-settings.ts'
import { planLadder } from '../../../config/models/ladder.ts'
import { readNotifySettings } from '../../../config/run-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Rung } from '../../../contract/models.ts'
import type { Caps } from '../../../contract/values.ts'
import type { Lock } from '../../../ports/locks.ts'
import { type Machine, machineAt } from '../../../run/machine.ts'
import { defineStart, type Starter } from '../../../run/mode.ts'
import { createRunId } from '../../../run/new-run.ts'
import type { Level } from '../contract/project-type.ts'
import type { Base, Brief, WritingRequest, WritingRules } from '../contract/request.ts'
import { estimateIteration, formatEstimate } from '../core/estimate.ts'
import { listDownstream } from '../core/level/relations.ts'
import { commitManualEdits } from '../project/manual-edits.ts'
import { listFiles, type OpenProject, readSources } from '../project/project.ts'
import { createIteration } from './create.ts'
import { iterationForm } from './form.ts'
import { gatherBase, listAffected } from './gather.ts'
import { lockProject } from './lock.ts'
import { openFor } from './open.ts'
import { IterationOptions } from './options.ts'
import { ensureRepository } from './repository.ts'
import { findTarget, refuseMissing } from './target.ts'
import { refuseUnsaved } from './unsaved.ts'

/** Settles everything before the first model is asked: the target, the repository, the person's own edits, what happens downstream. */
export const iterate = defineStart({
  options: IterationOptions,
  // An agent used as a model only returns text and has no tools.
  startsAgents: false,
  form: iterationForm,
  async start(given, options, starter) {
    const machine = machineAt(given, options.studio)
    const settings = await loadSettings(machine, { flags: pickBounds(options) })
    for (const warning of settings.warnings) starter.tell(`warning: ${warning}`)
    const open = openFor(machine, options)
    const level = findTarget(open, options)
    const ladder = planModels(machine, options, settings)
    await ensureRepository(machine, open.folder, starter)
    const lock = await lockProject({ entry: entryOf(open) }, machine, { force: false })
    try {
      await refuseUnsaved(open, machine)
      refuseMissing(open, level, options)
      const cull = await decideDownstream(open, level, options, starter)
      await confirmReplacement(open, level, options, starter)
      const edited = await commitManualEdits(open, machine)
      if (edited.length > 0) starter.tell(`Your own edits were committed first: ${edited.join(', ')}`)
      const base = gatherBase(open, level)
      // A damaged one would be found only when the texts are saved.
      for (const written of [level, ...listDownstream(open.loaded.type, level.id)]) readSources(open, written)
      const brief = readBrief(open, options)
      starter.show([{ kind: 'text', lines: [[describeEstimate(base, level, brief, ladder, options, machine)]] }])
      const rules = buildRules(options, settings, ladder)
      const run = await createIteration(machine, {
        open,
        kind: options.kind,
        target: level.id,
        brief,
        base,
        cull,
        ladder,
        rules,
        answers: options.answers,
        view: options.view,
        session: options.session ?? createRunId(new Date(machine.clock.now())),
        ...readCaps(settings, options, rules),
        common: {
          sandbox: settings.value('sandbox'),
          env: settings.value('env'),
          secrets: settings.value('secrets'),
          ...readNotifySettings(settings),
        },
      })
      return { is: 'started', run, lock: lock satisfies Lock }
    } catch (error) {
      await lock.release()
      throw error
    }
  },
})

const pickBounds = ({ maxTime, maxCost, maxTokens }: IterationOptions) => ({ maxTime, maxCost, maxTokens })

const entryOf = ({ name, studio }: OpenProject) => ({
  id: '',
  mode: 'writing',
  name,
  workspace: studio,
  created: '',
  address: '',
})

type Models = ReturnType<typeof planModels>
type ModelOptions = Pick<IterationOptions, 'studio' | 'model' | 'judge' | 'localOnly'>

/** Throws if a model is unknown or lacks its key. */
export async function checkModels(machine: Machine, options: ModelOptions): Promise<void> {
  planModels(machine, options, await loadSettings(machine, { flags: {} }))
}

function planModels({ models, agents, environment }: Machine, options: ModelOptions, settings: Settings) {
  const { notices: _, ...ladder } = planLadder({
    settings: settings.value('ladder'),
    catalog: { ...models, agents: agents.names, folder: options.studio },
    unchosen: settings.effective('ladder').origin.tier === 'built-in',
    toggle: 'starts',
    env: environment.env,
    model: options.model,
    judge: options.judge ?? settings.value('judge') ?? options.model,
    localOnly: options.localOnly,
  })
  return ladder
}

/** Asks what happens to the levels made from this one. Recorded now, carried out with the final commit. */
async function decideDownstream(
  open: OpenProject,
  level: Level,
  { kind, cull, answers }: IterationOptions,
  { ask }: Starter,
): Promise<WritingRequest['cull']> {
  const affected = kind === 'analyze' ? [] : listAffected(open, level)
  if (affected.length === 0) return 'none'
  const named = affected.map((part) => `${part.level} (${part.files.length})`).join(', ')
  const choice =
    cull ?? answers?.cull ?? (await ask(`${named} made from ${level.id} will be affected:`, ['cull-all', 'keep-all']))
  if (choice === 'cull-all') return 'all'
  if (choice === 'keep-all') return 'keep'
  if (choice === 'cancel') throw new PawlError(10, 'cancelled, and nothing was changed', undefined, 'cancelled')
  throw new PawlError(
    10,
    `${named} will be affected, and nobody can be asked what to do with it`,
    'Say it in the answers file: cull: keep-all, or cull: cull-all',
    'needs_answer',
  )
}

/** Generating a level that exists replaces it. */
async function confirmReplacement(
  open: OpenProject,
  level: Level,
  { kind, replace, answers }: IterationOptions,
  { ask }: Starter,
): Promise<void> {
  const existing = kind === 'generate' ? listFiles(open, level).length : 0
  if (existing === 0 || replace || answers?.replace === 'yes') return
  const choice = await ask(`${level.title} exist already (${existing} files). Replace them?`, ['yes', 'no'])
  if (choice === 'yes') return
  throw new PawlError(
    10,
    `${level.title} exist already, and nothing was changed`,
    'To replace them: answer yes',
    'cancelled',
  )
}

function readBrief(open: OpenProject, { feedback, analysis, kind }: IterationOptions): Brief {
  if (kind !== 'analyze') return { feedback }
  const known = open.loaded.type.analyses
  const found = known.find(({ name }) => name === analysis) ?? known[0]
  if (!found) throw new PawlError(2, `a ${open.loaded.type.title} has no analyses`)
  return { feedback, analysis: { name: found.name, asks: found.asks } }
}

function describeEstimate(
  base: Base,
  level: Level,
  { feedback }: Brief,
  ladder: Models,
  { kind, speed }: IterationOptions,
  { estimateTokens }: Machine,
): string {
  const rungOf = (id: string): Rung => ladder.ladder.find((rung) => rung.id === id)!
  const [judge = ladder.start] = ladder.judges
  const options = { kind, feedback, writer: rungOf(ladder.start), judge: rungOf(judge), estimateTokens, speed }
  return formatEstimate(estimateIteration(base, level, options))
}

const defaults = { softLimit: 5, maxAttempts: 5, outputTokens: 8_000 } as const

function buildRules(options: IterationOptions, settings: Settings, { ladder, start }: Models): WritingRules {
  const { contextTokens } = ladder.find(({ id }) => id === start)!
  const outputTokens = options.outputTokens ?? Math.min(defaults.outputTokens, Math.floor(contextTokens / 3))
  return {
    askAfter: options.askAfter,
    softLimit: defaults.softLimit,
    maxAttempts: options.maxAttempts ?? defaults.maxAttempts,
    outputTokens,
    // A model with 200,000 tokens of context sees some hundred iterations in full.
    historyTokens: Math.floor(contextTokens / 8),
    limitMs: settings.value('attempt_timeout') ?? 1_800_000,
    silenceMs: settings.value('silence_timeout') ?? 300_000,
  }
}

/** Bounds on money and time. Attempts are bounded only without a person. */
function readCaps(settings: Settings, { answers }: IterationOptions, { maxAttempts }: WritingRules) {
  const [costUsd, activeMs, tokens] = [
    settings.value('max_cost'),
    settings.value('max_time'),
    settings.value('max_tokens'),
  ]
  const caps: Caps = {
    ...(costUsd !== undefined && { costUsd }),
    ...(activeMs !== undefined && { activeMs }),
    ...(tokens !== undefined && { tokens }),
    ...(answers && { attemptsPerRun: maxAttempts }),
  }
  const origins = {
    ...(costUsd !== undefined && { costUsd: settings.effective('max_cost').origin.where }),
    ...(activeMs !== undefined && { activeMs: settings.effective('max_time').origin.where }),
    ...(tokens !== undefined && { tokens: settings.effective('max_tokens').origin.where }),
  }
  return { caps, origins }
}
