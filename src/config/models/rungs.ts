import { basename, resolve } from 'node:path'
import { PawlError } from '../../contract/exit.ts'
import type { Rung, RungSetting } from '../../contract/models.ts'
import { findNearest } from '../../contract/nearest.ts'

/** Known models and agents. */
export type ModelCatalog = {
  /** Models by id: `ollama`, `grok`, `claude`. */
  readonly known: Readonly<Record<string, Rung>>
  /** Names of agents that can serve as models. */
  readonly agents: readonly string[]
  /** True if nothing sent to the model leaves this machine. */
  isLocal(rung: Rung): boolean
  /** Paths of scripts are relative to this folder. */
  readonly folder: string
}

export const resolveRungs = (settings: readonly RungSetting[], catalog: ModelCatalog): readonly Rung[] =>
  settings.map((setting) => resolveRung(setting, catalog))

/** Resolves an entry of `ladder`, or a model name, to a rung. */
export function resolveRung(setting: RungSetting, catalog: ModelCatalog): Rung {
  if (typeof setting === 'string') return resolveName(setting, catalog)
  const { base_url: baseUrl, key_env: keyEnv, json_schema: jsonSchema, context, agent, ...given } = setting
  const base = knownRung(setting.id, catalog) ?? (agent === undefined ? undefined : agentRung(agent, catalog))
  const provider = given.provider ?? base?.provider
  const model = given.model ?? base?.model
  if (!provider || !model)
    throw new PawlError(30, `ladder: ${setting.id} needs provider and model`, 'See docs/refine.md')
  if (provider === 'openai-compatible' && !baseUrl) throw new PawlError(30, `ladder: ${setting.id} needs base_url`)
  return {
    ...(base ?? { label: model, local: false, contextTokens: defaultContextTokens, price: null }),
    ...given,
    provider,
    model,
    ...(given.model && !given.label && { label: given.model }),
    ...(context !== undefined && { contextTokens: context }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keyEnv !== undefined && { keyEnv }),
    ...(jsonSchema !== undefined && { jsonSchema }),
  }
}

const defaultContextTokens = 32_768

function resolveName(name: string, catalog: ModelCatalog): Rung {
  const rung = knownRung(name, catalog)
  if (rung) return rung
  if (name.startsWith('agent:')) return agentRung(name.slice('agent:'.length), catalog)
  if (name.startsWith('scripted:')) return scriptedRung(name, catalog)
  const { ollama } = catalog.known
  if (ollama && name.startsWith('ollama:')) {
    const model = name.slice('ollama:'.length)
    return { ...ollama, id: name, model, label: model }
  }
  const names = [...Object.keys(catalog.known), ...catalog.agents.map((agent) => `agent:${agent}`), 'ollama:<model>']
  const close = findNearest(name, names)
  throw new PawlError(
    30,
    `unknown model: ${name}`,
    `${close ? `Did you mean ${close}? ` : ''}Known: ${names.join(', ')}, and the models in ladder of your config.yml.`,
  )
}

const knownRung = (id: string, { known }: ModelCatalog): Rung | undefined =>
  Object.values(known).find((rung) => rung.id === id)

/** Uses the agent's own login, cost report and default model. */
function agentRung(name: string, { agents }: ModelCatalog): Rung {
  if (!agents.includes(name)) {
    throw new PawlError(30, `unknown agent: ${name}`, `Known: ${agents.join(', ')}`)
  }
  const common = { provider: 'agent', model: '', local: false, contextTokens: 200_000, price: null } as const
  return { id: `agent:${name}`, label: name, ...common, argv: [name] }
}

/** Plays a script. Its path is made absolute, so that the run can be resumed from any folder. */
function scriptedRung(name: string, { folder }: ModelCatalog): Rung {
  const file = name.slice('scripted:'.length)
  const common = { provider: 'scripted', local: true, contextTokens: defaultContextTokens, price: null } as const
  return { id: name, label: basename(file), model: file, ...common, baseUrl: resolve(folder, file) }
}
