import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import type { newWorkspace } from './pawl.ts'

type Workspace = ReturnType<typeof newWorkspace>
type Options = { readonly columns?: number; readonly rows?: number; readonly env?: Record<string, string> }

/** The program at a real pseudo-terminal of this size, by way of script(1). */
export function atTerminal(pawl: Workspace, words: readonly string[], options: Options = {}) {
  const { columns = 80, rows = 24, env = {} } = options
  const command = `stty cols ${columns} rows ${rows}; tty; echo ---; exec "$PAWL_BIN" ${words.join(' ')}`
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: pawl.workspace,
    env: { ...pawl.env, TERM: 'xterm-256color', SHELL: '/bin/sh', PAWL_BIN: pawl.bin, ...env },
    // The keyboard: a pipe that stays open, since its end would be typed as Ctrl-D.
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const chunks: { readonly ms: number; readonly text: string }[] = []
  const decoder = new TextDecoder()
  child.stdout.on('data', (data: Buffer) =>
    chunks.push({ ms: performance.now(), text: decoder.decode(data, { stream: true }) }),
  )
  const all = (): string => chunks.map(({ text }) => text).join('')
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return {
    ended,
    chunks,
    device: () => all().split('\r\n')[0]!,
    /** What the program itself has written. */
    said: () => all().split('---\r\n').slice(1).join('---\r\n'),
    type: (keys: string) => child.stdin.write(keys),
  }
}
