import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { createCommandAgent } from '../../src/adapters/agents/command.ts'
import { createShell } from '../../src/adapters/shell/shell.ts'
import { agentPortSuite } from '../../src/testing/agent-port-suite.ts'
import { modelSuite } from '../../src/testing/model-suite.ts'
import { httpProviders, modelAt } from '../adapters/models/places.ts'
import { startModelServer } from '../support/model-server.ts'

const shell = createShell({ secrets: [], isolation: 'off', ladder: { termMs: 200, killMs: 400 }, graceMs: 200 })
const nothing = { adopt: async () => undefined }

function agent(script: string) {
  const argv = ['/bin/sh', '-c', script] as const
  return createCommandAgent(shell, nothing, { name: 'command', argv, env: { PATH: process.env.PATH! }, now: Date.now })
}

for (const { name, check } of agentPortSuite(async () => {
  const cwd = fs.mkdtempSync(join(tmpdir(), 'pawl-agent-'))
  onTestFinished(() => fs.rmSync(cwd, { recursive: true, force: true }))
  return { working: agent('cat >/dev/null; echo done'), failing: agent('exit 3'), hanging: agent('sleep 60'), cwd }
}))
  test(`an agent that is a command: ${name}`, check)

for (const provider of httpProviders)
  for (const { name, check } of modelSuite(async () => {
    const [answering, hanging, down] = await Promise.all([
      startModelServer(() => ({ text: 'Hello, and a few words more.', pieceLength: 4 })),
      startModelServer(() => ({ text: 'Hello', delayMs: 60_000 })),
      startModelServer(() => ({ fault: 'overloaded' })),
    ])
    onTestFinished(async () => void (await Promise.all([answering, hanging, down].map((server) => server.close()))))
    const at = (server: { readonly url: string }) => modelAt(provider, server.url)
    return { answering: at(answering), hanging: at(hanging), down: at(down) }
  }))
    test(`a model of ${provider}: ${name}`, check)
