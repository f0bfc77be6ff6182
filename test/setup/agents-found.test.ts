import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bestAgent, type FoundAgent, findAgents } from '../../src/setup/find-agents.ts'
import { processesWith, uniqueSleep } from '../adapters/shell/helpers.ts'
import { scratch } from './init/fixture.ts'

const byName = (found: readonly FoundAgent[]) => Object.fromEntries(found.map((agent) => [agent.name, agent]))

function loginFile(path: string, text = '{"token":"not to be shown"}'): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

describe('finding agents', () => {
  test('each known agent is told: where it lies, which version, or that it is absent', async () => {
    const { environment, program, root } = scratch()
    program('claude', 'echo "2.1.325 (Claude Code)"')
    program('codex', 'echo "codex-cli 0.166.0-beta.1"')
    const { claude, codex, opencode } = byName(await findAgents(environment))
    expect(claude).toMatchObject({ path: join(root, 'bin/claude'), version: '2.1.325', problem: null })
    expect(codex).toMatchObject({ path: join(root, 'bin/codex'), version: '0.166.0-beta.1' })
    expect(opencode).toMatchObject({ path: null, version: null, problem: null })
  })

  test('nothing but the version is asked for, once, outside of the repository', async () => {
    const { environment, program, root, repo } = scratch()
    program('claude', `echo "$# $* $PWD" >> ${root}/calls; echo 1.2.3`)
    await findAgents(environment)
    const calls = readFileSync(join(root, 'calls'), 'utf8').trim().split('\n')
    expect(calls).toEqual([expect.stringMatching(/^1 --version /)])
    expect(calls[0]).not.toContain(repo)
  })

  test('one that hangs, ignores signals and forks is given up in time, with nothing left of it', async () => {
    const sleep = uniqueSleep()
    const { environment, program } = scratch()
    program('claude', `trap '' INT TERM; sleep ${sleep} & sleep ${sleep}; sleep ${sleep}`)
    program('codex', 'echo 1.0.0')
    const began = performance.now()
    const { claude, codex } = byName(await findAgents(environment, 300))
    expect(performance.now() - began).toBeLessThan(4000)
    expect(claude).toMatchObject({ version: null, problem: 'no answer within 0.3 s' })
    expect(codex).toMatchObject({ version: '1.0.0' })
    expect(processesWith(sleep)).toEqual([])
  })

  test('one that fails says why, and one that cannot be started too', async () => {
    const { environment, program, root } = scratch()
    program('claude', 'echo "broken install" >&2; exit 3')
    program('codex', '')
    writeFileSync(join(root, 'bin/codex'), '#!/no/such/interpreter\n')
    chmodSync(join(root, 'bin/codex'), 0o755)
    program('opencode', 'exit 4')
    const { claude, codex, opencode } = byName(await findAgents(environment))
    expect(claude).toMatchObject({ version: null, problem: 'broken install' })
    expect(codex?.version).toBeNull()
    expect(codex?.problem).toMatch(/no such program|cannot start/)
    expect(opencode).toMatchObject({ version: null, problem: 'exit 4' })
  })
})

describe('login', () => {
  test('is known by the name of a file or variable, never by what it holds', async () => {
    const { environment, root } = scratch({}, { ANTHROPIC_API_KEY: 'sk-not-to-be-shown' })
    loginFile(join(root, 'home/.codex/auth.json'))
    loginFile(join(root, 'home/.local/share/opencode/auth.json'))
    const found = await findAgents(environment)
    const { claude, codex } = byName(found)
    expect(claude?.login).toEqual({ status: 'yes', by: 'ANTHROPIC_API_KEY' })
    expect(codex?.login).toEqual({ status: 'yes', by: join(root, 'home/.codex/auth.json') })
    expect(JSON.stringify(found)).not.toContain('not-to-be-shown')
    expect(JSON.stringify(found)).not.toContain('not to be shown')
  })

  test('is looked for where a variable says', async () => {
    const { environment, root } = scratch()
    const env = {
      ...environment.env,
      CODEX_HOME: join(root, 'elsewhere'),
      CLAUDE_CONFIG_DIR: join(root, 'claude'),
      XDG_DATA_HOME: join(root, 'data'),
    }
    loginFile(join(root, 'home/.codex/auth.json'))
    expect(byName(await findAgents({ ...environment, env })).codex?.login).toEqual({ status: 'no', by: null })
    loginFile(join(root, 'elsewhere/auth.json'))
    loginFile(join(root, 'claude/.credentials.json'))
    loginFile(join(root, 'data/opencode/auth.json'))
    const statuses = (await findAgents({ ...environment, env })).map(({ login }) => login.status)
    expect(statuses).toEqual(['yes', 'yes', 'yes'])
  })

  test('an empty variable or a file after logging out is none; opencode may need none', async () => {
    const { environment, root } = scratch({}, { ANTHROPIC_API_KEY: '' })
    loginFile(join(root, 'home/.codex/auth.json'), '{}\n')
    const { claude, codex, opencode } = byName(await findAgents(environment))
    expect(claude?.login.status).toBe(process.platform === 'darwin' ? 'unknown' : 'no')
    expect(codex?.login.status).toBe('no')
    expect(opencode?.login.status).toBe('unknown')
  })
})

describe('the best agent', () => {
  const agent = (name: FoundAgent['name'], status: FoundAgent['login']['status'], version: string | null = '1') => ({
    name,
    path: '/x',
    version,
    problem: null,
    login: { status, by: null },
  })

  test('is one that is logged in, else in the order of the table, never one that does not answer', () => {
    expect(bestAgent([agent('claude', 'no'), agent('codex', 'yes'), agent('opencode', 'yes')])?.name).toBe('codex')
    expect(bestAgent([agent('claude', 'yes'), agent('codex', 'yes')])?.name).toBe('claude')
    expect(bestAgent([agent('claude', 'no'), agent('opencode', 'unknown')])?.name).toBe('opencode')
    expect(bestAgent([agent('claude', 'no'), agent('codex', 'no')])?.name).toBe('claude')
    expect(bestAgent([agent('claude', 'yes', null), agent('codex', 'no')])?.name).toBe('codex')
    expect(bestAgent([agent('claude', 'yes', null)])).toBeUndefined()
    expect(bestAgent([])).toBeUndefined()
  })
})
