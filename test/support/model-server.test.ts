import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ask, modelAt } from '../adapters/models/places.ts'

const folder = mkdtempSync(join(tmpdir(), 'pawl-model-server-'))
const callsPath = join(folder, 'calls.ndjson')
const running: ChildProcess[] = []
afterAll(() => {
  for (const one of running) one.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function serve(script: object): Promise<string> {
  const path = join(folder, 'script.json')
  writeFileSync(path, JSON.stringify(script))
  const program = join(import.meta.dirname, 'fixtures', 'model-server.ts')
  const server = spawn(process.execPath, [program, path, callsPath], { stdio: ['ignore', 'pipe', 'inherit'] })
  running.push(server)
  const [port] = (await once(server.stdout, 'data')) as [Buffer]
  return `http://127.0.0.1:${port.toString().trim()}`
}

const calls = (): Record<string, unknown>[] =>
  readFileSync(callsPath, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('as a process it plays a script and counts every call, also of callers that were killed', async () => {
  const url = await serve({
    answers: [
      { when: { contains: 'judge' }, text: '{"score":75}', times: 1 },
      { when: { contains: 'judge' }, text: '{"score":85}' },
      { when: { contains: 'wait' }, fault: 'stall' },
      { text: 'a draft' },
    ],
  })
  const texts = []
  for (const prompt of ['write', 'judge it', 'judge it'])
    texts.push((await ask(modelAt('ollama', url), { prompt })).text)
  expect(texts).toEqual(['a draft', '{"score":75}', '{"score":85}'])
  expect(await ask(modelAt('anthropic', url))).toMatchObject({ text: 'a draft' })

  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'wait' }] })
  const caller = spawn(process.execPath, [
    '-e',
    `fetch(${JSON.stringify(`${url}/v1/chat/completions`)}, { method: 'POST', body: ${JSON.stringify(body)} })`,
  ])
  running.push(caller)
  await expect.poll(() => calls().length).toBe(5)
  caller.kill('SIGKILL')

  const counted = calls()
  expect(counted.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
  expect(counted[1]!.sha256).toBe(counted[2]!.sha256)
  expect(counted[0]!.sha256).not.toBe(counted[1]!.sha256)
  expect(readFileSync(callsPath, 'utf8')).not.toContain('judge it')
})
