import { endpointOf, isLocal } from '../adapters/models/endpoint.ts'
import { knownRungs } from '../adapters/models/known.ts'
import type { Rung } from '../contract/models.ts'
import type { Model } from '../ports/model.ts'
import type { Environment, Machine, Models } from '../run/machine.ts'

/** The models that can be reached from here. Each is loaded when it is first asked. */
export function openModels(
  environment: Pick<Environment, 'env' | 'cwd'>,
  { estimateTokens }: Pick<Machine, 'estimateTokens'>,
): Models {
  const { env } = environment
  return {
    known: knownRungs,
    open(rung, tools) {
      let model: Promise<Model> | undefined
      const load = async (): Promise<Model> => {
        const { createModel } = await import('./create-model.ts')
        return createModel(rung, { ...tools, env, estimateTokens })
      }
      return {
        name: rung.label,
        async call(request, signal) {
          model ??= load()
          return (await model).call(request, signal)
        },
      }
    },
    probe: async (rung, signal) => (await import('./probe-rung.ts')).probeRung(rung, environment, signal),
    isLocal: (rung) => staysHere(rung, env),
    problem(rung) {
      if (rung.provider === 'agent' || rung.provider === 'scripted') return undefined
      const endpoint = endpointOf(rung, env)
      if (!('problem' in endpoint)) return undefined
      return { fault: endpoint.fault === 'login' ? 'login' : 'address', says: endpoint.problem }
    },
  }
}

/** Its address decides, whatever it is called; but what answers for a vendor here may well pass it on. */
function staysHere(rung: Rung, env: Environment['env']): boolean {
  switch (rung.provider) {
    case 'scripted':
      return true
    case 'ollama':
    case 'openai-compatible':
      return isLocal(rung, env)
    case 'agent':
    case 'xai':
    case 'anthropic':
      return false
  }
}
