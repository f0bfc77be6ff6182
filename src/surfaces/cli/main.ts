import { Command, CommanderError } from 'commander'
import type { ExitCode } from '../../contract/exit.ts'
import type { Place } from '../../run/paths.ts'
import { createIo, type Io } from '../terminal/io.ts'
import type { CommandSpec } from './command.ts'
import { handlers } from './handlers.ts'
import { renderHelp, usageOf } from './help.ts'
import { commands } from './table.ts'

/** Parses, calls one command and turns whatever happens into an exit code. */
export async function runCli(argv: readonly string[], place: Place): Promise<ExitCode> {
  const io = createIo(argv.includes('--json'), place.env)
  let exit: ExitCode = 0
  const program = new Command(place.name)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: () => {}, outputError: () => {} })
    .option('--json', 'machine-readable output')
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ formatHelp: () => renderHelp(place.name) })
  for (const spec of commands) {
    addCommand(program, spec, async (args, options) => {
      const { handle } = await handlers[spec.name]()
      exit = await handle({ place, args, options, io })
    })
  }
  try {
    if (argv.every((word) => word === '--json')) io.out(renderHelp(place.name))
    else await program.parseAsync(withoutHelpWord(asProgram(argv, place)), { from: 'user' })
    return exit
  } catch (error) {
    exit = await explain(error, io, place)
    return exit
  } finally {
    await io.flush()
  }
}

/** `rooda build` is `pawl run build`: a procedure may not take a command's name. */
function asProgram(argv: readonly string[], place: Place): readonly string[] {
  const first = argv[0]
  if (place.name !== 'rooda' || first === undefined || first.startsWith('-')) return argv
  return first === 'help' || commands.some(({ name }) => name === first) ? argv : ['run', ...argv]
}

/** `pawl help run` is `pawl run --help`. */
function withoutHelpWord(argv: readonly string[]): string[] {
  const known = commands.some(({ name }) => name === argv[1])
  return argv[0] === 'help' ? [...argv.slice(1), ...(known ? ['--help'] : [])] : [...argv]
}

type Called = (args: readonly string[], options: Readonly<Record<string, unknown>>) => Promise<void>

function addCommand(program: Command, spec: CommandSpec, call: Called): void {
  const command = program
    .command(spec.name + (spec.args ? ` ${spec.args}` : ''))
    .exitOverride()
    .option('--json', 'machine-readable output')
    .configureHelp({ formatHelp: () => usageOf(spec) })
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

async function explain(error: unknown, io: Io, place: Place): Promise<ExitCode> {
  if (error instanceof CommanderError) return explainMisuse(error, io, place)
  const { asPawlError } = await import('../../run/known-errors.ts')
  const { message, hint, exit } = asPawlError(error)
  if (io.json) io.data({ error: { message, hint: hint ?? null, exit } })
  io.err(`${place.name}: ${message}`)
  if (hint) io.err(hint)
  return exit
}

function explainMisuse(error: CommanderError, io: Io, place: Place): ExitCode {
  if (error.code === 'commander.helpDisplayed' || error.code === 'commander.help') return 0
  const message = error.message.replace(/^error: /, '')
  if (io.json) io.data({ error: { message, hint: null, exit: 2 } })
  io.err(`${place.name}: ${message}`)
  io.err(`To see what there is: ${place.name} --help`)
  return 2
}
