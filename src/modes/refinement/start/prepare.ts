import type { z } from 'zod'
import { decodeText, readTextFile } from '../../../config/input/text-input.ts'
import { type Ladder, planLadder } from '../../../config/models/ladder.ts'
import { ConfigError, type ConfigProblem, formatExcerpt } from '../../../config/problem.ts'
import { readNotifySettings } from '../../../config/run-settings.ts'
import type { Settings } from '../../../config/settings.ts'
import { type Path, parseYaml, type YamlSource } from '../../../config/yaml-source.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Rung } from '../../../contract/models.ts'
import { findNearest } from '../../../contract/nearest.ts'
import { Rubric } from '../../../contract/rubric.ts'
import { findRubric, rubricNames } from '../../../judging/scoring/rubrics/named.ts'
import type { Machine, Models } from '../../../run/machine.ts'
import { presets, type RefineConfig } from '../contract/config.ts'
import type { Brief, RefinementRequest } from '../contract/request.ts'
import { buildRules, type NewRefinement } from './create.ts'
import { readRefineInput } from './input.ts'
import { choosePreset, type RefineOptions } from './options.ts'

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
  const rules = buildRules(preset, readChanges(options, settings))
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
      origins: readOrigins(preset, settings),
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
function ownNotify(settings: Settings): ReturnType<typeof readNotifySettings> {
  const { notify, ...told } = readNotifySettings(settings)
  const theirs = settings.effective('notify').origin.tier === 'workspace'
  const { webhook } = notify ?? {}
  return { ...told, ...(theirs ? webhook && { notify: { webhook } } : notify && { notify }) }
}

const shipped: Shipped = Object.fromEntries(rubricNames.map((name) => [name, findRubric(name)!]))

/** What the flags make of a preset. Bounds of the configuration are for other loops: a preset has its own. */
function readChanges({ calibrate }: RefineOptions, settings: Settings): Partial<RefineConfig> {
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

function readOrigins(preset: string, settings: Settings): Record<string, string> {
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

type Asked = Pick<RefinementRequest, 'ladder' | 'start' | 'escalateTo'>

/** What no model could take, or no run could pay for even once, is refused before anything is spent. */
function refuseTooLong(
  { task, goal = '', text = '', file }: Brief,
  rules: RefineConfig,
  asked: Asked,
  estimateTokens: (text: string) => number,
): void {
  const tokens = estimateTokens(`${task}\n${goal}\n${text}`)
  const what = file?.shown ?? 'what is to be refined'
  const about = `${what} is about ${figure(tokens)} tokens long`
  const least = leastNeeded(tokens, rules)
  if (least > rules.tokens) {
    throw new PawlError(
      30,
      `${about}, one round of it takes ${figure(least)}, and this run may spend ${figure(rules.tokens)}`,
      `Refine a part of it, or allow more: --max-tokens ${roundedUp(10 * tokens)}`,
    )
  }
  const models = asked.ladder.filter(({ id }) => id === asked.start || asked.escalateTo.includes(id))
  const largest = Math.max(...models.map(({ contextTokens }) => contextTokens))
  if (tokens + rules.leastOutputTokens <= largest) return
  throw new PawlError(
    30,
    `${about}, and no model that may be asked holds more than ${figure(largest)}`,
    'Refine a part of it, or name a model with a larger context in ladder of your config.yml.',
  )
}

/** Where all is counted, a text is read, written anew and read by its judge. Where both limits are one, the last call may go past them. */
function leastNeeded(
  tokens: number,
  { counts, leastOutputTokens, escalateTokens, tokens: most }: RefineConfig,
): number {
  if (escalateTokens >= most) return 0
  return counts === 'all' ? Math.max(3 * tokens, tokens + leastOutputTokens) : tokens + leastOutputTokens
}

const figure = (count: number): string => count.toLocaleString('en-US')
const roundedUp = (count: number): number => Math.ceil(count / 10_000) * 10_000

type Shipped = Readonly<Record<string, Rubric>>

/** A rubric by the name of one that is shipped, or from a file of one's own in JSON or YAML. */
export function readRubric(given: string, folder: string, shipped: Shipped): Rubric {
  const known = Object.hasOwn(shipped, given) ? shipped[given] : undefined
  if (known) return known
  const bytes = readTextFile(given, folder)
  if (bytes) return parseRubric(decodeText(bytes, given), given)
  const names = Object.keys(shipped)
  const close = findNearest(given, names)
  const hint = close ? `Did you mean ${close}?` : `Shipped: ${names.join(', ')}. One of your own: a file`
  throw new PawlError(2, `there is no rubric ${given}, neither shipped nor as a file`, hint)
}

export function parseRubric(text: string, file: string): Rubric {
  // JSON is YAML as well, and this way every problem has a line.
  const source = parseYaml(file, text)
  const parsed = source.content && Rubric.safeParse(source.content.value)
  const found = [
    ...source.problems,
    ...(parsed?.error?.issues ?? []).flatMap((issue) => toProblems(issue, source, file)),
    ...(parsed?.data ? contradictions(parsed.data, source, file) : []),
  ]
  const [first, ...rest] = found
  if (first) throw new ConfigError([first, ...rest])
  return parsed!.data!
}

const next = 'Correct it there and run the command again.'

function toProblems(issue: z.core.$ZodIssue, source: YamlSource, file: string): ConfigProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => {
      const path = [...issue.path, name]
      const found = {
        what: 'unknown key',
        found: formatExcerpt(name),
        allowed: 'keys of a rubric',
        next: 'Rename or remove it.',
      }
      return { file, ...source.keyAt(path), key: dotted(path), ...found }
    })
  }
  const allowed = issue.message.replace(/^Invalid input: /, '')
  return [{ file, ...source.valueAt(issue.path), key: dotted(issue.path), what: 'wrong value', allowed, next }]
}

/** Each part is fine, and they do not go together. */
function contradictions({ dimensions, checks }: Rubric, source: YamlSource, file: string): ConfigProblem[] {
  const at = (path: Path, allowed: string): ConfigProblem => ({
    file,
    ...source.valueAt(path),
    key: dotted(path),
    what: 'wrong value',
    allowed,
    next,
  })
  const ids = dimensions.map(({ id }) => id)
  const { leastWords = 0, mostWords = Infinity } = checks
  return [
    ...ids.flatMap((id, index) =>
      ids.indexOf(id) < index ? [at(['dimensions', index, 'id'], 'an id that no other dimension has')] : [],
    ),
    ...(leastWords > mostWords ? [at(['checks', 'leastWords'], 'at most what mostWords says')] : []),
  ]
}

const dotted = (path: Path): string => path.map((step) => formatExcerpt(String(step))).join('.')
