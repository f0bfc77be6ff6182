import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Answer, Capture, Question } from '../../ports/capture.ts'
import { findCommonDir, findGitDir } from './paths.ts'

export type Git = {
  /** The root of the work tree. */
  readonly root: string
  readonly config: GitConfig
  /** Undefined if git exits with anything but 0. Throws if git takes too long or prints too much. */
  ask(...args: readonly string[]): Promise<Buffer | undefined>
  /** The full answer, whatever the exit code. */
  run(args: readonly string[], options?: GitRunOptions): Promise<Answer>
}

export type GitRunOptions = Partial<Pick<Question, 'input' | 'maxBytes' | 'beginning' | 'signal' | 'env'>>

export type GitOptions = {
  readonly capture: Capture
  readonly env: NodeJS.ProcessEnv
  /** On the clock of `performance.now`. */
  readonly deadline: number
  /** Also reads who commits. For everything that writes. */
  readonly forWriting?: boolean
}

const maxBytes = 8 * 1024 * 1024

/**
 * Agents can write a repository's config, so nothing in it may start a program here: no hook, fsmonitor, filter, pager
 * or fetch. Nothing in it may point git at another folder either. Filters of the user's own config run: it is theirs, as Git LFS is.
 */
export async function openGit(root: string, options: GitOptions): Promise<Git> {
  const { capture, deadline } = options
  const env = buildEnvironment(root, options.env)
  const run =
    (settings: Readonly<Record<string, string>>): Git['run'] =>
    (args, { env: more, ...rest } = {}) => {
      const timeoutMs = Math.max(1, deadline - performance.now())
      const argv = ['git', ...safeArgs, `--work-tree=${root}`, ...args] as const
      return capture({ argv, cwd: root, maxBytes, timeoutMs, ...rest, env: { ...env, ...settings, ...more } })
    }
  const ask =
    (settings: Readonly<Record<string, string>>): Git['ask'] =>
    async (...args) => {
      const answer = await run(settings)(args)
      if ('cut' in answer) throw new Error(answer.problem)
      return 'code' in answer && answer.code === 0 ? answer.stdout : undefined
    }
  const config = await readConfig(root, options, ask({}))
  const settings = disableFilters(config.filters)
  return { root, config, ask: ask(settings), run: run(settings) }
}

const safeSettings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.trustctime=true',
  'core.checkStat=default',
  'status.relativePaths=false',
]
const safeArgs = ['--no-optional-locks', '--no-pager', ...safeSettings.flatMap((setting) => ['-c', setting])]

/** Passes only the variables by which git is found and reads the user's own config. */
function buildEnvironment(root: string, from: NodeJS.ProcessEnv): Record<string, string> {
  const passed = ['PATH', 'HOME', 'XDG_CONFIG_HOME'].flatMap((name) => (from[name] ? [[name, from[name]]] : []))
  return {
    ...(Object.fromEntries(passed) as Record<string, string>),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_LFS_SKIP_DOWNLOAD_ERRORS: '1',
    // We have found the work tree; git must not search above it.
    GIT_CEILING_DIRECTORIES: dirname(root),
  }
}

export type GitConfig = {
  /** Names of the filters that are disabled. A filter is a program that git would start to compare or write a file. */
  readonly filters: readonly string[]
  /** Names of the filters that run. */
  readonly ownFilters: readonly string[]
  /** `user.name`, `author.email` and so on, as configured. Read only for writing. */
  readonly people: Readonly<Record<string, string>>
}

const nothingConfigured: GitConfig = { filters: [], ownFilters: [], people: {} }
const wanted = '^(filter\\.|lfs\\.|(user|author|committer)\\.(name|email)$)'

