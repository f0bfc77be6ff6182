import { PawlError } from '../../contract/exit.ts'
import type { Rung, RungSetting } from '../../contract/models.ts'
import { type ModelCatalog, resolveRung } from './rungs.ts'

/** Who may be asked. The lists hold ids of rungs, first choice first. */
export type Ladder = {
  /** Weakest first. */
  readonly ladder: readonly Rung[]
  readonly start: string
  readonly escalateTo: readonly string[]
  readonly failover: readonly string[]
  readonly judges: readonly string[]
  /** What a person should know of it before it starts. */
  readonly notices: readonly string[]
}

export type LadderOptions = {
  readonly settings: readonly RungSetting[]
  readonly catalog: ModelCatalog
  /** Rungs that are made already, for names among the settings. */
  readonly own?: readonly Rung[]
  /** Rungs whose models are brought along: they need no key. */
  readonly provided?: readonly string[]
  /** What ESCALATE_LLM names: the model that begins, or the one that an escalation goes to. */
  readonly toggle: 'starts' | 'escalates'
  readonly env: Readonly<Record<string, string | undefined>>
  readonly model?: string | undefined
  readonly judge?: string | undefined
  readonly localOnly: boolean
  /** Nobody set the ladder: whoever names a model for this run means that one alone. */
  readonly unchosen?: boolean | undefined
}

/** Who may be asked, in which order, for what. A model elsewhere needs its key and somebody who named it. */
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
  const all = named.reduce(placed, configured).map((rung) => ({ ...rung, local: catalog.isLocal(rung) }))
  const begins = options.toggle === 'starts' ? toggle : undefined
  const start = options.model === undefined ? (begins ?? configured[0]!.id) : rungNamed(options.model, all).id
  const startRung = all.find(({ id }) => id === start)!
  refuseRemote(startRung, localOnly)
  refuseKeyless(startRung, options)
  if (options.judge !== undefined && !localOnly) refuseKeyless(rungNamed(options.judge, all), options)
  const [ladder, missing] = usable(all, start, options)
  const above = ladder.slice(ladder.findIndex(({ id }) => id === start) + 1).map(({ id }) => id)
  const wanted = options.toggle === 'escalates' && toggle && ladder.some(({ id }) => id === toggle) ? [toggle] : []
  const escalateTo = [...new Set([...wanted, ...above])].filter((id) => id !== start)
  const failover = [...ladder.filter(({ local }) => !local), ...ladder.filter(({ local }) => local)].map(({ id }) => id)
  const local = ladder.find((rung) => rung.local)?.id
  const judge = ladder.find(({ id }) => id === options.judge)?.id
  const judges = [...new Set([judge ?? local ?? start, ...failover])]
  const other = judge === options.judge ? [] : [`${options.judge} is left out, so ${judges[0]} judges`]
  const away = ladder.filter(({ provider, local: here }) => provider === 'ollama' && !here)
  const sent = away.map(({ label }) => `${label} is not on this machine: what is written is sent there (OLLAMA_HOST)`)
  const alone = escalateTo.length === 0 ? ['no stronger model, escalation off'] : []
  return { ladder, start, escalateTo, failover, judges, notices: [...missing, ...other, ...sent, ...alone] }
}

const toggles = ['ollama', 'grok', 'claude'] as const

function escalateToggle({ ESCALATE_LLM: said }: LadderOptions['env']): string | undefined {
  if (said === undefined || said === '') return undefined
  if (toggles.some((name) => name === said)) return said
  throw new PawlError(
    30,
    `ESCALATE_LLM is ${JSON.stringify(said.slice(0, 40))}`,
    `It takes one of: ${toggles.join(', ')}`,
  )
}

function refuseRemote({ id, local }: Rung, localOnly: boolean): void {
  if (localOnly && !local) {
    throw new PawlError(
      2,
      `--local-only, but it would start with ${id}`,
      'Drop one of them, or name a local model: --model ollama:<model>',
    )
  }
}

type KeyRule = Pick<LadderOptions, 'env' | 'provided'>

/** Who was named and cannot be asked is not silently stood in for. */
function refuseKeyless(rung: Rung, rule: KeyRule): void {
  const key = missingKey(rung, rule)
  if (key === undefined) return
  throw new PawlError(
    10,
    `${rung.label} needs a key: ${key} is not set`,
    `export ${key}=..., or name another model. Who answers: pawl doctor`,
  )
}

/** What is named for this one run takes its place: local ones below all others, known ones in their own order. */
function placed(ladder: readonly Rung[], rung: Rung): readonly Rung[] {
  if (ladder.some(({ id }) => id === rung.id)) return ladder
  const rank = ({ id }: Rung): number => (toggles as readonly string[]).indexOf(id)
  const at = rung.local ? 0 : ladder.findIndex((other) => rank(other) > rank(rung) && rank(rung) >= 0)
  return at < 0 ? [...ladder, rung] : ladder.toSpliced(at, 0, rung)
}

function usable(
  all: readonly Rung[],
  start: string,
  { localOnly, ...rule }: LadderOptions,
): [readonly Rung[], readonly string[]] {
  const missing = all.filter((rung) => rung.id !== start && missingKey(rung, rule) !== undefined)
  const ladder = all.filter((rung) => !missing.includes(rung) && (rung.local || !localOnly))
  const told = missing.map((rung) => `${rung.label} is left out: ${missingKey(rung, rule)} is not set`)
  return [ladder, localOnly ? [] : told]
}

/** The variable that a key would have to be in, where one is needed and not there. */
function missingKey(rung: Rung, { env, provided = [] }: KeyRule): string | undefined {
  const key = rung.local || provided.includes(rung.id) ? undefined : keyVariable(rung)
  return key === undefined || env[key] ? undefined : key
}

const keyVariable = ({ provider, keyEnv }: Rung): string | undefined =>
  keyEnv ?? (provider === 'xai' ? 'XAI_API_KEY' : provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : undefined)
