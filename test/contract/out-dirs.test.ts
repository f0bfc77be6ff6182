import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fromLine, Line } from '../../src/contract/line.ts'
import { Plan } from '../../src/modes/delivery/contract/plan.ts'
import { DeliveryResult } from '../../src/modes/delivery/contract/result.ts'
import { type OutDirName, outDirNames, readOutDir, writeOutDir } from '../../src/testing/out-dirs.ts'
import { problemsAt } from '../support/runs.ts'
import { hasRun, projected, readJson } from './out-dirs/check.ts'

function laidOut(name: OutDirName): string {
  const dir = fs.mkdtempSync(join(tmpdir(), 'pawl-laid-out-'))
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }))
  expect(writeOutDir(name, dir)).toBe(readOutDir(name).exit)
  return dir
}
const runs = outDirNames.filter((name) => 'request.json' in readOutDir(name).files)

test.each(outDirNames)('every file of %s is what the contract says', (name) => {
  const { exit, files } = readOutDir(name)
  const { 'result.json': result, 'plan.json': plan, 'progress.ndjson': journal } = files
  if (exit === null) expect(result).toBeUndefined()
  else expect(DeliveryResult.parse(JSON.parse(result!))).toMatchObject({ exit, contract_version: 1 })
  if (plan) Plan.parse(JSON.parse(plan))
  const lines = (journal ?? '').split('\n').filter(Boolean)
  for (const line of lines) {
    expect(Buffer.byteLength(line)).toBeLessThan(4096)
    expect(fromLine(Line.parse(JSON.parse(line)))).toBeDefined()
  }
  if (journal) expect(Object.keys(files)).toEqual(expect.arrayContaining(['plan.json', 'request.json']))
})

test.each(runs.filter((name) => name !== 'killed'))(
  'the journal of %s makes the result that lies there',
  async (name) => {
    const dir = laidOut(name)
    expect(await projected(dir)).toEqual(readJson(join(dir, 'result.json')))
  },
)

test.each(runs)('all that the journal of %s names is there, and its decisions would be made again', async (name) => {
  const dir = laidOut(name)
  expect(hasRun(dir)).toBe(true)
  expect(await problemsAt(dir)).toEqual([])
})

test('nothing in them tells of the machine that they were recorded on', () => {
  for (const name of outDirNames) {
    const text = JSON.stringify(readOutDir(name).files)
    expect(text).not.toMatch(/\/tmp\/|\/home\/|\/Users\/|\broot\b/)
  }
})
