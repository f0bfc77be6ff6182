import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { confineRun } from '../../../src/adapters/shell/confine-run.ts'
import type { Confine } from '../../../src/adapters/shell/mounts.ts'
import { isPlaceholder } from '../../../src/adapters/shell/placeholder.ts'
import { createShell, probeBubblewrap, probeConfinement } from '../../../src/adapters/shell/shell.ts'
import type { Command, Exit } from '../../../src/ports/shell.ts'
import { commandOf, folder, never } from './helpers.ts'

/** A person's home, a repository with a run of it and one beside, and a folder that is nobody's business. */
export type World = {
  readonly root: string
  readonly workspace: string
  readonly home: string
  readonly outside: string
  readonly run: string
  readonly sibling: string
  /** A name that nothing else on this machine has. */
  readonly mark: string
  readonly confine: Confine
}

const bwrap = await probeBubblewrap()
export const confines = bwrap !== null && (await probeConfinement(bwrap))

let count = 0

/** Where files are kept that were moved away from a protected place. */
export const keptIn = (home: string): string => join(home, '.local/state/pawl/sandbox')

/** The places' names may hold slashes: one may lie inside the other. */
export function makeWorld(names: { workspace?: string; home?: string; run?: string } = {}): World {
  const { workspace = 'work', home = 'home' } = names
  const run = names.run ?? `${workspace}/.pawl/runs/r1`
  count += 1
  const root = join(folder, `world-${count}`)
  const at = (...parts: string[]) => join(root, ...parts)
  const sibling = join(dirname(at(run)), 'r0')
  for (const path of [
    'outside/folder',
    `${home}/.ssh`,
    `${home}/.cache`,
    `${home}/.local/state/pawl/trust`,
    keptIn(home),
  ]) {
    mkdirSync(at(path), { recursive: true })
  }
  mkdirSync(at(workspace, '.pawl'), { recursive: true })
  git(at(workspace), 'init', '-q', '-b', 'main')
  const homeFiles = ['.bashrc', '.ssh/config', '.local/state/pawl/trust/known'].map((name) => `${home}/${name}`)
  for (const path of ['outside/file', 'outside/folder/file', ...homeFiles]) writeFileSync(at(path), 'as it was\n')
  for (const path of [at(run), sibling]) makeRun(path)
  writeFileSync(at(workspace, '.pawl/config.yml'), 'procedures: {}\n')
  writeFileSync(at(workspace, 'source.txt'), 'source\n')
  const places = { root, workspace: at(workspace), home: at(home), outside: at('outside'), run: at(run), sibling }
  return { ...places, mark: `pawl-test-${process.pid}-${count}`, confine: confineTo(places) }
}

function makeRun(run: string): void {
  for (const name of ['attempts', 'artifacts', 'inbox']) mkdirSync(join(run, name), { recursive: true })
  for (const name of ['request.json', 'plan.json', 'result.json', 'progress.ndjson', 'lease-1', 'inbox/1.json']) {
    writeFileSync(join(run, name), '{}\n')
  }
}

/** What holds in a world as it is now. */
export function confineTo({ workspace, home, run }: Pick<World, 'workspace' | 'home' | 'run'>): Confine {
  const own = { runFolder: run, handOver: join(run, 'attempts'), personFolder: join(home, '.local/state/pawl') }
  return confineRun({ workspace, home, ...own, stateFolders: ['.pawl', '.rooda'], env: {} })
}

export function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org']
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', env: plainEnv({}) })
}

/** Runs a script in a world, held to what the world says. */
export function runIn(world: World, script: string, more: Partial<Command> = {}): Promise<Exit> {
  const shell = createShell({ secrets: [], isolation: 'auto', confine: world.confine })
  return shell.run(commandIn(world, script, more), never)
}

/** The same without being held: shows that a trick is one. */
export function runFree(world: World, script: string, more: Partial<Command> = {}): Promise<Exit> {
  return createShell({ secrets: [], isolation: 'auto' }).run(commandIn(world, script, more), never)
}

/** Not even with process numbers of its own. */
export function runBare(world: World, script: string, more: Partial<Command> = {}): Promise<Exit> {
  return createShell({ secrets: [], isolation: 'off' }).run(commandIn(world, script, more), never)
}

function commandIn(world: World, script: string, more: Partial<Command>): Command {
  const { workspace, home, outside, run, sibling, root, mark } = world
  const places = { HOME: home, WORK: workspace, OUT: outside, RUN: run, SIBLING: sibling, ROOT: root }
  const names = { ...places, MARK: mark, NODE: process.execPath }
  return commandOf(script, { cwd: workspace, ...more, env: plainEnv({ ...names, ...more.env }) })
}

function plainEnv(more: Record<string, string>): Record<string, string> {
  const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' }
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' }
  return { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', ...who, ...committer, ...more }
}

/** Everything that no command may change, as lines of path, kind, owner and content. */
export function forbidden({ root, workspace, home, outside, run, sibling, mark }: World): string[] {
  const open = [join(run, 'attempts'), join(home, '.cache'), keptIn(home)]
  const roots = [outside, home, run, sibling, `/dev/shm/${mark}`, `/var/tmp/${mark}`]
  const inside = forbiddenInside.map((name) => join(workspace, name))
  const names = existsSync(root) ? readdirSync(root).sort().join(' ') : ''
  return [names, ...[...roots, ...inside].flatMap((path) => describePath(path, open))]
}

const forbiddenInside = [
  ...['hooks', 'config', 'config.worktree', 'commondir'].map((name) => `.git/${name}`),
  '.pawl',
  '.claude',
  '.codex',
  ...['plugin', 'plugins', 'tool', 'tools', 'opencode.json'].map((name) => `.opencode/${name}`),
  '.gemini/settings.json',
  '.vscode/tasks.json',
  '.mcp.json',
  'opencode.json',
  'disk',
]

function describePath(path: string, except: readonly string[]): string[] {
  const found = lstatOrNull(path)
  if (!found || isPlaceholder(path)) return [`${path} missing`]
  const start = `${path} ${found.mode.toString(8)} ${found.uid}`
  if (found.isSymbolicLink()) return [`${start} ${readlinkSync(path)}`]
  if (found.isFile()) return [`${start} ${found.nlink} ${found.mtimeMs} ${readFileSync(path, 'utf8')}`]
  if (!found.isDirectory()) return [start]
  const inside = except.includes(path) ? [] : readdirSync(path).sort()
  return [start, ...inside.flatMap((name) => describePath(join(path, name), except))]
}

function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}
