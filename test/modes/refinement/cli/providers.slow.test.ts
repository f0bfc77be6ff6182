import * as fs from 'node:fs'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newWorkspace } from '../../../surfaces/cli/pawl.ts'
import { judgement } from './stage.ts'

/** The whole of `pawl refine` against a model server that another hand wrote, and against an agent used as a model. */

const mock = new LLMock({ port: 0, host: '127.0.0.1' })
beforeAll(() => mock.start())
afterAll(() => mock.stop())

const plan = JSON.stringify({ phases: ['Outline', 'Draft', 'Refine'].map((title) => ({ title, aim: 'In full.' })) })
const usage = { input_tokens: 11, output_tokens: 7, prompt_tokens: 11, completion_tokens: 7 }

/** What a model is asked for, told by its prompt alone. */
function answers(judged: string = judgement(90)): void {
  mock.clearFixtures()
  mock.onMessage(/Split this into/, { content: plan, usage })
  mock.onMessage(/How to answer/, { content: judged, usage })
  mock.onMessage(/Phase \d of 3/, { content: 'A text that is good enough.', usage })
  mock.onMessage(/Task: /, { content: 'One plain answer.', usage })
}

function place(ladder: string, env: Record<string, string> = {}) {
  const pawl = newWorkspace({
    env: {
      OLLAMA_HOST: new URL(mock.url).host,
      XAI_BASE_URL: `${mock.url}/v1`,
      XAI_API_KEY: 'xai-key',
      ANTHROPIC_BASE_URL: mock.url,
      ANTHROPIC_API_KEY: 'anthropic-key',
      OURS_KEY: 'a-key-of-ours',
      ...env,
    },
  })
  fs.mkdirSync(join(pawl.root, '.config', 'pawl'), { recursive: true })
  fs.writeFileSync(join(pawl.root, '.config', 'pawl', 'config.yml'), `ladder: ${ladder}\n`)
  const refine = (...words: string[]) => pawl.run('refine', 'Say how we release', '--preset', 'sap-0020', ...words)
  return { ...pawl, refine }
}

const ours = (): string =>
  `[{id: ours, provider: openai-compatible, model: served, base_url: "${mock.url}/v1", key_env: OURS_KEY}]`

describe.each(['[ollama]', '[grok]', '[claude]', 'ours'])('a ladder of %s', (ladder) => {
  const here = () => place(ladder === 'ours' ? ours() : ladder)

  test('refines to the end and prints its text', async () => {
    answers()
    const { code, out, err } = await here().refine()
    expect([code, out], err).toEqual([0, 'A text that is good enough.\n'])
  })

  test('does not pass by "85%"', async () => {
    answers('85%')
    const { code, out, err } = await here().refine()
    expect([code, out], err).toEqual([20, ''])
    expect(err).toContain('Reason: no judge returned a usable judgement')
    // Nobody was asked for a plain answer, so nobody is told of one.
    expect(err).not.toContain('single-shot')
  })

  test('that is refused its login waits for a person', async () => {
    mock.clearFixtures()
    mock.onMessage(/./, { error: { message: 'no such key', type: 'authentication_error' }, status: 401 })
    const { code, out } = await here().refine()
    expect([code, out]).toEqual([10, ''])
  })

  test('that breaks is tried three times in each call, and ends as transient', async () => {
    mock.clearFixtures()
    mock.onMessage(/./, { error: { message: 'broken', type: 'server_error' }, status: 500 })
    const before = mock.getRequests().length
    const { code, err } = await here().refine()
    expect(code, err).toBe(20)
    // Three tries to plan, and the first text finds that nobody else is there.
    expect(mock.getRequests().length - before).toBeLessThanOrEqual(6)
  })
})

describe('an agent used as a model', () => {
  /** Speaks as claude does with --output-format stream-json. */
  const speaks = (text: string): string =>
    [
      { type: 'system', subtype: 'init', session_id: 's', model: 'claude', tools: [] },
      { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } },
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: text,
        total_cost_usd: 0.001,
        usage: { input_tokens: 11, output_tokens: 7 },
      },
    ]
      .map((line) => `echo '${JSON.stringify(line)}'`)
      .join('\n')

  function withAgent(script: string) {
    const pawl = place('[agent:claude]')
    const bin = join(pawl.root, 'bin')
    fs.mkdirSync(bin)
    fs.writeFileSync(join(bin, 'claude'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    pawl.env.PATH = `${bin}:${pawl.env.PATH}`
    return pawl
  }

  const plays = `asked=$(cat)
case "$asked" in
*'Split this into'*) ${speaks(plan)} ;;
*'How to answer'*) ${speaks(judgement(90))} ;;
*) ${speaks('A text by an agent.')} ;;
esac`

  test('refines to the end', async () => {
    const { code, out, err } = await withAgent(plays).refine('--model', 'agent:claude')
    expect([code, out], err).toEqual([0, 'A text by an agent.\n'])
  })

  test('that is not installed waits for a person, with what to do', async () => {
    const { code, err } = await place('[agent:claude]', { PATH: '/usr/bin:/bin' }).refine()
    expect(code, err).toBe(10)
    expect(err).toContain('claude')
  })

  test('that crashes is tried again and ends as transient', async () => {
    const pawl = withAgent('cat >/dev/null; echo >> "$HOME/calls"; exit 3')
    const { code, err } = await pawl.refine('--model', 'agent:claude')
    expect(code, err).toBe(20)
    expect(fs.readFileSync(join(pawl.root, 'calls'), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(6)
  })
})
