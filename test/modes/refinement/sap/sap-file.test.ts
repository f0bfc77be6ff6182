import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { acquireLease } from '../../../../src/adapters/stores/files/lease.ts'
import { withLock } from '../../../../src/machine/open-machine.ts'
import { openSapFile, type SapEntry } from '../../../../src/modes/refinement/sap/sap-file.ts'
import { createUuid, type SapLine } from '../../../../src/modes/refinement/sap/sap-line.ts'
import { followRun } from '../../../../src/modes/refinement/sap/sap-log.ts'
import { isWritten } from '../../../../src/modes/refinement/sap/sap-sampling.ts'
import { about, longRun } from './a-run.ts'

let home: string
let folder: string
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'pawl-sap-'))
  folder = join(home, 'agent_logs')
  return () => fs.rmSync(home, { recursive: true, force: true })
})

const alone = <Result>(action: () => Result): Result => withLock(join(home, 'lock'), action)
const open = () => {
  const file = openSapFile(folder, { alone })
  onTestFinished(file.close)
  return file
}
const entry = (seq: number, day: string, run = about.run): SapEntry => {
  const uuid = createUuid(run, seq)
  const line = {
    timestamp: `${day}T00:00:01.000Z`,
    uuid,
    run_id: run,
    seq,
    line: seq,
    event: 'generate',
    outcome: 'ok',
  }
  return { uuid, day, text: JSON.stringify(line) }
}
const names = () => fs.readdirSync(folder).filter((name) => name !== '.gitignore')
const read = (name: string) => fs.readFileSync(join(folder, name), 'utf8')
const linesIn = (name: string) =>
  read(name)
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as SapLine)
const seqsIn = (name: string) => linesIn(name).map(({ seq }) => seq)

test('lines are added whole, to a file for this person alone, in a folder that git leaves alone', () => {
  open().append([entry(1, '2026-11-15'), entry(2, '2026-11-15')])
  open().append([entry(3, '2026-11-15')])
  expect(seqsIn('sap.log')).toEqual([1, 2, 3])
  expect(fs.statSync(join(folder, 'sap.log')).mode & 0o777).toBe(0o600)
  expect(read('.gitignore')).toBe('*\n')
})

test('a folder that was there is left as it is', () => {
  fs.mkdirSync(folder, { mode: 0o750 })
  open().append([entry(1, '2026-11-15')])
  expect(fs.readdirSync(folder)).toEqual(['sap.log'])
  expect(fs.statSync(folder).mode & 0o777).toBe(0o750)
})

test('a workspace that is gone stays gone', () => {
  fs.rmSync(home, { recursive: true })
  expect(() => open().append([entry(1, '2026-11-15')])).toThrow('ENOENT')
  expect(fs.existsSync(home)).toBe(false)
})

test('the first line of a new day moves the old one away, also under a writer that holds it open', () => {
  const [one, other] = [open(), open()]
  one.append([entry(1, '2026-11-15')])
  other.append([entry(2, '2026-11-15')])
  one.append([entry(3, '2026-11-15'), entry(4, '2026-11-16')])
  other.append([entry(5, '2026-11-16')])
  other.append([entry(6, '2026-11-15')])
  expect(names().sort()).toEqual(['sap.log', 'sap.log.2026-11-15'])
  expect(seqsIn('sap.log')).toEqual([4, 5])
  expect(seqsIn('sap.log.2026-11-15')).toEqual([1, 2, 3, 6])
  expect(fs.statSync(join(folder, 'sap.log.2026-11-15')).mode & 0o777).toBe(0o600)
})

test('when its day is over, a long run is thinned out and nothing else is', () => {
  const lines = longRun(300).map(followRun(about)) as SapLine[]
  const entries = lines
    .filter(isWritten)
    .map((line) => ({ uuid: line.uuid, day: '2026-11-15', text: JSON.stringify(line) }))
  const short = Array.from({ length: 60 }, (_, index) => entry(index + 1, '2026-11-15', 'short'))
  open().append([...entries, ...short])
  expect(linesIn('sap.log')).toHaveLength(140 + 60)
  open().append([entry(1, '2026-11-16', 'next')])
  const kept = linesIn('sap.log.2026-11-15')
  expect(kept.filter(({ run_id }) => run_id === 'short')).toHaveLength(60)
  const long = kept.flatMap(({ run_id, line }) => (run_id === about.run ? [line] : []))
  expect(long).toEqual(lines.map(({ line }) => line).filter((line) => line <= 20 || line % 5 === 0))
})

test('a process that died while it moved a day away has lost nothing: the next one does it', () => {
  open().append([entry(1, '2026-11-15'), entry(2, '2026-11-15')])
  fs.renameSync(join(folder, 'sap.log'), join(folder, '.sap.log.2026-11-15.moved'))
  fs.writeFileSync(
    join(folder, 'sap.log.2026-11-15'),
    `${entry(1, '2026-11-15').text}\n${entry(3, '2026-11-15').text}\n`,
  )
  expect(open().lastTold(about.run, '2026-11-15')).toBe(3)
  expect(seqsIn('sap.log.2026-11-15')).toEqual([1, 3, 2])
  expect(names()).toEqual(['sap.log.2026-11-15'])
})

