import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import type { SapLine } from '../../../../src/modes/refinement/sap/sap-line.ts'

let home: string
let folder: string
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'pawl-sap-'))
  folder = join(home, 'agent_logs')
  return () => fs.rmSync(home, { recursive: true, force: true })
})

const names = () => fs.readdirSync(folder).filter((name) => name !== '.gitignore')
/** Whole lines; what a kill left torn is none. */
const linesIn = (...files: string[]): SapLine[] =>
  files
    .flatMap((name) => fs.readFileSync(join(folder, name), 'utf8').split('\n'))
    .flatMap((text) => (text.startsWith('{') && text.endsWith('}') ? [JSON.parse(text) as SapLine] : []))

test('eight processes at once across midnight: no line is lost, torn or there twice, and each is in the file of its day', async () => {
  const writer = fileURLToPath(new URL('./fixtures/log-writer.ts', import.meta.url))
  const start = String(Date.now() + 1500)
  const runs = Array.from({ length: 8 }, (_, index) => [`a${index}`, `b${index}`])
  const codes = await Promise.all(
    runs.map((own) => {
      const child = spawn(process.execPath, [writer, folder, join(home, 'lock'), start, ...own], { stdio: 'inherit' })
      return new Promise((resolve) => child.once('exit', resolve))
    }),
  )
  expect(codes).toEqual(runs.map(() => 0))
  expect(names().sort()).toEqual(['sap.log', 'sap.log.2026-11-15'])
  const all = names().flatMap((name) => linesIn(name).map((line) => ({ ...line, name })))
  const texts = names()
    .flatMap((name) => fs.readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter(Boolean)
  expect(texts).toHaveLength(1600)
  expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(1600)
  expect(all).toHaveLength(1600)
  expect(
    all.filter(({ timestamp, name }) => name.endsWith('2026-11-15') !== timestamp.startsWith('2026-11-15')),
  ).toEqual([])
})

test('killed again and again while it writes, also across midnight and with torn lines: each line is there once', async () => {
  const runner = fileURLToPath(new URL('./fixtures/log-runner.ts', import.meta.url))
  const journal = join(home, 'journal')
  fs.writeFileSync(journal, '')
  const all = Array.from({ length: 3000 }, (_, index) => index + 1)
  let kills = 0
  for (let through = false; !through; ) {
    const child = spawn(process.execPath, [runner, folder, join(home, 'lock'), journal, String(all.length)])
    let out = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => (out += data.toString()))
    child.stderr.on('data', (data: Buffer) => (err += data.toString()))
    const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const size = fs.statSync(journal).size
    if (kills < 12) {
      const watcher = fs.watch(journal, () => fs.statSync(journal).size > size && child.kill('SIGKILL'))
      await gone
      watcher.close()
    } else await gone
    expect(err).toBe('')
    through = out.includes('through')
    if (through) continue
    kills++
    // Half an event is no event, and half a line no line.
    fs.writeFileSync(journal, fs.readFileSync(journal, 'utf8').replace(/[^\n]+$/, ''))
    const log = join(folder, 'sap.log')
    if (kills % 2 && fs.existsSync(log)) fs.truncateSync(log, Math.max(0, fs.statSync(log).size - 30))
  }
  expect(kills).toBeGreaterThan(3)
  const told = linesIn(...names()).map(({ seq }) => seq)
  expect(told.sort((a, b) => a - b)).toEqual(all.filter((seq) => seq <= 100 || seq % 5 === 0))
})
