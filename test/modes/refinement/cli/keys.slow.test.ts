import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pausedRun } from './paused.ts'

const another = 'ab'.repeat(32)
const filesIn = (folder: string): string[] => fs.readdirSync(folder, { recursive: true }).map(String).sort()
const keyPathIn = (root: string): string => join(root, '.local', 'state', 'pawl', 'keys', 'content.key')

test('with another key a run is told nothing and nothing is done with it; with its own it goes on', async () => {
  const { env, run, dirOf, runs } = await pausedRun('Say hello', [{ score: 75 }, { score: 75 }, { score: 85 }])
  const before = filesIn(dirOf())
  env.PAWL_KEY = another
  for (const words of [
    ['answer', 'refine', '--text', 'Shorter'],
    ['feedback', 'refine', 'Shorter'],
    ['resume', 'refine'],
    ['fork', 'refine', '--feedback', 'Shorter'],
    ['show', 'refine', '--text'],
  ]) {
    const { code, err } = await run(...words)
    expect([words[0], code, err]).toEqual([words[0], 30, expect.stringContaining('was encrypted with another key')])
  }
  expect(filesIn(dirOf())).toEqual(before)
  expect(runs()).toHaveLength(1)
  delete env.PAWL_KEY
  expect((await run('answer', 'refine', '--text', 'Shorter')).code).toBe(0)
  expect((await run('resume', 'refine')).code).toBe(0)
})

test('a flipped byte and content of another run are refused, and nobody is asked', async () => {
  const { run, dirOf, staged } = await pausedRun('Say hello', [{ score: 75 }])
  await run('answer', 'refine')
  const calls = staged.server.calls.length
  const briefOf = (dir: string): string =>
    join(dir, JSON.parse(fs.readFileSync(join(dir, 'request.json'), 'utf8')).with.brief.path)
  const path = briefOf(dirOf())
  const sealed = fs.readFileSync(path)
  const flipped = Buffer.from(sealed)
  flipped[40]! ^= 1
  fs.writeFileSync(path, flipped)
  for (const words of [['resume'], ['show', 'refine', '--text'], ['fork', 'refine', '--feedback', 'Shorter']]) {
    const { code, err } = await run(...words)
    expect([words[0], code, err]).toEqual([
      words[0],
      30,
      expect.stringContaining('does not match its hash in the journal'),
    ])
  }
  fs.writeFileSync(path, sealed)
  // As if it had been started under another name: the hash fits, the content is of a run that this one is not.
  const other = join(dirOf(), '..', '20200101-000000-abcdef')
  fs.cpSync(dirOf(), other, { recursive: true })
  for (const name of ['request.json', 'progress.ndjson']) {
    const text = fs.readFileSync(join(other, name), 'utf8')
    fs.writeFileSync(join(other, name), text.replaceAll(/"run_id":( ?)"[^"]+"/g, '"run_id":$1"20200101-000000-abcdef"'))
  }
  const request = fs.readFileSync(join(other, 'request.json'))
  const journal = fs.readFileSync(join(other, 'progress.ndjson'), 'utf8')
  const pinned = JSON.parse(journal.split('\n', 1)[0]!).context.pins.request as string
  const hash = createHash('sha256').update(request).digest('hex')
  fs.writeFileSync(join(other, 'progress.ndjson'), journal.replace(pinned, hash))
  const { code, err } = await run('resume', '20200101-000000-abcdef', '--trust')
  expect([code, err]).toEqual([30, expect.stringContaining('was encrypted for another run')])
  expect(staged.server.calls).toHaveLength(calls)
})

test('whatever needs no words needs no key, and no new one is made', async () => {
  const { root, run, runs } = await pausedRun('Say hello', [{ score: 75 }])
  fs.rmSync(keyPathIn(root))
  expect((await run('resume', 'refine')).err).toMatch(/the key to this run is missing: .*content\.key/)
  for (const word of ['show', 'logs', 'why', 'ls', 'fsck']) {
    const { code, err } = await run(word)
    expect([word, code, err]).toEqual([word, 0, ''])
  }
  expect(await run('stop', 'refine')).toMatchObject({ code: 0, out: expect.stringContaining('is cancelled') as string })
  expect((await run('clean', '--keep', '0', '--yes')).code).toBe(0)
  expect(runs()).toEqual([])
  expect(fs.existsSync(keyPathIn(root))).toBe(false)
})
