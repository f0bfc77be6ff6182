import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildEnvironment } from '../adapters/shell/env.ts'
import { createShell } from '../adapters/shell/shell.ts'
import { type Place, stateDir } from './paths.ts'

export type Finding = {
  readonly check: string
  readonly status: 'ok' | 'weak' | 'fail'
  readonly says: string
  readonly fix?: string
}

/** Proves what runs rest on by doing it: nothing here is believed from a version number alone. */
export async function examine(place: Place): Promise<Finding[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'pawl-doctor-'))
  try {
    return [
      { check: 'node', status: 'ok', says: `${process.version} (${process.execPath})` },
      await program(place, scratch, 'git', ['git', '--version']),
      await disk(stateDir(place)),
      await supervision(place, scratch, 'auto'),
      await supervision(place, scratch, 'off'),
    ]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const never = new AbortController().signal

async function program(place: Place, dir: string, check: string, argv: [string, ...string[]]): Promise<Finding> {
  const shell = createShell({ secrets: [], isolation: 'off' })
  const env = buildEnvironment(place.env, { allow: [], add: {} })
  const exit = await shell.run(
    { argv, cwd: dir, env, log: join(dir, `${check}.log`), scope: 'doctor', wallMs: 5000 },
    never,
  )
  if (exit.status === 'exited' && exit.code === 0) return { check, status: 'ok', says: exit.stdoutTail.trim() }
  return { check, status: 'fail', says: exit.detail ?? `${check} does not answer`, fix: `install ${check}` }
}

async function disk(folder: string): Promise<Finding> {
  const path = join(folder, `.doctor-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const fd = openSync(path, 'w', 0o600)
    const began = performance.now()
    writeSync(fd, 'x')
    fsyncSync(fd)
    closeSync(fd)
    return {
      check: 'disk',
      status: 'ok',
      says: `${folder} is writable and syncs in ${(performance.now() - began).toFixed(1)} ms`,
    }
  } catch (error) {
    const says = `${folder}: ${(error as Error).message}`
    return { check: 'disk', status: 'fail', says, fix: 'make room, or set XDG_STATE_HOME to a writable folder' }
  } finally {
    rmSync(path, { force: true })
  }
}

/** Starts a process that leaves a daemon behind on purpose, and sees whether it is gone afterwards. */
async function supervision(place: Place, dir: string, isolation: 'auto' | 'off'): Promise<Finding> {
  const shell = createShell({ secrets: [], isolation })
  const level = await shell.isolation()
  const check = isolation === 'auto' ? 'process tree' : 'process tree, by marker'
  const argv = ['/bin/sh', '-c', `setsid nohup sh -c 'sleep 30' >/dev/null 2>&1 & sleep 0.1`] as const
  const env = buildEnvironment(place.env, { allow: [], add: {} })
  const exit = await shell.run(
    { argv, cwd: dir, env, log: join(dir, 'tree.log'), scope: `doctor-${process.pid}`, wallMs: 5000 },
    never,
  )
  const left = await shell.endLeftovers(`doctor-${process.pid}`)
  if (exit.status !== 'exited' || left > 0) {
    return {
      check,
      status: 'fail',
      says: `${left} processes survived (${level})`,
      fix: 'report this, with pawl doctor --json',
    }
  }
  if (level === 'bubblewrap') return { check, status: 'ok', says: 'bubblewrap: every descendant dies with its process' }
  const says = 'by environment marker: a process that clears its environment may survive'
  return isolation === 'off'
    ? { check, status: 'ok', says }
    : { check, status: 'weak', says, fix: 'install bubblewrap' }
}
