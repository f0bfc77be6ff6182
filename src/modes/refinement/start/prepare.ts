import { type Ladder, planLadder } from '../../../config/models/ladder.ts'
import { notifyOf } from '../../../config/run-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Rung } from '../../../contract/models.ts'
import { rubricNamed, rubricNames } from '../../../judging/scoring/rubrics/named.ts'
import type { Machine, Models } from '../../../run/machine.ts'
import { presets, type RefineConfig } from '../contract/config.ts'
import { type NewRefinement, rulesOf } from './create.ts'
import { readRefineInput } from './input.ts'
import { choosePreset, type RefineOptions } from './options.ts'
import { readRubric, type Shipped } from './read-rubric.ts'
import { refuseTooLong } from './refuse-too-long.ts'

export type Prepared = { readonly wanted: NewRefinement; readonly notices: readonly string[] }

/** From what was typed and configured to what a run is started with. Nothing is spent, nothing is kept yet. */
export async function prepareRefinement(
  machine: Machine,
  options: RefineOptions,
  settings: Settings,
): Promise<Prepared> {
  const preset = choosePreset(options)
  const { what, goal, context, out, write, cwd, readStdin, localOnly } = options
  const { brief, name } = await readRefineInput({ what, goal, context, out, write }, { folder: cwd, readStdin })
  const rubric = readRubric(options.rubric, cwd, shipped)
  const { notices, ...ladder } = planLadder({
    settings: settings.value('ladder'),
    catalog: { ...machine.models, agents: machine.agents.names, folder: cwd },
    unchosen: settings.effective('ladder').origin.tier === 'built-in',
    // In seed 001 the toggle is where it starts, in seed 000 where an escalation goes.
    toggle: preset === 'sap-0020' ? 'escalates' : 'starts',
    env: machine.environment.env,
    model: options.model,
    judge: options.judge ?? settings.value('judge'),
    localOnly,
  })
  refuseNowhere(ladder.ladder.find(({ id }) => id === ladder.start)!, machine.models)
  const rules = rulesOf(preset, changesOf(options, settings))
  refuseTooLong(brief, rules, ladder, machine.estimateTokens)
  const [costUsd, activeMs] = [settings.value('max_cost'), settings.value('max_time')]
  refuseUnknownCost(ladder.ladder, costUsd, options)
  return {
    wanted: {
      name,
      brief,
      rubric,
      rules,
      ladder,
      localOnly,
      caps: { ...(costUsd !== undefined && { costUsd }), ...(activeMs !== undefined && { activeMs }) },
      origins: originsOf(preset, settings),
      common: {
        sandbox: settings.value('sandbox'),
        env: settings.value('env'),
        secrets: settings.value('secrets'),
        ...ownNotify(settings),
      },
    },
    notices,
  }
}

/** Nothing that a repository names is started here, so nothing of it has to be trusted. */
function ownNotify(settings: Settings): ReturnType<typeof notifyOf> {
  const { notify, ...told } = notifyOf(settings)
  const theirs = settings.effective('notify').origin.tier === 'workspace'
  const { webhook } = notify ?? {}
  return { ...told, ...(theirs ? webhook && { notify: { webhook } } : notify && { notify }) }
}

const shipped: Shipped = Object.fromEntries(rubricNames.map((name) => [name, rubricNamed(name)!]))

/** What the flags make of a preset. Bounds of the configuration are for other loops: a preset has its own. */
function changesOf({ calibrate }: RefineOptions, settings: Settings): Partial<RefineConfig> {
  const flag = (key: 'default_iterations' | 'max_tokens'): number | undefined => {
    const { value, origin } = settings.effective(key)
    return origin.tier === 'flag' || origin.tier === 'environment' ? value : undefined
  }
  const { stepLimits } = presets.standard
  const [limitMs, silenceMs] = [settings.value('attempt_timeout'), settings.value('silence_timeout')]
  const iterations = flag('default_iterations')
  const tokens = flag('max_tokens')
  if (iterations === 0) throw new PawlError(2, 'a refinement is always bounded: --max-iterations takes 1 or more')
  return {
    ...(iterations !== undefined && { iterations }),
    ...(tokens !== undefined && { tokens, escalateTokens: Math.ceil(tokens / 2) }),
    ...(!calibrate && { calibrates: 'never' }),
    ...(limitMs !== undefined && {
      stepLimits: { ...stepLimits, decomposeMs: limitMs, generateMs: limitMs, judgeMs: limitMs },
    }),
    ...(silenceMs !== undefined && { silenceMs }),
  }
}

function originsOf(preset: string, settings: Settings): Record<string, string> {
  const of = (key: 'default_iterations' | 'max_tokens' | 'max_cost' | 'max_time'): string | undefined => {
    const { origin, value } = settings.effective(key)
    return value !== undefined && (origin.tier === 'flag' || origin.tier === 'environment') ? origin.where : undefined
  }
  const own = `preset ${preset}`
  return {
    attemptsPerRun: of('default_iterations') ?? own,
    tokens: of('max_tokens') ?? own,
    overheadTokens: own,
    escalations: own,
    waitMs: own,
    interruptionsInARow: 'built-in',
    ...(settings.value('max_cost') !== undefined && { costUsd: settings.effective('max_cost').origin.where }),
    ...(settings.value('max_time') !== undefined && { activeMs: settings.effective('max_time').origin.where }),
  }
}

/** Where the first call cannot go, no other comes about: such as to an OLLAMA_HOST that is no address. */
function refuseNowhere(rung: Rung, models: Pick<Models, 'problem'>): void {
  const problem = models.problem(rung)
  if (problem?.fault === 'address') throw new PawlError(30, problem.says)
}

/** A bound that cannot be reckoned would be no bound. */
function refuseUnknownCost(
  rungs: Ladder['ladder'],
  costUsd: number | undefined,
  { maxCost }: Pick<RefineOptions, 'maxCost'>,
): void {
  const unknown = rungs.find(({ price, local, provider }) => price === null && !local && provider !== 'agent')
  if (costUsd === undefined || maxCost === undefined || !unknown) return
  throw new PawlError(
    30,
    `--max-cost, but nobody said what ${unknown.label} costs`,
    'Set its price in ladder, in your config.yml.',
  )
}
