import { basename, resolve } from 'node:path'
import { PawlError } from '../../contract/exit.ts'
import type { Rung, RungSetting } from '../../contract/models.ts'
import { findNearest } from '../../contract/nearest.ts'

/** What is known of models before any of them is asked. */
export type ModelCatalog = {
  /** Models by id: `ollama`, `grok`, `claude`. */
  readonly known: Readonly<Record<string, Rung>>
  /** Agents that can be asked as models, by name. */
  readonly agents: readonly string[]
  /** Whether nothing that is sent to it leaves this machine. */
  isLocal(rung: Rung): boolean
  /** Scripts are named from here. */
  readonly folder: string
}

export const resolveRungs = (settings: readonly RungSetting[], catalog: ModelCatalog): readonly Rung[] =>
  settings.map((setting) => resolveRung(setting, catalog))

/** From what a person wrote to a rung. */
export function resolveRung(setting: RungSetting, catalog: ModelCatalog): Rung {
  if (typeof setting === 'string') return byName(setting, catalog)
  const { base_url: baseUrl, key_env: keyEnv, context, agent, ...said } = setting
  const base = knownRung(setting.id, catalog) ?? (agent === undefined ? undefined : agentRung(agent, catalog))
  const provider = said.provider ?? base?.provider
  const model = said.model ?? base?.model
  if (!provider || !model)
    throw new PawlError(30, `ladder: ${setting.id} needs provider and model`, 'See docs/refine.md')
  if (provider === 'openai-compatible' && !baseUrl) throw new PawlError(30, `ladder: ${setting.id} needs base_url`)
  return {
    ...(base ?? { label: model, local: false, contextTokens: usualContext, price: null }),
    ...said,
    provider,
    model,
    ...(said.model && !said.label && { label: said.model }),
    ...(context !== undefined && { contextTokens: context }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keyEnv !== undefined && { keyEnv }),
  }
}

const usualContext = 32_768

function byName(name: string, catalog: ModelCatalog): Rung {
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
    `no model is called ${name}`,
    `${close ? `Did you mean ${close}? ` : ''}Known: ${names.join(', ')}, and those of ladder in your config.yml.`,
  )
}

const knownRung = (id: string, { known }: ModelCatalog): Rung | undefined =>
  Object.values(known).find((rung) => rung.id === id)

/** Its own login pays; what it costs, it tells itself. Which model answers is its own choice, unless one is named. */
function agentRung(name: string, { agents }: ModelCatalog): Rung {
  if (!agents.includes(name)) {
    throw new PawlError(30, `no agent is called ${name}`, `Known: ${agents.join(', ')}`)
  }
  const common = { provider: 'agent', model: '', local: false, contextTokens: 200_000, price: null } as const
  return { id: `agent:${name}`, label: name, ...common, argv: [name] }
}

/** Plays a file. Its path is frozen as it is now, whatever folder the run is resumed from. */
function scriptedRung(name: string, { folder }: ModelCatalog): Rung {
  const file = name.slice('scripted:'.length)
  const common = { provider: 'scripted', local: true, contextTokens: usualContext, price: null } as const
  return { id: name, label: basename(file), model: file, ...common, baseUrl: resolve(folder, file) }
}
