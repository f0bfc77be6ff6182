import { stripVTControlCharacters } from 'node:util'

/** Names, subjects and commands may hold line breaks: shown as such, so that no text can pose as a line of ours. */
export function oneLine(text: string, longest: number): string {
  const line = text.trimEnd().replace(/\r?\n/g, '\\n').replace(/\t/g, ' ')
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

const longestOutput = 2000

/** What an agent or a command prints, as a piece of one line: without its colours, and of a length that costs nothing to look at. */
export function outputLine(text: string): string {
  const start = text.length > longestOutput ? `${text.slice(0, longestOutput)}…` : text
  return stripVTControlCharacters(start).replace(/\s+/g, ' ').trim()
}
