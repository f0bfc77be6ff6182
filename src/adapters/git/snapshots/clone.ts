import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Capture } from '../../../ports/capture.ts'
import {
  type Clone,
  type CloneSource,
  pushedBranch,
  RepositoryBlockedError,
  type Snapshots,
} from '../../../ports/snapshots.ts'
import { openGit } from '../git.ts'
import { storyRef } from './commits.ts'
import { createSnapshots } from './snapshots.ts'
import { toAnswer } from './tool.ts'
import { parseId } from './trees.ts'

export type CloneOptions = {
  readonly run: string
  /** An empty folder. Agents may write its subfolder `work` only. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly capture: Capture
}

const cloneMs = 30 * 60_000
const pushMs = 5 * 60_000
const maxBytes = 1 << 20

/**
 * Clones a repository and continues from what an earlier clone of the same run has pushed: the branch of its commits, and its last snapshot as
 * uncommitted changes. Pushes from a second git folder, because agents can write the config of the first.
 */
export async function openClone(source: CloneSource, { run, folder, env, capture }: CloneOptions): Promise<Clone> {
  const { url, commit, branch } = source
  const [work, outbox] = [join(folder, 'work'), join(folder, 'outbox.git')]
  const saved = `refs/pawl/${run}/work`
  const network = networkEnvironment(env)
  const git = async (
    cwd: string,
    args: readonly string[],
    { timeoutMs = cloneMs, more = {} } = {},
  ): Promise<string> => {
    const argv = ['git', '-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0', ...args] as const
    const command = args.find((word) => !word.startsWith('-'))
    const { code, stdout, says } = toAnswer(
      await capture({ argv, cwd, env: { ...network, ...more }, maxBytes, timeoutMs }),
      `${command} (${url})`,
    )
    if (code !== 0) throw new RepositoryBlockedError(`git ${command} (${url}) failed: ${says}`)
    return stdout.toString('utf8').trim()
  }
  const find = (cwd: string, name: string): Promise<string | undefined> =>
    git(cwd, ['rev-parse', '--verify', '--quiet', '--end-of-options', name]).catch(() => undefined)

  await git(folder, ['clone', '--quiet', '--no-checkout', '--template=', '--', url, work])
  await git(work, ['fetch', '--quiet', '--no-tags', 'origin', `+refs/pawl/${run}/*:refs/pawl/${run}/*`])
  if ((await find(work, `${commit}^{commit}`)) === undefined)
    throw new RepositoryBlockedError(`${url} does not have the commit ${commit.slice(0, 10)}: push it`)
  const pushed = await find(work, `refs/remotes/origin/${pushedBranch(run)}^{commit}`)
  await git(work, ['checkout', '--quiet', '--no-track', '-B', branch, pushed ?? commit])
  const more = isLocal(url) ? {} : { GIT_ALLOW_PROTOCOL: remoteProtocols }
  await git(work, ['submodule', '--quiet', 'update', '--init', '--recursive'], { more })
  await restoreWork()
  mkdirSync(outbox, { mode: 0o700 })
  await git(outbox, ['init', '--quiet', '--bare', '--template='])
  mkdirSync(join(outbox, 'objects', 'info'), { recursive: true })
  writeFileSync(join(outbox, 'objects', 'info', 'alternates'), `${join(work, '.git', 'objects')}\n`)
  let last = (await find(work, saved)) ?? ''

  /** Only if no commit followed: otherwise the snapshot is part of it, or older. */
  async function restoreWork(): Promise<void> {
    const [parent, head] = [await find(work, `${saved}^`), await find(work, 'HEAD')]
    if (parent === undefined || parent !== head) return
    await git(work, ['read-tree', '-m', '-u', 'HEAD', saved])
    await git(work, ['reset', '--quiet', '--mixed'])
  }

  const push = (...refs: string[]): Promise<string> =>
    git(outbox, ['push', '--quiet', '--no-verify', ...refs.slice(0, -1), '--', url, refs.at(-1)!], {
      timeoutMs: pushMs,
    })

  /** Agents can write the config by now. */
  async function findHead(): Promise<string> {
    const own = await openGit(work, { capture, env, deadline: performance.now() + pushMs })
    const head = await own.ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
    if (head === undefined) throw new RepositoryBlockedError(`${work} has no commit`)
    return parseId(head)
  }

  /** Saves a snapshot for the next clone. Fails if another clone of the run saved one meanwhile: then this one is out of date. */
  async function save(tree: string): Promise<void> {
    const head = await findHead()
    const isClean = (await git(outbox, ['rev-parse', `${head}^{tree}`])) === tree
    const next = isClean ? head : await git(outbox, [...nobody, 'commit-tree', '-p', head, '-m', 'work', tree])
    if (isClean && last === '') return
    await push(`--force-with-lease=${saved}:${last}`, `${next}:${saved}`)
    last = next
  }

  return {
    workspace: work,
    async openSnapshots(ownFolders) {
      const inner = createSnapshots({ folder: work, env, capture, ownFolders })
      const own: Partial<Snapshots> = {
        async sync(from, to) {
          await inner.sync(from, to)
          await save(to)
        },
        async restore(tree, paths) {
          await inner.restore(tree, paths)
          await save(await inner.take())
        },
        async keep(kept) {
          const id = await inner.keep(kept)
          await push(`+${id}:${storyRef(kept.key)}`)
          return id
        },
        async commit(kept, author) {
          const id = await inner.commit(kept, author)
          if (id !== null) await push(`${id}:refs/heads/${pushedBranch(run)}`)
          return id
        },
      }
      return { ...inner, ...own }
    },
    async remove({ forGood }) {
      if (forGood && last !== '') await push(`--force-with-lease=${saved}:${last}`, `:${saved}`).catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const remoteProtocols = 'git:http:https:ssh'
/** The repository decides where its submodules are, so a remote one may not name files of this machine. */
const isLocal = (url: string): boolean => /^(\/|\.|file:)/.test(url)

const nobody = ['-c', 'user.name=Pawl', '-c', 'user.email=pawl@localhost']

/** The user's own, with the agent of ssh and the proxies. Without variables that point git at another repository, and without questions. */
function networkEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    (pair): pair is [string, string] =>
      pair[1] !== undefined && !/^GIT_(?!SSH|ASKPASS|SSL|HTTP|CONFIG_GLOBAL)/.test(pair[0]),
  )
  return {
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: `file:${remoteProtocols}`,
  }
}
