import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FaultName } from '../../../support/model-faults.ts'
import { sapLines } from './sap-lines.ts'
import { refineWorkspace } from './workspace.ts'

type CallLine = { phase: string; context: { via: string; data: { remote: boolean; bytes: number } } }

test('each send to another machine is in the journal with its model and the bytes that came there, lost ones too', async () => {
  const faults: FaultName[] = ['reset', 'error', 'cut']
  const { refine, journal, staged } = await refineWorkspace({
    beats: [{ score: 60 }, { score: 85 }],
    instead: ({ provider }) => {
      const fault = provider === 'xai' ? faults.shift() : undefined
      return fault && { fault }
    },
  })
  const { code } = await refine('Grüße an alle ☃', '--preset', 'sap-0020')
  expect(code).toBe(0)
  const told = (journal() as unknown as CallLine[]).filter(({ phase }) => phase === 'call')
  const calls = told.map(({ context: { via, data } }) => [via, data.remote, data.bytes])
  const models = { openai: ['ollama', false], xai: ['grok', true], anthropic: ['claude', true] } as const
  expect(calls).toEqual(staged.server.calls.map(({ provider, bytes }) => [...models[provider], bytes]))
  expect(calls.filter(([, remote]) => remote).length).toBeGreaterThan(3)
})

test('a prompt holds the task and its material, and nothing of the machine or the person', async () => {
  const { root, workspace, env, refine, staged } = await refineWorkspace({ beats: [{ score: 60 }, { score: 85 }] })
  Object.assign(env, { USER: 'alicia-of-here', EMAIL: 'alicia@here.example', SOME_SECRET: 'walnut-99' })
  const place = join(workspace, 'very-own-place')
  fs.mkdirSync(place)
  fs.writeFileSync(join(place, 'around.md'), 'Beside it.\n')
  fs.writeFileSync(join(place, 'draft.md'), 'A draft.\n')
  const given = ['-c', join(place, 'around.md'), '--preset', 'sap-0020']
  expect((await refine(join(place, 'draft.md'), ...given)).code).toBe(0)
  const sent = JSON.stringify(staged.server.calls)
  for (const word of ['Refine draft.md', 'A draft.', 'around.md', 'Beside it.']) expect(sent).toContain(word)
  for (const word of [root, 'very-own-place', 'alicia', 'walnut-99', process.cwd()]) expect(sent).not.toContain(word)
})

test('the branch is in the log, and in no prompt', async () => {
  const { workspace, refine, staged } = await refineWorkspace({ beats: [{ score: 85 }] })
  spawnSync('git', ['init', '-q', '-b', 'feature/walnut'], { cwd: workspace })
  expect((await refine('Say hello to all', '--preset', 'sap-0010')).code).toBe(0)
  expect(sapLines(workspace)[0]).toMatchObject({ branch: 'feature/walnut' })
  expect(JSON.stringify(staged.server.calls)).not.toContain('walnut')
})

test('OLLAMA_HOST on another machine is not local', async () => {
  const { env, refine, runs } = await refineWorkspace({ beats: [] })
  for (const host of ['192.0.2.1:11434', 'http://localhost.example', '127.0.0.1.example:80']) {
    Object.assign(env, { OLLAMA_HOST: host })
    const { code, err } = await refine('Say hello to all', '--local-only')
    expect([host, code, err]).toEqual([
      host,
      2,
      expect.stringContaining('--local-only conflicts with the first model, ollama'),
    ])
  }
  expect(runs).toThrow('ENOENT')
})

test.each<FaultName>(['error', 'login', 'no-model', 'bad-request', 'redirect'])(
  'under --local-only nobody else is asked, judges included, when the local model answers with %s',
  async (fault) => {
    const { refine, staged, journal } = await refineWorkspace({
      beats: [],
      instead: ({ provider }) => (provider === 'openai' ? { fault, headers: { location: 'http://192.0.2.1/' } } : {}),
    })
    const { code, err } = await refine('Say hello to all', '--local-only', '--judge', 'claude', '--preset', 'sap-0020')
    expect([code === 0, err]).toEqual([false, expect.stringContaining('claude is not available, so ollama judges')])
    expect(new Set(staged.server.calls.map(({ provider }) => provider))).toEqual(new Set(['openai']))
    expect(JSON.stringify(journal())).not.toContain('"remote":true')
  },
)
