import { commands } from './table.ts'

const takesRun = commands.filter(({ args }) => args?.includes('[run]')).map(({ name }) => name)
const longOptions = (name: string): string[] =>
  (commands.find((spec) => spec.name === name)?.options ?? []).flatMap(
    ({ flags }) => /--[a-z-]+/.exec(flags)?.[0] ?? [],
  )

/** Run ids are asked for when Tab is pressed, so that they are always the newest. */
const runIds = `pawl ls --all --json 2>/dev/null | sed 's/"id":/\\n&/g' | sed -n 's/^"id":"\\([^"]*\\)".*/\\1/p'`

export const completions: Readonly<Record<string, () => string>> = {
  bash: () => `_pawl() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word")); return; fi
  case "$command:$word" in
${commands.map(({ name }) => `    ${name}:-*) COMPREPLY=($(compgen -W "${[...longOptions(name), '--json', '--help'].join(' ')}" -- "$word"));;`).join('\n')}
${takesRun.map((name) => `    ${name}:*) COMPREPLY=($(compgen -W "$(${runIds})" -- "$word"));;`).join('\n')}
  esac
}
complete -o default -F _pawl pawl`,
  zsh: () => `#compdef pawl
_pawl() {
  if (( CURRENT == 2 )); then
    local -a names=(${commands.map(({ name, says }) => `'${name}:${says.replace(/'/g, '')}'`).join(' ')})
    _describe command names
  else
    case "$words[2]" in
${takesRun.map((name) => `      ${name}) compadd -- \${(f)"$(${runIds})"} ${longOptions(name).join(' ')};;`).join('\n')}
      *) _files;;
    esac
  fi
}
compdef _pawl pawl`,
  fish: () =>
    [
      ...commands.map(
        ({ name, says }) => `complete -c pawl -n __fish_use_subcommand -f -a ${name} -d '${says.replace(/'/g, '')}'`,
      ),
      ...takesRun.map(
        (name) => `complete -c pawl -n '__fish_seen_subcommand_from ${name}' -f -a '(${runIds.replace(/'/g, "\\'")})'`,
      ),
      ...commands.flatMap(({ name }) =>
        longOptions(name).map(
          (option) => `complete -c pawl -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
        ),
      ),
    ].join('\n'),
}
