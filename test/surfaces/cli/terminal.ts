import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'

export type Terminal = Promise<{ readonly code: number | null; readonly text: string }> & {
  /** Types these keys, as a person would: `\x03` is Ctrl-C, turned into a signal by the terminal itself. */
  type(keys: string): void
  text(): string
  pid: number
}

/** Runs a command line in a real pseudo-terminal, brought by util-linux's `script`. */
export function inTerminal(
  commandLine: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Terminal {
  const child = spawn('script', ['-qfec', `stty cols 100 rows 30; ${commandLine}`, '/dev/null'], {
    cwd,
    env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (data: string) => (text += data))
  child.stdin.on('error', () => {})
  const ended = new Promise<{ code: number | null; text: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, text })),
  )
  return Object.assign(ended, {
    type: (keys: string) => void child.stdin.write(keys),
    text: () => text,
    pid: child.pid!,
  })
}
