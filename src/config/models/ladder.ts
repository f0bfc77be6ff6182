import { dialects, isAgentName } from '../../adapters/agents/dialects.ts'
import { isLocal } from '../../adapters/models/endpoint.ts'
import { knownRungs } from '../../adapters/models/known.ts'
import { PawlError } from '../../contract/exit.ts'
import type { RungSetting } from '../../contract/models.ts'
import { nearest } from '../../contract/nearest.ts'
import type { PresetName } from '../../modes/refinement/contract/config.ts'
import type { RefinementRequest, Rung } from '../../modes/refinement/contract/request.ts'

export type Ladder = Pick<RefinementRequest, 'ladder' | 'start' | 'escalateTo' | 'failover' | 'judges'> & {
  /** What a person should know of it before it starts. */
  readonly notices: readonly string[]
}

export type LadderWish = {
  readonly settings: readonly RungSetting[]
  /** Rungs that are made already, for names among the settings. */
  readonly own?: readonly Rung[]
  readonly preset: PresetName
  readonly env: NodeJS.ProcessEnv
  readonly model?: string | undefined
  readonly judge?: string | undefined
  readonly localOnly: boolean
  /** Nobody set the ladder: whoever names a model for this run means that one alone. */
  readonly unchosen?: boolean | undefined
}

/** Who may be asked, in which order, for what. A model elsewhere needs its key and somebody who named it. */
export function ladderOf(wish: LadderWish): Ladder {
  const { env, preset, localOnly } = wish
  const toggle = escalateToggle(env)
  const { own = [] } = wish
  const chosen = wish.unchosen && wish.model !== undefined ? [wish.model] : wish.settings
  const configured = chosen.map((setting) => own.find(({ id }) => id === setting) ?? rungOf(setting))
  const named = [toggle, wish.model, wish.judge].flatMap((name) =>
    name === undefined ? [] : [rungNamed(name, configured)],
  )
  const all = named.reduce(placed, configured).map((rung) => ({ ...rung, local: staysHere(rung, env) }))
  const start = wish.model === undefined ? startBy(preset, toggle, configured) : rungNamed(wish.model, all).id
  const startRung = all.find(({ id }) => id === start)!
  refuseRemote(startRung, localOnly)
  refuseKeyless(startRung, env)
  if (wish.judge !== undefined && !localOnly) refuseKeyless(rungNamed(wish.judge, all), env)
  const [ladder, missing] = usable(all, start, wish)
  const above = ladder.slice(ladder.findIndex(({ id }) => id === start) + 1).map(({ id }) => id)
  const wanted = preset === 'sap-0020' && toggle && ladder.some(({ id }) => id === toggle) ? [toggle] : []
  const escalateTo = [...new Set([...wanted, ...above])].filter((id) => id !== start)
  const failover = [...ladder.filter(({ local }) => !local), ...ladder.filter(({ local }) => local)].map(({ id }) => id)
  const local = ladder.find((rung) => rung.local)?.id
  const judge = ladder.find(({ id }) => id === wish.judge)?.id
  const judges = [...new Set([judge ?? local ?? start, ...failover])]
  const other = judge === wish.judge ? [] : [`${wish.judge} is left out, so ${judges[0]} judges`]
  const away = ladder.filter(({ provider, local: here }) => provider === 'ollama' && !here)
  const sent = away.map(({ label }) => `${label} is not on this machine: what is written is sent there (OLLAMA_HOST)`)
  const alone = escalateTo.length === 0 ? ['no stronger model, escalation off'] : []
  return { ladder, start, escalateTo, failover, judges, notices: [...missing, ...other, ...sent, ...alone] }
}

const toggles = ['ollama', 'grok', 'claude'] as const

function escalateToggle({ ESCALATE_LLM: said }: NodeJS.ProcessEnv): string | undefined {
  if (said === undefined || said === '') return undefined
  if (toggles.some((name) => name === said)) return said
  throw new PawlError(
    30,
    `ESCALATE_LLM is ${JSON.stringify(said.slice(0, 40))}`,
    `It takes one of: ${toggles.join(', ')}`,
  )
}

/** Seed 001: the toggle is where it starts. In seed 000 it is where an escalation goes. */
const startBy = (preset: PresetName, toggle: string | undefined, configured: readonly Rung[]): string =>
  preset === 'sap-0020' || toggle === undefined ? configured[0]!.id : toggle

