import * as fs from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMemoryStore } from '../../../src/adapters/stores/memory/store.ts'
import type { Envelope } from '../../../src/contract/envelope.ts'
import type { Fact, LoopEvent } from '../../../src/contract/event.ts'
import { emptyState, reduce } from '../../../src/kernel/state.ts'
import { openShell } from '../../../src/machine/shell.ts'
import type { Notice } from '../../../src/run/notify/notices.ts'
import { createNotifier } from '../../../src/run/notify/notifier.ts'

const run_id = '20260214-101502-4f2a1c'
const facts: Fact[] = [
  { type: 'run-started', journal: 2, policy: 'procedure', version: 1, caps: {}, pins: {} },
  { type: 'run-ended', ending: 'completed', reason: { code: 'gates_green' } },
]

/** A run that ends at once, told by these channels. */
async function tell(notify: Envelope['notify'], boundMs = 5000, env: NodeJS.ProcessEnv = {}) {
  const dir = fs.mkdtempSync(join(tmpdir(), 'pawl-notify-'))
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }))
  const warnings: string[] = []
  const notices: Notice[] = []
  const entry = { id: run_id, mode: 'procedure', name: 'build', workspace: dir, created: new Date(0).toISOString() }
  const created = await openMemoryStore().create({ entry, freeze: async () => ({ request: '{}' }), listed: true })
  const stored = { ...created, entry: { ...created.entry, address: dir } }
  const environment = { env: { PATH: process.env.PATH, SECRET_THING: 'x', ...env } }
  const told = {
    id: run_id,
    name: 'build',
    program: 'pawl',
    unit: { one: 'iteration', many: 'iterations' },
    setting: String,
    format: ({ code }: { code: string }) => code.replaceAll('_', ' '),
  }
  const shell = () =>
    openShell(
      { ...environment, program: 'pawl', home: dir, cwd: dir, folder: '.pawl', stateFolder: dir },
      {
        workspace: dir,
        folder: dir,
        sandbox: 'off',
        impatient: true,
        secrets: [],
        kill: new AbortController().signal,
        agents: [],
        mark: 'm',
      },
    )
  const notifier = createNotifier(
    told,
    {
      envelope: { run_id, name: 'build', workspace: dir, env: [], notify },
      stored,
      held: { folder: dir },
      shell,
    },
    {
      machine: { environment } as unknown as Parameters<typeof createNotifier>[2]['machine'],
      stop: new AbortController().signal,
      surface: { notice: (text) => warnings.push(text), ring: (notice) => notices.push(notice) },
      boundMs,
    },
  )
  let state = emptyState
  for (const [index, fact] of facts.entries()) {
    const event: LoopEvent = { ...fact, seq: index + 1, at: 0, ms: 0, task: null, attempt: null, epoch: 1 }
    const before = state
    state = reduce(before, event)
    notifier.saw(event, before, state)
  }
  expect(notices).toEqual([])
  const began = performance.now()
  notifier.saved()
  const blockedMs = performance.now() - began
  await notifier.close()
  const marked = await stored.kept('notified')
  return { dir, warnings, notices, blockedMs, tookMs: performance.now() - began, marked }
}

/** A real server on this machine. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: { method: string | undefined; path: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      requests.push({ method: request.method, path: request.url, body })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}/hook?token=sesame`, requests }
}

const body = {
  contract_version: 1,
  reason: 'done',
  text: 'build is done: gates green (0 iterations)',
  run_id,
  run_name: 'build',
  seq: 2,
  at: '1970-01-01T00:00:00.000Z',
  next: null,
}

test('a webhook gets the notice as JSON, once', async () => {
  const { url, requests } = await serve((_, response) => response.writeHead(204).end())
  const { warnings, dir, marked, notices } = await tell({ webhook: url })
  expect([warnings, requests.length, requests[0]?.method, requests[0]?.path]).toEqual([
    [],
    1,
    'POST',
    '/hook?token=sesame',
  ])
  expect(JSON.parse(requests[0]!.body)).toMatchObject({ ...body, run_dir: dir, spend: { tokens: { used: 0 } } })
  expect([marked, notices.length]).toEqual([2, 1])
})

test('a webhook that answers badly, redirects, hangs or is not there is one warning, and its address stays a secret', async () => {
  const { host: elsewhere, url: other, requests: stolen } = await serve((_, response) => response.end())
  const bad = await serve((_, response) => response.writeHead(500).end('no'))
  const away = await serve((_, response) => response.writeHead(307, { location: other }).end())
  const hung = await serve(() => {})
  expect((await tell({ webhook: bad.url })).warnings).toEqual([`notify_webhook: ${bad.host} answered with 500`])
  expect((await tell({ webhook: away.url })).warnings).toEqual([`notify_webhook: ${away.host} answered with 307`])
  const late = await tell({ webhook: hung.url }, 300)
  expect(late.warnings).toEqual([`notify_webhook: ${hung.host} did not answer within 0.3 s`])
  expect([late.blockedMs < 200, late.tookMs < 2000]).toEqual([true, true])
  const gone = await tell({ webhook: `http://127.0.0.1:1/${elsewhere}` })
  expect(gone.warnings).toEqual([expect.stringMatching(/^notify_webhook: 127.0.0.1:1 could not be reached \(.+\)$/)])
  expect([stolen.length, bad.requests.length, hung.requests.length]).toEqual([0, 1, 1])
})

test('a body that never ends is not waited for', async () => {
  const endless = await serve((_, response) => response.writeHead(200).write('x'.repeat(100_000)))
  expect((await tell({ webhook: endless.url }, 2000)).warnings).toEqual([])
})

test('a command gets the notice in its environment and on its input, and no secrets', async () => {
  const command = 'cat > body.json; env | sort > env.txt; echo said'
  const { dir, warnings } = await tell({ command }, 5000, { DISPLAY: ':0' })
  expect(warnings).toEqual([])
  expect(JSON.parse(fs.readFileSync(join(dir, 'body.json'), 'utf8'))).toMatchObject({ ...body, run_dir: dir })
  const env = fs.readFileSync(join(dir, 'env.txt'), 'utf8')
  for (const line of ['DISPLAY=:0', 'PAWL_NOTIFY_REASON=done', `PAWL_NOTIFY_TEXT=${body.text}`, `PAWL_RUN_DIR=${dir}`])
    expect(env).toContain(`${line}\n`)
  expect(env).toMatch(new RegExp(`PAWL_RUN_ID=${run_id}\nPAWL_RUN_MARK=m\nPAWL_RUN_NAME=build\n`))
  expect(env).not.toContain('SECRET_THING')
  expect(fs.readFileSync(join(dir, 'notify-2-done.log'), 'utf8')).toBe('said\n')
})

test('a command that fails or hangs is one warning, and does not hold up the loop', async () => {
  expect((await tell({ command: 'echo no >&2; exit 3' })).warnings).toEqual(['the notify command failed (exit 3)'])
  const hung = await tell({ command: 'trap "" INT TERM; sleep 60 & wait; sleep 60' }, 300)
  expect(hung.warnings).toEqual(['the notify command took longer than 0.3 s and was ended'])
  expect([hung.blockedMs < 200, hung.tookMs < 5000, hung.marked]).toEqual([true, true, 2])
  const both = await tell({ command: 'exit 1', webhook: 'http://127.0.0.1:1/' })
  expect(both.warnings).toHaveLength(2)
})

test('without a channel nothing is written beside the run', async () => {
  const { dir, notices } = await tell(undefined)
  expect([fs.readdirSync(dir), notices.length]).toEqual([[], 1])
})
