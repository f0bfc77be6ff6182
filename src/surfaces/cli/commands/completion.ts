import { PawlError } from '../../../contract/exit.ts'
import type { CommandSpec, Handler } from '../../terminal/command.ts'

export const completionHandler =
  (specs: readonly CommandSpec[]): Handler =>
  async ({ program, args, io }) => {
    const shell = shells.find((known) => known === args[0])
    if (!shell) throw new PawlError(2, `no completion for ${args[0] ?? ''}`, `Known shells: ${shells.join(', ')}`)
    const script = renderCompletion(shell, specs, program.machine.environment.program)
    io.result({ shell, script }, () => [script])
    return 0
  }

const shells = ['bash', 'zsh', 'fish'] as const

type Names = {
  /** The program that the script completes. */
  readonly program: string
  readonly specs: readonly CommandSpec[]
  /** Names of the commands that take a run. */
  readonly takesRun: readonly string[]
}

/** Renders the completion script for a shell. */
const renderCompletion = (shell: (typeof shells)[number], specs: readonly CommandSpec[], program: string): string =>
  scripts[shell]({
    program,
    specs,
    takesRun: specs.filter(({ args }) => args?.includes('[run]')).map(({ name }) => name),
  })

const longOptions = ({ options }: CommandSpec): string[] =>
  (options ?? []).flatMap(({ flags }) => /--[a-z-]+/.exec(flags)?.[0] ?? [])

/** Lists run ids when Tab is pressed, so that they are up to date. */
const listRunIds = (program: string): string =>
  `${program} ls --all --json 2>/dev/null | sed 's/"id":/\\n&/g' | sed -n 's/^"id":"\\([^"]*\\)".*/\\1/p'`

const scripts = {
  bash: ({ program, specs, takesRun }: Names) => `_${program}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${specs.map(({ name }) => name).join(' ')}" -- "$word")); return; fi
  case "$command:$word" in
${specs.map((spec) => `    ${spec.name}:-*) COMPREPLY=($(compgen -W "${[...longOptions(spec), '--json', '--help'].join(' ')}" -- "$word"));;`).join('\n')}
${takesRun.map((name) => `    ${name}:*) COMPREPLY=($(compgen -W "$(${listRunIds(program)})" -- "$word"));;`).join('\n')}
  esac
}
complete -o default -F _${program} ${program}`,
  zsh: ({ program, specs, takesRun }: Names) => `#compdef ${program}
_${program}() {
  if (( CURRENT == 2 )); then
    local -a names=(${specs.map(({ name, says }) => `'${name}:${says.replace(/'/g, '')}'`).join(' ')})
    _describe command names
  else
    case "$words[2]" in
${specs
  .filter(({ name }) => takesRun.includes(name))
  .map((spec) => `      ${spec.name}) compadd -- \${(f)"$(${listRunIds(program)})"} ${longOptions(spec).join(' ')};;`)
  .join('\n')}
      *) _files;;
    esac
  fi
}
compdef _${program} ${program}`,
  fish: ({ program, specs, takesRun }: Names) =>
    [
      ...specs.map(
        ({ name, says }) =>
          `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d '${says.replace(/'/g, '')}'`,
      ),
      ...takesRun.map(
        (name) =>
          `complete -c ${program} -n '__fish_seen_subcommand_from ${name}' -f -a '(${listRunIds(program).replace(/'/g, "\\'")})'`,
      ),
      ...specs.flatMap((spec) =>
        longOptions(spec).map(
          (option) => `complete -c ${program} -n '__fish_seen_subcommand_from ${spec.name}' -l ${option.slice(2)}`,
        ),
      ),
    ].join('\n'),
} as const
