import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, type Stats, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { confineRun } from '../../../src/adapters/shell/confine-run.ts'
import type { Confine } from '../../../src/adapters/shell/mounts.ts'
import { probeBubblewrap, probeConfinement } from '../../../src/adapters/shell/probe.ts'
import { createShell } from '../../../src/adapters/shell/shell.ts'
import { isStandIn } from '../../../src/adapters/shell/stand-in.ts'
import type { Command, Exit } from '../../../src/ports/shell.ts'
import { commandOf, folder, never } from './helpers.ts'

/** A person's home, a repository with a run in it, and a folder that is nobody's business. */
export type World = {
  readonly root: string
  readonly workspace: string
  readonly home: string
  readonly outside: string
  readonly run: string
  readonly confine: Confine
}

const bwrap = await probeBubblewrap()
export const confines = bwrap !== null && (await probeConfinement(bwrap))

let count = 0

/** The places' names may hold slashes: one may lie inside the other. */
export function makeWorld({ workspace = 'work', home = 'home' } = {}): World {
  count += 1
  const root = join(folder, `world-${count}`)
  const at = (...parts: string[]) => join(root, ...parts)
  const run = at(workspace, '.pawl/runs/r1')
  for (const path of [at('outside/folder'), at(home, '.ssh'), at(home, '.cache'), join(run, 'attempts')]) {
    mkdirSync(path, { recursive: true })
  }
  git(at(workspace), 'init', '-q', '-b', 'main')
  for (const path of [at('outside/file'), at('outside/folder/file'), at(home, '.bashrc'), at(home, '.ssh/config')]) {
    writeFileSync(path, 'as it was\n')
  }
  for (const name of ['request.json', 'progress.ndjson']) writeFileSync(join(run, name), '{}\n')
  writeFileSync(at(workspace, '.pawl/config.yml'), 'procedures: {}\n')
  writeFileSync(at(workspace, 'source.txt'), 'source\n')
  const places = { root, workspace: at(workspace), home: at(home), outside: at('outside'), run }
  return { ...places, confine: confineTo(places) }
}

/** What holds in a world as it is now. */
export function confineTo({ workspace, home, run }: Pick<World, 'workspace' | 'home' | 'run'>): Confine {
  const handOver = join(run, 'attempts')
  return confineRun({ workspace, home, handOver, stateFolders: ['.pawl', '.rooda'], env: {} })
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

function commandIn(world: World, script: string, more: Partial<Command>): Command {
  const { workspace, home, outside, run, root } = world
  const names = { HOME: home, WORK: workspace, OUT: outside, RUN: run, ROOT: root, NODE: process.execPath }
  return commandOf(script, { cwd: workspace, env: plainEnv(names), ...more })
}

function plainEnv(more: Record<string, string>): Record<string, string> {
  const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' }
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' }
  return { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', ...who, ...committer, ...more }
}

/** Everything that no command may change, as lines of path, kind and content. */
export function forbidden({ workspace, home, outside, run }: World): string[] {
  const attempts = join(run, 'attempts')
  const cache = join(home, '.cache')
  const roots = [outside, home, join(workspace, '.pawl'), join(workspace, '.git/hooks'), join(workspace, '.git/config')]
  const more = ['.git/commondir', '.claude', '.codex', '.opencode', '.mcp.json', 'opencode.json'].map((name) =>
    join(workspace, name),
  )
  return [...roots, ...more].flatMap((path) => describePath(path, [attempts, cache]))
}

function describePath(path: string, except: readonly string[]): string[] {
  const found = lstatOrNull(path)
  if (!found || isStandIn(path)) return [`${path} missing`]
  const mode = found.mode.toString(8)
  if (found.isSymbolicLink()) return [`${path} ${mode} ${readlinkSync(path)}`]
  if (found.isFile()) return [`${path} ${mode} ${found.nlink} ${readFileSync(path, 'utf8')}`]
  if (!found.isDirectory()) return [`${path} ${mode}`]
  const inside = except.includes(path) ? [] : readdirSync(path).sort()
  return [`${path} ${mode}`, ...inside.flatMap((name) => describePath(join(path, name), except))]
}

function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}
