// A package root in a temp folder: the real bin/ and a tiny engine that tells what reached it.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

export const projectRoot = join(import.meta.dirname, '..', '..')

const engine = `
import { spawnSync } from 'node:child_process'
process.stderr.write('engine loaded\\n')
export async function main(argv, invokedAs) {
  const [command, value] = argv
  if (command === 'exit') process.exit(Number(value))
  if (command === 'throw') throw new Error(value)
  if (command === 'wait') {
    process.on('SIGTERM', () => process.exit(43))
    setInterval(() => {}, 1000)
    process.stdout.write('ready\\n')
    return
  }
  const child = spawnSync(process.execPath, ['-p', 'String(process.env.PAWL_INVOKED_AS)'], { encoding: 'utf8' })
  const { pid, env } = process
  console.log(JSON.stringify({ pid, argv, invokedAs, own: env.PAWL_INVOKED_AS ?? null, child: child.stdout.trim() }))
}
`

/** What the tiny engine prints: its pid, what it was given, and whether the variable of its name reached anyone. */
export type Report = { pid: number; argv: string[]; invokedAs: string; own: string | null; child: string }

export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string; pid: number }

/** `folder` is where it lies; its name may be as odd as a path can be. */
export function makeRoot(folder: string, options: { readonly withNode: boolean }): string {
  mkdirSync(join(folder, 'dist'), { recursive: true })
  cpSync(join(projectRoot, 'bin'), join(folder, 'bin'), { recursive: true, verbatimSymlinks: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "pawl", "version": "9.8.7", "type": "module" }')
  writeFileSync(join(folder, 'dist', 'main.js'), engine)
  writeFileSync(join(folder, 'dist', 'help.txt'), 'the help\n')
  writeFileSync(join(folder, 'dist', 'help-rooda.txt'), 'the help of rooda\n')
  if (options.withNode) {
    mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true })
    symlinkSync(process.execPath, join(folder, 'node_modules', '.bin', 'node'))
  }
  return folder
}

export function makeTempFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'pawl-package-')))
}

type RunOptions = { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv }

export function run(command: string, args: readonly string[], { cwd, env }: RunOptions = {}): Promise<Ended> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, pid: child.pid! }))
  })
}

/** A Node on PATH that is too old for the engine, or null. */
export function findOldNode(): string | null {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  return candidates.find((node) => isTooOld(node)) ?? null
}

function isTooOld(node: string): boolean {
  const { status, stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  const major = Number.parseInt(stdout ?? '', 10)
  return status === 0 && (major < 22 || major === 23)
}

/** The environment in which `node` is the only program on PATH besides those of the system's own folder. */
export function pathWith(node: string | null): NodeJS.ProcessEnv {
  return { PATH: node === null ? '/nowhere' : dirname(node) }
}
