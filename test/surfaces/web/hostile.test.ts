import { expect, test } from 'vitest'
import type { RunsPayload } from '../../../src/contract/web.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { type Asked, type Serving, startServing } from './serve.ts'

/** Requests that must not be accepted, each with a session that is valid where the attack could have one. */
type Attack = readonly [name: string, path: string, asked: Asked & { readonly session?: boolean }]

const json = { 'Content-Type': 'application/json', 'X-Pawl': '1' }

function listAttacks({ host, port, token }: Serving, id: string): readonly Attack[] {
  const stop = `/api/v1/runs/${id}/stop`
  const own = { Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' }
  const write = (name: string, headers: Record<string, string>, body = '{}', path = stop): Attack => [
    name,
    path,
    { method: 'POST', headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }, body, session: true },
  ]
  const read = (name: string, headers: Asked['headers'], path = '/api/v1/runs', session = true): Attack => [
    name,
    path,
    { headers: headers ?? {}, session },
  ]
  const hosts = [
    'evil.com',
    `evil.com:${port}`,
    `localhost.evil.com:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `0.0.0.0:${port}`,
    `127.0.0.1:${port + 1}`,
    `127.0.0.1`,
    `[::ffff:127.0.0.1]:${port}`,
    `2130706433:${port}`,
    `0x7f.1:${port}`,
    `LOCALHOST.:${port}`,
    `127.0.0.1:${port}@evil.com`,
    `evil.com#127.0.0.1:${port}`,
    `127.0.0.1:${port}, evil.com`,
  ]
  const origins = [
    'null',
    'http://evil.com',
    `https://${host}`,
    `http://${host}.evil.com`,
    `http://localhost:${port}1`,
    'http://127.0.0.1',
    `http://127.0.0.1:${port + 1}`,
    'file://',
    'chrome-extension://abc',
    `http://${host}/`,
    `http://user@${host}`,
  ]
  const sites = ['cross-site', 'same-site', 'none', 'evil']
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
    'application/json; charset=utf-16',
    'application/jsonp',
  ]
  const words = [
    'wrong',
    `${token}x`,
    token.slice(0, -1),
    token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase(),
    '../../etc/passwd',
  ]
  return [
    ...hosts.map((value) => read(`rebinding: Host ${value}`, { ...own, Host: value })),
    ...origins.map((value) => write(`CSRF: Origin ${value}`, { ...own, ...json, Origin: value })),
    ...origins.slice(0, 5).map((value) => read(`cross-origin read: Origin ${value}`, { ...own, Origin: value })),
    ...sites.map((value) => write(`CSRF: Sec-Fetch-Site ${value}`, { ...own, ...json, 'Sec-Fetch-Site': value })),
    ...sites
      .filter((value) => value !== 'none')
      .map((value) => read(`read from ${value}`, { 'Sec-Fetch-Site': value })),
    ...sites
      .filter((value) => value !== 'none')
      .map((value) => read(`EventSource from ${value}`, { 'Sec-Fetch-Site': value }, '/api/v1/stream')),
    ...types.map((value) => write(`CSRF: Content-Type ${value}`, { ...own, ...json, 'Content-Type': value })),
    write('CSRF: no custom header', { ...own, 'Content-Type': 'application/json' }),
    write('CSRF: another value of the header', { ...own, ...json, 'X-Pawl': 'true' }),
    write('CSRF: neither Origin nor token', json),
    ...words.map((word) =>
      read(`token: ${word || 'empty'}`, { Authorization: `Bearer ${word}` }, '/api/v1/runs', false),
    ),
    read('token in the address', {}, `/api/v1/runs?token=${token}`, false),
    read(
      'token as Basic',
      { Authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
      '/api/v1/runs',
      false,
    ),
    read('nothing at all', {}, '/api/v1/runs', false),
    read('nothing at all, stream', {}, '/api/v1/stream', false),
    read('nothing at all, a run', {}, `/api/v1/runs/${id}`, false),
    read('nothing at all, the page', { Accept: 'text/html' }, '/', false),
    read('a forged cookie', { ...own, Cookie: 'pawl_session=forged' }, '/api/v1/runs', false),
    read('an empty cookie', { ...own, Cookie: 'pawl_session=' }, '/api/v1/runs', false),
    read('the token as cookie', { ...own, Cookie: `pawl_session=${token}` }, '/api/v1/runs', false),
    read('a used link', { 'Sec-Fetch-Site': 'none' }, '/enter/used', false),
    ...[
      '../../../etc/passwd',
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e%2fx',
      '..%5cx',
      '%00',
      'a%0d%0aX: y',
      '%2fetc%2fpasswd',
    ].map((path) => read(`traversal: run ${path}`, own, `/api/v1/runs/${path}`)),
    ...[
      '/assets/../../package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/index.html.js',
      '//etc/passwd.js',
    ].map((path) => read(`traversal: file ${path}`, own, path)),
    ...['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'].map(
      (method): Attack => [`method ${method}`, stop, { method, headers: { ...own, ...json }, session: true }],
    ),
    ['a write by GET', stop, { headers: { ...own, ...json }, session: true }],
    write('a body that is not JSON', { ...own, ...json }, '{'),
    write('a body with unknown keys', { ...own, ...json }, '{"force":true}'),
    write('a body that is a list', { ...own, ...json }, '[]'),
    write('a prototype', { ...own, ...json }, '{"__proto__":{"x":1},"constructor":1}'),
    write(
      'a huge answer',
      { ...own, ...json },
      JSON.stringify({ text: 'x'.repeat(300_000) }),
      `/api/v1/runs/${id}/feedback`,
    ),
    write('a negative bound', { ...own, ...json }, '{"caps":{"tokens":-1}}', `/api/v1/runs/${id}/raise`),
    write('an unknown bound', { ...own, ...json }, '{"caps":{"gold":1}}', `/api/v1/runs/${id}/raise`),
    write('an answer without a question', { ...own, ...json }, '{"choice":"yes"}', `/api/v1/runs/${id}/answer`),
    ...['limit=-1', 'limit=1e9', 'limit=99999999', 'limit=1;drop'].map((query) =>
      read(`query ${query}`, own, `/api/v1/runs?${query}`),
    ),
    read('a stream with a bad Last-Event-ID', { ...own, 'Last-Event-ID': '-1 OR 1=1' }, `/api/v1/runs/${id}/stream`),
    ['a huge header', '/api/v1/runs', { headers: { ...own, 'X-Big': 'x'.repeat(20_000) }, session: true }],
    ['a huge address', `/api/v1/runs?search=${'x'.repeat(8000)}`, { headers: own, session: true }],
  ]
}

