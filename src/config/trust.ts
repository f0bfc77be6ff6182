import { createHash, randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PawlError } from '../contract/exit.ts'
import type { Settings } from './settings.ts'

/** Values from a repository's config that are run or passed on, by dotted key, sorted. */
export type RepositoryCommands = Readonly<Record<string, unknown>>

/** Null if no effective value comes from the repository, so there is nothing to trust. */
export function listCommands(settings: Settings): RepositoryCommands | null {
  const { rules } = settings.shape
  const claims = settings.claims.filter(({ fromRepository, key }) => fromRepository && rules[key]?.needsTrust)
  // If no procedure is chosen, any of them could run next.
  const used = settings.procedure === null || claims.some(({ key, origin }) => settings.lookUp(key).origin === origin)
  if (claims.length === 0 || !used) return null
  // Lists the commands of all procedures, so that the user is asked only once.
  const entries = claims.map(({ key, procedure, value }): [string, unknown] => [
    procedure === null ? key : `procedures.${procedure}.${key}`,
    value,
  ])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Throws unless the user has trusted the commands in the repository's config. Records the trust if `trusted` is set. */
export async function checkConfigTrust(
  { stateFolder, cwd }: { readonly stateFolder: string; readonly cwd: string },
  settings: Settings,
  trusted: boolean,
): Promise<void> {
  const commands = listCommands(settings)
  if (trusted) return recordTrust(stateFolder, cwd, commands)
  if (await isTrusted(stateFolder, cwd, commands)) return
  const list = Object.entries(commands ?? {}).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)
  throw new PawlError(
    10,
    `this repository's config contains commands that you have not trusted yet:\n${list.join('\n')}`,
    'Review them; to trust them, run the same command with --trust',
  )
}

export async function isTrusted(
  stateDir: string,
  workspace: string,
  commands: RepositoryCommands | null,
): Promise<boolean> {
  if (commands === null) return true
  const { path } = await trustFile(stateDir, workspace, commands)
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** Contract: atomic, and survives power loss. Changed commands need to be trusted again. */
export async function recordTrust(
  stateDir: string,
  workspace: string,
  commands: RepositoryCommands | null,
): Promise<void> {
  if (commands === null) return
  const { folder, path, content } = await trustFile(stateDir, workspace, commands)
  const draft = join(folder, `.${randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    {
      await using handle = await open(draft, 'wx', 0o600)
      await handle.writeFile(`${content}\n`)
      await handle.sync()
    }
    await rename(draft, path)
    await syncParents(folder)
  } catch (error) {
    throw new PawlError(20, `cannot write ${path}: ${(error as Error).message}`, 'Nothing was started.')
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
}

/** Without this, the trust could be gone after power loss. Anything may have created these folders a moment ago. */
async function syncParents(folder: string): Promise<void> {
  for (let path = folder, level = 0; level < 5; path = dirname(path), level++) {
    await using handle = await open(path).catch(() => undefined)
    await handle?.sync()
  }
}

async function trustFile(stateDir: string, workspace: string, commands: RepositoryCommands) {
  const content = JSON.stringify([await realpath(workspace), commands])
  const folder = join(stateDir, 'trust')
  return { folder, content, path: join(folder, createHash('sha256').update(content).digest('hex')) }
}
