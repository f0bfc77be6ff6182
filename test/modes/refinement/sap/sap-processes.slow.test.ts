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
/** Complete lines only. */
const linesIn = (...files: string[]): SapLine[] =>
  files
    .flatMap((name) => fs.readFileSync(join(folder, name), 'utf8').split('\n'))
    .flatMap((text) => (text.startsWith('{') && text.endsWith('}') ? [JSON.parse(text) as SapLine] : []))

test('ui-L06: eight processes write at once and one of them rotates the file: no line is lost, torn or written twice', async () => {
  fs.mkdirSync(folder)
  fs.writeFileSync(join(folder, 'sap.log'), 'yesterday\n')
  fs.utimesSync(join(folder, 'sap.log'), new Date('2025-11-15'), new Date('2025-11-15'))
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
  expect(names().sort()).toEqual(['sap.log', 'sap.log.2025-11-15'])
  expect(fs.readFileSync(join(folder, 'sap.log.2025-11-15'), 'utf8')).toBe('yesterday\n')
  const texts = fs.readFileSync(join(folder, 'sap.log'), 'utf8').split('\n').filter(Boolean)
  expect(texts).toHaveLength(1600)
  expect(new Set(linesIn('sap.log').map(({ uuid }) => uuid)).size).toBe(1600)
})

test('killed again and again while it writes, and with torn lines: each line is there', async () => {
  const runner = fileURLToPath(new URL('./fixtures/log-runner.ts', import.meta.url))
  const journal = join(home, 'journal')
  fs.writeFileSync(journal, '')
  const all = Array.from({ length: 3000 }, (_, index) => index + 1)
  let kills = 0
  for (let done = false; !done; ) {
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
    done = out.includes('done')
    if (done) continue
    kills++
    // The journal drops a torn event; the log may have a torn line.
    fs.writeFileSync(journal, fs.readFileSync(journal, 'utf8').replace(/[^\n]+$/, ''))
    const log = join(folder, 'sap.log')
    if (kills % 2 && fs.existsSync(log)) fs.truncateSync(log, Math.max(0, fs.statSync(log).size - 30))
  }
  expect(kills).toBeGreaterThan(3)
  const written = [...new Set(linesIn(...names()).map(({ seq }) => seq))]
  expect(written.sort((a, b) => a - b)).toEqual(all.filter((seq) => seq <= 100 || seq % 5 === 0))
})
