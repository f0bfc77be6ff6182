import { dirname } from 'node:path'
import type { Answer, Capture, Question } from '../../ports/capture.ts'
import { filterNames, silencing } from './filters.ts'

export type Git = {
  /** The work tree that it speaks of. */
  readonly root: string
  /** The filters that it knows of and has switched off. */
  readonly filters: readonly string[]
  /** undefined where git does not end with 0; throws where it takes too long or says too much. */
  ask(...args: readonly string[]): Promise<Buffer | undefined>
  /** The whole answer. */
  run(args: readonly string[], how?: Manner): Promise<Answer>
}

export type Manner = Partial<Pick<Question, 'input' | 'maxBytes' | 'beginning' | 'signal' | 'env'>>

export type GitOptions = {
  readonly capture: Capture
  readonly env: NodeJS.ProcessEnv
  /** On the clock of `performance.now`. */
  readonly deadline: number
  /** Also those that this person has set up for all repositories are switched off, as for what writes. */
  readonly noFilters?: boolean
}

const maxBytes = 8 * 1024 * 1024

/**
 * Agents can write a repository's configuration, so nothing in it may start a program here: no hook, no fsmonitor, no
 * filter, no pager, no fetch of what is missing; and nothing in it may turn our eyes to another folder.
 */
export async function openGit(root: string, options: GitOptions): Promise<Git> {
  const { capture, deadline } = options
  const env = environment(root, options.env)
  const run =
    (settings: Readonly<Record<string, string>>): Git['run'] =>
    (args, { env: more, ...how } = {}) => {
      const timeoutMs = Math.max(1, deadline - performance.now())
      const argv = ['git', ...safely, `--work-tree=${root}`, ...args] as const
      return capture({ argv, cwd: root, maxBytes, timeoutMs, ...how, env: { ...env, ...settings, ...more } })
    }
  const ask =
    (settings: Readonly<Record<string, string>>): Git['ask'] =>
    async (...args) => {
      const answer = await run(settings)(args)
      if ('cut' in answer) throw new Error(answer.problem)
      return 'code' in answer && answer.code === 0 ? answer.stdout : undefined
    }
  const filters = await filterNames(root, ask({}), options.noFilters)
  const settings = silencing(filters)
  return { root, filters, ask: ask(settings), run: run(settings) }
}

const settings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.trustctime=true',
  'core.checkStat=default',
  'status.relativePaths=false',
]
const safely = ['--no-optional-locks', '--no-pager', ...settings.flatMap((setting) => ['-c', setting])]

/** From outside comes only what finds git and this person's own ignore rules. */
function environment(root: string, from: NodeJS.ProcessEnv): Record<string, string> {
  const passing = ['PATH', 'HOME', 'XDG_CONFIG_HOME'].flatMap((name) => (from[name] ? [[name, from[name]]] : []))
  return {
    ...(Object.fromEntries(passing) as Record<string, string>),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    // What we found is the work tree; git looks for none above it.
    GIT_CEILING_DIRECTORIES: dirname(root),
  }
}
