import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { type BubblewrapStatus, readStatus, statusFd } from './bubblewrap.ts'
import { allPids, isSame, newestPid, type Process, pidsBetween, readProcess } from './processes.ts'
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
    return sweep({ mark, leader }, brief ? pidsBetween(leader, newest) : allPids())
  }

  return { signal: (name) => void send(-leader, name), end }
}

/** Holds a pid namespace. The kernel ends what is left with bwrap, before it could be counted. */
export function createNamespaceTree(bwrap: ChildProcess): Tree & { status(): BubblewrapStatus } {
  let text = ''
  let init: Process | null = null
  const early: NodeJS.Signals[] = []
  bwrap.stdio[statusFd]?.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    const { initPid } = readStatus(text)
    init ??= initPid === null ? null : readProcess(initPid)
    if (init) for (const name of early.splice(0)) signal(name)
  })

  function signal(name: NodeJS.Signals): void {
    if (!init) early.push(name)
    // To the session inside, never to bwrap: it must outlive the command to tell how that ended.
    if (init && !send(-init.pid, name)) send(init.pid, 'SIGKILL') // no session yet, so the command has not begun
    if (name !== 'SIGKILL') return
    if (init) send(init.pid, name)
    bwrap.kill(name)
  }

  async function end(): Promise<number> {
    // The namespace's first process is the last to go.
    while (init && isSame(init)) {
      send(init.pid, 'SIGKILL')
      await delay(1)
    }
    return 0
  }

  return { signal, end, status: () => readStatus(text) }
}

function send(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
