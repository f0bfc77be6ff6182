import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { type BubblewrapStatus, readStatus, statusFd } from './bubblewrap.ts'
import { allPids, hasChild, isSame, newestPid, type Process, pidsBetween, readProcess } from './processes.ts'
import { sweep } from './sweep.ts'

/** A command's process and all its descendants. */
export type Tree = {
  signal(name: NodeJS.Signals): void
  /** Call after the command has exited. Kills the processes it left behind and returns how many there were. */
  end(): Promise<number>
}

/** Tracks the process group and session, and finds processes that left them by the mark in their environment. */
export function createMarkedTree(leader: number, mark: string): Tree {
  const startedAt = performance.now()

  async function end(): Promise<number> {
    const newest = newestPid()
    // Without /proc (macOS) only the group can be killed: a process that called setsid survives.
    if (newest === null) return send(-leader, 'SIGKILL') ? 1 : 0
    // Pids are assigned in order and cannot wrap around within a second, so `newest` shows what has started since.
    const brief = performance.now() - startedAt < 1000
    if (brief && newest === leader) return 0
    // If the leader's pid has been reused, its group belongs to another process.
    const group = readProcess(leader) ? undefined : leader
    return sweep({ mark, leader: group }, brief ? pidsBetween(leader, newest) : allPids())
  }

  return { signal: (name) => void send(-leader, name), end }
}

/** Tracks a pid namespace. The kernel kills leftovers together with bwrap, so they cannot be counted. */
export function createNamespaceTree(bwrap: ChildProcess, mark: string): Tree & { status(): BubblewrapStatus } {
  let text = ''
  let init: Process | null = null
  let begun = false
  const early: NodeJS.Signals[] = []
  bwrap.stdio[statusFd]?.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    const { initPid } = readStatus(text)
    init ??= initPid === null ? null : readProcess(initPid)
    if (init) for (const name of early.splice(0)) signal(name)
  })

  function signal(name: NodeJS.Signals): void {
    // The namespace's init process ignores every signal except KILL. The command has begun once init has had a child.
    begun ||= init !== null && hasChild(init.pid)
    if (!init) early.push(name)
    // Signals go to the session inside, not to bwrap, which must outlive the command to report its exit code.
    else if (begun && name !== 'SIGKILL') send(-init.pid, name)
    else if (isSame(init)) send(init.pid, 'SIGKILL')
    if (name === 'SIGKILL') bwrap.kill(name)
  }

  async function end(): Promise<number> {
    // bwrap died before it reported a pid. Its children still carry the mark.
    if (!init) return sweep({ mark }, allPids())
    // When the init process is gone, so is everything else in the namespace.
    for (const deadline = performance.now() + deathMs; isSame(init) && performance.now() < deadline; await delay(1)) {
      send(init.pid, 'SIGKILL')
    }
    return 0
  }

  return { signal, end, status: () => readStatus(text) }
}

const deathMs = 5000

function send(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
