import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createShell } from '../../src/adapters/shell/shell.ts'
import { estimateTokens } from '../../src/adapters/tokens/estimate.ts'
import type { Rung } from '../../src/contract/models.ts'
import { createModel } from '../../src/machine/create-model.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type AgentName, agentNames, installAgents } from './install.ts'

const long = 'A sentence of a long answer. '.repeat(1500).trimEnd()
const marker = 'marker-7f31-in-the-prompt'
const home = mkdtempSync(join(tmpdir(), 'pawl-model-agents-'))
let programs: Record<AgentName, string>
let server: ModelServer
beforeAll(async () => {
  programs = installAgents()
  server = await startModelServer(() => ({ text: long }))
  for (const [path, text] of Object.entries(settings(server.url))) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
})
afterAll(async () => {
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

test.each(agentNames)('%s as a model: one call, the whole answer, nothing of it on disk', async (name) => {
  const rung: Rung = {
    id: name,
    label: name,
    provider: 'agent',
    model: '',
    local: false,
    contextTokens: 100_000,
    price: null,
    argv: [programs[name]],
  }
  const shell = createShell({ secrets: [], isolation: 'off' })
  const model = createModel(rung, {
    env: environment(server.url),
    now: Date.now,
    estimateTokens,
    shell,
    run: 'model',
  })
  const before = server.calls.length
  const request = { system: 'You write.', prompt: `/${marker}: write at length.`, limitMs: 120_000 }
  const reply = await model.call(request, new AbortController().signal)
  expect(reply).toMatchObject({ status: 'ok', text: long, usage: { tokens: 30 } })
  expect(server.calls.length).toBe(before + 1)
  expect(server.calls.at(-1)!.prompt).toContain(`You write.\n\n/${marker}: write at length.`)
  for (const path of filesBelow(home)) expect(readFileSync(path, 'latin1'), path).not.toContain(marker)
})

const environment = (url: string) => ({
  PATH: `${dirname(programs.claude)}:${process.env.PATH}`,
  HOME: home,
  CODEX_HOME: join(home, '.codex'),
  CODEX_API_KEY: 'a-key-of-nobody',
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'a-key-of-nobody',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
})

const settings = (url: string) => ({
  '.codex/config.toml': `model = "served"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "${url}/v1"
env_key = "CODEX_API_KEY"
wire_api = "responses"
`,
  '.config/opencode/opencode.json': JSON.stringify({
    model: 'local/served',
    provider: {
      local: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}/v1`, apiKey: 'a-key-of-nobody' },
        models: { served: {} },
      },
    },
  }),
})

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )
