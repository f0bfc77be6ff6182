import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { type BubblewrapStatus, readStatus, statusFd } from './bubblewrap.ts'
import { allPids, hasChild, isSame, newestPid, type Process, pidsBetween, readProcess } from './processes.ts'
import { sweep } from './sweep.ts'

/** A started command with all it starts. */
export type Tree = {
  signal(name: NodeJS.Signals): void
  /** Called when the command has exited: ends what is left of it and returns how many that were. */
  end(): Promise<number>
}

/** Holds the process group and session, and finds what left them by its mark. */
export function createMarkedTree(leader: number, mark: string): Tree {
  const startedAt = performance.now()

  async function end(): Promise<number> {
    const newest = newestPid()
    // Without /proc (macOS) the group is all there is: what called setsid survives.
    if (newest === null) return send(-leader, 'SIGKILL') ? 1 : 0
    // Pids are given out in order. In so short a time they cannot have come round, so the newest one says what started.
    const brief = performance.now() - startedAt < 1000
    if (brief && newest === leader) return 0
    // Should the leader's pid have been given away again already, its group is somebody else's.
    const group = readProcess(leader) ? undefined : leader
    return sweep({ mark, leader: group }, brief ? pidsBetween(leader, newest) : allPids())
  }

  return { signal: (name) => void send(-leader, name), end }
}

/** Holds a pid namespace. The kernel ends what is left with bwrap, before it could be counted. */
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
    // The namespace's first process hears nothing but KILL, and until it has had a child the command has not begun.
    begun ||= init !== null && hasChild(init.pid)
    if (!init) early.push(name)
    // To the session inside, never to bwrap: it must outlive the command to tell how that ended.
    else if (begun && name !== 'SIGKILL') send(-init.pid, name)
    else if (isSame(init)) send(init.pid, 'SIGKILL')
    if (name === 'SIGKILL') bwrap.kill(name)
  }

  async function end(): Promise<number> {
    // bwrap was ended before it could tell: what it began still carries the mark.
    if (!init) return sweep({ mark }, allPids())
    // The namespace's first process is the last to go.
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
