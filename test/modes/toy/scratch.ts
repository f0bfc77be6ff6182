import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A scratch copy of the program to which a mode is added as CONTRIBUTING says: one folder and two lines.

const root = join(import.meta.dirname, '..', '..', '..')

export type Scratch = {
  readonly folder: string
  readonly workspace: string
  /** Lines of files outside the mode's folder that were added or changed. */
  readonly touched: readonly string[]
  pawl(...args: string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string }
  start(...args: string[]): ChildProcess
  /** Runs a module of the copy, written by the test. */
  script(source: string): string
  /** What the compiler says of the copy. */
  compile(): string
  remove(): void
}

export function copyWithMode(): Scratch {
  const folder = fs.mkdtempSync(join(tmpdir(), 'pawl-toy-'))
  const workspace = join(folder, 'workspace')
  fs.mkdirSync(workspace)
  for (const name of ['src', 'bin', 'package.json', 'tsconfig.json'])
    fs.cpSync(join(root, name), join(folder, name), { recursive: true })
  fs.symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  fs.cpSync(join(import.meta.dirname, 'counting'), join(folder, 'src', 'modes', 'counting'), { recursive: true })
  const touched = addToMain(join(folder, 'src', 'main.ts'))
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'dumb' }
  const program = join(folder, 'bin', 'pawl.cjs')
  return {
    folder,
    workspace,
    touched,
    pawl: (...args) => spawnSync(process.execPath, [program, ...args], { cwd: workspace, env, encoding: 'utf8' }),
    start: (...args) => spawn(process.execPath, [program, ...args], { cwd: workspace, env, stdio: 'ignore' }),
    script: (source) => {
      const path = join(folder, 'src', 'script.ts')
      fs.writeFileSync(path, source)
      const ran = spawnSync(process.execPath, [path], { cwd: workspace, env, encoding: 'utf8' })
      fs.rmSync(path)
      return ran.stdout + ran.stderr
    },
    compile: () => {
      fs.writeFileSync(
        join(folder, 'tsconfig.json'),
        fs.readFileSync(join(root, 'tsconfig.json'), 'utf8').replace(/"include": \[[^\]]*\]/, '"include": ["src"]'),
      )
      const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
      return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout
    },
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

/** Two lines: the import, and the name in the list. */
function addToMain(path: string): string[] {
  const before = fs.readFileSync(path, 'utf8')
  const after = before
    .replace(/^import /m, `import { counting } from './modes/counting/entry.ts'\nimport `)
    .replace(/^(const modes = \[.*)\]$/m, '$1, counting]')
  fs.writeFileSync(path, after)
  const known = new Set(before.split('\n'))
  return after.split('\n').filter((line) => !known.has(line))
}
