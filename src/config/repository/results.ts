import type { Gate } from './declared-gates.ts'
import { parseJsonObject, pickStrings, type Repository } from './repository.ts'

/** How runners show the results of single tests, by what their command looks like. The first row that matches decides. */
const runners: readonly (readonly [RegExp, (match: RegExpMatchArray) => string])[] = [
  [/--(?:outputFile(?:\.\w+)?|junit-?xml|junitfile)[= ]['"]?([\w./-]+)/i, ([, file]) => file!],
  [/\bgo test\b.*\s-json\b/, () => 'go-json'],
  [/\bcargo test\b/, () => 'cargo'],
  // In a clean room, Pawl asks pytest to name the tests.
  [/\bpytest\b/, () => 'pytest'],
  [/\bnode\b.*\s--test\b.*--test-reporter[= ]tap\b/, () => 'tap'],
  [/\bnode\b(?!.*--test-reporter).*\s--test(?:\s|$)|\bmocha\b(?!.*(?:\s-R|--reporter))/, () => 'spec'],
]

/** Finds where the results of single tests are, for `results`. */
export function findResults(repository: Repository, gates: readonly Gate[]): string | undefined {
  const scripts = gates.flatMap((gate) => (gate.purpose === 'test' ? [readScript(repository, gate)] : []))
  for (const [pattern, toResults] of runners)
    for (const script of scripts) {
      const match = pattern.exec(script)
      if (match) return toResults(match)
    }
  return undefined
}

/** Finds commands that check only what git shows as changed. In a clean room, before any work, that is nothing. */
export const findPartial = (repository: Repository, gates: readonly Gate[]): readonly string[] =>
  gates.flatMap((gate) => (partial.test(readScript(repository, gate)) ? [gate.command] : []))

const partial =
  /--(?:changed(?:Since)?|onlyChanged|lastCommit|findRelatedTests|affected|since)\b|\b(?:lint-staged|nx affected)\b|\bgit diff\b.*--name-only/

/** What a command that only names a script does, as far as its file says. */
function readScript({ text }: Repository, { command, from }: Gate): string {
  const [, name] = /\b(?:npm|pnpm|yarn|bun)(?: run)? (\S+)/.exec(command) ?? []
  if (name !== undefined) return pickStrings(parseJsonObject(text('package.json')).scripts)[name] ?? command
  return command.startsWith('make ') ? text(from) : command
}
