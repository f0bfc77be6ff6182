import { type ChildProcess, spawn } from 'node:child_process'
import type { Answer, Capture } from '../../ports/capture.ts'

const maxTailBytes = 4096

/** Runs a helper program such as git in its own session, with a timeout and an output limit. */
export const capture: Capture = ({ argv: [program, ...args], cwd, env, maxBytes, timeoutMs, ...more }) => {
  const { input, beginning = false, signal } = more
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const stdout: Buffer[] = []
  let bytes = 0
  let stderr = Buffer.alloc(0)
  let child: ChildProcess
  try {
    const stdin = input ? 'pipe' : 'ignore'
    child = spawn(program, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe'] })
  } catch (error) {
    return Promise.resolve({ problem: (error as Error).message })
  }

  const end = (answer: Answer): void => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    resolve(answer)
  }
  const kill = (answer: Answer): void => {
    killGroup(child)
    for (const stream of child.stdio) stream?.destroy()
    end(answer)
  }
  const cut = (problem: string): void => kill({ problem, cut: true })
  const abort = (): void => cut(`${program} was stopped`)
  const soFar = (): Buffer => Buffer.concat(stdout)
  const timer = setTimeout(() => cut(`${program} took longer than ${timeoutMs / 1000} s`), timeoutMs)
  child.on('error', (error) => end({ problem: error.message }))
  child.on('close', (code) => end({ code, stdout: soFar(), stderrTail: stderr.toString('utf8') }))
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBytes || beginning) stdout.push(chunk)
    if (bytes <= maxBytes) return
    if (beginning) kill({ code: null, stdout: soFar().subarray(0, maxBytes), stderrTail: '' })
    else cut(`${program} printed more than ${maxBytes} bytes`)
  })
  child.stderr?.on('data', (chunk: Buffer) => (stderr = Buffer.concat([stderr, chunk]).subarray(-maxTailBytes)))
  // A program may exit without reading its input. Its exit code is what counts.
  child.stdin?.on('error', () => undefined).end(input)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  return promise
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}
