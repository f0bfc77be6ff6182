import { exitCodes } from '../../contract/exit.ts'
import { programNames } from '../../contract/programs.ts'
import type { CliEntry, CommandSpec } from '../terminal/command.ts'
import { listCommandSpecs } from './table.ts'

const model =
  'A run works through tasks; a task gets attempts; an attempt gets a verdict; a rule decides; the journal remembers.'
const nameWidth = 22

/** Renders the top-level help. The build writes it to a file, so that `--help` prints it without importing anything. */
export function renderHelp(name: string, specs: readonly CommandSpec[]): string {
  const groups = [...new Set(specs.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const rows = specs.filter((spec) => spec.group === group).map((spec) => formatRow(formatCall(spec), spec.says))
    return `${group}\n${rows.join('\n')}`
  })
  const codes = Object.entries(exitCodes).map(([code, says]) => formatRow(code, says))
  return `${name}: bounded loops for AI work that only move forward

${model}

EXAMPLES
  ${name} demo                     watch a complete run; needs no keys and no network
  ${name} init                     set up this repository
  ${name} run build -n 3           run the procedure "build", at most 3 iterations
  ${name} why                      explain the state of the newest run
  ${name} resume                   resume it

${sections.join('\n\n')}

Every command takes --json, --color and --help. [run] is an id, the start of one, a name or a run folder; default: the newest run here.

EXIT CODES
${codes.join('\n')}
`
}

/** Renders the help for every program name, keyed by the file that the build writes. */
export function renderHelpFiles(entries: readonly CliEntry[]): Readonly<Record<string, string>> {
  const specs = listCommandSpecs(entries)
  return Object.fromEntries(
    programNames.map((name) => [name === 'pawl' ? 'help.txt' : `help-${name}.txt`, renderHelp(name, specs)]),
  )
}

/** Formats the help of one command. In examples a leading `pawl` means this program. */
export function formatUsage(spec: CommandSpec, program: string): string {
  const options = [...(spec.options ?? []), ...commonOptions]
  return `${program} ${formatCall(spec)}

${spec.says}

OPTIONS
${options.map(({ flags, says }) => formatRow(flags, says, 30)).join('\n')}

EXAMPLES
${spec.examples.map((example) => `  ${example.replace(/^pawl\b/, program)}`).join('\n')}
`
}

const commonOptions = [
  { flags: '--json', says: 'machine-readable output' },
  {
    flags: '--color <when>',
    says: 'colours for status: auto (default), always, never; NO_COLOR and FORCE_COLOR work too',
  },
]

const formatCall = ({ name, args }: CommandSpec): string => (args ? `${name} ${args}` : name)
const formatRow = (left: string, right: string, width = nameWidth): string => `  ${left.padEnd(width)} ${right}`
