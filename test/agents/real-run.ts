import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { realAgents } from './agents.ts'
import { type AgentName, installAgents } from './install.ts'
import { environment, makeRepository } from './perform.ts'
import { type Provider, startProvider } from './provider.ts'
import type { Turn } from './turn.ts'

const bin = join(import.meta.dirname, '..', '..', 'bin', 'pawl')

export type Line = {
  readonly phase: string
  readonly status: string
  readonly context: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
}
export type Ended = { readonly code: number | null; readonly lines: readonly Line[]; readonly err: string }
export type Options = {
  readonly turns: (work: string) => readonly Turn[]
  readonly sandbox?: 'auto' | 'off'
  readonly env?: Readonly<Record<string, string>>
  /** Files in its home, such as the rules of a person. */
  readonly files?: Readonly<Record<string, string>>
}

/** The built program with a real agent, in a repository and a home that are new each time. */
export async function newRealRun(name: AgentName, flag: string, options: Options) {
  const agent = realAgents[name]
  const root = mkdtempSync(join(tmpdir(), 'pawl-real-'))
  const [home, work, temporary] = ['home', 'work', 'tmp'].map((part) => join(root, part)) as [string, string, string]
  for (const folder of [home, join(work, '.pawl'), temporary]) mkdirSync(folder, { recursive: true })
  const provider = await startProvider(agent.dialect, options.turns(work), 'Create made.txt.')
  onTestFinished(async () => {
    await provider.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })
  writeFileSync(join(work, '.pawl', 'config.yml'), stringify(config))
  makeRepository(work)
  const env = {
    ...environment(installAgents()[name], temporary, provider.url),
    HOME: home,
    PAWL_SANDBOX: options.sandbox ?? 'off',
    ...agent.prepare({ home, work, url: provider.url }),
    ...options.env,
  }
  for (const [path, content] of Object.entries(options.files ?? {})) {
    mkdirSync(join(home, path, '..'), { recursive: true })
    writeFileSync(join(home, path), content)
  }

  const start = (...words: string[]) => startPawl(words, work, env)
  return {
    work,
    provider,
    start: () => start('run', 'build', '--agent', flag, '-n', '1', '--trust', '--json'),
    resume: () => start('resume', 'build', '--json').ended,
    journal: () => journalIn(join(work, '.pawl', 'runs')),
    /** Whoever was started for this run has its home, whatever else became of it. */
    processes: () => processesWith(`HOME=${home}`),
  } satisfies RealRun
}

export type RealRun = {
  readonly work: string
  readonly provider: Provider
  start(): { readonly child: ChildProcess; readonly ended: Promise<Ended> }
  resume(): Promise<Ended>
  journal(): Line[]
  processes(): string[]
}

const phases = { observe: 'Look around.', orient: 'Think.', decide: 'Choose.', act: 'Create made.txt.' }
const config = {
  gates: ['grep -qx made made.txt'],
  env: ['LOCAL_KEY', 'CLAUDE_CODE_MAX_RETRIES'],
  procedures: { build: { ...phases, until: 'promise+gates' } },
}

function startPawl(words: readonly string[], cwd: string, env: Record<string, string>) {
  const child = spawn(bin, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = Promise.all([readAll(child.stdout), readAll(child.stderr)])
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = exited.then(async (code): Promise<Ended> => {
    const [out, err] = await output
    return { code, lines: linesOf(out), err }
  })
  return { child, ended }
}

function journalIn(runs: string): Line[] {
  try {
    const [run] = readdirSync(runs).filter((name) => name !== '.gitignore')
    return linesOf(readFileSync(join(runs, run!, 'progress.ndjson'), 'utf8'))
  } catch {
    return []
  }
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)

function processesWith(mark: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)) return []
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()]
    } catch {
      return []
    }
  })
}
