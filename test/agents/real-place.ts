import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { realAgents } from './agents.ts'
import { type AgentName, installAgents } from './install.ts'
import { environment, makeRepository } from './perform.ts'
import { type Provider, type Script, startProvider } from './provider.ts'

const bin = join(import.meta.dirname, '..', '..', 'bin')

export type Line = {
  readonly story_id: string | null
  readonly phase: string
  readonly status: string
  readonly context: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
}
export type Ended = { readonly code: number | null; readonly lines: readonly Line[]; readonly err: string }
export type Options = {
  readonly turns: (work: string) => Script
  readonly sandbox?: 'auto' | 'off'
  readonly env?: Readonly<Record<string, string>>
  /** Files in its home, such as the rules of a person. */
  readonly files?: Readonly<Record<string, string>>
}

export type RealPlace = {
  readonly root: string
  readonly work: string
  readonly provider: Provider
  start(program: 'pawl' | 'santiago', ...words: readonly string[]): Started
  /** Whoever was started here has its home, whatever else became of it. */
  processes(): string[]
}
export type Started = { readonly child: ChildProcess; readonly ended: Promise<Ended> }

/** Variables of the real agents that nobody passes on by himself. */
export const passedOn = ['LOCAL_KEY', 'CLAUDE_CODE_MAX_RETRIES']

/** A home, a repository with these files and a model for one real agent, new each time, and the built program in them. */
export async function newRealPlace(
  name: AgentName,
  { turns, env: more, files = {} }: Options,
  { prompt, tracked }: { readonly prompt: string; readonly tracked: Readonly<Record<string, string>> },
): Promise<RealPlace> {
  const agent = realAgents[name]
  const root = mkdtempSync(join(tmpdir(), 'pawl-real-'))
  const [home, work, temporary] = ['home', 'work', 'tmp'].map((part) => join(root, part)) as [string, string, string]
  for (const folder of [home, work, temporary]) mkdirSync(folder)
  const provider = await startProvider(agent.dialect, turns(work), prompt)
  onTestFinished(async () => {
    await provider.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })
  writeAll(work, tracked)
  makeRepository(work)
  const env = {
    ...environment(installAgents()[name], temporary, provider.url),
    HOME: home,
    ...agent.prepare({ home, work, url: provider.url }),
    ...more,
  }
  writeAll(home, files)
  return {
    root,
    work,
    provider,
    start: (program, ...words) => startProgram([join(bin, program), ...words], work, env),
    processes: () => processesWith(`HOME=${home}`),
  }
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

function startProgram([program, ...words]: readonly string[], cwd: string, env: Record<string, string>): Started {
  const child = spawn(program!, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = Promise.all([readAll(child.stdout), readAll(child.stderr)])
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = exited.then(async (code): Promise<Ended> => {
    const [out, err] = await output
    return { code, lines: linesOf(out), err }
  })
  return { child, ended }
}

export const linesOf = (text: string): Line[] =>
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
