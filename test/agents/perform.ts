import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { type Place, realAgents } from './agents.ts'
import { type AgentName, installAgent } from './install.ts'
import { startProvider } from './provider.ts'
import { prompt, type Scenario } from './scenarios.ts'
import type { Transcript } from './transcript.ts'

const longestMs = 120_000

export type Performance = { readonly transcript: Transcript; readonly outside: readonly string[] }

/** Runs one scenario with the real program, in a home and a repository that are new each time. */
export async function perform(name: AgentName, version: string, scenario: Scenario): Promise<Performance> {
  const program = installAgent(name, version)
  const agent = realAgents[name]
  const scratch = mkdtempSync(join(tmpdir(), 'pawl-agent-'))
  const [home, work, temporary] = ['home', 'work', 'tmp'].map((part) => join(scratch, part)) as [string, string, string]
  for (const folder of [home, work, temporary]) mkdirSync(folder)
  const turns = scenario.turns(agent, work, name)
  const provider = await startProvider(agent.dialect, turns, prompt.trim())
  const place = { home, work, url: provider.url }
  try {
    if (scenario.unreachable) await provider.close()
    makeRepository(work)
    const argv = scenario.argv?.[name]?.(agent.argv) ?? agent.argv
    const env: Record<string, string> = {
      ...environment(program, temporary, provider.url),
      HOME: home,
      ...agent.prepare(place),
      ...scenario.env?.[name],
    }
    for (const variable of scenario.hidden ?? []) delete env[variable]
    const { interrupt } = scenario
    const ending = await runProgram([program, ...argv], { cwd: work, env }, (child) => {
      if (interrupt) void provider.asked.then(() => child.kill(interrupt))
    })
    const tidy = (text: string) => normalise(text, place, provider.port)
    const transcript = {
      agent: name,
      version,
      scenario: scenario.name,
      argv: [name, ...argv],
      ...ending,
      changed: changedFiles(work),
      calls: provider.calls(),
      stdout: tidy(ending.stdout),
      stderr: tidy(ending.stderr),
    }
    return { transcript, outside: provider.outside() }
  } finally {
    await provider.close()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** Whatever would go elsewhere is sent to the scripted model, which refuses: nothing leaves this machine. */
export function environment(program: string, temporary: string, url: string): Record<string, string> {
  const PATH = [dirname(process.execPath), dirname(program), '/usr/bin', '/bin'].join(':')
  const proxy = { HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY: '127.0.0.1,localhost' }
  // codex puts no helpers into a home that lies under the folder for temporary files, and then cannot apply a patch.
  return { PATH, TERM: 'dumb', TMPDIR: temporary, ...proxy }
}

export function makeRepository(work: string): void {
  writeFileSync(join(work, 'notes.md'), '# Notes\n')
  const identity = ['-c', 'user.name=person', '-c', 'user.email=person@example.com']
  for (const words of [
    ['init', '--quiet'],
    ['add', '.'],
    [...identity, 'commit', '--quiet', '-m', 'begin'],
  ]) {
    const { status, stderr } = spawnSync('git', words, { cwd: work, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  }
}

function changedFiles(work: string): string[] {
  const { stdout } = spawnSync('git', ['status', '--porcelain', '-uall'], { cwd: work, encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => (line ? [line.slice(3)] : []))
}

type Ending = Pick<Transcript, 'ended' | 'exitCode' | 'signal' | 'durationMs' | 'stdout' | 'stderr'>
type Where = { readonly cwd: string; readonly env: Record<string, string> }

async function runProgram(
  [program, ...words]: readonly string[],
  { cwd, env }: Where,
  onStart: (child: ChildProcess) => void,
): Promise<Ending> {
  const begun = performance.now()
  const child = spawn(program!, words, { cwd, env, detached: true, stdio: 'pipe' })
  const exited = once(child, 'exit')
  child.stdin.on('error', () => {}).end(prompt)
  const output = Promise.all([readAll(child.stdout), readAll(child.stderr)])
  let ended: Transcript['ended'] = 'exited'
  const timer = setTimeout(() => {
    ended = 'killed'
    killGroup(child.pid!, 'SIGKILL')
  }, longestMs)
  onStart(child)
  try {
    const [exitCode, signal] = (await exited) as [number | null, string | null]
    const durationMs = Math.round((performance.now() - begun) / 100) * 100
    // What it left behind would hold the pipes.
    killGroup(child.pid!, 'SIGKILL')
    const [stdout, stderr] = await output
    return { ended, exitCode, signal, durationMs, stdout, stderr }
  } finally {
    clearTimeout(timer)
  }
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left in it.
  }
}

/** Same words on every machine. Some programs also spell a path with dashes, as the name of a folder. */
function normalise(text: string, { home, work }: Place, port: number): string {
  const dashed = (path: string) => path.replace(/[^A-Za-z0-9]/g, '-')
  return (
    text
      .replaceAll(work, '/repo')
      .replaceAll(home, '/home/person')
      .replaceAll(dirname(home), '/scratch')
      .replaceAll(dashed(work), '-repo')
      .replaceAll(`127.0.0.1:${port}`, '127.0.0.1:4010')
      // Two that name no machine, but look as if they did.
      .replaceAll('/$bunfs/root', '/program')
      .replace(/http:\/\/localhost:[0-9]+/g, 'http://127.0.0.1:4010')
      .replace(/https:\/\/[a-z0-9.-]+/g, 'https://example.com')
  )
}
