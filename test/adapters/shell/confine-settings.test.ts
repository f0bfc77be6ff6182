import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { confineRun } from '../../../src/adapters/shell/confine-run.ts'
import { confines, confineTo, git, keptIn, makeWorld, runFree, runIn, type World } from './confine-helpers.ts'
import { until } from './helpers.ts'

const real = test.skipIf(!confines)

const homeFolders = ['.claude', '.codex', '.config/opencode']

function worldWithAgents(): World {
  const world = makeWorld()
  for (const name of homeFolders) mkdirSync(join(world.home, name), { recursive: true })
  return { ...world, confine: confineTo(world) }
}

const settings = [
  '.claude/settings.json',
  '.claude/hooks/stop.sh',
  '.claude/.config.json',
  '.codex/config.toml',
  '.codex/hooks.json',
  '.codex/rules/default.rules',
  '.config/opencode/opencode.json',
  '.config/opencode/opencode.jsonc',
  '.config/opencode/config.json',
  '.config/opencode/plugin/evil.ts',
  '.config/opencode/plugins/evil.ts',
  '.config/opencode/tool/evil.ts',
  '.config/opencode/tools/evil.ts',
  // Agents that this program does not know have no folder that could be written.
  '.claude.json',
  '.gemini/settings.json',
]

real('settings that do not exist cannot be created for a person', async () => {
  const script = settings.map((name) => `mkdir -p ~/${dirname(name)}; echo evil > ~/${name}`).join('\n')
  const made = ({ home }: World) => settings.filter((name) => existsSync(join(home, name)))
  const free = worldWithAgents()
  await runFree(free, script)
  expect(made(free)).toEqual(settings)
  const world = worldWithAgents()
  await runIn(world, script)
  expect(made(world)).toEqual([])
})

real('state is written beside settings that do not exist', async () => {
  const world = worldWithAgents()
  const files = [
    '.claude/projects/p/s.jsonl',
    '.claude/.credentials.json',
    '.codex/auth.json',
    '.codex/sessions/s.jsonl',
  ]
  const script = files.map((name) => `mkdir -p ~/${dirname(name)} && echo 1 > ~/${name}`).join(' && ')
  expect(await runIn(world, script)).toMatchObject({ code: 0 })
  for (const name of files) expect([name, existsSync(join(world.home, name))]).toEqual([name, true])
})

const stateFiles: [string, Record<string, string>, string][] = [
  ['in the home', {}, '.claude.json'],
  ['in a folder of its own', { CLAUDE_CONFIG_DIR: 'own' }, 'own/.claude.json'],
  ['by its older name', {}, '.claude/.config.json'],
]

real.each(stateFiles)("claude writes a copy of its state, and the person's own stays (%s)", async (_, env, name) => {
  const world = makeWorld()
  const file = join(world.home, name)
  for (const folder of ['.claude', 'own']) mkdirSync(join(world.home, folder), { recursive: true })
  const moved = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, join(world.home, value)]))
  const own = { runFolder: world.run, handOver: join(world.run, 'attempts'), personFolder: dirname(keptIn(world.home)) }
  const where = { workspace: world.workspace, home: world.home, ...own, stateFolders: ['.pawl'] as const, env: moved }
  writeFileSync(file, '{"theme":"dark"}', { mode: 0o600 })
  const held = { ...world, confine: confineRun(where) }
  const exit = await runIn(held, `cat ~/${name}; echo '{"mcpServers":{}}' > ~/${name} && cat ~/${name}`)
  expect([exit.code, exit.stdoutTail]).toEqual([0, '{"theme":"dark"}{"mcpServers":{}}\n'])
  expect(readFileSync(file, 'utf8')).toBe('{"theme":"dark"}')
})

real("a link in the place of claude's state is copied too", async () => {
  const world = makeWorld()
  writeFileSync(join(world.outside, 'state.json'), '{}')
  symlinkSync(join(world.outside, 'state.json'), join(world.home, '.claude.json'))
  expect(await runIn({ ...world, confine: confineTo(world) }, 'echo 1 > ~/.claude.json')).toMatchObject({ code: 0 })
  expect(readFileSync(join(world.outside, 'state.json'), 'utf8')).toBe('{}')
})

real('honest files in the same folder stay where they are', async () => {
  const world = makeWorld()
  const exit = await runIn(
    world,
    'mkdir .vscode .opencode; echo 1 > .vscode/launch.json; echo 1 > .vscode/tasks.json; echo 1 > .opencode/x',
  )
  expect(readdirSync(join(world.workspace, '.vscode'))).toEqual(['launch.json'])
  expect(readdirSync(join(world.workspace, '.opencode'))).toEqual(['x'])
  expect(exit.detail).toContain(`${join(world.workspace, '.vscode/tasks.json')} is protected and was restored`)
})

real('restoring follows no link that a command made', async () => {
  const world = makeWorld()
  writeFileSync(join(world.outside, 'tasks.json'), 'as it was\n')
  await runIn(world, 'ln -s "$OUT" .vscode')
  expect(readFileSync(join(world.outside, 'tasks.json'), 'utf8')).toBe('as it was\n')
  expect(existsSync(join(world.workspace, '.vscode'))).toBe(false)
})

real('what a killed process could not restore, the next one restores and tells', async () => {
  const world = makeWorld()
  const { workspace, home } = world
  const keep = keptIn(home)
  const script = 'echo mine > .mcp.json; : > ready; sleep 60'
  const killed = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/confined.ts'), workspace, script, keep])
  await until(() => existsSync(join(workspace, 'ready')))
  expect(readdirSync(keep)).toHaveLength(1)
  // A record of a process that lives is left alone.
  await runIn(world, 'true')
  expect(existsSync(join(workspace, '.mcp.json'))).toBe(true)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  const exit = await runIn(world, 'ls -A')
  expect(exit.stdoutTail).not.toContain('.mcp.json')
  expect(exit.detail).toContain(`${join(workspace, '.mcp.json')} is protected and was restored`)
  expect(readdirSync(keep)).toEqual([expect.stringMatching(/^\.mcp\.json\.refused-/)])
  await until(() => !existsSync(join(workspace, '.codex')))
  expect(git(workspace, 'status', '--porcelain', '--untracked-files=all')).not.toMatch(/mcp|codex|stand-in|refused/)
})
