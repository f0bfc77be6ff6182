import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Why a request is refused. */
export type Refusal = { readonly status: 400 | 401 | 403 | 405 | 413 | 414 | 415 | 429; readonly says: string }

export type GuardOptions = {
  /** Values of the Host header that are this server: `127.0.0.1:4400`. */
  readonly hosts: ReadonlySet<string>
  readonly scheme: 'http' | 'https'
  /** The token for programs. Default: a new one. */
  readonly token?: string | undefined
  now(): number
}

export type Guard = {
  /** Checks everything that does not depend on the body. Undefined: the request may pass. */
  check(request: Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>): Refusal | undefined
  /** The token for programs, sent as `Authorization: Bearer <token>`. */
  readonly token: string
  /** Creates a link that signs one browser in, once. Earlier links stop working. */
  createLink(): string
  /** Exchanges the word of a link for the value of the session cookie. Undefined if it was used or is unknown. */
  enter(word: string): string | undefined
}

export const cookieName = 'pawl_session'
/** A custom header, which a page of another origin cannot send without asking first, and asking is refused. */
const customHeader = 'x-pawl'

const mostFailures = 10
const windowMs = 60_000
const mostSessions = 20

/**
 * Decides which requests may reach the server. Loopback is no protection: any page in any browser on this machine can send requests to
 * it. So each request needs the right Host, no foreign Origin, and a session cookie or the token; a write also needs JSON and a custom
 * header.
 */
export function createGuard({ hosts, scheme, token = createToken(), now }: GuardOptions): Guard {
  const sessions: Buffer[] = []
  let link: Buffer | undefined
  let failures: number[] = []

  /** Whoever guesses too often is told to wait. A right word still passes: nobody can lock the owner out. */
  const fail = (says: string): Refusal => {
    const recent = failures.filter((at) => now() - at < windowMs)
    failures = [...recent, now()].slice(-mostFailures)
    if (recent.length < mostFailures) return { status: 401, says }
    return { status: 429, says: 'too many failed attempts; wait a minute' }
  }

  function check(request: Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>): Refusal | undefined {
    const { method = '', url = '', headers, rawHeaders } = request
    const host = headers.host ?? ''
    if (!hosts.has(host) || countHeader(rawHeaders, 'host') !== 1) return { status: 403, says: 'unknown host' }
    if (!['GET', 'HEAD', 'POST'].includes(method)) return { status: 405, says: `${method} is not allowed` }
    if (!url.startsWith('/')) return { status: 400, says: 'not a path' }
    if (url.length > 4096) return { status: 414, says: 'the address is too long' }
    const crossing = checkOrigin(headers, host, method)
    if (crossing) return crossing
    const isWrite = method === 'POST'
    if (isWrite && headers[customHeader] !== '1') return { status: 403, says: `the header ${customHeader} is missing` }
    if (isWrite && !/^application\/json(;\s*charset=utf-8)?$/i.test(headers['content-type'] ?? ''))
      return { status: 415, says: 'a request body must be application/json' }
    if (isPublic(url, method)) return undefined
    return checkSignedIn(headers)
  }

  function checkOrigin(headers: IncomingHttpHeaders, host: string, method: string): Refusal | undefined {
    const { origin } = headers
    const site = headers['sec-fetch-site']
    if (origin !== undefined && origin !== `${scheme}://${host}`) return { status: 403, says: 'foreign origin' }
    // `none` is an address that the person typed or clicked in another program.
    const isTyped = site === 'none' && method !== 'POST'
    if (site !== undefined && site !== 'same-origin' && !isTyped) return { status: 403, says: 'foreign page' }
    // Every browser sends Origin with a POST. A program sends the token instead of a cookie.
    if (method === 'POST' && origin === undefined && headers.authorization === undefined)
      return { status: 403, says: 'no origin' }
    return undefined
  }

  function checkSignedIn(headers: IncomingHttpHeaders): Refusal | undefined {
    const bearer = /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? '')?.[1]
    if (bearer !== undefined) return isSame(hash(bearer), hash(token)) ? undefined : fail('the token is wrong')
    const cookie = readCookies(headers.cookie)
    if (cookie.length === 0) return { status: 401, says: 'not signed in' }
    if (cookie.length > 1) return fail('more than one session')
    const given = hash(cookie[0]!)
    // No early exit: the time does not tell how many sessions there are before the right one.
    const isKnown = sessions.map((known) => isSame(known, given)).includes(true)
    return isKnown ? undefined : fail('the session is unknown or has ended')
  }

  return {
    check,
    token,
    createLink: () => {
      const word = createToken()
      link = hash(word)
      return word
    },
    enter: (word) => {
      if (!link || !isSame(link, hash(word))) {
        fail('link')
        return undefined
      }
      link = undefined
      const session = createToken()
      sessions.push(hash(session))
      if (sessions.length > mostSessions) sessions.shift()
      return session
    },
  }
}

/** Lists the values that browsers send as Host. They omit the port if it is the scheme's own. */
export const listHosts = (name: string, port: number, scheme: GuardOptions['scheme']): readonly string[] =>
  port === (scheme === 'https' ? 443 : 80) ? [`${name}:${port}`, name] : [`${name}:${port}`]

/** Creates a word that nobody can guess. */
export const createToken = (): string => randomBytes(32).toString('base64url')
const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (a: Buffer, b: Buffer): boolean => timingSafeEqual(a, b)

/** Paths without a session: signing in, and the files of the page, which hold no data. */
const isPublic = (url: string, method: string): boolean => {
  const path = url.split('?')[0]!
  return method !== 'POST' && (path.startsWith('/enter/') || path.startsWith('/assets/') || path === '/favicon.svg')
}

/** Values of the session cookie. More than one: somebody planted another. */
const readCookies = (header = ''): string[] =>
  header
    .split(/;\s*/)
    .filter((part) => part.startsWith(`${cookieName}=`))
    .map((part) => part.slice(cookieName.length + 1))

const countHeader = (raw: readonly string[], name: string): number =>
  raw.filter((word, index) => index % 2 === 0 && word.toLowerCase() === name).length

/** Headers of every response. Nothing is loaded from elsewhere, framed, sniffed or cached by others. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}
