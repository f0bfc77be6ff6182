import type { Rung } from '../../contract/models.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Base URL of a model server and the key to send. */
export type Endpoint = { readonly url: URL; readonly key: string | null }

/** Why a call cannot be made. Nothing was sent. */
export type NoEndpoint = { readonly problem: string; readonly fault: 'login' | 'request' }

type HttpProvider = 'ollama' | 'xai' | 'anthropic' | 'openai-compatible'

/** Variables that the vendors' own tools use. A key that is not `needed` is sent if it is set. */
const vendors: Readonly<Record<HttpProvider, { base?: string; default?: string; key?: string; needed: boolean }>> = {
  ollama: { base: 'OLLAMA_HOST', default: '127.0.0.1:11434', needed: false },
  xai: { base: 'XAI_BASE_URL', default: 'https://api.x.ai/v1', key: 'XAI_API_KEY', needed: true },
  anthropic: {
    base: 'ANTHROPIC_BASE_URL',
    default: 'https://api.anthropic.com',
    key: 'ANTHROPIC_API_KEY',
    needed: true,
  },
  'openai-compatible': { needed: false },
}

const isHttp = (provider: Rung['provider']): provider is HttpProvider => Object.hasOwn(vendors, provider)

/** Pure. Called for every call, so that no key is stored. */
export function resolveEndpoint(rung: Rung, env: Environment): Endpoint | NoEndpoint {
  if (!isHttp(rung.provider)) return { problem: `${rung.provider} is not an HTTP provider`, fault: 'request' }
  const vendor = vendors[rung.provider]
  const base = (vendor.base && env[vendor.base]?.trim()) || rung.baseUrl || vendor.default
  const from = vendor.base && env[vendor.base]?.trim() ? vendor.base : 'base_url'
  if (!base) return { problem: `${rung.id} has no base_url`, fault: 'request' }
  const url = parseUrl(rung.provider === 'ollama' ? ollamaUrl(base) : base)
  if (!url) return { problem: `${from} must be an http or https URL without credentials`, fault: 'request' }
  if (rung.local && !staysHere(rung, url)) {
    return {
      problem: `${rung.id} is marked as local, but its calls would leave this machine (${from})`,
      fault: 'request',
    }
  }
  const name = rung.keyEnv ?? vendor.key
  const key = (name && env[name]?.trim()) || null
  if (key === null && name && (vendor.needed || rung.keyEnv)) return { problem: `${name} is not set`, fault: 'login' }
  if (key && !/^[\x21-\x7e]+$/.test(key))
    return { problem: `${name} contains characters that no key has`, fault: 'login' }
  if (key && url.protocol === 'http:' && !isLoopback(url)) {
    return { problem: `${from} is plain http to another machine, so the key is not sent`, fault: 'login' }
  }
  return { url: withVersion(rung.provider, url), key }
}

/** Returns whether calls stay on this machine with the current settings. Ollama forwards some models to its cloud. */
export function isLocal(rung: Rung, env: Environment): boolean {
  const endpoint = resolveEndpoint({ ...rung, local: false }, env)
  return 'url' in endpoint && staysHere(rung, endpoint.url)
}

const staysHere = (rung: Rung, url: URL): boolean => isLoopback(url) && !isOllamaCloud(rung)

/** Returns whether Ollama forwards the model to its cloud. */
export const isOllamaCloud = ({ provider, model }: Rung): boolean => provider === 'ollama' && /[:-]cloud$/.test(model)

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)

function parseUrl(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** Accepts `host`, `host:port`, `:port` or a URL. Replaces a listen-on-all address with the loopback address. */
function ollamaUrl(host: string): string {
  const full = /^\w+:\/\//.test(host) ? host : `http://${withPort(/^:\d+$/.test(host) ? `127.0.0.1${host}` : host)}`
  return full.replace(/^(\w+:\/\/)(0\.0\.0\.0|\[::\])(?=[:/]|$)/, (_, scheme: string) => `${scheme}127.0.0.1`)
}

function withPort(host: string): string {
  const [name, ...path] = host.split('/')
  const ported = /^(\[[^\]]*\]|[^:]*):\d+$/.test(name!) ? name! : `${bracketed(name!)}:11434`
  return [ported, ...path].join('/')
}

/** Adds the brackets that a bare IPv6 address such as `::1` needs. */
const bracketed = (name: string): string => (/:.*:/.test(name) && !name.startsWith('[') ? `[${name}]` : name)

/** Adds `/v1` for Ollama and Anthropic, whose base URLs usually lack it. */
function withVersion(provider: HttpProvider, url: URL): URL {
  const named = provider === 'xai' || provider === 'openai-compatible' || url.pathname.endsWith('/v1')
  if (!named) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1`
  return url
}