/** One `git config` process, and none while the files that it read are the same. */
async function readConfig(root: string, options: GitOptions, ask: Git['ask']): Promise<GitConfig> {
  const files = listConfigFiles(root, options)
  const isIndirect = files === undefined || files.some(({ text }) => text === undefined || /include/i.test(text))
  if (!options.forWriting && !isIndirect && !files.some(({ text }) => /filter|lfs/i.test(text ?? ''))) {
    return nothingConfigured
  }
  const key = isIndirect ? undefined : JSON.stringify([root, options.forWriting, files.map(({ state }) => state)])
  const known = key === undefined ? undefined : knownConfigs.get(key)
  if (known) return known
  const config = parseConfig(
    (await ask('config', '--null', '--show-scope', '--get-regexp', wanted))?.toString('utf8') ?? '',
  )
  // A file written a moment ago could be written again without a new date.
  const isSettled = files?.every(({ changedMs }) => Date.now() - changedMs > settledMs)
  if (key !== undefined && isSettled) {
    if (knownConfigs.size >= maxKnownConfigs) knownConfigs.clear()
    knownConfigs.set(key, config)
  }
  return config
}

const knownConfigs = new Map<string, GitConfig>()
const maxKnownConfigs = 16
const settledMs = 50

/** Each entry is a scope, then `key<newline>value`. */
function parseConfig(output: string): GitConfig {
  const parts = output.split('\0')
  const entries = parts.slice(1).flatMap((entry, index) => {
    const at = entry.indexOf('\n')
    const [key, value] = at < 0 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 1)]
    return index % 2 === 0 ? [{ isOwn: /^(?:system|global)$/.test(parts[index]!), key, value }] : []
  })
  const [own, foreign] = [true, false].map((which) =>
    entries.flatMap(({ isOwn, key }) => (isOwn === which ? [key] : [])),
  )
  const findFilters = (keys: readonly string[] = []): string[] => [
    ...new Set(keys.flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? [])),
  ]
  const filters = [...findFilters(foreign), ...(foreign?.some((key) => lfsPrograms.test(key)) ? ['lfs'] : [])]
  const people = entries.filter(({ key }) => /^[a-z]+\.(name|email)$/.test(key)).map(({ key, value }) => [key, value])
  return {
    filters,
    ownFilters: findFilters(own).filter((name) => !filters.includes(name)),
    people: Object.fromEntries(people) as Record<string, string>,
  }
}

/** Settings by which Git LFS would start further programs. */
const lfsPrograms = /^lfs\.(?:extension\.|.*transfer)/i

type ConfigFile = { readonly state: string; readonly changedMs: number; readonly text: string | undefined }

/**
 * The files that git reads its config from, except the system's, which only root can write. Undefined if git alone can
 * tell which ones they are.
 */
function listConfigFiles(root: string, { env, forWriting }: GitOptions): ConfigFile[] | undefined {
  const gitDir = findGitDir(root)
  if (gitDir === undefined) return undefined
  const own = [join(findCommonDir(gitDir), 'config'), join(gitDir, 'config.worktree')]
  const home = env.HOME ?? ''
  const user = [join(home, '.gitconfig'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git', 'config')]
  return [...own, ...(forWriting ? user : [])].map(readConfigFile)
}

/** The text is undefined for anything but a small plain file. */
function readConfigFile(path: string): ConfigFile {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!found) return { state: `${path} missing`, changedMs: 0, text: '' }
    const { ino, size, mtimeNs, ctimeNs } = found
    const text = found.isFile() && size < 1n << 20n ? readFileSync(path, 'utf8') : undefined
    return { state: [path, ino, size, mtimeNs, ctimeNs].join(' '), changedMs: Number(ctimeNs / 1_000_000n), text }
  } catch {
    return { state: path, changedMs: 0, text: undefined }
  }
}

/** The environment that disables these filters. A file may then look changed although it is not. */
function disableFilters(names: readonly string[]): Record<string, string> {
  const disabled = names.flatMap((name) => [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ])
  // Git LFS downloads nothing, because a repository could name any server. What is not there stays a pointer.
  const pairs = [...disabled, ['lfs.url', 'file:///dev/null']]
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(pairs.length)],
    ...pairs.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]) as Record<string, string>
}
