import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openArtifacts } from '../../../src/adapters/files/artifacts.ts'
import { type Disk, realDisk } from '../../../src/adapters/files/disk.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'pawl-artifacts-'))
  return () => fs.rmSync(dir, { recursive: true })
})

test('the same content is one file, written once', async () => {
  let written = 0
  const writeSync = ((...args: Parameters<typeof fs.writeSync>) => {
    written++
    return fs.writeSync(...args)
  }) as typeof fs.writeSync
  const disk: Disk = { ...realDisk, writeSync }
  const [one, two] = [await openArtifacts(dir, disk).put('a', 'text'), await openArtifacts(dir, disk).put('a', 'text')]
  expect([one, fs.readdirSync(join(dir, 'artifacts')).length, written]).toEqual([two, 1, 1])
})

test.each(['', 'te', 'other text'])(
  'a file that holds "%s" instead of what its name says is written anew',
  async (bad) => {
    const ref = await openArtifacts(dir).put('a', 'text')
    fs.writeFileSync(join(dir, ref.path), bad)
    expect(await openArtifacts(dir).put('a', 'text')).toEqual(ref)
    expect(fs.readFileSync(join(dir, ref.path), 'utf8')).toBe('text')
  },
)
