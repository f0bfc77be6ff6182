import { exitCodes } from '../../contract/exit.ts'
import { programNames } from '../../contract/programs.ts'
import type { CliEntry, CommandSpec } from '../terminal/command.ts'
import { listCommandSpecs } from './table.ts'

const model =
  'A run works through tasks; a task gets attempts; an attempt gets a verdict; a rule decides; the journal remembers.'
const width = 22

/** The top-level help. Rendered once at build time and printed before anything is imported. */
export function renderHelp(name: string, specs: readonly CommandSpec[]): string {
  const groups = [...new Set(specs.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const rows = specs.filter((spec) => spec.group === group).map((spec) => row(formatCall(spec), spec.says))
    return `${group}\n${rows.join('\n')}`
  })
  const codes = Object.entries(exitCodes).map(([code, says]) => row(code, says))
  return `${name}: bounded loops for AI work that only move forward

${model}

EXAMPLES
  ${name} demo                     see it work, without keys or network
  ${name} init                     set up this repository
  ${name} run build -n 3           three iterations of the procedure "build"
  ${name} why                      why the newest run stands where it stands
  ${name} resume                   go on with it

${sections.join('\n\n')}

Every command takes --json and --help. A run is named by id prefix, by what it runs, or by folder; no name: the newest here.

EXIT CODES
${codes.join('\n')}
`
}

/** The help of every program name, by the file that the build writes it to. */
export function renderHelpFiles(entries: readonly CliEntry[]): Readonly<Record<string, string>> {
  const specs = listCommandSpecs(entries)
  return Object.fromEntries(
    programNames.map((name) => [name === 'pawl' ? 'help.txt' : `help-${name}.txt`, renderHelp(name, specs)]),
  )
}

/** The help of one command. */
export function formatUsage(spec: CommandSpec): string {
  const options = [...(spec.options ?? []), { flags: '--json', says: 'machine-readable output' }]
  return `pawl ${formatCall(spec)}

${spec.says}

OPTIONS
${options.map(({ flags, says }) => row(flags, says, 30)).join('\n')}

EXAMPLES
${spec.examples.map((example) => `  ${example}`).join('\n')}
`
}

const formatCall = ({ name, args }: CommandSpec): string => (args ? `${name} ${args}` : name)
const row = (left: string, right: string, wide = width): string => `  ${left.padEnd(wide)} ${right}`
