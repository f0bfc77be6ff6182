import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorkspace } from './pawl.ts'

/** A run that has ended, and its journal as lines. */
async function endedRun() {
  const pawl = newWorkspace({ procedure: { gates: ['true'] } })
  expect((await pawl.run('run', 'build', '-n', '1', '--trust')).code).toBe(0)
  const runs = join(pawl.workspace, '.pawl', 'runs')
  const [id] = fs.readdirSync(runs).filter((name) => name !== '.gitignore')
  const path = join(runs, id!, 'progress.ndjson')
  const lines = fs.readFileSync(path, 'utf8').trimEnd().split('\n')
  const write = (changed: readonly string[]): void => {
    fs.writeFileSync(path, `${changed.join('\n')}\n`)
    for (const name of ['snapshot.json', 'card.json']) fs.rmSync(join(runs, id!, name), { force: true })
  }
  return { pawl, lines, write }
}

test('a line with data that its mode does not know is reported with its place, by every command that reads it', async () => {
  const { pawl, lines, write } = await endedRun()
  const at = lines.findIndex((line) => line.includes('"phase":"verify"'))
  const line = JSON.parse(lines[at]!) as { context: Record<string, unknown> }
  write(lines.with(at, JSON.stringify({ ...line, context: { ...line.context, data: { by: 5 } } })))
  for (const command of ['show', 'why', 'logs', 'fsck'] as const) {
    const { code, out, err } = await pawl.run(command)
    expect([command, code]).toEqual([command, 30])
    expect(out + err).toMatch(
      new RegExp(`progress\\.ndjson:${at + 1}: event ${at + 1} holds unexpected data: data\\.by`),
    )
    expect(out + err).not.toContain('bug in pawl')
  }
  const before = fs.readdirSync(pawl.dirOf())
  const resumed = await pawl.run('resume', 'build', '-n', '2', '--ai-cmd', 'true')
  expect(fs.readdirSync(pawl.dirOf())).toEqual(before)
  expect([resumed.code, resumed.out + resumed.err]).toEqual([30, expect.stringContaining('holds unexpected data')])
  expect((await pawl.run('ls')).out).toMatch(/build +damaged/)
})

test('a reason that the mode does not know is reported too', async () => {
  const { pawl, lines, write } = await endedRun()
  write(lines.with(-1, lines.at(-1)!.replace(/"code":"[a-z_]+"/, '"code":"made_up"')))
  const { code, out } = await pawl.run('fsck')
  expect([code, out]).toEqual([30, expect.stringMatching(/progress\.ndjson:\d+: .* unknown reason made_up/)])
})

test('a request that was changed keeps no report from being shown, and the run from going on', async () => {
  const { pawl } = await endedRun()
  const path = join(pawl.dirOf(), 'request.json')
  fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('"true"', '"make it so"'))
  const shown = await pawl.run('show')
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('was changed after the run started')])
  expect((await pawl.run('why')).code).toBe(0)
  expect((await pawl.run('resume', '-n', '2', '--trust')).code).toBe(30)
})

test('a journal of an older format is refused with one sentence', async () => {
  const { pawl, lines, write } = await endedRun()
  write(lines.with(0, lines[0]!.replace('"journal":2', '"journal":1')))
  const { code, err } = await pawl.run('show')
  expect([code, err]).toEqual([
    30,
    expect.stringMatching(/was written by an older pawl \(journal 1\); this one reads journal 2/),
  ])
  expect(err).not.toContain('bug in pawl')
})
