import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openArtifacts } from '../../../../src/adapters/stores/files/artifacts.ts'
import { realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { type FileJournalOptions, openFileJournal } from '../../../../src/adapters/stores/files/journal.ts'
import { acquireLease } from '../../../../src/adapters/stores/files/lease.ts'
import { journalName } from '../../../../src/adapters/stores/files/lines.ts'
import type { Draft, LoopEvent } from '../../../../src/contract/event.ts'
import { journalSuite, loadAll } from '../../../../src/testing/journal-suite.ts'
import { memoryJournal } from '../../../../src/testing/memory.ts'

const folders: string[] = []
const newFolder = (): string => {
  folders.push(fs.mkdtempSync(join(tmpdir(), 'pawl-journal-')))
  return folders.at(-1)!
}
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true })
})

const lease = { epoch: 1, check: () => {}, release: () => {} }
const open = (dir: string, more: Partial<FileJournalOptions> = {}) => openFileJournal({ dir, run: 'r', lease, ...more })
const stamp = (seq: number) => ({ seq, at: 1_770_000_000_000, ms: 1, task: null, attempt: null })
const drafts: Draft[] = [
  { type: 'run-started', journal: 2, policy: 'p', version: 1, caps: {}, pins: {}, ...stamp(1) },
  { type: 'run-resumed', ...stamp(2) },
  { type: 'run-interrupted', by: 'Ünïcode 漢字', ...stamp(3) },
  { type: 'run-resumed', ...stamp(4) },
]
const attemptStarted = (seq: number): Draft => ({
  type: 'attempt-started',
  via: 'a',
  ...stamp(seq),
  task: 't',
  attempt: 1,
})
async function written(dir: string, count = drafts.length): Promise<string> {
  const journal = open(dir)
  await loadAll(journal)
  for (const draft of drafts.slice(0, count)) await journal.append(draft)
  await journal.sync()
  journal.close()
  return join(dir, journalName)
}

describe('files', () => {
  for (const { name, check } of journalSuite(async () => {
    const dir = newFolder()
    let lease = acquireLease(dir)
    return {
      open: async () => openFileJournal({ dir, run: 'r', lease }),
      takeOver: async () => {
        lease = acquireLease(dir, { force: true })
        return openFileJournal({ dir, run: 'r', lease })
      },
    }
  })) {
    test(name, check)
  }
})

describe('memory', () => {
  const subject = async () => {
    const events: LoopEvent[] = []
    const views = {}
    return { open: async () => memoryJournal(events, 1, { views }) }
  }
  for (const { name, check } of journalSuite(subject)) {
    test.skipIf(name.includes('4 KiB'))(name, check) // Memory has no line to keep short.
  }
})

test('a tail cut at every byte is repaired, saved and reported, and the journal continues', async () => {
  const whole = fs.readFileSync(await written(newFolder()))
  const lines = whole.toString().split('\n').slice(0, -1)
  const first = Buffer.byteLength(lines[0]!) + 1
  for (let cut = first; cut < whole.length; cut++) {
    const dir = newFolder()
    const path = join(dir, journalName)
    fs.writeFileSync(path, whole.subarray(0, cut))
    const told: string[] = []
    const journal = open(dir, { onRepair: (what) => told.push(what) })
    const events = await loadAll(journal)
    const good = whole.subarray(0, cut).toString('latin1').split('\n').length - 1
    expect(events).toHaveLength(good)
    const torn = cut - (whole.subarray(0, cut).lastIndexOf(10) + 1)
    expect(told).toHaveLength(torn ? 1 : 0)
    if (torn) expect(fs.statSync(`${path}.torn`).size).toBe(torn)
    await journal.append({ ...drafts[1]!, seq: good + 1 })
    journal.close()
    const again = open(dir)
    expect(await loadAll(again)).toHaveLength(good + 1)
    again.close()
  }
})

test('damage before the end is refused with its offset, and nothing is changed', async () => {
  for (const harm of ['\0\0\0\0', '{{"seq":', 'garbage']) {
    const path = await written(newFolder())
    const bytes = fs.readFileSync(path)
    const offset = bytes.indexOf(10) + 1
    bytes.write(harm, offset)
    fs.writeFileSync(path, bytes)
    const journal = open(join(path, '..'))
    const message = expect.stringContaining(`${path}:2 is damaged at byte ${offset}`) as string
    await expect(loadAll(journal)).rejects.toMatchObject({ name: 'CorruptJournalError', message })
    expect(fs.readFileSync(path).equals(bytes)).toBe(true)
    journal.close()
  }
})

