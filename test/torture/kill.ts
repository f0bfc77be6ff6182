import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const program = join(import.meta.dirname, '..', '..', 'bin', 'pawl.cjs')

export type Tally = { kills: number; runs: number; problems: string[] }
export type Child = ChildProcess & { said(): string }
export type Where = {
  readonly cwd: string
  readonly home: string
  readonly before?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The built program, without a launcher in between: one process, one pid. `before` is what brings a fault. */
export function startPawl({ cwd, home, before = [], env: more }: Where, words: readonly string[]): Child {
  const cache = join(tmpdir(), 'node-compile-cache')
  const env = { PATH: process.env.PATH!, HOME: home, PAWL_SANDBOX: 'off', NODE_COMPILE_CACHE: cache, ...more }
  const [first, ...rest] = [...before, process.execPath, program, ...words]
  const child = spawn(first!, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-4000)))
  return Object.assign(child, { said: () => said })
}

export const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)))

export async function killLater(child: Child, ms: number): Promise<number | null> {
  const exit = exitOf(child)
  const early = await Promise.race([exit, delay(ms, 'kill' as const)])
  if (early === 'kill') child.kill('SIGKILL')
  return exit
}

/** Kills it so long after something has become true, unless it has ended by then. */
export async function killAfter(child: Child, isTrue: () => boolean, ms: number): Promise<number | null> {
  const exit = exitOf(child)
  while (!isTrue() && child.exitCode === null) await Promise.race([exit, delay(3)])
  if (child.exitCode === null) await Promise.race([exit, delay(ms)])
  child.kill('SIGKILL')
  return exit
}

/** A small seeded generator, so that a bad run can be had again. */
export function mulberry32(seed: number): () => number {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
