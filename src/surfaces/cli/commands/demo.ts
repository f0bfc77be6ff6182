import { resolve } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
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
  const demo = await runDemo(machine, { keep: folder, agent }, audienceAt(io, width), stop.signal)
  const { dir, run, claims, seen } = demo
  io.result({ dir, run, claims, seen }, () => ['', ...claimLines(claims, width), ...nextLines(demo)])
  return claims.every(({ holds }) => holds) ? 0 : 1
}

/** Commands that say nothing stand close together, and never two empty lines. */
function audienceAt(io: Io, width: number): Audience {
  let gap = false
  const say = (lines: readonly string[]): void => {
    for (const line of [...(gap ? [''] : []), ...lines]) (io.json ? io.err : io.out)(line)
    gap = false
  }
  let said = true
  return {
    act: (title, about) => {
      gap = true
      say(actLines(title, about))
      said = true
    },
    command: (words, variables) => {
      gap = said
      say(commandLines(words, variables))
      said = false
    },
    output: (line) => {
      if (line === '') gap = true
      else say(wrapped(line, '  ', width))
      said = true
    },
  }
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

const signalError = (signal: string, exit: 129 | 130 | 143): PawlError =>
  new PawlError(exit, `the demo was ended by ${signal}; nothing of it runs on`)

const narrow = 78

/** Before each act: what is about to be shown. */
const actLines = (title: string, about: string): string[] => [
  `── ${title} ${'─'.repeat(Math.max(0, narrow - 4 - title.length))}`,
  ...wrapped(about, '', narrow),
]

/** As it would be typed; a long one goes on in the next line, as a shell takes it too. */
function commandLines(words: readonly string[], variables: Readonly<Record<string, string>>): string[] {
  const assigned = Object.entries(variables).map(([name, value]) => `${name}=${quoteShell(value)}`)
  const lines: string[] = ['$']
  for (const part of [...assigned, ...withValues(words.map(quoteShell))]) {
    if (lines.at(-1)!.length + part.length < narrow) lines.push(`${lines.pop()} ${part}`)
    else lines.push(`${lines.pop()} \\`, `    ${part}`)
  }
  return lines
}

/** An option stays with what belongs to it. */
function withValues(words: readonly string[]): string[] {
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
    ...actLines('what is claimed', 'Read back from git, files and the process table, not from what was printed.'),
    '',
    ...claims.flatMap(({ says, holds, found }) => [
      `  ${holds ? 'true ' : 'FALSE'}  ${says}`,
      ...wrapped(found, '           ', width),
    ]),
    '',
    wrong === 0 ? `All ${claims.length} claims hold.` : `${formatCount(wrong, 'claim')} of ${claims.length} FALSE.`,
  ]
}

const nextLines = ({ dir, run }: Demo): string[] => [
  '',
  `Everything is in ${dir}, each attempt as a page to judge it by:`,
  `  repository/.pawl/runs/${run ?? '*'}/attempts/S1-attempt-1.md`,
  '',
  'Next, in your own repository:',
  '  pawl plan PRD.md --explain            which line becomes which story',
  '  pawl deliver PRD.md --dry-run         stories, proofs, bounds; starts nothing',
  '  pawl deliver PRD.md --agent claude',
  'What proves a story is said by --verify "npm test", or gates in .pawl/config.yml.',
]

/** Words stay whole, and what goes on stands deeper than what it belongs to. */
function wrapped(text: string, indent: string, width: number): string[] {
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
