import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Answer, Capture, Question } from '../../ports/capture.ts'

export type Git = {
  /** The work tree that it speaks of. */
  readonly root: string
  /** The filters that it knows of and has switched off. */
  readonly filters: readonly string[]
  /** undefined where git does not end with 0; throws where it takes too long or says too much. */
  ask(...args: readonly string[]): Promise<Buffer | undefined>
  /** The whole answer. */
  run(args: readonly string[], how?: GitRunOptions): Promise<Answer>
}

export type GitRunOptions = Partial<Pick<Question, 'input' | 'maxBytes' | 'beginning' | 'signal' | 'env'>>

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
  const settings = disableFilters(filters)
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

/**
 * A filter of the repository's own configuration is a program that git would start to compare a file. All of them are
 * switched off: a file may then look changed that is not, and nothing runs. Asked of git only where the configuration
 * could name one, or where those that a person has set up for all repositories count too.
 */
async function filterNames(
  root: string,
  ask: (...args: readonly string[]) => Promise<Buffer | undefined>,
  everywhere = false,
): Promise<readonly string[]> {
  if (!everywhere && !configTexts(root).some((text) => text === undefined || /filter|include/i.test(text))) return []
  const found = (await ask('config', '--null', '--name-only', '--get-regexp', '^filter\\.'))?.toString('utf8')
  return [...new Set((found ?? '').split('\0').flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []))]
}

/** The environment in which these filters are none. */
function disableFilters(names: readonly string[]): Record<string, string> {
  const pairs = names.flatMap((name) => [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ])
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(pairs.length)],
    ...pairs.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]) as Record<string, string>
}

/**
 * undefined where git has to be asked: for a file that is not a small plain one, and wherever `.git` only tells where
 * the rest lies, since nobody but git reads that exactly as git does.
 */
function configTexts(root: string): (string | undefined)[] {
  const own = join(root, '.git')
  const plain = statSync(own, { throwIfNoEntry: false })?.isDirectory() && !existsSync(join(own, 'commondir'))
  return plain ? ['config', 'config.worktree'].map((name) => smallText(join(own, name))) : [undefined]
}

function smallText(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return ''
  return found.isFile() && found.size < 1 << 20 ? readFileSync(path, 'utf8') : undefined
}
