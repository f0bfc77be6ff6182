import { randomUUID } from 'node:crypto'
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
import { createRunId } from '../../../run/new-run.ts'
import { type PresetName, presets, type RefineConfig } from '../contract/config.ts'
import type { Brief, RefinementRequest } from '../contract/request.ts'
import { refinementSettings } from '../contract/settings.ts'
import { logRefusal } from '../sap/sap-log.ts'
import { buildRules, findBranch, type NewRefinement } from './create.ts'
import { isEmptyTask, readRefineInput } from './input.ts'
import { choosePreset, type RefineOptions } from './options.ts'

export type Prepared = { readonly wanted: NewRefinement; readonly notices: readonly string[] }

/** Turns options and settings into everything a run needs. Spends nothing and creates no run. */
export async function prepareRefinement(
  machine: Machine,
  options: RefineOptions,
  settings: Settings,
): Promise<Prepared> {
  const preset = choosePreset(options)
  const { what, goal, context, out, write, cwd, readStdin, localOnly } = options
  const { notices, ...ladder } = planLadder({
    settings: settings.value('ladder'),
    catalog: { ...machine.models, agents: machine.agents.names, folder: cwd },
    unchosen: settings.effective('ladder').origin.tier === 'built-in',
    // ESCALATE_LLM names the first model in seed 001, and the model to escalate to in seed 000.
    toggle: preset === 'sap-0020' ? 'escalates' : 'starts',
    env: machine.environment.env,
    model: options.model,
    judge: options.judge ?? settings.value('judge'),
    localOnly,
  })
  const { brief, name } = await readRefineInput({ what, goal, context, out, write }, { folder: cwd, readStdin }).catch(
    (error: unknown) => logEmptyTask(error, machine, ladder),
  )
  const rubric = readRubric(options.rubric, cwd, shipped)
  refuseNowhere(ladder.ladder.find(({ id }) => id === ladder.start)!, machine.models)
  const rules = buildRules(preset, readChanges(options, settings))
  refuseTooLong(brief, rules, ladder, machine.estimateTokens)
  const [costUsd, activeMs] = [settings.value('max_cost'), settings.value('max_time')]
  const unbounded = checkUnknownCost(ladder.ladder, settings)
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
    notices: [...notices, ...unbounded],
  }
}

/** Seed 001: an empty task is an error in the log. Rethrows the error. */
async function logEmptyTask(
  error: unknown,
  machine: Machine,
  { ladder, start }: Omit<Ladder, 'notices'>,
): Promise<never> {
  if (isEmptyTask(error)) {
    logRefusal(createRunId(new Date()), 'empty_task', error.message, {
      machine,
      workspace: machine.environment.cwd,
      request: { taskId: 'refine', correlationId: randomUUID(), branch: await findBranch(machine), ladder, start },
      pseudonymOf: (text) => machine.keys({ make: true }).pseudonymOf(text),
      onNotice: () => {},
    })
  }
  throw error
}

/** Drops a notify command set by the repository: `refine` runs none of its commands, so it needs no trust. */
function ownNotify(settings: Settings): ReturnType<typeof readNotifySettings> {
  const { notify, ...told } = readNotifySettings(settings)
  const theirs = settings.effective('notify').origin.tier === 'workspace'
  const { webhook } = notify ?? {}
  return { ...told, ...(theirs ? webhook && { notify: { webhook } } : notify && { notify }) }
}

const shipped: Shipped = Object.fromEntries(rubricNames.map((name) => [name, findRubric(name)!]))

type Bound = 'default_iterations' | 'max_tokens'

/** The figure of a flag or variable replaces that of the preset. One of a config file is for all modes: it only lowers it. */
function readBound(key: Bound, preset: number, settings: Settings): number | undefined {
  const { value, origin } = settings.effective(key)
  if (origin.tier === 'flag' || origin.tier === 'environment') return value
  return origin.tier !== 'built-in' && value !== undefined && value > 0 && value < preset ? value : undefined
}

function readChanges({ calibrate, ...options }: RefineOptions, settings: Settings): Partial<RefineConfig> {
  const preset = presets[choosePreset(options)]
  const { stepLimits } = presets.standard
  const [limitMs, silenceMs] = [settings.value('attempt_timeout'), settings.value('silence_timeout')]
  const pauseMs = settings.own(refinementSettings).pause_timeout
  const iterations = readBound('default_iterations', preset.iterations, settings)
  const tokens = readBound('max_tokens', preset.tokens, settings)
  if (iterations === 0) throw new PawlError(2, '--max-iterations must be 1 or more: a refinement is always bounded')
  return {
    ...(iterations !== undefined && { iterations }),
    ...(tokens !== undefined && { tokens, escalateTokens: Math.ceil(tokens / 2) }),
    ...(!calibrate && { calibrates: 'never' }),
    ...(limitMs !== undefined && {
      stepLimits: { ...stepLimits, decomposeMs: limitMs, generateMs: limitMs, judgeMs: limitMs },
    }),
    ...(silenceMs !== undefined && { silenceMs }),
    ...(pauseMs !== undefined && { pauseMs }),
  }
}

