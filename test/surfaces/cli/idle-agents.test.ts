import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentName } from '../../agents/install.ts'
import { readTranscripts, versionsOf } from '../../agents/transcript.ts'
import { count, newWorkspace } from './pawl.ts'

/** A program of that name which prints and ends as the real one did. */
function install(folder: string, agent: AgentName, version: string, scenario: string): void {
  const { stdout, stderr, exitCode } = readTranscripts(agent, version).find((one) => one.scenario === scenario)!
  mkdirSync(folder)
  writeFileSync(join(folder, 'out'), stdout)
  writeFileSync(join(folder, 'err'), stderr)
  const script = `#!/bin/sh\ncat '${folder}/out'\ncat '${folder}/err' >&2\nexit ${exitCode}\n`
  writeFileSync(join(folder, agent), script)
  chmodSync(join(folder, agent), 0o755)
}

async function runWith(agent: AgentName, version: string, scenario: string, env: Record<string, string> = {}) {
  const pawl = newWorkspace({ procedure: { agent }, env })
  install(join(pawl.root, 'bin'), agent, version, scenario)
  pawl.env.PATH = `${join(pawl.root, 'bin')}:${pawl.env.PATH}`
  const ended = await pawl.run('run', 'build', '-n', '3', '--trust')
  return { ...ended, attempts: count(pawl.names(), 'execute/started') }
}

test.each(versionsOf('claude'))(
  'claude %s without a login blocks the run at once, with the way out',
  async (version) => {
    const { code, out, err, attempts } = await runWith('claude', version, 'no-login')
    expect([code, attempts]).toEqual([10, 1])
    expect(out + err).toMatch(/Please run \/login.*: start claude once and log in, or set ANTHROPIC_API_KEY/)
  },
)

test.each(versionsOf('codex'))(
  'codex %s without the variable of its key blocks the run, and env: is named',
  async (version) => {
    const { code, out, err, attempts } = await runWith('codex', version, 'no-key', { LOCAL_KEY: 'a-hidden-key' })
    expect([code, attempts]).toEqual([10, 1])
    expect(out + err).toMatch(
      /Missing environment variable.*LOCAL_KEY is set here, but hidden from agents: add it to env: in/,
    )
  },
)
