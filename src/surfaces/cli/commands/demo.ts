import { resolve } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import type { Called } from '../../../contract/programs.ts'
import { type Audience, type Claim, type Demo, runDemo } from '../../../setup/demo/demo.ts'
import { formatCount, quoteShell } from '../../../show/format.ts'
import type { Handler } from '../../terminal/command.ts'
import type { Io } from '../../terminal/io.ts'

export const handle: Handler = async ({ program: { machine }, options, io }) => {
  const { keep, agent } = options as Readonly<Record<string, string | undefined>>
  const stop = new AbortController()
  for (const [signal, exit] of signals) process.on(signal, () => stop.abort(signalError(signal, exit)))
  const width = process.stdout.columns ?? Infinity
  const folder = keep === undefined ? undefined : resolve(keep)
  const demo = await runDemo(machine, { keep: folder, agent }, createAudience(io, width), stop.signal)
  const { dir, run, claims, seen } = demo
  io.result({ dir, run, claims, seen }, () => [
    '',
    ...claimLines(claims, width),
    ...nextLines(demo, machine.environment),
  ])
  return claims.every(({ holds }) => holds) ? 0 : 1
}

/** Prints the demo. No empty line between commands without output, and never two empty lines in a row. */
function createAudience(io: Io, width: number): Audience {
  let gap = false
  const print = (lines: readonly string[]): void => {
    for (const line of [...(gap ? [''] : []), ...lines]) (io.json ? io.err : io.out)(line)
    gap = false
  }
  let hasOutput = true
  return {
    act: (title, about) => {
      gap = true
      print(actLines(title, about))
      hasOutput = true
    },
    command: (words, variables) => {
      gap = hasOutput
      print(commandLines(words, variables))
      hasOutput = false
    },
    output: (line) => {
      if (line === '') gap = true
      else print(wrapText(line, '  ', width))
      hasOutput = true
    },
  }
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

const signalError = (signal: string, exit: 129 | 130 | 143): PawlError =>
  new PawlError(exit, `the demo was stopped by ${signal}; all its processes have ended`)

const textWidth = 78

/** The heading of an act and what it is about to show. */
const actLines = (title: string, about: string): string[] => [
  `── ${title} ${'─'.repeat(Math.max(0, textWidth - 4 - title.length))}`,
  ...wrapText(about, '', textWidth),
]

/** Formats a command so that it can be pasted into a shell. A long one is continued with a backslash. */
function commandLines(words: readonly string[], variables: Readonly<Record<string, string>>): string[] {
  const assigned = Object.entries(variables).map(([name, value]) => `${name}=${quoteShell(value)}`)
  const lines: string[] = ['$']
  for (const part of [...assigned, ...joinOptionValues(words.map(quoteShell))]) {
    if (lines.at(-1)!.length + part.length < textWidth) lines.push(`${lines.pop()} ${part}`)
    else lines.push(`${lines.pop()} \\`, `    ${part}`)
  }
  return lines
}

/** Keeps an option and its value on one line. */
function joinOptionValues(words: readonly string[]): string[] {
  const parts: string[] = []
  for (const word of words) {
    if (!word.startsWith('-') && parts.at(-1)?.startsWith('--')) parts.push(`${parts.pop()} ${word}`)
    else parts.push(word)
  }
  return parts
}

function claimLines(claims: readonly Claim[], width: number): string[] {
  const wrong = claims.filter(({ holds }) => !holds).length
  return [
    ...actLines('claims', 'Each claim is checked against git, files and the process table, not the output above.'),
    '',
    ...claims.flatMap(({ says, holds, found }) => [
      `  ${holds ? 'true ' : 'FALSE'}  ${says}`,
      ...wrapText(found, '           ', width),
    ]),
    '',
    wrong === 0 ? `All ${claims.length} claims are true.` : `${wrong} of ${formatCount(claims.length, 'claim')} FALSE.`,
  ]
}

const nextLines = ({ dir, run }: Demo, { program, folder }: Called): string[] => [
  '',
  `All files are in ${dir}. Each attempt has a page there, for example:`,
  `  repository/.pawl/runs/${run ?? '*'}/attempts/S1-attempt-1.md`,
  '',
  'Next, in your own repository:',
  `  ${program} plan PRD.md --explain            show which line becomes which story`,
  `  ${program} deliver PRD.md --dry-run         show stories, checks and bounds; start nothing`,
  `  ${program} deliver PRD.md --agent claude    deliver the stories`,
  `  ${program} write                            revise a novel or a PRD in plain language`,
  `Name the command that checks a story with --verify "npm test", or under gates in ${folder}/config.yml.`,
]

/** Wraps at word boundaries. Continuation lines of indented text are indented two columns more. */
function wrapText(text: string, indent: string, width: number): string[] {
  if (indent.length + text.length <= width) return [(indent + text).trimEnd()]
  const own = indent + /^ */.exec(text)![0]
  const lines: string[] = []
  let line = own
  for (const word of text.trim().split(/(?<= )(?! )/)) {
    if (line.trim() !== '' && line.length + word.trimEnd().length > width) {
      lines.push(line.trimEnd())
      line = own === '' ? '' : `${own}  `
    }
    line += word
  }
  return [...lines, line.trimEnd()]
}
