import { type ChildProcess, spawn } from 'node:child_process'
import type { Answer, Capture } from '../../ports/capture.ts'

const longestTail = 4096

/** Asks one of our own tools. It gets no input, a session of its own, and no more time and room than it was given. */
export const capture: Capture = ({ argv: [program, ...args], cwd, env, maxBytes, timeoutMs }) => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const stdout: Buffer[] = []
  let bytes = 0
  let stderr = Buffer.alloc(0)
  let child: ChildProcess
  try {
    child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    return Promise.resolve({ problem: (error as Error).message })
  }

  const end = (answer: Answer): void => {
    clearTimeout(timer)
    resolve(answer)
  }
  const cut = (problem: string): void => {
    killGroup(child)
    for (const stream of child.stdio) stream?.destroy()
    end({ problem, cut: true })
  }
  const timer = setTimeout(() => cut(`${program} took longer than ${timeoutMs / 1000} s`), timeoutMs)
  child.on('error', (error) => end({ problem: error.message }))
  child.on('close', (code) => end({ code, stdout: Buffer.concat(stdout), stderrTail: stderr.toString('utf8') }))
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) cut(`${program} said more than ${maxBytes} bytes`)
    else stdout.push(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => (stderr = Buffer.concat([stderr, chunk]).subarray(-longestTail)))
  return promise
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