test('a gap in the numbers, a malformed event and another version are refused', async () => {
  const edits: [(line: string) => string, RegExp][] = [
    [(line) => line.replace('"seq":2', '"seq":5'), /event 5 follows event 1/],
    [
      (line) => line.replace('"attempt":null,"status":"resumed"', '"attempt":null,"status":"reopened"'),
      /event 2 is malformed/,
    ],
    [
      (line) => line.replace('"journal":2', '"journal":3'),
      /progress\.ndjson was written by a newer pawl \(journal 3\); this one reads journal 2$/,
    ],
    [
      (line) => line.replace('"journal":2', '"journal":1'),
      /progress\.ndjson was written by an older pawl \(journal 1\); this one reads journal 2$/,
    ],
  ]
  for (const [edit, message] of edits) {
    const path = await written(newFolder())
    fs.writeFileSync(path, fs.readFileSync(path, 'utf8').split('\n').map(edit).join('\n'))
    const before = fs.readFileSync(path)
    const journal = open(join(path, '..'))
    await expect(loadAll(journal)).rejects.toThrow(message)
    await expect(journal.append({ ...drafts[1]!, seq: 1 })).rejects.toThrow('must be loaded')
    journal.close()
    expect(fs.readFileSync(path).equals(before)).toBe(true)
  }
})

test('an unknown event is skipped with a note', async () => {
  const path = await written(newFolder())
  fs.writeFileSync(
    path,
    fs
      .readFileSync(path, 'utf8')
      .replace('"phase":"run","attempt":null,"status":"resumed"', '"phase":"dream","attempt":null,"status":"begun"'),
  )
  const told: string[] = []
  const journal = open(join(path, '..'), { onRepair: (what) => told.push(what) })
  expect((await loadAll(journal)).map(({ seq }) => seq)).toEqual([1, 3, 4])
  expect(told).toEqual(['skipped 1 events of a type that this version does not know'])
  journal.close()
})

test('an older journal is refused with what to do, also where a snapshot would lead past its first line', async () => {
  const path = await written(newFolder())
  const dir = join(path, '..')
  const journal = open(dir)
  await loadAll(journal)
  await journal.keep('k', 4, { state: { seq: 4 }, memo: null })
  journal.close()
  fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('"journal":2', '"journal":1'))
  const snapshot = join(dir, 'snapshot.json')
  fs.writeFileSync(snapshot, fs.readFileSync(snapshot, 'utf8').replace('"journal":2', '"journal":1'))
  const refused = { name: 'PawlError', exit: 30, hint: 'Start a new run. Nothing was changed.' }
  await expect(loadAll(open(dir))).rejects.toMatchObject(refused)
})

test('a closed journal accepts nothing, whatever its lease says and whichever file has its descriptor now', async () => {
  const path = await written(newFolder(), 1)
  const journal = open(join(path, '..'))
  await loadAll(journal)
  journal.close()
  journal.close()
  const other = join(path, '..', 'other')
  const fd = fs.openSync(other, 'a+')
  await expect(journal.append(drafts[1]!)).rejects.toMatchObject({
    name: 'NotSavedError',
    message: `${path} is closed`,
  })
  await expect(journal.sync()).rejects.toMatchObject({ name: 'NotSavedError' })
  fs.closeSync(fd)
  expect(fs.statSync(other).size).toBe(0)
})

test('a late line of an owner that was taken over does not count', async () => {
  const dir = newFolder()
  const old = acquireLease(dir)
  const stale = openFileJournal({ dir, run: 'r', lease: { ...old, check: () => {} } })
  await loadAll(stale)
  await stale.append(drafts[0]!)
  const heir = openFileJournal({ dir, run: 'r', lease: acquireLease(dir, { force: true }) })
  await loadAll(heir)
  await stale.append({ ...drafts[1]!, seq: 2 })
  await heir.append({ ...drafts[2]!, seq: 2 })
  await expect(stale.append({ ...drafts[1]!, seq: 3 })).rejects.toMatchObject({ name: 'StaleWriterError' })
  const reader = openFileJournal({ dir, run: 'r', lease })
  expect((await loadAll(reader)).map(({ type, epoch }) => [type, epoch])).toEqual([
    ['run-started', 1],
    ['run-interrupted', 2],
  ])
})

/** Writes an event that refers to content, and these events after it. */
async function writtenWithContent(...followers: readonly Draft[]) {
  const dir = newFolder()
  const artifacts = openArtifacts(dir)
  const output = await artifacts.put('out', 'hello')
  const journal = open(dir)
  await loadAll(journal)
  await journal.append(drafts[0]!)
  await journal.append({ type: 'attempt-ended', outcome: { status: 'ok', output }, ...stamp(2) })
  for (const draft of followers) await journal.append(draft)
  journal.close()
  return { dir, recoverContent: artifacts.recover, content: join(dir, output.path) }
}

