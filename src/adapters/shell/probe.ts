import { type StdioOptions, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { insideBubblewrap } from './bubblewrap.ts'
import { enterCage } from './cage.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The path of a bwrap that works, found out by running it: a kernel or a container may forbid what it needs. */
export async function probeBubblewrap(env: Env = process.env): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'))
  const found = folders.map((folder) => join(folder, 'bwrap')).find((path) => existsSync(path))
  if (process.platform !== 'linux' || found === undefined) return null
  return (await succeeds(insideBubblewrap({ program: found, mounts: null }, ['true']), env)) ? found : null
}

/** Proved by doing: a command that tries what it may and what it may not, and a look from outside at what came of it. */
export async function probeConfinement(program: string, env: Env = process.env): Promise<boolean> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'pawl-probe-'))
  const [open, shut] = [join(folder, 'open'), join(folder, 'shut')]
  const tries = ['open/file', 'open/held/file', 'open/missing/file', 'shut/file'].map((name) => join(folder, name))
  try {
    for (const path of [open, shut, join(open, 'held')]) mkdirSync(path)
    const protectedFolders = [join(open, 'held'), join(open, 'missing')]
    const cage = await enterCage({ writable: [open], protectedFolders, protectedFiles: [] })
    const script = 'for path; do (echo > "$path"); done; true'
    const argv = ['sh', '-c', script, 'sh', ...tries]
    const ran = await succeeds(insideBubblewrap({ program, mounts: cage.mounts }, argv), env)
    await cage.leave()
    return ran && tries.filter((path) => existsSync(path)).join() === tries[0]
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function succeeds([program, ...args]: [string, ...string[]], env: Env): Promise<boolean> {
  return new Promise((resolve) => {
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'pipe']
    const child = spawn(program, args, { stdio, env, timeout: probeMs, killSignal: 'SIGKILL' })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

const probeMs = 5000
