import type { Action } from '../contract/show.ts'
import type { CapName } from '../contract/values.ts'

/** Formats an action as the words of a command line. `program` is the name this program was started by. */
export function formatAction(action: Action, program: string): readonly string[] {
  switch (action.do) {
    case 'resume':
      return [program, 'resume', ...named(action.run), ...(action.now ? ['--now'] : []), ...raised(action.raise)]
    case 'answer':
      return [
        program,
        'answer',
        ...named(action.run),
        // Without the name of a run, the first word would be read as one. A shell takes the marks for a mistake, and not for a pipe.
        ...(action.choices && action.run !== undefined ? [`<${action.choices.join('|')}>`] : []),
        ...(action.text ? ['--text', '"…"'] : []),
      ]
    case 'feedback':
      return [program, 'feedback', ...named(action.run), '"…"']
    case 'watch':
      return [program, 'logs', '-f', ...named(action.run)]
    case 'text':
      return [program, 'show', ...named(action.run), '--text']
    case 'diff':
      return [program, 'show', ...named(action.run), '--diff']
    case 'stop':
    case 'show':
    case 'why':
    case 'logs':
      return [program, action.do, ...named(action.run)]
    case 'fork':
      return [
        program,
        'fork',
        ...named(action.run),
        ...(action.at === undefined ? [] : ['--at', String(action.at)]),
        '--feedback',
        '"…"',
      ]
    case 'command':
      return action.argv[0] === 'pawl' ? [program, ...action.argv.slice(1)] : action.argv
  }
}

const named = (run: string | undefined): readonly string[] => (run === undefined ? [] : [run])

/** The flags that raise a cap. */
const flags: Readonly<Partial<Record<CapName, readonly [string, string]>>> = {
  tasks: ['--max-iterations', 'N'],
  attemptsPerRun: ['--max-iterations', 'N'],
  tokens: ['--max-tokens', 'N'],
  overheadTokens: ['--max-tokens', 'N'],
  costUsd: ['--max-cost', 'USD'],
  activeMs: ['--max-time', 'DURATION'],
}

const raised = (caps: readonly CapName[] = []): readonly string[] =>
  [...new Set(caps.map((cap) => flags[cap]?.join(' ')))].flatMap((words) => words?.split(' ') ?? [])