test('a tail event whose content is missing is cut like a torn line', async () => {
  const { dir, recoverContent, content } = await writtenWithContent({ type: 'run-resumed', ...stamp(3) })
  fs.rmSync(content)
  const told: string[] = []
  const again = open(dir, { recoverContent, onRepair: (what) => told.push(what) })
  expect(await loadAll(again)).toHaveLength(1)
  expect(told[0]).toMatch(/content is missing/)
})

test('an event whose sync did not end for certain is cut off if content before it is missing', async () => {
  const [started, resumed] = [attemptStarted(3), { type: 'run-resumed', ...stamp(4) } as const]
  for (const [followers, kept] of [
    [[started], 1],
    [[started, resumed], 4],
  ] as const) {
    const { dir, recoverContent, content } = await writtenWithContent(...followers)
    fs.rmSync(content)
    expect(await loadAll(open(dir, { recoverContent }))).toHaveLength(kept)
  }
})

test('events up to a proven one stay, though a person has removed their content', async () => {
  const ended: Draft = { type: 'run-ended', ending: 'completed', reason: { code: 'x' }, ...stamp(3) }
  const { dir, recoverContent, content } = await writtenWithContent(ended)
  fs.rmSync(content)
  expect(await loadAll(open(dir, { recoverContent, provenSeq: () => 3 }))).toHaveLength(3)
})

test('the next owner syncs content that its predecessor may not have synced', async () => {
  const { dir, content } = await writtenWithContent(attemptStarted(3))
  const synced: string[] = []
  const disk = {
    ...realDisk,
    fdatasync: async (fd: number) => void synced.push(fs.readlinkSync(`/proc/self/fd/${fd}`)),
  }
  const heirs = openArtifacts(dir, disk)
  const heir = open(dir, {
    disk,
    lease: { ...lease, epoch: 2 },
    flushContent: heirs.flush,
    recoverContent: heirs.recover,
  })
  await loadAll(heir)
  await heir.append({ type: 'run-resumed', ...stamp(4) })
  await heir.sync()
  expect(synced).toEqual([fs.realpathSync(content), fs.realpathSync(join(dir, journalName))])
})

test('a snapshot whose line is missing or different is ignored', async () => {
  const path = await written(newFolder())
  const dir = join(path, '..')
  const journal = open(dir)
  await loadAll(journal)
  await journal.keep('k', 4, { state: { seq: 4 }, memo: null })
  expect(await loadAll(open(dir))).toHaveLength(0)
  fs.writeFileSync(path, fs.readFileSync(path, 'utf8').split('\n').slice(0, 3).join('\n').concat('\n'))
  expect(await loadAll(open(dir))).toHaveLength(3)
})

test('an unknown event at the end keeps its number; the next one is one higher', async () => {
  const path = await written(newFolder())
  const dir = join(path, '..')
  const last = JSON.parse(fs.readFileSync(path, 'utf8').trim().split('\n').at(-1)!) as object
  fs.appendFileSync(path, `${JSON.stringify({ ...last, seq: 5, phase: 'future', status: 'x' })}\n`)
  const journal = open(dir)
  expect(await loadAll(journal)).toHaveLength(4)
  const draft = { ...drafts[1]!, seq: 5 }
  const stored = await journal.append(draft)
  expect(stored.seq).toBe(6)
  expect(await journal.append(draft)).toEqual(stored)
  await expect(journal.append({ ...draft, seq: 6 })).rejects.toThrow('event 6 does not follow event 6')
  expect((await loadAll(open(dir))).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 6])
})

test('a damaged line of megabytes does not hide the good ones after it', async () => {
  const path = await written(newFolder())
  const [first, ...others] = fs.readFileSync(path, 'utf8').split('\n')
  fs.writeFileSync(path, [first, 'x'.repeat(3_000_000), ...others].join('\n'))
  await expect(loadAll(open(join(path, '..')))).rejects.toMatchObject({
    name: 'CorruptJournalError',
    message: expect.stringContaining(`at byte ${first!.length + 1}`) as string,
  })
})

test('a torn tail of megabytes is saved completely', async () => {
  const path = await written(newFolder())
  fs.appendFileSync(path, 'x'.repeat(3_000_000))
  expect(await loadAll(open(join(path, '..')))).toHaveLength(4)
  expect(fs.statSync(`${path}.torn`).size).toBe(3_000_000)
})

test.each(['"ms":-5', '"ms":"aa"', '"epoch":"x"', '"timestamp":"zzz"', '"story_id":{}'])(
  'a stamp that cannot be is refused: %s',
  async (stamp) => {
    const path = await written(newFolder(), 1)
    const key = stamp.slice(0, stamp.indexOf(':'))
    fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace(new RegExp(`${key}:[^,]*`), stamp))
    await expect(loadAll(open(join(path, '..')))).rejects.toThrow(/malformed/)
  },
)
