import { isAbsolute } from 'node:path'
import type { Answer } from '../../../ports/capture.ts'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { type GitOptions, type GitRunOptions, openGit } from '../git.ts'
import { findRepositoryRoot } from '../paths.ts'

export type GitAnswer = { readonly code: number | null; readonly stdout: Buffer; readonly says: string }

/** git on one repository, for as long as one effect takes. Whatever it refuses is the repository in the way. */
export type Tool = {
  readonly root: string
  /** That of this work tree: its index and HEAD lie there. */
  readonly gitDir: string
  readonly filters: readonly string[]
  run(args: readonly string[], how?: RunOptions): Promise<Buffer>
  /** Where another exit than 0 is an answer too. */
  attempt(args: readonly string[], how?: RunOptions): Promise<GitAnswer>
}

/** `index`: the file that stands for git's index; without it no command may touch one. */
export type RunOptions = Omit<GitRunOptions, 'signal'> & { readonly index?: string }

const maxBytes = 64 * 1024 * 1024

export async function openTool(folder: string, options: GitOptions, signal?: AbortSignal): Promise<Tool> {
  const root = findRepositoryRoot(folder)
  if (root === undefined) throw new RepositoryBlockedError(`${folder} is in no git repository: git init makes one`)
  const git = await openGit(root, { ...options, noFilters: true })
  const attempt: Tool['attempt'] = async (args, { index, env, ...how } = {}) => {
    const indexFile: Record<string, string> = index === undefined ? {} : { GIT_INDEX_FILE: index }
    const more = { GIT_NO_REPLACE_OBJECTS: '1', ...indexFile, ...env }
    const answer = await git.run([...settled, ...args], { maxBytes, ...(signal && { signal }), ...how, env: more })
    signal?.throwIfAborted()
    return toAnswer(answer, findCommand(args))
  }
  const run: Tool['run'] = async (args, how) => {
    const { code, stdout, says } = await attempt(args, how)
    if (code !== 0) throw new RepositoryBlockedError(`git ${findCommand(args)}: ${says || `it ended with ${code}`}`)
    return stdout
  }
  const gitDir = (await run(['rev-parse', '--absolute-git-dir'])).toString('utf8').replace(/\n$/, '')
  if (!isAbsolute(gitDir)) throw new RepositoryBlockedError(`git says that its folder is ${gitDir}`)
  return { root, gitDir, filters: git.filters, run, attempt }
}

/** What a repository may set otherwise, and what would then fail, be lost in a crash, or be another's business. */
const settled = [
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'core.ignoreStat=false',
  'core.safecrlf=false',
  'core.fsync=committed',
  // git itself tries again for so long, in steps that differ.
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

function toAnswer(answer: Answer, command: string | undefined): GitAnswer {
  if ('problem' in answer) throw new RepositoryBlockedError(`git ${command}: ${answer.problem}`)
  const lines = answer.stderrTail.split('\n').filter((line) => /^(fatal|error): /.test(line))
  // Names of files may hold control characters, and this is shown.
  const says = lines.join('; ').replace(/\p{Cc}/gu, ' ')
  return { code: answer.code, stdout: answer.stdout, says }
}
