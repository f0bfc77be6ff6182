import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { cleanups } from '../../../support/cleanups.ts'
import { until } from '../../../surfaces/cli/pawl.ts'
import { createTerminal } from '../../../surfaces/terminal/terminal.ts'
import type { newNovel } from './novel.ts'

const bin = join(import.meta.dirname, '..', '..', '..', '..', 'bin')

// Written out, since a control character in an expression looks like a mistake.
const esc = '\\u001b'
const openSequence = new RegExp(`${esc}(?:\\[[\\d;?]*)?$`)

/** The REPL at a real pseudo-terminal. `say` types a line when the program asks for it. */
export function openRepl(
  novel: Pick<ReturnType<typeof newNovel>, 'studio' | 'env'>,
  words: readonly string[] = [],
  program = 'agentic',
) {
  const quoted = [join(bin, program), ...words].map((word) => `'${word}'`).join(' ')
  const [columns, rows] = [120, 30]
  const child = spawn('script', ['-qfec', `stty cols ${columns} rows ${rows}; exec ${quoted}`, '/dev/null'], {
    cwd: novel.studio,
    env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...novel.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  cleanups.push(() => void child.kill('SIGKILL'))
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (data: string) => (text += data))
  child.stdin.on('error', () => {})
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  let seen = 0
  /** Scrollback and screen, as a person sees them: without what was redrawn. */
  const screen = (): string => {
    const shown = createTerminal(columns, rows)
    shown.write(text.replace(openSequence, ''))
    return shown.rows().join('\n')
  }
  const after = (): string => screen().slice(seen)
  /** Waits until a text is on the screen, after what was typed last. */
  const sees = async (text: string): Promise<void> => {
    await until(() => after().includes(text), `${JSON.stringify(text)} in ${JSON.stringify(after().slice(-3000))}`)
  }
  return {
    screen,
    /** Everything that was written, redrawn lines too. */
    raw: () => stripVTControlCharacters(text),
    after,
    sees,
    /** Waits for a prompt, then types a line. */
    say: async (prompt: string, line: string): Promise<void> => {
      await sees(prompt)
      const end = screen().lastIndexOf(prompt) + prompt.length
      seen = Math.max(seen, end)
      child.stdin.write(`${line}\r`)
    },
    type: (keys: string) => void child.stdin.write(keys),
    ended,
  }
}
