import { endpointOf } from '../../../adapters/models/endpoint.ts'
import { ladderOf } from '../../../config/models/ladder.ts'
import type { Settings } from '../../../config/settings.ts'
import { PawlError } from '../../../contract/exit.ts'
import { rubricNamed, rubricNames } from '../../../judging/scoring/rubrics/named.ts'
import { notifyOf } from '../../../run/request.ts'
import { type PresetName, presetNames, presets, type RefineConfig } from '../contract/config.ts'
import { type Around, readRefineInput } from './input.ts'
import { readRubric, type Shipped } from './read-rubric.ts'
import { refuseTooLong } from './refuse-too-long.ts'
import { rulesOf, type Wish } from './start.ts'

type Options = Readonly<Record<string, unknown>>

export type Prepared = { readonly wish: Wish; readonly notices: readonly string[] }

/** From what was typed and configured to what a run is started with. Nothing is spent, nothing is kept yet. */
export async function prepareRefinement(
  what: string,
  options: Options,
  settings: Settings,
  env: NodeJS.ProcessEnv,
  around: Around,
): Promise<Prepared> {
  const preset = presetOf(options)
  const { brief, name } = await readRefineInput(
    {
      what,
      goal: said(options.goal),
      context: list(options.context),
      out: said(options.out),
      write: options.write === true,
    },
    around,
  )
  const rubric = readRubric(said(options.rubric) ?? 'general', around.folder, shipped)
  const localOnly = options.localOnly === true
  const ladder = ladderOf({
    settings: settings.value('ladder'),
    unchosen: settings.effective('ladder').origin.tier === 'built-in',
    preset,
    env,
    model: said(options.model),
    judge: said(options.judge) ?? settings.value('judge'),
    localOnly,
  })
  const { notices, ...rungs } = ladder
  refuseNowhere(rungs.ladder.find(({ id }) => id === rungs.start)!, env)
  const rules = rulesOf(preset, changesOf(options, settings))
  refuseTooLong(brief, rules, rungs)
  const costUsd = settings.value('max_cost')
  refuseUnknownCost(rungs.ladder, costUsd, options)
  const activeMs = settings.value('max_time')
  return {
    wish: {
      name,
      brief,
      rubric,
      rules,
      ladder: rungs,
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
const said = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const list = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : [])

function presetOf({ preset, adaptive }: Options): PresetName {
  const named = said(preset)
  if (named === undefined) return adaptive === true ? 'sap-0010' : 'standard'
  if (adaptive === true && named !== 'sap-0010')
    throw new PawlError(2, '--adaptive is short for --preset sap-0010: give one of them')
  const known = presetNames.find((name) => name === named)
  if (known) return known
  throw new PawlError(2, `no preset is called ${named}`, `There are: ${presetNames.join(', ')}`)
}

/** What the flags make of a preset. Bounds of the configuration are for other loops: a preset has its own. */
function changesOf({ calibrate }: Options, settings: Settings): Partial<RefineConfig> {
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
    ...(calibrate === false && { calibrates: 'never' }),
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
function refuseNowhere(rung: Wish['ladder']['ladder'][number], env: NodeJS.ProcessEnv): void {
  if (rung.provider === 'agent' || rung.provider === 'scripted') return
  const endpoint = endpointOf(rung, env)
  if (!('problem' in endpoint) || endpoint.fault === 'login') return
  throw new PawlError(30, endpoint.problem)
}

/** A bound that cannot be reckoned would be no bound. */
function refuseUnknownCost(
  rungs: Wish['ladder']['ladder'],
  costUsd: number | undefined,
  { maxCost, allowUnknownCost }: Options,
): void {
  const unknown = rungs.find(({ price, local, provider }) => price === null && !local && provider !== 'agent')
  if (costUsd === undefined || maxCost === undefined || allowUnknownCost === true || !unknown) return
  throw new PawlError(
    30,
    `--max-cost, but nobody said what ${unknown.label} costs`,
    'Set its price in ladder, in your config.yml.',
  )
}
