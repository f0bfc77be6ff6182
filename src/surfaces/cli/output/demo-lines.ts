import type { Claim, Demo } from '../../../setup/demo/demo.ts'
import { plural } from '../../../show/format.ts'
import { quoted } from '../../../show/quoted.ts'

const narrow = 78

/** Before each act: what is about to be shown. */
export const actLines = (title: string, about: string): string[] => [
  `── ${title} ${'─'.repeat(Math.max(0, narrow - 4 - title.length))}`,
  ...wrapped(about, '', narrow),
]

/** As it would be typed; a long one goes on in the next line, as a shell takes it too. */
export function commandLines(words: readonly string[], variables: Readonly<Record<string, string>>): string[] {
  const assigned = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`)
  const lines: string[] = ['$']
  for (const part of [...assigned, ...withValues(words.map(quoted))]) {
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

export function claimLines(claims: readonly Claim[], width: number): string[] {
  const wrong = claims.filter(({ holds }) => !holds).length
  return [
    ...actLines('what is claimed', 'Read back from git, files and the process table, not from what was printed.'),
    '',
    ...claims.flatMap(({ says, holds, found }) => [
      `  ${holds ? 'true ' : 'FALSE'}  ${says}`,
      ...wrapped(found, '           ', width),
    ]),
    '',
    wrong === 0 ? `All ${claims.length} claims hold.` : `${plural(wrong, 'claim')} of ${claims.length} FALSE.`,
  ]
}

export const nextLines = ({ dir, run }: Demo): string[] => [
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
export function wrapped(text: string, indent: string, width: number): string[] {
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
