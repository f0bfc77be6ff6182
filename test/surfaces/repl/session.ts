import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { newFolder } from '../../support/folder.ts'
import { until } from '../cli/pawl.ts'
import { inTerminal } from '../cli/terminal.ts'
import { createTerminal } from '../terminal/terminal.ts'

export const node = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url))
export const echoProgram = fileURLToPath(new URL('fixtures/echo-program.ts', import.meta.url))

export type Got = { readonly is?: string; readonly text?: string; readonly length?: number; readonly sha256?: string }

type Options = {
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
  /** What the shell runs; `$ECHO` is the program. */
  readonly command?: string
}

/** Files of the program's own: its clock, which stands at 0, and its history. */
export function newFiles() {
  const folder = newFolder()
  const files = { CLOCK: join(folder, 'clock'), PROJECT: join(folder, 'project'), GLOBAL: join(folder, 'global') }
  writeFileSync(files.CLOCK, '0')
  return { ...files, folder }
}

/** Splits what the program printed into inputs. */
export const parseGot = (text: string): Got[] =>
  [...text.matchAll(/got (\{.*\})\r?\n/g)].map(([, json]) => JSON.parse(json!))

/** The program at a real terminal, at its first prompt. */
export async function startEcho({ columns = 80, env = {}, command = 'exec $ECHO' }: Options = {}) {
  const { folder, ...files } = newFiles()
  const terminal = inTerminal(`stty cols ${columns} rows 24; tty; ${command}`, {
    cwd: folder,
    env: { PATH: process.env.PATH!, LANG: 'C.UTF-8', ...files, ECHO: `${node} ${echoProgram}`, PS1: 'shell> ', ...env },
  })
  const { text, type } = terminal
  const wait = (condition: () => boolean, what: () => string): Promise<void> =>
    until(condition, 'a condition').catch(() => expect.fail(`${what()}: ${JSON.stringify(text())}`))
  const seen = (words: string | RegExp, from = 0): Promise<void> =>
    wait(
      () => (words instanceof RegExp ? words.test(text().slice(from)) : text().includes(words, from)),
      () => `no ${words}`,
    )
  /** Reads the screen as a person would: what the program printed, on a small terminal. */
  function screen(from = text().indexOf('pid '), emulated = createTerminal(columns, 24)) {
    emulated.write(text().slice(from).replace(pasteModes, ''))
    return emulated
  }
  const last = (): string => screen().text().at(-1)!
  if (command === 'exec $ECHO') await seen('1> ')
  return {
    terminal,
    wait,
    files,
    text,
    seen,
    screen,
    last,
    pid: () => Number(/pid (\d+);/.exec(text())![1]),
    /** Types keys and waits until the last line of the screen is this. */
    type: async (keys: string, shown?: string) => {
      type(keys)
      if (shown !== undefined)
        await wait(
          () => last() === shown,
          () => `${last()} instead of ${shown}`,
        )
    },
    /** Presses Enter, waits for the input, and for the next prompt. */
    enter: async (): Promise<Got> => {
      const count = parseGot(text()).length
      const from = text().length
      type('\r')
      await seen(/got .*\r\n[\s\S]*(> |listeners .*\r\n)/, from)
      return parseGot(text())[count]!
    },
    setClock: (ms: number) => writeFileSync(files.CLOCK, String(ms)),
    resize: (width: number) => {
      execFileSync('stty', ['-F', /\/dev\/pts\/\d+/.exec(text())![0], 'cols', String(width)])
    },
  }
}

const esc = '\u001b'
const pasteModes = new RegExp(`${esc}\\[\\?2004[hl]`, 'g')
export const paste = (text: string): string => `${esc}[200~${text}${esc}[201~`
/** Whether `stty -a` shows a terminal that edits lines, echoes and sends signals. */
export const isCooked = (text: string): boolean =>
  ['icanon', 'echo', 'isig'].every((mode) => new RegExp(`(?<![-\\w])${mode}\\b`).test(text))
