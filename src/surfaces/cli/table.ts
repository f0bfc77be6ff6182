import {
  type CliEntry,
  type CommandEntry,
  type CommandSpec,
  commandGroups,
  type OptionSpec,
} from '../terminal/command.ts'
import { runCommands } from './table-runs.ts'
import { setupCommands } from './table-setup.ts'

/** Every command there is, in the order of help. Help, completion and parsing are made from this. */
export function listCommands(entries: readonly CliEntry[]): readonly CommandEntry[] {
  const resumeOptions = onceEach(entries.flatMap((entry) => entry.resumeOptions))
  const all = [
    ...entries.flatMap(({ commands }) => commands),
    ...runCommands(resumeOptions),
    ...setupCommands(() => specsOf(entries)),
  ]
  return all.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.spec.rank ?? 0) - (b.spec.rank ?? 0))
}

export const specsOf = (entries: readonly CliEntry[]): readonly CommandSpec[] =>
  listCommands(entries).map(({ spec }) => spec)

const placeOf = ({ spec }: CommandEntry): number => commandGroups.indexOf(spec.group)

/** Two modes may understand the same flag. */
const onceEach = (options: readonly OptionSpec[]): OptionSpec[] => [
  ...new Map(options.map((option) => [option.flags, option])).values(),
]
