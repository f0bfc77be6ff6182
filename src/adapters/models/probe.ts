import { z } from 'zod'
import type { Rung } from '../../contract/models.ts'
import { createCallDeadline } from './call-deadline.ts'
import { safeDetail } from './detail.ts'
import { type Endpoint, type Environment, resolveEndpoint } from './endpoint.ts'
import { retirements } from './known.ts'
import { openWire } from './wire.ts'

/** `hint` is what the user can do about it or should know. */
export type RungProbe = {
  readonly ok: boolean
  /** A server responded, but without the model. */
  readonly answers?: true
  readonly says: string
  readonly hint?: string
}

const limitMs = 3000
const maxBytes = 1 << 20

/** Checks whether a rung's server responds and has the model. Sends no user data. Contract: never rejects. */
export async function probeHttpRung(rung: Rung, env: Environment, signal: AbortSignal): Promise<RungProbe> {
  const endpoint = resolveEndpoint(rung, env)
  if ('problem' in endpoint) return { ok: false, says: endpoint.problem, hint: hintFor(rung, endpoint.fault) }
  const answer = await askForModels(rung, endpoint, signal)
  if ('says' in answer) return { ...answer, says: safeDetail(answer.says, listSecrets(endpoint)) }
  return judgeModels(rung, answer.models)
}

/** Pure. Only Ollama lists all its models; other servers may serve unlisted ones. */
function judgeModels(rung: Rung, models: readonly string[]): RungProbe {
  const { provider, model } = rung
  const there = models.some((name) => name === model || name === `${model}:latest`)
  if (!there && provider === 'ollama') {
    return { ok: false, answers: true, says: `answers, but has no ${model}`, hint: `ollama pull ${model}` }
  }
  const retired = retirements[model]
  const hint = retired && { hint: `its vendor retires it on ${retired.on}; use ${retired.instead} instead` }
  return { ok: true, says: there ? `answers, and has ${model}` : `answers; ${model} is not in its list`, ...hint }
}

type Answer = { readonly models: readonly string[] } | RungProbe

async function askForModels(rung: Rung, endpoint: Endpoint, signal: AbortSignal): Promise<Answer> {
  const deadline = createCallDeadline({ limitMs }, signal)
  const wire = openWire({ signal: deadline.signal, heard: deadline.heard, maxBytes })
  const { href } = endpoint.url
  const url = rung.provider === 'ollama' ? `${href.replace(/\/v1$/, '')}/api/tags` : `${href}/models`
  try {
    const response = await wire.fetch(url, { headers: headersFor(rung, endpoint) })
    const text = await response.text()
    if (response.status !== 200) return toRejection(rung, response.status)
    return { models: Listed.parse(JSON.parse(text)) }
  } catch (error) {
    if (signal.aborted) return { ok: false, says: 'stopped' }
    if (deadline.ended().stop)
      return { ok: false, says: `no answer within ${limitMs / 1000} s`, hint: hintFor(rung, 'provider') }
    const { code } = error as NodeJS.ErrnoException
    const hint = hintFor(rung, 'provider')
    if (code) return { ok: false, says: `no connection: ${code}`, hint }
    return { ok: false, answers: true, says: 'answers, but is not a model server', hint }
  } finally {
    deadline.close()
  }
}

/** Ollama's model list, or that of all other servers. */
const Listed = z.union([
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .transform(({ models }) => models.map(({ name }) => name)),
  z.object({ data: z.array(z.object({ id: z.string() })) }).transform(({ data }) => data.map(({ id }) => id)),
])

function headersFor({ provider }: Rung, { key }: Endpoint): Record<string, string> {
  if (provider === 'anthropic') return { 'x-api-key': key ?? '', 'anthropic-version': '2023-06-01' }
  return key === null ? {} : { authorization: `Bearer ${key}` }
}

function toRejection(rung: Rung, status: number): RungProbe {
  const login = status === 401 || status === 403
  const says = login ? `refuses the key (HTTP ${status})` : `answers with HTTP ${status}`
  return { ok: false, says, hint: hintFor(rung, login ? 'login' : 'provider') }
}

const listSecrets = ({ key }: Endpoint) => ({ keys: key ? [key] : [], content: [] })

function hintFor({ provider, keyEnv }: Rung, fault: 'login' | 'request' | 'provider'): string {
  switch (provider) {
    case 'ollama':
      return 'start it with: ollama serve, or set OLLAMA_HOST to another address'
    case 'xai':
      return fault === 'provider' ? 'check XAI_BASE_URL and the network' : 'set XAI_API_KEY to a key from console.x.ai'
    case 'anthropic':
      return fault === 'provider'
        ? 'check ANTHROPIC_BASE_URL and the network'
        : 'set ANTHROPIC_API_KEY to a key from platform.claude.com'
    case 'openai-compatible':
      return fault === 'login' && keyEnv ? `set ${keyEnv}` : 'check its base_url in your config'
    case 'agent':
    case 'scripted':
      return 'check its entry in your config'
  }
}
