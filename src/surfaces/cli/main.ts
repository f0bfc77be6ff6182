import { Command, CommanderError, Option } from 'commander'
import { type ExitCode, PawlError } from '../../contract/exit.ts'
import { aloneCommand, bareCommand, type Called, type ProgramName } from '../../contract/programs.ts'
import type { Program } from '../../run/mode.ts'
import type { CliEntry, CommandSpec, Invocation } from '../terminal/command.ts'
import { createIo, type Io } from '../terminal/io.ts'
import { type ColourChoice, colourChoices } from '../terminal/styled.ts'
import { formatUsage, renderHelp } from './help.ts'
import { listCommands } from './table.ts'

/** Parses the command line, calls one command and returns its exit code. Prints errors instead of throwing them. */
export async function runCli(
  argv: readonly string[],
  program: Program,
  entries: readonly CliEntry[],
  io: Io = createIo(argv.includes('--json'), program.machine.environment.env, readColour(argv)),
): Promise<ExitCode> {
  const { program: name } = program.machine.environment
  const commands = listCommands(entries)
  const specs = commands.map(({ spec }) => spec)
  let exit: ExitCode = 0
  const parser = new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: () => {}, outputError: () => {} })
    .option('--json', 'machine-readable output')
    .addOption(colourOption())
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ formatHelp: () => renderHelp(name, specs) })
  for (const { spec, load } of commands) {
    addCommand(parser, spec, async (args, options) => {
      const { handle } = await load()
      exit = await handle({ args, io, argv, ...(await openStores(program, spec, options)) })
    })
  }
  try {
    const names = specs.map((spec) => spec.name)
    const isAlone = argv.every((word) => word === '--json')
    if (isAlone && aloneCommand(name) === undefined) io.out(renderHelp(name, specs).trimEnd())
    else await parser.parseAsync(withoutHelpWord(withBareCommand(argv, name, names), names), { from: 'user' })
    return exit
  } catch (error) {
    exit = await explain(error, io, program.machine.environment)
    return exit
  } finally {
    await io.flush()
  }
}

/**
 * Decides where a command finds runs and puts new ones: a start uses this machine, or the database with `--queue`; commands for runs look at
 * both. `--queue` and `--priority` are the same for every start, so they are read here.
 */
async function openStores(
  program: Program,
  { group }: CommandSpec,
  { queue, priority = '0', ...options }: Readonly<Record<string, unknown>>,
): Promise<Pick<Invocation, 'program' | 'options' | 'queue'>> {
  if (!program.machine.database && queue !== true) return { program, options }
  if (queue !== true) {
    const { withAllRuns } = await import('../../run/queue/all-runs.ts')
    const machine = group === 'RUNS' ? withAllRuns(program.machine) : program.machine
    return { program: { ...program, machine }, options }
  }
  const { toQueuedMachine } = await import('../../run/queue/queued-machine.ts')
  if (options.detach === true) throw new PawlError(2, '--queue and --detach exclude each other')
  if (!/^-?\d{1,6}$/.test(String(priority)))
    throw new PawlError(2, `--priority takes a number, not ${String(priority)}`)
  const machine = toQueuedMachine(program.machine)
  return { program: { ...program, machine }, options, queue: { priority: Number(priority) } }
}

const colourOption = (): Option => new Option('--color <when>', 'colours for status').choices(colourChoices)

/** Reads `--color` before the command line is parsed, because errors of parsing are printed too. */
function readColour(argv: readonly string[]): ColourChoice {
  if (argv.includes('--plain')) return 'never'
  const at = argv.findIndex((word) => word === '--color' || word.startsWith('--color='))
  const given = argv[at]?.split('=')[1] ?? argv[at + 1]
  return (at >= 0 && colourChoices.find((choice) => choice === given)) || 'auto'
}

/** Turns `rooda build` into `rooda run build`. A procedure with the name of a command cannot be started this way. */
function withBareCommand(
  argv: readonly string[],
  program: ProgramName,
  commands: readonly string[],
): readonly string[] {
  const [first] = argv
  const bare = bareCommand(program)
  const alone = aloneCommand(program)
  if (alone !== undefined && (first === undefined || first === '--json')) return [alone, ...argv]
  if (bare === undefined || first === undefined || first.startsWith('-')) return argv
  return first === 'help' || commands.includes(first) ? argv : [bare, ...argv]
}

/** Turns `pawl help run` into `pawl run --help`. */
function withoutHelpWord(argv: readonly string[], commands: readonly string[]): string[] {
  const known = argv[1] !== undefined && commands.includes(argv[1])
  return argv[0] === 'help' ? [...argv.slice(1), ...(known ? ['--help'] : [])] : [...argv]
}

type CallCommand = (args: readonly string[], options: Readonly<Record<string, unknown>>) => Promise<void>

function addCommand(parser: Command, spec: CommandSpec, call: CallCommand): void {
  const command = parser
    .command(spec.name + (spec.args ? ` ${spec.args}` : ''))
    .exitOverride()
    .option('--json', 'machine-readable output')
    .addOption(colourOption())
    .configureHelp({ formatHelp: () => formatUsage(spec, parser.name()) })
    .allowExcessArguments(false)
    .action(async (...all: unknown[]) => {
      const self = all.at(-1) as Command
      const words = all
        .slice(0, -2)
        .flat()
        .filter((word): word is string => typeof word === 'string')
      await call(words, self.opts())
    })
  for (const { flags, says, repeatable } of spec.options ?? []) {
    if (repeatable) command.option(flags, says, (value: string, before: string[]) => [...before, value], [])
    else command.option(flags, says)
  }
}

async function explain(error: unknown, io: Io, called: Called): Promise<ExitCode> {
  const { program } = called
  if (error instanceof CommanderError) return explainMisuse(error, io, program)
  const { toPawlError } = await import('../../run/errors.ts')
  const known = toPawlError(error)
  const { message, exit } = known
  const hint = known.hintFor(called)
  if (io.json) io.data({ error: { message, hint: hint ?? null, exit } })
  io.err(`${program}: ${message}`)
  if (hint) io.err(hint)
  return exit
}

function explainMisuse(error: CommanderError, io: Io, program: string): ExitCode {
  if (error.code === 'commander.helpDisplayed' || error.code === 'commander.help') return 0
  const message = error.message.replace(/^error: /, '')
  if (io.json) io.data({ error: { message, hint: null, exit: 2 } })
  io.err(`${program}: ${message}`)
  io.err(`To list all commands: ${program} --help`)
  return 2
}
