import { rmSync } from 'node:fs'
import type { LoopEvent } from '../../../contract/event.ts'
import type { Card } from '../../../contract/show.ts'
import type { Ref } from '../../../contract/values.ts'
import { NotSavedError, StaleWriterError } from '../../../ports/journal.ts'
import type { Owner } from '../../../ports/lease.ts'
import type { Finding, FrozenText, HeldRun, Pages, RunEntry, Slot, StoredRun } from '../../../ports/run-store.ts'
import { createBell } from '../shared/bell.ts'
import { createHeldFolder, type HeldFolder, readPlain } from '../shared/held-folder.ts'
import { findRefs, hash, maxOutputBytes, newOwner, ownedError, pageSize, startAt } from '../shared/values.ts'
import { createMemoryArtifacts } from './artifacts.ts'
import { memoryInbox } from './inbox.ts'
import { memoryJournal, type SavedView } from './journal.ts'

export type MemoryRun = ReturnType<typeof createMemoryRun>

/** A run in memory. Calls `onChange` on every visible change. */
export function createMemoryRun(id: string, onChange: () => void) {
  const address = `memory:${id}`
  const events: LoopEvent[] = []
  const requests: string[] = []
  const content = createMemoryArtifacts()
  const inbox = memoryInbox()
  const views: { newest?: SavedView } = {}
  const slots = new Map<Slot, string>()
  const logs = new Map<string, Uint8Array>()
  const attached = new Map<string, Uint8Array>()
  const bell = createBell()
  let owner: Owner | undefined
  let epoch = 0
  let isWhole = true
  let folder: HeldFolder | undefined

  const changed = (): void => {
    bell.ring()
    onChange()
  }

  return {
    events,
    requests,
    content,
    inbox,
    open,
    hold,
    owner: () => owner,
    card: () => kept('card') as Card | undefined,
  }

  function open(entry: RunEntry): StoredRun {
    return {
      entry,
      content: { put: content.put, get: content.get, has: content.has, flush: async () => {} },
      requests: async () => requests.map(toFrozenText).filter(isNamed) as [FrozenText, ...FrozenText[]],
      amend: async (text) => {
        requests.push(text)
        changed()
        return content.putAt(`request.${requests.length - 1}.json`, Buffer.from(text))
      },
      owner: async () => owner,
      read: async ({ snapshot: fits, upTo = Number.POSITIVE_INFINITY } = {}) => {
        const { newest } = views
        const view = newest && fits?.(newest.key) && newest.seq <= upTo ? newest : undefined
        const wanted = events.filter(({ seq }) => seq > (view?.seq ?? 0) && seq <= upTo)
        const last = view && events.find(({ seq }) => seq === view.seq)
        return { snapshot: view && JSON.parse(view.view), last, events: inPages(wanted) }
      },
      follow,
      place: async (seq) => `${address}, event ${seq}`,
      post: async (note) => {
        const posted = await inbox.post(note)
        onChange()
        return posted
      },
      outputs: async () => [...allLogs().keys()],
      output: async (name, from) => {
        const bytes = allLogs().get(name)
        const start = bytes && startAt(from, bytes.length)
        return bytes && { bytes: bytes.slice(start, start! + maxOutputBytes), from: start! }
      },
      where: (log) => `${address}, ${log}`,
      kept: async (slot) => kept(slot),
      keep: async (slot, value) => {
        slots.set(slot, JSON.stringify(value))
        onChange()
      },
      isWhole: async () => isWhole,
      attach: async (name, path) => {
        attached.set(name, readPlain(path))
        rmSync(path)
      },
      size: async () => size(),
      check: async () => check(),
      hold,
    }
  }

  async function hold({ takeOver = false }: { readonly takeOver?: boolean }): Promise<HeldRun> {
    if (owner && !takeOver) throw ownedError(owner)
    const mine = newOwner(++epoch)
    const own = createHeldFolder()
    owner = mine
    folder = own
    changed()
    const check = (): void => {
      if (owner !== mine) throw new StaleWriterError('another process has taken over this run')
    }
    return {
      epoch: mine.epoch,
      journal: memoryJournal(events, mine.epoch, { views, check, onAppend: changed }),
      inbox,
      content: { put: content.put, get: content.get, has: content.has },
      get folder() {
        return own.path()
      },
      file: async (ref) => own.write(ref.path, await content.get(ref)),
      adopt: async (path) => adopt(own, path),
      markBroken: () => {
        isWhole = false
      },
      release: async () => {
        if (owner === mine) owner = undefined
        saveLogs(own)
        changed()
      },
    }
  }

  /** Copies the logs, because the folder is removed. */
  function saveLogs(own: HeldFolder): void {
    try {
      for (const [name, bytes] of own.logs()) logs.set(name, bytes)
      own.remove()
    } catch {
      // The system cleans up temporary files.
    }
  }

  async function* follow(after: number, signal: AbortSignal): AsyncGenerator<readonly LoopEvent[]> {
    for (let lastSent = after; !signal.aborted; ) {
      const rung = bell.wait(signal)
      for await (const page of inPages(events.filter(({ seq }) => seq > lastSent))) {
        lastSent = page.at(-1)!.seq
        yield page
        if (signal.aborted) return
      }
      await rung
    }
  }

  function adopt(own: HeldFolder, path: string): Ref {
    try {
      const { inside, bytes } = own.read(path)
      return content.putAt(inside, bytes)
    } catch (error) {
      throw new NotSavedError(`cannot save ${path}: ${(error as Error).message}`, { cause: error })
    }
  }

  function kept(slot: Slot): unknown {
    const text = slots.get(slot)
    return text === undefined ? undefined : JSON.parse(text)
  }

  function toFrozenText(text: string, index: number): FrozenText {
    return { text, sha256: hash(text), where: `${address}, request ${index + 1}` }
  }

  /** An amendment counts once a note names it. */
  function isNamed({ sha256 }: FrozenText, index: number): boolean {
    return index === 0 || inbox.notes.some((note) => note.say === 'amend' && note.request.sha256 === sha256)
  }

  /** Returns the logs of earlier owners first, then those of the current one. */
  function allLogs(): Map<string, Uint8Array> {
    return new Map([...logs, ...(folder?.logs() ?? [])])
  }

  function size(): number {
    const texts = [...events, ...inbox.notes]
      .map((value) => JSON.stringify(value))
      .concat(requests, [...slots.values()])
    const files = [...logs.values(), ...attached.values()]
    const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0)
    return content.size() + sum(texts.map((text) => Buffer.byteLength(text))) + sum(files.map(({ length }) => length))
  }

  async function check(): Promise<readonly Finding[]> {
    const findings: Finding[] = []
    for (const { seq, ...event } of events) {
      for (const ref of findRefs(event)) {
        if (await content.has(ref)) continue
        findings.push({ seq, says: `event ${seq} refers to ${ref.path}, which is missing or changed` })
      }
    }
    return findings
  }
}

function inPages(events: readonly LoopEvent[]): Pages {
  return {
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < events.length; at += pageSize) yield events.slice(at, at + pageSize)
    },
  }
}