function readOrigins(preset: PresetName, settings: Settings): Record<string, string> {
  const own = `preset ${preset}`
  const of = (key: Bound, figure: number): string =>
    readBound(key, figure, settings) === undefined ? own : settings.effective(key).origin.where
  return {
    attemptsPerRun: of('default_iterations', presets[preset].iterations),
    tokens: of('max_tokens', presets[preset].tokens),
    overheadTokens: own,
    escalations: own,
    waitMs: own,
    interruptionsInARow: 'built-in',
    ...(settings.value('max_cost') !== undefined && { costUsd: settings.effective('max_cost').origin.where }),
    ...(settings.value('max_time') !== undefined && { activeMs: settings.effective('max_time').origin.where }),
  }
}

/** Refuses a first model with an invalid address, such as a malformed OLLAMA_HOST. */
function refuseNowhere(rung: Rung, models: Pick<Models, 'problem'>): void {
  const problem = models.problem(rung)
  if (problem?.fault === 'address') throw new PawlError(30, problem.says)
}

/** Refuses --max-cost if a price is unknown: the bound could not be enforced. A bound of a config file is only warned about. */
function checkUnknownCost(rungs: Ladder['ladder'], settings: Settings): readonly string[] {
  const { value: costUsd, origin } = settings.effective('max_cost')
  const unknown = rungs.find(({ price, local, provider }) => price === null && !local && provider !== 'agent')
  if (costUsd === undefined || !unknown) return []
  const hint = 'Set it in ladder in your config.yml.'
  if (origin.tier === 'flag') throw new PawlError(30, `--max-cost needs the price of ${unknown.label}`, hint)
  return [`max_cost (${origin.where}) does not bound ${unknown.label}: its price is unknown. ${hint}`]
}

type Asked = Pick<RefinementRequest, 'ladder' | 'start' | 'escalateTo'>

/** Refuses a text that exceeds the token budget or the context of every model. */
function refuseTooLong(
  { task, goal = '', text = '', file }: Brief,
  rules: RefineConfig,
  asked: Asked,
  estimateTokens: (text: string) => number,
): void {
  const tokens = estimateTokens(`${task}\n${goal}\n${text}`)
  const what = file?.shown ?? 'the text'
  const about = `${what} is about ${formatNumber(tokens)} tokens long`
  const least = leastNeeded(tokens, rules)
  if (least > rules.tokens) {
    throw new PawlError(
      30,
      `${about}: one iteration takes ${formatNumber(least)}, but this run may spend ${formatNumber(rules.tokens)}`,
      `Refine a part of it, or allow more: --max-tokens ${roundUp(10 * tokens)}`,
    )
  }
  const models = asked.ladder.filter(({ id }) => id === asked.start || asked.escalateTo.includes(id))
  const largest = Math.max(...models.map(({ contextTokens }) => contextTokens))
  if (tokens + rules.leastOutputTokens <= largest) return
  throw new PawlError(
    30,
    `${about}, but the largest context of the models is ${formatNumber(largest)}`,
    'Refine a part of it, or add a model with a larger context to ladder in your config.yml.',
  )
}

/** Tokens of one iteration: with `counts: all` the text is read, rewritten and judged. If both limits are equal, the last call may exceed them. */
function leastNeeded(
  tokens: number,
  { counts, leastOutputTokens, escalateTokens, tokens: most }: RefineConfig,
): number {
  if (escalateTokens >= most) return 0
  return counts === 'all' ? Math.max(3 * tokens, tokens + leastOutputTokens) : tokens + leastOutputTokens
}

const formatNumber = (count: number): string => count.toLocaleString('en-US')
const roundUp = (count: number): number => Math.ceil(count / 10_000) * 10_000

type Shipped = Readonly<Record<string, Rubric>>

/** Loads a built-in rubric by its name, or a file in JSON or YAML. */
export function readRubric(given: string, folder: string, shipped: Shipped): Rubric {
  const known = Object.hasOwn(shipped, given) ? shipped[given] : undefined
  if (known) return known
  const bytes = readTextFile(given, folder)
  if (bytes) return parseRubric(decodeText(bytes, given), given)
  const names = Object.keys(shipped)
  const close = findNearest(given, names)
  const hint = close ? `Did you mean ${close}?` : `Built-in: ${names.join(', ')}. Or give a file.`
  throw new PawlError(2, `unknown rubric ${given}: it is neither built-in nor a file`, hint)
}

export function parseRubric(text: string, file: string): Rubric {
  // JSON is parsed as YAML too, so that every problem has a line number.
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

/** Values that are valid alone but contradict each other. */
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
    ...(leastWords > mostWords ? [at(['checks', 'leastWords'], 'at most mostWords')] : []),
  ]
}

const dotted = (path: Path): string => path.map((step) => formatExcerpt(String(step))).join('.')
