import type { About } from './finding.ts'

/** The words in the verification commands and in every script they call. */
export type Reach = { readonly words: ReadonlySet<string>; readonly lints: boolean }

export function findReach({ commands, packageScripts = {} }: Pick<About, 'commands' | 'packageScripts'>): Reach {
  const texts = [...commands]
  const used = findUsedEntries(packageScripts, commands)
  for (const name of used) texts.push(name, packageScripts[name]!)
  return { words: new Set(texts.flatMap(splitWords)), lints: texts.some((text) => linters.test(text)) }
}

/** Returns the scripts, targets or recipes that the commands call, directly or not, with their pre and post scripts. */
export function findUsedEntries(entries: Readonly<Record<string, string>>, commands: readonly string[]): Set<string> {
  const used = new Set<string>()
  const words = new Set<string>()
  const open = commands.flatMap(splitWords)
  for (let word = open.pop(); word !== undefined; word = open.pop()) {
    if (words.has(word)) continue
    words.add(word)
    for (const name of [word, `pre${word}`, `post${word}`, ...(lifecycles[word] ?? [])]) {
      if (!Object.hasOwn(entries, name) || used.has(name)) continue
      used.add(name)
      for (const next of [name, ...splitWords(entries[name]!)]) open.push(next)
    }
  }
  return used
}

const lifecycles: Readonly<Record<string, readonly string[]>> = {
  t: ['test', 'pretest', 'posttest'],
  ci: ['preinstall', 'install', 'postinstall', 'prepare'],
  install: ['preinstall', 'postinstall', 'prepare'],
  make: ['all'],
}

const splitWords = (text: string): string[] =>
  text
    .slice(0, 65_536)
    .match(/[\w@./:*+-]+/g)
    ?.map((word) => word.replace(/^\.\//, '')) ?? []

const linters =
  /lint|biome|\btsc\b|mypy|pyright|ruff|flake8|clippy|check|\bvet\b|type|rubocop|phpstan|psalm|detekt|credo|dialyz|prettier|\bxo\b|standard/i

/** Whether a command runs this file as a check rather than as the product under test. */
export function isNamedScript(path: string, { words }: Reach): boolean {
  const module = path.replace(/\.py$/, '').replaceAll('/', '.')
  if (![...new Set([path, path.slice(path.lastIndexOf('/') + 1), module])].some((name) => words.has(name))) return false
  return words.has(path) || words.has(module) ? checks.test(path) : /\.(?:sh|bash)$/.test(path)
}
const checks =
  /\.(?:sh|bash|zsh|ps1|mk)$|^(?:.*\/)?(?:scripts?|tools?|ci|hack|\.ci)\/|(?:test|check|verif|lint|spec|valid|assert|accept|gate)[^/]*$/i

/** Whether the command succeeds even if the programs it runs fail. */
export const swallows = (text: string): boolean => swallowing.test(text) || /^echo\b[^&|;\n]*$/.test(text)
const swallowing =
  /\|\|\s*(?:true|:|exit 0|echo|printf|cd|\/bin\/true)(?:\s|$|[;)"'&])|[;&]\s*(?:true|:|exit 0)\s?(?:$|[;)"'])|--pass-?with-?no-?tests|\bset \+e\b|^(?:true|:|exit 0)$/im