test('a line that a crash left torn is closed, so that the next one stands alone', () => {
  const file = open()
  file.append([entry(1, '2026-11-15')])
  fs.appendFileSync(join(folder, 'sap.log'), entry(2, '2026-11-15').text.slice(0, 40))
  file.append([entry(3, '2026-11-15')])
  expect(read('sap.log').split('\n')).toEqual([
    entry(1, '2026-11-15').text,
    entry(2, '2026-11-15').text.slice(0, 40),
    entry(3, '2026-11-15').text,
    '',
  ])
})

test('what is told already is found in the file of today and in those of days since', () => {
  const file = open()
  file.append([entry(1, '2026-11-13'), entry(2, '2026-11-14'), entry(7, '2026-11-14', 'other')])
  expect(file.lastTold(about.run, '2026-11-13')).toBe(2)
  file.append([entry(8, '2026-11-15', 'other')])
  expect(file.lastTold(about.run, '2026-11-13')).toBe(2)
  expect(file.lastTold(about.run, '2026-11-15')).toBe(0)
  fs.appendFileSync(join(folder, 'sap.log'), `{"run_id":"${about.run}","uuid":"made-up","seq":999,"line":1}\n`)
  expect(file.lastTold(about.run, '2026-11-13')).toBe(2)
})

test('lines of other programs stay where they are, and tell the day as well as they can', () => {
  fs.mkdirSync(folder)
  fs.writeFileSync(join(folder, 'sap.log'), 'plain words\n')
  fs.utimesSync(join(folder, 'sap.log'), new Date('2026-11-10T23:00:00Z'), new Date('2026-11-10T23:00:00Z'))
  open().append([entry(1, '2026-11-15')])
  expect(read('sap.log.2026-11-10')).toBe('plain words\n')
  expect(seqsIn('sap.log')).toEqual([1])
})

const target = () => join(home, 'target')
test.each<[string, () => void]>([
  ['a link in the place of the file', () => fs.symlinkSync(target(), join(folder, 'sap.log'))],
  ['a second name of another file', () => fs.linkSync(target(), join(folder, 'sap.log'))],
  ['a pipe', () => void spawnSync('mkfifo', [join(folder, 'sap.log')])],
  ['a folder', () => fs.mkdirSync(join(folder, 'sap.log'))],
  [
    'a link in the place of the folder',
    () => {
      fs.rmdirSync(folder)
      fs.mkdirSync(join(home, 'theirs'))
      fs.symlinkSync(join(home, 'theirs'), folder)
    },
  ],
  [
    'a file in the place of the folder',
    () => {
      fs.rmdirSync(folder)
      fs.writeFileSync(folder, '')
    },
  ],
])('nothing is written through %s', (_what, plant) => {
  fs.writeFileSync(target(), 'theirs\n')
  fs.mkdirSync(folder)
  plant()
  expect(() => open().append([entry(1, '2026-11-15')])).toThrow()
  expect(fs.readFileSync(target(), 'utf8')).toBe('theirs\n')
  if (fs.existsSync(join(home, 'theirs'))) expect(fs.readdirSync(join(home, 'theirs'))).toEqual([])
})

const moved = () => fs.renameSync(join(folder, 'sap.log'), join(folder, '.sap.log.2026-11-15.moved'))
const overtaken = () => openSapFile(folder, { alone }).append([entry(9, '2026-11-16', 'other')])
test.each<[string, 'before' | 'after', () => void, number[]]>([
  ['moved away just before the line is written', 'before', moved, []],
  ['moved away and thinned out just before the line is written', 'before', overtaken, [9]],
  ['moved away just after the line is written', 'after', moved, []],
  ['moved away and thinned out just after the line is written', 'after', overtaken, [9]],
])('a file that is %s: the line is in the file of its day, once', (_when, when, meanwhile, today) => {
  let done = false
  const writeSync = ((fd: number, ...rest: [Uint8Array, number, number]) => {
    if (when === 'before') meanwhile()
    const written = fs.writeSync(fd, ...rest)
    if (when === 'after') meanwhile()
    done = true
    return written
  }) as typeof fs.writeSync
  open().append([entry(1, '2026-11-15')])
  const file = openSapFile(folder, { alone, write: writeSync })
  file.append([entry(2, '2026-11-15')])
  file.close()
  expect(done).toBe(true)
  expect(seqsIn('sap.log.2026-11-15')).toEqual([1, 2])
  expect(fs.existsSync(join(folder, 'sap.log')) ? seqsIn('sap.log') : []).toEqual(today)
})

test('what happens to files of other days happens to one at a time', () => {
  const other = () => acquireLease(join(home, 'lock'))
  expect(() => withLock(join(home, 'lock'), other)).toThrow('already running')
  other().release()
})
