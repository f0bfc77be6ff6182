import { type ChildProcess, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LoopEvent } from '../../../../src/contract/event.ts'
import { cleanups } from '../../../support/cleanups.ts'
import { eventsAt } from '../../../support/runs.ts'
import type { newNovel } from './novel.ts'

type Novel = Pick<ReturnType<typeof newNovel>, 'root' | 'studio' | 'env'>

const program = join(import.meta.dirname, '..', '..', '..', '..', 'bin', 'pawl.cjs')

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

type StartOptions = {
  readonly stdin?: string
  /** Another program that brings a fault. */
  readonly before?: readonly string[]
  /** Where it ends itself with -9, as torture/fixtures/fatal.ts reads it. */
  readonly fatal?: string
}

const fixture = pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'torture', 'fixtures', 'fatal.ts')).href

/** Variables of a program that ends itself. */
export const dyingAt = (fatal: string) => ({ PAWL_FATAL: fatal, NODE_OPTIONS: `--import=${fixture}` })

/** The program without a terminal. */
export function startPawl(
  { studio, env }: Pick<Novel, 'studio' | 'env'>,
  words: readonly string[],
  { stdin = '', before = [], fatal }: StartOptions = {},
): Promise<Ended> & { readonly child: ChildProcess } {
  const [first, ...rest] = [...before, process.execPath, program, ...words]
  const child = spawn(first!, rest, { cwd: studio, env: { ...env, ...(fatal !== undefined && dyingAt(fatal)) } })
  cleanups.push(() => void child.kill('SIGKILL'))
  let [out, err] = ['', '']
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  child.stdin.on('error', () => {}).end(stdin)
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
  return Object.assign(ended, { child })
}

/** Writes the file of `--answers`. */
export function writeAnswers({ root }: Pick<Novel, 'root'>, answers: Readonly<Record<string, string>>): string {
  const path = join(root, 'answers.yml')
  fs.writeFileSync(path, JSON.stringify(answers))
  return path
}

/** The runs of a studio, oldest first. */
export function listRuns(
  { studio }: Pick<Novel, 'studio'>,
  program = 'pawl',
): readonly { readonly id: string; readonly dir: string }[] {
  const runs = join(studio, `.${program}`, 'runs')
  const ids = fs.existsSync(runs) ? fs.readdirSync(runs).filter((name) => !name.startsWith('.')) : []
  return ids.sort().map((id) => ({ id, dir: join(runs, id) }))
}

/** The events of the newest run. */
export const readEvents = (novel: Pick<Novel, 'studio'>, program = 'pawl'): readonly LoopEvent[] => {
  const run = listRuns(novel, program).at(-1)
  return run ? eventsAt(run.dir) : []
}
