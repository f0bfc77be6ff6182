import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { expect, onTestFinished, test } from 'vitest'
import { listHosts } from '../../../src/surfaces/web/guard.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { writeCertificate } from './certificate.ts'
import { type Answer, startServing } from './serve.ts'

async function serveOverTls() {
  const space = newWorkspace()
  const { cert, key } = writeCertificate(space.root)
  const serving = await startServing(space, '--tls-cert', cert, '--tls-key', key)
  const ca = readFileSync(cert)
  const askSafely = async (path: string, headers: Record<string, string>): Promise<Answer> => {
    const sent = request({ port: serving.port, host: '127.0.0.1', path, headers, ca, agent: false })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = (await response.setEncoding('utf8').toArray()).join('')
    return { status: response.statusCode!, headers: response.headers, text }
  }
  return { ...serving, askSafely }
}

test('with a certificate the page and the API answer over https only, and the cookie is Secure', async () => {
  const { url, host, token, askSafely, raw } = await serveOverTls()
  expect(url).toMatch(`https://${host}/enter/`)
  const entered = await askSafely(new URL(url).pathname, { 'Sec-Fetch-Site': 'none' })
  const cookie = String(entered.headers['set-cookie'])
  expect([entered.status, cookie]).toEqual([303, expect.stringMatching(/; HttpOnly; SameSite=Strict; .*; Secure$/)])
  const session = { Cookie: cookie.split(';')[0]!, 'Sec-Fetch-Site': 'same-origin' }
  const page = await askSafely('/', { ...session, Accept: 'text/html' })
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('<html')])
  const [own, plain] = [`https://${host}`, `http://${host}`]
  expect((await askSafely('/api/v1/runs', { ...session, Origin: own })).status).toBe(200)
  expect((await askSafely('/api/v1/runs', { ...session, Origin: plain })).status).toBe(403)
  const bearer = { Authorization: `Bearer ${token}` }
  expect(JSON.parse((await askSafely('/api/v1/runs', bearer)).text)).toMatchObject({ runs: [] })
  const unsafe = await raw(
    `GET /api/v1/runs HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    60_000,
  )
  expect(unsafe).not.toContain('HTTP')
})

test('a connection that does not begin with TLS is closed after 10 seconds', async () => {
  const { raw } = await serveOverTls()
  const begun = performance.now()
  expect(await raw('', 120_000)).not.toContain('HTTP')
  expect(performance.now() - begun).toBeLessThan(60_000)
})

test.each([
  ['another key', ['--tls-cert', 'cert.pem', '--tls-key', 'other.pem'], 30, 'other.pem is not the key of cert.pem'],
  ['a key as certificate', ['--tls-cert', 'key.pem', '--tls-key', 'key.pem'], 30, 'cannot be used for TLS'],
  ['no such certificate', ['--tls-cert', 'none.pem', '--tls-key', 'key.pem'], 2, 'there is no file none.pem'],
  ['no such key', ['--tls-cert', 'cert.pem', '--tls-key', 'none.pem'], 2, 'there is no file none.pem'],
  ['a folder', ['--tls-cert', '.', '--tls-key', 'key.pem'], 2, '. is a directory'],
  ['a key alone', ['--tls-key', 'key.pem'], 2, '--tls-cert and --tls-key belong together'],
  ['a certificate alone', ['--tls-cert', 'cert.pem'], 2, '--tls-cert and --tls-key belong together'],
  ['all addresses', ['--host', '0.0.0.0'], 2, 'Name the address of this machine'],
  ['all addresses, IPv6', ['--host', '::', '--insecure'], 2, 'Name the address of this machine'],
  ['an address that others reach', ['--host', '192.0.2.1'], 2, 'Give --tls-cert and --tls-key, or --insecure'],
  ['an address of others', ['--host', '192.0.2.1', '--insecure'], 2, '192.0.2.1 is no address of this machine'],
] as const)('%s: an error that says what to do', async (_name, flags, code, message) => {
  const space = newWorkspace()
  writeCertificate(space.workspace)
  const started = space.start('serve', '--port', '0', ...flags)
  onTestFinished(() => void started.child.kill())
  expect(await started).toMatchObject({ code, out: '', err: expect.stringContaining(message) })
})

test('browsers leave out the port of the scheme', () => {
  expect(listHosts('example.org', 443, 'https')).toEqual(['example.org:443', 'example.org'])
  expect(listHosts('[::1]', 80, 'http')).toEqual(['[::1]:80', '[::1]'])
  expect(listHosts('example.org', 443, 'http')).toEqual(['example.org:443'])
  expect(listHosts('127.0.0.1', 4400, 'http')).toEqual(['127.0.0.1:4400'])
})
