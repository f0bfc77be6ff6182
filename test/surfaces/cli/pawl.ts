import { type ChildProcess, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { findRedCommits } from '../../support/elsewhere.ts'

const bin = fileURLToPath(new URL('../../../bin/', import.meta.url))

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }
export type Started = Promise<Ended> & { readonly child: ChildProcess; readonly said: () => string }

/** A scratch workspace with a home of its own, and the built program in it. */
export function newWorkspace(
  options: {
    agent?: object[]
    procedure?: object
    config?: object
    env?: Record<string, string>
    name?: 'pawl' | 'rooda'
    /** Start the program here instead of in the workspace. */
    cwd?: string
    /** The folder for temporary files that it lies in. */
    under?: string
    /** False: the test itself verifies the commits of stories elsewhere. */
    elsewhere?: boolean
  } = {},
) {
  const { name = 'pawl' } = options
  const folder = `.${name}`
  const root = fs.mkdtempSync(join(options.under ?? tmpdir(), 'pawl-cli-'))
  const workspace = join(root, 'repo')
  const procedure = {
    observe: 'look',
    orient: 'think',
    decide: 'choose',
    act: 'do it',
    agent: 'scripted',
    agent_script: 'agent.yml',
    // What seed 002 says is the default under its own name.
    ...(name === 'pawl' && { until: 'never', stuck: 'off' }),
    ...options.procedure,
  }
  fs.mkdirSync(join(workspace, folder), { recursive: true })
  const config = { ...options.config, procedures: { build: procedure } }
  fs.writeFileSync(join(workspace, folder, 'config.yml'), stringify(config))
  fs.writeFileSync(join(workspace, 'agent.yml'), stringify({ agent: options.agent ?? [{ output: 'done\n' }] }))
  const env = {
    PATH: process.env.PATH!,
    HOME: root,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    PAWL_SANDBOX: 'off',
    // One cache for all tests, because each home is new.
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    ...options.env,
  }
  onTestFinished(() => {
    const red = options.elsewhere === false ? [] : findRedCommits(workspace, join(workspace, folder, 'runs'), env)
    fs.rmSync(root, { recursive: true, force: true })
    expect(red).toEqual([])
  })

  const start = (...words: string[]): Started => {
    const child = spawn(join(bin, name), words, {
      cwd: options.cwd ?? workspace,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => (out += data.toString()))
    child.stderr.on('data', (data: Buffer) => (err += data.toString()))
    const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
    return Object.assign(ended, { child, said: () => out + err })
  }
  const run = (...words: string[]): Promise<Ended> => start(...words)
  const runs = (): string[] => fs.readdirSync(join(workspace, folder, 'runs')).filter((name) => name !== '.gitignore')
  const dirOf = (index = 0): string => join(workspace, folder, 'runs', runs().sort()[index]!)
  const journal = (index = 0): Record<string, unknown>[] =>
    fs
      .readFileSync(join(dirOf(index), 'progress.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const names = (index = 0): string[] => journal(index).map(({ phase, status }) => `${String(phase)}/${String(status)}`)
  return { root, workspace, folder, env, bin: join(bin, name), start, run, runs, dirOf, journal, names }
}

/** Waits for a condition instead of a time. */
export async function until(condition: () => boolean, what: string, ms = 15_000): Promise<void> {
  for (const deadline = performance.now() + ms; !condition(); await delay(10)) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`)
  }
}

export const count = (list: readonly string[], name: string): number => list.filter((item) => item === name).length
