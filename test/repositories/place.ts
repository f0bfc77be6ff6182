import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '..', '..')
const program = join(project, 'bin', 'pawl')

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/** A repository with a user of its own: nothing here reads or changes the real user's settings and state. */
export type Place = ReturnType<typeof createPlace>

/** `root` holds the user's home; `cwd` is the folder of the repository in which the user calls pawl. */
export function createPlace(root: string, repo: string, more: NodeJS.ProcessEnv = {}, cwd = repo) {
  const home = join(root, 'home')
  const env: NodeJS.ProcessEnv = { PATH: userPath(root), HOME: home, LANG: 'C.UTF-8', TZ: 'UTC', ...more }
  const run = (command: string, args: readonly string[], cwd = repo): Ended => {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd,
      env,
      encoding: 'utf8',
      input: '',
      timeout: 15 * 60_000,
      maxBuffer: 1 << 28,
    })
    return { code: status, out: stdout ?? '', err: `${stderr ?? ''}${error ? `\n${error.message}` : ''}` }
  }
  return {
    root,
    repo,
    cwd,
    env,
    at: (path: string): string => join(repo, path),
    run,
    sh: (line: string, cwd?: string): Ended => run('/bin/sh', ['-c', line], cwd),
    pawl: (...words: string[]): Ended => run(program, words, cwd),
    /** bin/pawl replaces itself with node, so the child is the program itself. */
    start: (...words: string[]): ChildProcess => spawn(program, words, { cwd, env, stdio: 'ignore' }),
    git: (...words: string[]): string => {
      const { code, out, err } = run('git', words)
      if (code !== 0) throw new Error(`git ${words.join(' ')}: ${err}${out}`)
      return out.trimEnd()
    },
    write: (files: Readonly<Record<string, string>>): void => {
      for (const [path, text] of Object.entries(files)) {
        fs.mkdirSync(dirname(join(repo, path)), { recursive: true })
        fs.writeFileSync(join(repo, path), text)
      }
    },
  }
}

/** Creates the home of a user who has worked here before: there is a cache, and a name for git. */
export function createHome(root: string): void {
  fs.mkdirSync(join(root, 'home', '.cache'), { recursive: true })
  const lines = ['[user]', '\tname = Ada', '\temail = ada@example.org', '[init]', '\tdefaultBranch = main', '']
  fs.writeFileSync(join(root, 'home', '.gitconfig'), lines.join('\n'))
}

/**
 * The PATH of a user who has installed Node and the tools of the system. Programs of this project and of the real
 * user's home are left out; cargo comes from its toolchain, because rustup's own cargo needs the real home.
 */
function userPath(root: string): string {
  const bin = join(root, 'bin')
  fs.mkdirSync(bin, { recursive: true })
  const node = join(bin, 'node')
  if (!fs.existsSync(node)) fs.symlinkSync(process.execPath, node)
  const [program, ...args] = askToolchain
  const { stdout } = spawnSync(program, args, { encoding: 'utf8' })
  const rust = stdout ? [join(stdout.trim(), 'bin')] : []
  const system = process.env
    .PATH!.split(delimiter)
    .filter((path) => !path.startsWith(homedir()) && !path.includes('node_modules'))
  return [bin, ...rust, ...system].join(delimiter)
}

const askToolchain = ['rustc', '--print', 'sysroot'] as const
