import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createShell, probeBubblewrap } from '../../../src/adapters/shell/shell.ts'
import type { Command } from '../../../src/ports/shell.ts'

const bubblewrapWorks = (await probeBubblewrap()) !== null
export const modes = ['marker', 'bubblewrap'] as const
export type Mode = (typeof modes)[number]

export function missing(mode: Mode): boolean {
  return mode === 'bubblewrap' && !bubblewrapWorks
}

export function shellOf(mode: Mode, options: Partial<Parameters<typeof createShell>[0]> = {}) {
  return createShell({ secrets: [], isolation: mode === 'bubblewrap' ? 'auto' : 'off', ...options })
}

export const folder = mkdtempSync(join(tmpdir(), 'pawl-shell-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

let count = 0
export function commandOf(script: string, more: Partial<Command> = {}): Command & { readonly log: string } {
  count += 1
  const log = join(folder, `${count}.log`)
  const env = { PATH: process.env.PATH ?? '' }
  return { argv: ['sh', '-c', script], cwd: folder, env, log, scope: `test-${process.pid}`, ...more }
}

export const never = new AbortController().signal

/** A length of sleep that no other process on this machine has. */
export function uniqueSleep(): string {
  return `300.${process.pid}${Math.floor(Math.random() * 1e9)}`
}

/** Live processes whose command line holds the text. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => readOr(`/proc/${pid}/cmdline`).includes(text) && !/\) [ZX] /.test(readOr(`/proc/${pid}/stat`)))
    .map(Number)
}

export async function until(condition: () => boolean, ms = 10_000): Promise<void> {
  const deadline = performance.now() + ms
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${String(condition)}`)
    await delay(5)
  }
}

export function readOr(path: string, otherwise = ''): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return otherwise
  }
}
