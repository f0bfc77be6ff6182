import type { Action } from '../../../src/contract/show.ts'

const program = 'pawl'

/** The command line of an action. `run` is the run being shown, for actions that name none. */
export function formatCommand(action: Action, run: string): string {
  if (action.do === 'command') {
    const [first, ...rest] = action.argv
    return [first === 'pawl' ? program : first, ...rest].map((word) => quote(word ?? '')).join(' ')
  }
  const name = action.run ?? run
  return [program, ...words(action, name)].join(' ')
}

function words(action: Exclude<Action, { do: 'command' }>, run: string): readonly string[] {
  switch (action.do) {
    case 'resume':
      return ['resume', run, ...(action.now ? ['--now'] : []), ...raised(action.raise)]
    case 'answer':
      return [
        'answer',
        run,
        ...(action.choices ? [action.choices.join('|')] : []),
        ...(action.text ? ['--text "…"'] : []),
      ]
    case 'fork':
      return ['fork', run, ...(action.at === undefined ? [] : ['--at', String(action.at)]), '--feedback "…"']
    case 'feedback':
      return ['feedback', run, '"…"']
    case 'watch':
      return ['logs', '-f', run]
    case 'text':
      return ['show', run, '--text']
    case 'diff':
      return ['show', run, '--diff']
    case 'stop':
    case 'show':
    case 'why':
    case 'logs':
      return [action.do, run]
  }
}

/** The flags that raise a cap. */
const flags: Readonly<Record<string, string>> = {
  tasks: '--max-iterations N',
  attemptsPerRun: '--max-iterations N',
  tokens: '--max-tokens N',
  overheadTokens: '--max-tokens N',
  costUsd: '--max-cost USD',
  activeMs: '--max-time DURATION',
}

const raised = (caps: readonly string[] = []): readonly string[] => [
  ...new Set(caps.flatMap((cap) => flags[cap] ?? [])),
]

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