function refuseRemote({ id, local }: Rung, localOnly: boolean): void {
  if (localOnly && !local) {
    throw new PawlError(
      2,
      `--local-only, but it would start with ${id}`,
      'Drop one of them, or name a local model: --model ollama:<model>',
    )
  }
}

/** Who was named and cannot be asked is not silently stood in for. */
function refuseKeyless(rung: Rung, env: NodeJS.ProcessEnv): void {
  const key = rung.local ? undefined : keyOf(rung)
  if (key === undefined || env[key]) return
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
  { env, localOnly }: LadderWish,
): [readonly Rung[], readonly string[]] {
  const missing = all.filter(
    (rung) => rung.id !== start && !rung.local && keyOf(rung) !== undefined && !env[keyOf(rung)!],
  )
  const ladder = all.filter((rung) => !missing.includes(rung) && (rung.local || !localOnly))
  return [ladder, localOnly ? [] : missing.map((rung) => `${rung.label} is left out: ${keyOf(rung)} is not set`)]
}

/** Its address decides, whatever it is called; but what answers for a vendor here may well pass it on. */
const staysHere = (rung: Rung, env: NodeJS.ProcessEnv): boolean =>
  (rung.provider === 'ollama' || rung.provider === 'openai-compatible' || rung.provider === 'scripted') &&
  (rung.provider === 'scripted' || isLocal(rung, env))

/** The variable that its key is read from. */
const keyOf = ({ provider, keyEnv }: Rung): string | undefined =>
  keyEnv ?? (provider === 'xai' ? 'XAI_API_KEY' : provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : undefined)

function rungNamed(name: string, among: readonly Rung[]): Rung {
  return among.find(({ id }) => id === name) ?? rungOf(name)
}

export const rungsOf = (settings: readonly RungSetting[]): readonly Rung[] => settings.map(rungOf)

/** From what a person wrote to a rung. */
function rungOf(setting: RungSetting): Rung {
  if (typeof setting === 'string') return byName(setting)
  const { base_url: baseUrl, key_env: keyEnv, context, agent, ...said } = setting
  const base = known(setting.id) ?? (agent === undefined ? undefined : agentRung(agent))
  const provider = said.provider ?? base?.provider
  const model = said.model ?? base?.model
  if (!provider || !model)
    throw new PawlError(30, `ladder: ${setting.id} needs provider and model`, 'See docs/refine.md')
  if (provider === 'openai-compatible' && !baseUrl) throw new PawlError(30, `ladder: ${setting.id} needs base_url`)
  return {
    ...(base ?? { label: model, local: false, contextTokens: 32_768, price: null }),
    ...said,
    provider,
    model,
    ...(said.model && !said.label && { label: said.model }),
    ...(context !== undefined && { contextTokens: context }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keyEnv !== undefined && { keyEnv }),
  }
}

function byName(name: string): Rung {
  const rung = known(name)
  if (rung) return rung
  if (name.startsWith('agent:')) return agentRung(name.slice('agent:'.length))
  if (name.startsWith('ollama:')) {
    const model = name.slice('ollama:'.length)
    return { ...knownRungs.ollama, id: name, model, label: model }
  }
  const names = [...Object.keys(knownRungs), 'agent:claude', 'agent:codex', 'agent:opencode', 'ollama:<model>']
  const close = nearest(name, names)
  throw new PawlError(
    30,
    `no model is called ${name}`,
    `${close ? `Did you mean ${close}? ` : ''}Known: ${names.join(', ')}, and those of ladder in your config.yml.`,
  )
}

const known = (id: string): Rung | undefined => Object.values(knownRungs).find((rung) => rung.id === id)

/** Its own login pays; what it costs, it tells itself. Which model answers is its own choice, unless one is named. */
function agentRung(name: string): Rung {
  if (!isAgentName(name)) {
    throw new PawlError(30, `no agent is called ${name}`, `Known: ${Object.keys(dialects).join(', ')}`)
  }
  const common = { provider: 'agent', model: '', local: false, contextTokens: 200_000, price: null } as const
  return { id: `agent:${name}`, label: name, ...common, argv: [name] }
}
