import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { withLock } from '../../../../src/machine/open-machine.ts'
import { openSapFile } from '../../../../src/modes/refinement/sap/sap-file.ts'
import type { SapLine } from '../../../../src/modes/refinement/sap/sap-line.ts'
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

const open = () => openSapFile(folder, { withLock: (action) => withLock(join(home, 'lock'), action) })
const lineOf = (seq: number, run = about.run): SapLine => ({
  ...followRun({ ...about, run })(longRun(1)[0]!)!,
  event: 'generate',
  seq,
  line: seq,
})
/** Makes the log look as if it had last been written on this day. */
const lastWrittenOn = (day: string) => {
  const at = new Date(`${day}T23:00:00Z`)
  fs.utimesSync(join(folder, 'sap.log'), at, at)
}
const names = () => fs.readdirSync(folder).filter((name) => name !== '.gitignore')
const read = (name: string) => fs.readFileSync(join(folder, name), 'utf8')
const linesIn = (name: string) =>
  read(name)
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as SapLine)
const seqsIn = (name: string) => linesIn(name).map(({ seq }) => seq)

test('lines are added to a file that only its owner can read, in a folder that git ignores', () => {
  open().append([lineOf(1), lineOf(2)])
  open().append([lineOf(3)])
  expect(seqsIn('sap.log')).toEqual([1, 2, 3])
  expect(fs.statSync(join(folder, 'sap.log')).mode & 0o777).toBe(0o600)
  expect(read('.gitignore')).toBe('*\n')
})

test('an existing folder is not changed', () => {
  fs.mkdirSync(folder, { mode: 0o750 })
  open().append([lineOf(1)])
  expect(fs.readdirSync(folder)).toEqual(['sap.log'])
  expect(fs.statSync(folder).mode & 0o777).toBe(0o750)
})

test('a deleted workspace is not created again', () => {
  fs.rmSync(home, { recursive: true })
  expect(() => open().append([lineOf(1)])).toThrow('ENOENT')
  expect(fs.existsSync(home)).toBe(false)
})

test('the first line of a new day renames the file of the day before', () => {
  const [one, other] = [open(), open()]
  one.append([lineOf(1)])
  other.append([lineOf(2)])
  lastWrittenOn('2025-11-15')
  one.append([lineOf(3)])
  other.append([lineOf(4)])
  expect(names().sort()).toEqual(['sap.log', 'sap.log.2025-11-15'])
  expect(seqsIn('sap.log')).toEqual([3, 4])
  expect(seqsIn('sap.log.2025-11-15')).toEqual([1, 2])
  expect(fs.statSync(join(folder, 'sap.log.2025-11-15')).mode & 0o777).toBe(0o600)
})

test('a file of an earlier day is never overwritten', () => {
  open().append([lineOf(1)])
  lastWrittenOn('2025-11-15')
  fs.writeFileSync(join(folder, 'sap.log.2025-11-15'), 'earlier\n')
  open().append([lineOf(2)])
  expect(read('sap.log.2025-11-15')).toBe('earlier\n')
  expect(seqsIn('sap.log')).toEqual([1, 2])
})

test('a long run is thinned out when its day is over, other lines are not', () => {
  const lines = longRun(300).map(followRun(about)) as SapLine[]
  const short = Array.from({ length: 60 }, (_, index) => lineOf(index + 1, 'short'))
  open().append([...lines.filter(isWritten), ...short])
  expect(linesIn('sap.log')).toHaveLength(140 + 60)
  lastWrittenOn('2025-11-15')
  open().append([lineOf(1, 'next')])
  const left = linesIn('sap.log.2025-11-15')
  expect(left.filter(({ run_id }) => run_id === 'short')).toHaveLength(60)
  const long = left.flatMap(({ run_id, line }) => (run_id === about.run ? [line] : []))
  expect(long).toEqual(lines.map(({ line }) => line).filter((line) => line <= 20 || line % 5 === 0))
  expect(names().sort()).toEqual(['sap.log', 'sap.log.2025-11-15'])
})

test('an incomplete line that a crash left is ended, so that the next line stays readable', () => {
  const text = (seq: number) => JSON.stringify(lineOf(seq))
  open().append([lineOf(1)])
  fs.appendFileSync(join(folder, 'sap.log'), text(2).slice(0, 40))
  open().append([lineOf(3)])
  expect(read('sap.log').split('\n')).toEqual([text(1), text(2).slice(0, 40), text(3), ''])
})

test('the last event of a run is found in the current file and in those of days since', () => {
  const file = open()
  file.append([lineOf(1), lineOf(2), lineOf(7, 'other')])
  expect(file.findLastSeq(about.run, '2025-11-13')).toBe(2)
  lastWrittenOn('2025-11-14')
  file.append([lineOf(8, 'other')])
  expect(file.findLastSeq(about.run, '2025-11-13')).toBe(2)
  expect(file.findLastSeq(about.run, '2025-11-15')).toBe(0)
})

test('lines of other programs stay', () => {
  fs.mkdirSync(folder)
  fs.writeFileSync(join(folder, 'sap.log'), 'plain words\n')
  lastWrittenOn('2025-11-10')
  open().append([lineOf(1)])
  expect(read('sap.log.2025-11-10')).toBe('plain words\n')
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
  expect(() => open().append([lineOf(1)])).toThrow()
  expect(fs.readFileSync(target(), 'utf8')).toBe('theirs\n')
  if (fs.existsSync(join(home, 'theirs'))) expect(fs.readdirSync(join(home, 'theirs'))).toEqual([])
})
