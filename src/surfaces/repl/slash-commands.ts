import { listNearest } from '../../contract/nearest.ts'
import type { Completions } from './completion.ts'

/** A command that a person can type, and what its first argument may be. */
export type SlashCommand = { readonly name: string; readonly args?: () => readonly string[] }

export type SlashInput = {
  readonly name: string
  /** Everything after the name, unchanged. */
  readonly rest: string
  /** The rest as words. Quotes keep a word with spaces together. */
  readonly words: readonly string[]
}

/** Parses `/name rest`. Undefined if the text is no command: `/usr/bin is wrong` is a sentence. */
export function parseSlashCommand(text: string): SlashInput | undefined {
  const found = /^\s*\/([a-z][\w-]*)(?:\s+([\s\S]*))?$/i.exec(text)
  if (!found) return undefined
  const rest = found[2]?.trimEnd() ?? ''
  return { name: found[1]!.toLowerCase(), rest, words: splitWords(rest) }
}

/** A quote begins only at the start of a word, so that `it's` is a word. A quote without an end reaches to the end. */
function splitWords(text: string): string[] {
  const words = text.matchAll(/"((?:\\.|[^"\\])*)"?(?=\s|$)|'([^']*)'?(?=\s|$)|\S+/g)
  return [...words].map(([word, double, single]) => double?.replace(/\\(.)/g, '$1') ?? single ?? word)
}

const maxSuggested = 3

/** Says that a command is unknown, and which ones the person may have meant. */
export function formatUnknownCommand(name: string, commands: readonly SlashCommand[]): string {
  const names = commands.map((command) => command.name)
  const near = new Set([...names.filter((one) => one.startsWith(name)), ...listNearest(name, names)])
  const suggested = [...near].slice(0, maxSuggested).map((one) => `/${one}`)
  if (suggested.length > 0) return `Unknown command /${name}. Did you mean ${joinChoices(suggested)}?`
  return `Unknown command /${name}. The commands are ${names.map((one) => `/${one}`).join(', ')}.`
}

const joinChoices = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** Completes the name of a command, or its first argument. */
export function completeSlashCommand(before: string, commands: readonly SlashCommand[]): Completions {
  const [, name, , arg] = /^\s*\/([\w-]*)(\s+("?[^"]*))?$/.exec(before) ?? []
  if (name === undefined) return { word: '', candidates: [] }
  if (arg === undefined) {
    const names = commands.map((command) => command.name).filter((one) => one.startsWith(name.toLowerCase()))
    return { word: `/${name}`, candidates: names.map((one) => `/${one} `) }
  }
  const args = commands.find((command) => command.name === name.toLowerCase())?.args?.() ?? []
  const fitting = args.filter((one) => one.startsWith(arg.replace(/^"/, '')))
  return { word: arg, candidates: fitting.map((one) => (/[\s"']/.test(one) ? `${JSON.stringify(one)} ` : `${one} `)) }
}