/** A run that nobody may change, finished, so that nothing moves by itself. */
async function serveOneRun() {
  const space = newWorkspace()
  expect((await space.run('run', 'build', '--trust', '-n', '1')).code).toBe(0)
  const serving = await startServing(space)
  const { runs } = await serving.get<RunsPayload>('/runs')
  const { id } = runs[0]!
  const seq = async (): Promise<number> => (await serving.get<{ seq: number }>(`/runs/${id}`)).seq
  return { ...serving, id, seq }
}

test('no hostile request is accepted', async () => {
  const serving = await serveOneRun()
  const before = await serving.seq()
  const session = await serving.signIn()
  const attacks = listAttacks(serving, serving.id)
  expect(attacks.length).toBeGreaterThanOrEqual(80)
  const accepted: string[] = []
  for (const [name, path, { session: hasSession, headers = {}, ...asked }] of attacks) {
    const cookie: Record<string, string> = hasSession ? { Cookie: session.Cookie! } : {}
    const { status } = await serving
      .ask(path, { ...asked, headers: { ...cookie, ...headers } })
      .catch(() => ({ status: 0 }))
    if (status < 400 && status !== 0) accepted.push(`${name}: ${status}`)
  }
  expect(accepted).toEqual([])
  expect(await serving.seq()).toBe(before)
})

test('requests that are no HTTP, smuggled or never end: refused, and the server goes on', async () => {
  const { raw, host, token, get } = await serveOneRun()
  const auth = `Host: ${host}\r\nAuthorization: Bearer ${token}\r\n`
  const post = `POST /api/v1/runs/x/stop HTTP/1.1\r\n${auth}X-Pawl: 1\r\nContent-Type: application/json\r\n`
  const hidden = `GET /api/v1/runs HTTP/1.1\r\n${auth}\r\n`
  const attacks = {
    'two lengths': `${post}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    'length and chunks': `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'chunks, spelt oddly': `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
    'chunks without an end': `${post}Transfer-Encoding: chunked\r\n\r\nff\r\n`,
    'a space before the colon': `${post}Content-Length : 4\r\n\r\n{}\r\n`,
    'a folded header': `${post}X-Fold: a\r\n b\r\nContent-Length: 0\r\n\r\n`,
    'two hosts': `GET /api/v1/runs HTTP/1.1\r\n${auth}Host: evil.com\r\n\r\n`,
    'no host': `GET /api/v1/runs HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    'an absolute address': `GET http://evil.com/api/v1/runs HTTP/1.1\r\n${auth}\r\n`,
    'a proxy': `CONNECT evil.com:443 HTTP/1.1\r\n${auth}\r\n`,
    'a line feed alone': `GET /api/v1/runs HTTP/1.1\n${auth.replaceAll('\r', '')}X: 1\r\n\r\n`,
    'another protocol': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'a body of GET': `GET /api/v1/runs HTTP/1.1\r\n${auth}Content-Length: 10\r\n\r\n0123456789`,
    'a body that is too long': `${post}Content-Length: 1000000000\r\n\r\n{`,
  }
  for (const [name, bytes] of Object.entries(attacks)) {
    const answers = (await raw(bytes, 1500)).match(/^HTTP\/1\.1 \d+/gm) ?? []
    expect([name, answers.filter((line) => line.endsWith(' 200'))]).toEqual([name, []])
  }
  expect((await get<RunsPayload>('/runs')).runs).toHaveLength(1)
})

test('a link works once; whoever guesses is told to wait, and the owner is not locked out', async () => {
  const { ask, signIn, url } = await serveOneRun()
  const session = await signIn()
  expect((await ask('/api/v1/runs', { headers: session })).status).toBe(200)
  expect((await ask(new URL(url).pathname)).status).toBe(401)
  const { headers } = await ask('/', { headers: { ...session, Accept: 'text/html' } })
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/)
  expect([headers['x-frame-options'], headers['access-control-allow-origin']]).toEqual(['DENY', undefined])
  for (let word = 0; word < 12; word++) await ask(`/enter/${word}`)
  const guess = { headers: { Authorization: 'Bearer guess' } }
  expect((await ask('/api/v1/runs', guess)).status).toBe(429)
  expect((await ask('/api/v1/runs', { headers: session })).status).toBe(200)
})
