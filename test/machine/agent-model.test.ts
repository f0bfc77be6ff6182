import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createShell } from '../../src/adapters/shell/shell.ts'
import { estimateTokens } from '../../src/adapters/tokens/estimate.ts'
import type { Rung } from '../../src/contract/models.ts'
import { createModel } from '../../src/machine/create-model.ts'
import type { ModelReply, ModelRequest } from '../../src/ports/model.ts'

const folder = mkdtempSync(join(tmpdir(), 'pawl-agent-model-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const bin = join(folder, 'bin')
const temp = join(folder, 'temp')
for (const dir of [bin, temp]) mkdirSync(dir)

const shell = createShell({ secrets: [], isolation: 'off', ladder: { termMs: 100, killMs: 200 } })
const key = 'plain.words.of.the.agent.123456'
const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, ANTHROPIC_API_KEY: key, SECRET_OF_OURS: 'stays here' }
const never = new AbortController().signal

/** A program of this name that runs a shell script. */
function program(name: string, script: string): string {
  const path = join(bin, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

async function ask(
  argv: readonly [string, ...string[]],
  request: Partial<ModelRequest> = {},
  signal = never,
): Promise<ModelReply> {
  const rung: Rung = {
    id: 'mine',
    label: 'Mine',
    provider: 'agent',
    model: '',
    local: false,
    contextTokens: 8000,
    price: null,
    argv,
  }
  const before = process.env.TMPDIR
  process.env.TMPDIR = temp
  try {
    const model = createModel(rung, { env, now: Date.now, estimateTokens, shell, run: 'run-1' })
    return await model.call({ prompt: 'What is it?', ...request }, signal)
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

test('any command is a model: asked on stdin, answering on stdout, its usage estimated', async () => {
  const heard: string[] = []
  const echoes = program('echoes', 'echo "I was asked:"; cat; echo; printf "  the end"')
  const reply = await ask([echoes], { system: 'Be brief.', onText: (text) => heard.push(text) })
  expect(heard.join('')).toBe(reply.text)
  expect(reply).toMatchObject({ status: 'ok', text: 'I was asked:\nBe brief.\n\nWhat is it?\n  the end' })
  expect(reply.usage).toMatchObject({ estimated: true, costUsd: null })
  expect(reply.usage.tokens).toBeGreaterThan(10)
  expect(reply.sentBytes).toBe('Be brief.\n\nWhat is it?'.length)
})

test('an agent is shown the schema of its answer after the prompt', async () => {
  const schema = { type: 'object', properties: { so: { type: 'boolean' } }, required: ['so'] }
  const echoes = program('echoes', 'cat')
  const { text, sentBytes, usage } = await ask([echoes], { system: 'Be brief.', prompt: 'Is it so?\n', schema })
  const asks = 'Answer with one JSON object that matches this JSON schema, and with nothing else:'
  expect(text).toBe(`Be brief.\n\nIs it so?\n\n${asks}\n${JSON.stringify(schema)}`)
  expect(sentBytes).toBe(text.length + 1)
  const without = await ask([echoes], { system: 'Be brief.', prompt: 'Is it so?' })
  expect(usage.tokens).toBeGreaterThan(without.usage.tokens! + 50)
})

test('it runs in an empty temporary folder with a small environment', async () => {
  const { text } = await ask([program('looks', 'pwd; ls -A | wc -l; env')])
  const [cwd, files] = text.split('\n')
  expect(cwd).toContain(join(temp, 'pawl-model-'))
  expect(files?.trim()).toBe('0')
  expect(text).not.toContain('stays here')
  expect(existsSync(cwd!)).toBe(false)
})

test('a known agent is started by name, stores nothing, and is read by its own reader', async () => {
  const long = 'A long answer. '.repeat(3000)
  const result = { type: 'result', subtype: 'success', is_error: false, result: long, total_cost_usd: 0.02 }
  const modelUsage = { m: { inputTokens: 100, outputTokens: 50, cacheReadInputTokens: 7, cacheCreationInputTokens: 0 } }
  writeFileSync(join(folder, 'events'), `${JSON.stringify({ ...result, modelUsage })}\n`)
  program('claude', `printf '%s\\n' "$@" > ${folder}/argv; cat > /dev/null; cat ${folder}/events`)
  const reply = await ask(['claude'])
  expect(reply).toMatchObject({ status: 'ok', usage: { tokens: 157, costUsd: 0.02 } })
  expect(reply.text).toBe(long.trimEnd())
  const argv = readFileSync(join(folder, 'argv'), 'utf8').split('\n')
  expect(argv).toContain('--no-session-persistence')
  expect(argv[argv.indexOf('--tools') + 1]).toBe('')
  expect(argv.join(' ')).not.toContain('What is it?')
})

test('a known agent with plain output is read as plain text', async () => {
  program('claude', 'echo "just text"')
  expect(await ask(['claude', '-p'])).toMatchObject({ status: 'ok', text: 'just text' })
})

test('neither prompt nor answer is stored on disk', async () => {
  await ask([program('says', 'cat; echo marker-of-the-answer; echo marker-on-stderr >&2')], {
    prompt: 'marker-of-the-prompt',
  })
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const file of files) {
    if (file.name === 'says') continue
    expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toMatch(/marker-o/)
  }
})

test('what fails has a name: not there, silent, too slow, empty, refused a login, left', async () => {
  expect(await ask(['no-such-agent'])).toMatchObject({
    status: 'unavailable',
    fault: 'model',
    sentBytes: 0,
    usage: { tokens: 0 },
  })
  const sleeps = program('sleeps', 'cat > /dev/null; sleep 60')
  expect(await ask([sleeps], { silenceMs: 200 })).toMatchObject({ status: 'unavailable', fault: 'provider' })
  expect(await ask([sleeps], { limitMs: 200 })).toMatchObject({ status: 'unavailable', fault: 'provider' })
  expect(await ask([program('silent', 'cat > /dev/null')])).toMatchObject({ status: 'failed', fault: 'empty' })
  expect(await ask([program('fails', 'echo half; exit 3')])).toMatchObject({ fault: 'provider', text: 'half' })
  const leaving = new AbortController()
  const left = ask([sleeps], {}, leaving.signal)
  leaving.abort()
  expect(await left).toMatchObject({ status: 'failed', fault: 'stopped' })
})

test('an error of the agent is reported without its key and without the prompt', async () => {
  const says = `no: ${key} does not like "What is it that nobody knows?"`
  const event = { type: 'result', subtype: 'success', is_error: true, result: says, api_error_status: 401 }
  writeFileSync(join(folder, 'events'), `${JSON.stringify(event)}\n`)
  program('claude', `cat > /dev/null; cat ${folder}/events; exit 1`)
  const reply = await ask(['claude'], { prompt: 'What is it that nobody knows?' })
  expect(reply).toMatchObject({ status: 'unavailable', fault: 'login' })
  expect(reply.detail).not.toMatch(/agent.123456|nobody knows/)
})
