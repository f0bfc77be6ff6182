import type { Entries } from './entries.ts'

/** A makefile, justfile, Taskfile, Rakefile or noxfile by target. What stands outside of them has the name ''. */
export const targetsOf = (text: string): Entries =>
  split(text, (line) => {
    for (const header of targets) {
      const name = header.exec(line)?.[1]
      if (name !== undefined) return name
    }
    return /^[\w.]+\s?[:+?]?=/.test(line) ? '' : undefined
  })
const targets = [
  /^\s*task\s+:?["']?([\w:-]+)/,
  /^def (\w+)/,
  /^@?([\w./%-]+)(?: [^:=]*)?:(?!=)/,
  /^ {2}([\w.:-]+):\s*$/,
]

/** A toml or ini file by section. */
export const sectionsOf = (text: string): Entries => split(text, (line) => /^\[+\s?"?([^\]"]+)/.exec(line)?.[1]?.trim())

/** Comments and blank lines are left out. */
function split(text: string, nameIn: (line: string) => string | undefined): Entries {
  const blocks = new Map<string, string[]>([['', []]])
  let lines = blocks.get('')!
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const name = nameIn(line)
    if (name !== undefined) {
      lines = blocks.get(name) ?? []
      blocks.set(name, lines)
    }
    lines.push(line.trim())
  }
  return Object.fromEntries([...blocks].map(([name, block]) => [name, block.join('\n')]))
}
