import { PawlError } from '../../contract/exit.ts'
import type { Rung, RungSetting } from '../../contract/models.ts'
import { type ModelCatalog, resolveRung } from './rungs.ts'

/** The models a run may use. The lists hold rung ids, first choice first. */
export type Ladder = {
  /** Weakest first. */
  readonly ladder: readonly Rung[]
  readonly start: string
  readonly escalateTo: readonly string[]
  readonly failover: readonly string[]
  readonly judges: readonly string[]
  /** Shown to the user before the run starts. */
  readonly notices: readonly string[]
}

export type LadderOptions = {
  readonly settings: readonly RungSetting[]
  readonly catalog: ModelCatalog
  /** Ready-made rungs, looked up by id before the catalog. */
  readonly own?: readonly Rung[]
  /** Ids of rungs whose models the caller provides: they need no key. */
  readonly provided?: readonly string[]
  /** Whether ESCALATE_LLM names the first model or the escalation target. */
  readonly toggle: 'starts' | 'escalates'
  readonly env: Readonly<Record<string, string | undefined>>
  readonly model?: string | undefined
  readonly judge?: string | undefined
  readonly localOnly: boolean
  /** The ladder is the built-in default, so a model named for this run replaces it. */
  readonly unchosen?: boolean | undefined
}

/** Decides which models may be used, for what, in which order. A remote model must be named and needs its API key. */
export function planLadder(options: LadderOptions): Ladder {
  const { env, catalog, localOnly, own = [] } = options
  const toggle = escalateToggle(env)
  const chosen = options.unchosen && options.model !== undefined ? [options.model] : options.settings
  const configured = chosen.map((setting) => own.find(({ id }) => id === setting) ?? resolveRung(setting, catalog))
  const rungNamed = (name: string, among: readonly Rung[]): Rung =>
    among.find(({ id }) => id === name) ?? resolveRung(name, catalog)
  const named = [toggle, options.model, options.judge].flatMap((name) =>
    name === undefined ? [] : [rungNamed(name, configured)],
  )
  const all = named.reduce(insertRung, configured).map((rung) => ({ ...rung, local: catalog.isLocal(rung) }))
  const toggleStart = options.toggle === 'starts' ? toggle : undefined
  const start = options.model === undefined ? (toggleStart ?? configured[0]!.id) : rungNamed(options.model, all).id
  const startRung = all.find(({ id }) => id === start)!
  refuseRemote(startRung, localOnly)
  refuseKeyless(startRung, options)
  if (options.judge !== undefined && !localOnly) refuseKeyless(rungNamed(options.judge, all), options)
  const [ladder, missing] = selectUsable(all, start, options)
  const above = ladder.slice(ladder.findIndex(({ id }) => id === start) + 1).map(({ id }) => id)
  const wanted = options.toggle === 'escalates' && toggle && ladder.some(({ id }) => id === toggle) ? [toggle] : []
  const escalateTo = [...new Set([...wanted, ...above])].filter((id) => id !== start)
  const failover = [...ladder.filter(({ local }) => !local), ...ladder.filter(({ local }) => local)].map(({ id }) => id)
  const local = ladder.find((rung) => rung.local)?.id
  const judge = ladder.find(({ id }) => id === options.judge)?.id
  const judges = [...new Set([judge ?? local ?? start, ...failover])]
  const other = judge === options.judge ? [] : [`${options.judge} is not available, so ${judges[0]} judges`]
  const away = ladder.filter(({ provider, local: here }) => provider === 'ollama' && !here)
  const sent = away.map(({ label }) => `${label} is on another machine: your texts are sent there (OLLAMA_HOST)`)
  const alone = escalateTo.length === 0 ? ['no stronger model available: escalation is off'] : []
  return { ladder, start, escalateTo, failover, judges, notices: [...missing, ...other, ...sent, ...alone] }
}

const toggles = ['ollama', 'grok', 'claude'] as const

function escalateToggle({ ESCALATE_LLM: name }: LadderOptions['env']): string | undefined {
  if (name === undefined || name === '') return undefined
  if (toggles.some((known) => known === name)) return name
  throw new PawlError(
    30,
    `ESCALATE_LLM has an unknown value: ${JSON.stringify(name.slice(0, 40))}`,
    `Set it to one of: ${toggles.join(', ')}`,
  )
}

function refuseRemote({ id, local }: Rung, localOnly: boolean): void {
  if (localOnly && !local) {
    throw new PawlError(
      2,
      `--local-only conflicts with the first model, ${id}, which is not local`,
      'Remove one of them, or choose a local model: --model ollama:<model>',
    )
  }
}

type KeyRule = Pick<LadderOptions, 'env' | 'provided'>

/** Throws instead of silently replacing a model that the user named. */
function refuseKeyless(rung: Rung, rule: KeyRule): void {
  const key = missingKey(rung, rule)
  if (key === undefined) return
  throw new PawlError(
    10,
    `${rung.label} needs a key: ${key} is not set`,
    (pawl) => `export ${key}=..., or choose another model. To see which models answer: ${pawl} doctor`,
  )
}

/** Inserts a rung named for this run: local ones at the bottom, known ones in their usual order, others on top. */
function insertRung(ladder: readonly Rung[], rung: Rung): readonly Rung[] {
  if (ladder.some(({ id }) => id === rung.id)) return ladder
  const rank = ({ id }: Rung): number => (toggles as readonly string[]).indexOf(id)
  const at = rung.local ? 0 : ladder.findIndex((other) => rank(other) > rank(rung) && rank(rung) >= 0)
  return at < 0 ? [...ladder, rung] : ladder.toSpliced(at, 0, rung)
}

function selectUsable(
  all: readonly Rung[],
  start: string,
  { localOnly, ...rule }: LadderOptions,
): [readonly Rung[], readonly string[]] {
  const missing = all.filter((rung) => rung.id !== start && missingKey(rung, rule) !== undefined)
  const ladder = all.filter((rung) => !missing.includes(rung) && (rung.local || !localOnly))
  const notices = missing.map((rung) => `${rung.label} is not available: ${missingKey(rung, rule)} is not set`)
  return [ladder, localOnly ? [] : notices]
}

/** Returns the variable of a required API key that is not set. */
function missingKey(rung: Rung, { env, provided = [] }: KeyRule): string | undefined {
  const key = rung.local || provided.includes(rung.id) ? undefined : keyVariable(rung)
  return key === undefined || env[key] ? undefined : key
}

const keyVariable = ({ provider, keyEnv }: Rung): string | undefined =>
  keyEnv ?? (provider === 'xai' ? 'XAI_API_KEY' : provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : undefined)
