import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished, type TestContext } from 'vitest'
import { allPids, carriesMark } from '../../src/adapters/shell/processes.ts'
import { eventsAt, problemsAt, requestAt } from '../support/runs.ts'
import { type Ended, newWorkspace, type Started } from '../surfaces/cli/pawl.ts'

const program = fileURLToPath(new URL('../../bin/pawl', import.meta.url))

export type Faulty = ReturnType<typeof newFaulty>

/** A scratch workspace whose agent is a few lines of shell, quick enough for a run per fault. */
export function newFaulty(options: { agent?: string; procedure?: object; env?: Record<string, string> } = {}) {
  // Each iteration has a prompt of its own, so that each has to keep one.
  const { agent = '', procedure = { observe: ['notes.md'] }, env } = options
  const command = { agent: undefined, agent_script: undefined, ai_cmd: 'sh agent.sh', durability: 'strict' }
  const pawl = newWorkspace({ procedure: { ...command, ...procedure }, ...(env && { env }) })
  const script = `cat >/dev/null\necho "$PAWL_STORY_ID" >>work.txt\necho "$PAWL_STORY_ID" >>notes.md\n${agent}\ntrue\n`
  fs.writeFileSync(join(pawl.workspace, 'notes.md'), 'look\n')
  fs.writeFileSync(join(pawl.workspace, 'agent.sh'), script)
  const runsDir = join(pawl.workspace, '.pawl', 'runs')

  /** The program under another one that brings the fault: strace, prlimit, nsenter. */
  const startUnder = (before: readonly string[], ...words: string[]): Started => {
    const [first, ...rest] = [...before, program, ...words]
    const child = spawn(first!, rest, { cwd: pawl.workspace, env: pawl.env, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => (out += data.toString()))
    child.stderr.on('data', (data: Buffer) => (err += data.toString()))
    const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
    onTestFinished(() => void child.kill('SIGKILL'))
    return Object.assign(ended, { child, said: () => out + err })
  }
  const runUnder = (before: readonly string[], ...words: string[]): Promise<Ended> => startUnder(before, ...words)
  return { ...pawl, runsDir, startUnder, runUnder }
}

/** Runs that were made whole enough to be gone on with. `runs` may be seen through another process's mounts. */
export const runFolders = (runs: string): string[] =>
  fs.existsSync(runs)
    ? fs
        .readdirSync(runs)
        .map((id) => join(runs, id))
        .filter((dir) => fs.existsSync(join(dir, 'request.json')))
    : []

export function rawJournal(dir: string): string {
  const path = join(dir, 'progress.ndjson')
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : ''
}

/** Byte for byte: whole lines only, each of one event, counted without a gap. Nothing is repaired on the way. */
export function tornIn(dir: string): string[] {
  const text = rawJournal(dir)
  if (text !== '' && !text.endsWith('\n')) return [`the journal ends in ${JSON.stringify(text.slice(-40))}`]
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line, index) => {
      try {
        const { seq } = JSON.parse(line) as { seq: number }
        return seq === index + 1 ? [] : [`line ${index + 1} has seq ${seq}`]
      } catch {
        return [`line ${index + 1} is no JSON: ${line.slice(0, 80)}`]
      }
    })
}

export function settledIn(dir: string): string[] {
  return eventsAt(dir).flatMap((event) =>
    event.type === 'decision-made' && event.decision.do === 'settle' && event.task ? [event.task] : [],
  )
}

/** What must hold when a run has completed, whatever happened on the way (I1, I2, I5, I7, I8). */
export async function problemsOf(dir: string, workspace: string, iterations: number): Promise<string[]> {
  if (!fs.existsSync(join(dir, 'request.json'))) return ['no request.json']
  const problems = [...tornIn(dir), ...(await problemsAt(dir))]
  const settled = new Set<string>()
  for (const event of eventsAt(dir)) {
    if (event.type === 'attempt-started' && settled.has(event.task!)) problems.push(`${event.task} was begun again`)
    if (event.type !== 'decision-made' || event.decision.do !== 'settle') continue
    if (settled.has(event.task!)) problems.push(`${event.task} was settled twice`)
    settled.add(event.task!)
    const times = workOf(workspace).filter((line) => line === event.task).length
    if (times > 1) problems.push(`${event.task} was done ${times} times`)
    if (event.decision.as === 'done' && times !== 1) problems.push(`${event.task} is done only in the journal`)
  }
  if (settled.size !== iterations) problems.push(`${settled.size} iterations instead of ${iterations}`)
  const { status } = JSON.parse(fs.readFileSync(join(dir, 'result.json'), 'utf8')) as { status: string }
  if (status !== 'completed') problems.push(`result.json says ${status}`)
  const left = processesOf(requestAt(dir).run_id).length
  if (left) problems.push(`${left} processes were left behind`)
  return problems
}

export const processesOf = (run: string): number[] => allPids().filter((pid) => carriesMark(pid, `PAWL_SCOPE=${run}`))

function workOf(workspace: string): string[] {
  const path = join(workspace, 'work.txt')
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8').trim().split('\n') : []
}

const tries = {
  namespaces: ['unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'],
  strace: ['strace', '-o', '/dev/null', '-e', 'inject=fdatasync:error=EIO', 'true'],
  prlimit: ['prlimit', '--nofile=64', 'true'],
  mkfifo: ['mkfifo', '--version'],
} as const

/** Skips the test, with the reason, where this machine cannot bring the fault. */
export function needs({ skip }: TestContext, what: keyof typeof tries): void {
  const [command, ...args] = tries[what]
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) skip(`no ${what} here: ${error?.message ?? stderr.trim()}`)
}

export function newPipe(path: string): void {
  const [mkfifo] = tries.mkfifo
  spawnSync(mkfifo, [path])
}

/** A process that holds mounts of its own. Others enter it by `enter`, and the test sees its files at `see(path)`. */
export async function newMounts(commands: string) {
  const holder: ChildProcess = spawn('unshare', ['-rm', 'sh', '-ec', `${commands}\necho ready\nread line`], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  let said = ''
  await new Promise<void>((resolve, reject) => {
    holder.stderr!.on('data', (data: Buffer) => (said += data.toString()))
    holder.stdout!.on('data', () => resolve())
    holder.on('exit', (code) => reject(new Error(`mounts failed (${code}): ${said}`)))
  })
  // The current folder is looked up again inside: what is mounted over it is not what we stand in.
  const namespace = ['nsenter', '-t', String(holder.pid), '-U', '-m', '--preserve-credentials']
  const enter = (cwd: string): string[] => [...namespace, 'env', '-C', cwd]
  return { enter, see: (path: string): string => `/proc/${holder.pid}/root${path}`, end: () => holder.kill('SIGKILL') }
}
