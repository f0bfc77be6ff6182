import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startModelServer } from '../../../support/model-server.ts'
import { refineWorkspace } from './workspace.ts'

const play = { beats: [{ score: 75 }] }

test('a run that came back with other models asks nobody without trust, and says whom it would ask', async () => {
  const theirs = await startModelServer(() => ({ text: 'thanks' }))
  onTestFinished(() => theirs.close())
  const { refine, run, dirOf, runs } = await refineWorkspace(play)
  await refine('Say hello to everybody', '--preset', 'sap-0010')
  const [requestPath, journalPath] = ['request.json', 'progress.ndjson'].map((name) => join(dirOf(), name))
  const request = JSON.parse(fs.readFileSync(requestPath!, 'utf8'))
  for (const rung of request.with.ladder)
    Object.assign(rung, { provider: 'openai-compatible', local: false, baseUrl: `${theirs.url}/v1` })
  const text = `${JSON.stringify(request, null, 2)}\n`
  const journal = fs.readFileSync(journalPath!, 'utf8')
  const pinned = JSON.parse(journal.split('\n', 1)[0]!).context.pins.request as string
  fs.writeFileSync(requestPath!, text)
  fs.writeFileSync(journalPath!, journal.replace(pinned, createHash('sha256').update(text).digest('hex')))
  for (const words of [['resume'], ['fork', 'refine', '--feedback', 'Shorter']]) {
    const { code, err } = await run(...words)
    expect([words[0], code, err]).toEqual([words[0], 10, expect.stringContaining(`at ${theirs.url}/v1`)])
  }
  expect(theirs.calls).toEqual([])
  expect(runs()).toHaveLength(1)
})

test('a run that came with a repository is looked at without a key being made, a pipe waited for or a link followed', async () => {
  const { root, refine, run, dirOf } = await refineWorkspace(play)
  await refine('Say hello to everybody', '--preset', 'sap-0010')
  fs.rmSync(join(root, '.local'), { recursive: true })
  const request = JSON.parse(fs.readFileSync(join(dirOf(), 'request.json'), 'utf8'))
  const { brief, rubric } = request.with
  for (const { path } of [brief, rubric]) {
    fs.rmSync(join(dirOf(), path))
    spawnSync('mkfifo', [join(dirOf(), path)])
  }
  for (const words of [['logs'], ['show'], ['why'], ['ls'], ['fsck']])
    expect((await run(...words)).code, words[0]).toBe(0)
  const { code, err } = await run('show', 'refine', '--text')
  expect([code, err]).toEqual([30, expect.stringContaining('the key to this run is missing')])
  expect(fs.existsSync(join(root, '.local', 'state', 'pawl', 'keys'))).toBe(false)
  const key = { PAWL_KEY: 'ab'.repeat(32) }
  const shown = spawnSync(join(process.cwd(), 'bin', 'pawl'), ['show', 'refine', '--text'], {
    cwd: join(root, 'repo'),
    env: { PATH: process.env.PATH!, HOME: root, ...key },
    encoding: 'utf8',
    timeout: 200_000,
  })
  expect([shown.status, shown.stderr]).toEqual([30, expect.stringContaining('is not a regular file')])
})

test('a link that leads out of the repository is neither sent nor written', async () => {
  const { root, workspace, refine, staged, put } = await refineWorkspace({ beats: [{ score: 85 }] })
  const outside = join(root, 'outside')
  fs.mkdirSync(outside)
  fs.writeFileSync(join(outside, 'key'), 'private\n', { mode: 0o600 })
  fs.symlinkSync(join(outside, 'key'), join(workspace, 'README.md'))
  fs.symlinkSync(outside, join(workspace, 'docs'))
  put('real.md', 'A text.\n')
  for (const words of [
    ['README.md', '--write'],
    ['docs/key'],
    ['real.md', '-c', 'README.md'],
    ['real.md', '--rubric', 'README.md'],
    ['real.md', '--out', 'docs/new.md'],
  ]) {
    const { code, err } = await refine(...words)
    expect([words, code, err]).toEqual([
      words,
      30,
      expect.stringMatching(/(?:outside|out of) the repository\nTo (?:use that file|write there): .*outside/),
    ])
  }
  expect(staged.server.calls).toEqual([])
  expect(fs.readdirSync(outside)).toEqual(['key'])
  expect((await refine(join(outside, 'key'), '--preset', 'sap-0010')).code).toBe(0)
})
