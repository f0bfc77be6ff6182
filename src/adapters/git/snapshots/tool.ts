import type { Answer } from '../../../ports/capture.ts'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { type GitConfig, type GitOptions, type GitRunOptions, openGit } from '../git.ts'
import { findGitDir, findRepositoryRoot } from '../paths.ts'

/** `says` is what git wrote about a failure, never empty. */
export type GitAnswer = { readonly code: number | null; readonly stdout: Buffer; readonly says: string }

/** git on one repository, for one effect. Whatever git refuses becomes a RepositoryBlockedError. */
export type Tool = {
  readonly root: string
  /** The git folder of this work tree: its index and HEAD are there. */
  readonly gitDir: string
  readonly config: GitConfig
  readonly memory: Memory
  run(args: readonly string[], options?: RunOptions): Promise<Buffer>
  /** For commands where an exit code other than 0 is an answer too. */
  attempt(args: readonly string[], options?: RunOptions): Promise<GitAnswer>
  /** Opens a repository in a folder of this one. */
  openInner(folder: string): Promise<Tool>
}

/** `index` is the file used as git's index. No command may touch an index without naming it. */
export type RunOptions = Omit<GitRunOptions, 'signal'> & { readonly index?: string }

/** Answers that cannot change: git objects are immutable, and the index is recognized by its file. */
export type Memory = {
  index: { readonly state: string; readonly bytes: Buffer; readonly links: readonly string[] } | undefined
  /** Raw diffs and file contents, by what was asked. */
  readonly answers: Map<string, Buffer | undefined>
  readonly synced: Set<string>
}
export const createMemory = (): Memory => ({ index: undefined, answers: new Map(), synced: new Set() })

const maxAnswers = 64
const maxAnswerBytes = 4 * 1024 * 1024

/** Asks once, unless the answer is large. */
export async function remember(
  { answers }: Memory,
  key: string,
  ask: () => Promise<Buffer | undefined>,
): Promise<Buffer | undefined> {
  if (answers.has(key)) return answers.get(key)
  const answer = await ask()
  if (answers.size >= maxAnswers) answers.clear()
  if ((answer?.length ?? 0) <= maxAnswerBytes) answers.set(key, answer)
  return answer
}

const maxBytes = 64 * 1024 * 1024

export async function openTool(
  folder: string,
  options: GitOptions,
  { signal, memory = createMemory() }: { signal?: AbortSignal | undefined; memory?: Memory } = {},
): Promise<Tool> {
  const [root, gitDir] = [requireRoot(folder), findGitDir(folder)]
  if (gitDir === undefined) throw new RepositoryBlockedError(`${root}/.git cannot be read`)
  const git = await openGit(root, { ...options, forWriting: true })
  const attempt: Tool['attempt'] = async (args, { index, env, ...rest } = {}) => {
    const indexFile: Record<string, string> = index === undefined ? {} : { GIT_INDEX_FILE: index }
    const more = { GIT_NO_REPLACE_OBJECTS: '1', ...indexFile, ...env }
    const answer = await git.run([...fixedSettings, ...args], {
      maxBytes,
      ...(signal && { signal }),
      ...rest,
      env: more,
    })
    signal?.throwIfAborted()
    return toAnswer(answer, findCommand(args))
  }
  const run: Tool['run'] = async (args, how) => {
    const { code, stdout, says } = await attempt(args, how)
    if (code !== 0) throw new RepositoryBlockedError(`git ${findCommand(args)} failed: ${says}`)
    return stdout
  }
  const openInner = (inner: string): Promise<Tool> => openTool(inner, options, { signal })
  return { root, gitDir, config: git.config, memory, run, attempt, openInner }
}

/** Returns the root of the work tree that contains this folder. */
export function requireRoot(folder: string): string {
  const root = findRepositoryRoot(folder)
  if (root === undefined) throw new RepositoryBlockedError(`${folder} is not in a git repository: run git init`)
  return root
}

/** Settings that a repository could change so that a command fails, loses data in a crash or does something else. */
const fixedSettings = [
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'core.ignoreStat=false',
  'core.safecrlf=false',
  'core.fsync=committed',
  // git itself retries for this long, with growing pauses.
  'core.filesRefLockTimeout=1500',
  'core.packedRefsTimeout=1500',
  'add.ignoreErrors=false',
  'commit.gpgSign=false',
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
  'trailer.separators=:',
  'advice.addEmbeddedRepo=false',
].flatMap((setting) => ['-c', setting])

const findCommand = (args: readonly string[]): string | undefined =>
  args.find((word, at) => !word.startsWith('-') && args[at - 1] !== '-c')

const maxLines = 5

export function toAnswer(answer: Answer, command: string | undefined): GitAnswer {
  if ('problem' in answer) throw new RepositoryBlockedError(`git ${command} failed: ${answer.problem}`)
  const lines = answer.stderrTail.split('\n').filter((line) => line.trim() && !line.startsWith('hint: '))
  const failures = lines.filter((line) => /^(fatal|error): /.test(line))
  // File names may contain control characters, and this is shown.
  const says = (failures.length > 0 ? failures : lines.slice(-maxLines)).join('; ').replace(/\p{Cc}/gu, ' ')
  return { code: answer.code, stdout: answer.stdout, says: says || `exit code ${answer.code}` }
}
