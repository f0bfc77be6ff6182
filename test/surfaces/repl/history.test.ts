import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHistory } from '../../../src/surfaces/repl/history.ts'
import { openHistoryFile } from '../../../src/surfaces/repl/history-file.ts'
import { newFolder } from '../../support/folder.ts'
import { node } from './session.ts'

function newPaths() {
  const folder = newFolder()
  return { folder, project: join(folder, 'repo', 'history'), global: join(folder, 'history') }
}

const toLines = (texts: readonly string[]): string => texts.map((text) => `${JSON.stringify(text)}\n`).join('')
const numbered = (count: number, name = 'entry'): string[] => Array.from({ length: count }, (_, n) => `${name} ${n}`)

test('entries come back newest first, each once, those of this project before those of others', () => {
  const { project, global } = newPaths()
  fs.writeFileSync(global, toLines(['elsewhere', 'both']))
  const history = openHistory({ project, global, limit: 10 })
  for (const text of ['one', 'two\nlines', 'two\nlines', 'both', 'one']) history.add(text)
  const expected = ['one', 'both', 'two\nlines', 'elsewhere']
  expect(history.entries()).toEqual(expected)
  expect(openHistory({ project, global, limit: 10 }).entries()).toEqual(expected)
  expect(fs.readFileSync(project, 'utf8')).toBe(toLines(['one', 'two\nlines', 'both', 'one']))
  expect(fs.statSync(project).mode & 0o777).toBe(0o600)
  expect(fs.statSync(global).mode & 0o777).toBe(0o600)
})

test('a torn last line is ignored, and the next entry is not joined to it', () => {
  const { folder, global } = newPaths()
  const project = join(folder, 'project')
  fs.writeFileSync(project, `${toLines(['whole'])}{"no":"text"}\n"torn and nev`)
  openHistory({ project, global, limit: 10 }).add('after')
  expect(openHistory({ project, global, limit: 10 }).entries()).toEqual(['after', 'whole'])
})

test('entries that somebody planted cannot control the terminal', () => {
  const { project, global } = newPaths()
  fs.writeFileSync(global, toLines(['\u001b]0;title\u0007text', '  ']))
  expect(openHistory({ project, global, limit: 10 }).entries()).toEqual([']0;titletext'])
})

test.each([
  ['a folder', (path: string) => fs.mkdirSync(path)],
  ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
  ['a link', (path: string) => fs.symlinkSync('victim', path)],
])('%s in place of the file is an empty history that keeps entries in memory', (_, plant) => {
  const { folder, global } = newPaths()
  const project = join(folder, 'project')
  fs.writeFileSync(join(folder, 'victim'), '"not mine"\n')
  plant(project)
  const { mode } = fs.lstatSync(project)
  const history = openHistory({ project, global: join(global, 'not', 'possible'), limit: 10 })
  expect(history.entries()).toEqual([])
  fs.writeFileSync(global, '')
  history.add('kept')
  expect(history.entries()).toEqual(['kept'])
  expect(fs.readFileSync(join(folder, 'victim'), 'utf8')).toBe('"not mine"\n')
  expect(fs.lstatSync(project).mode).toBe(mode)
})

test('a file over the limit is trimmed, and the newest entries stay', () => {
  const { folder } = newPaths()
  const path = join(folder, 'history')
  const all: string[] = []
  for (let round = 0; round < 8; round++) {
    // The first of two may set the file aside.
    for (let n = 0; n < 2; n++) expect(openHistoryFile(path, 100).entries()).toEqual(all.slice(-100))
    const history = openHistoryFile(path, 100)
    for (const text of numbered(40, `round ${round}`)) history.add(text)
    all.push(...numbered(40, `round ${round}`))
  }
  const lines = fs.readdirSync(folder).flatMap((name) => fs.readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  expect(lines.length).toBeLessThanOrEqual(200)
})

test('a long entry counts by its length, and only the end of a huge file is read', () => {
  const { folder, global } = newPaths()
  const project = join(folder, 'project')
  const large = (n: number): string => `${n} ${'x'.repeat(1024 * 1024)}`
  for (let n = 0; n < 12; n++) openHistory({ project, global, limit: 100 }).add(large(n))
  const { entries } = openHistory({ project, global, limit: 100 })
  expect(entries()[0]).toBe(large(11))
  const bytes = fs.readdirSync(folder).filter((name) => name.startsWith('project'))
  expect(bytes.reduce((sum, name) => sum + fs.statSync(join(folder, name)).size, 0)).toBeLessThan(11 * 1024 * 1024)
})

test('processes that add and trim at once lose nothing', async () => {
  const { folder, global } = newPaths()
  const project = join(folder, 'project')
  const module = new URL('../../../src/surfaces/repl/history.ts', import.meta.url).href
  const program = `
    import { existsSync } from 'node:fs'
    import { openHistory } from '${module}'
    process.stdout.write('ready')
    while (!existsSync(process.argv[1])) {}
    const options = { project: '${project}', global: '${global}', limit: 300 }
    for (let n = 0; n < 25; n++) openHistory(options).add(process.argv[2] + ' ' + n)`
  for (let round = 0; round < 6; round++) {
    // All of them find a full part at once.
    for (const path of [project, global]) {
      fs.appendFileSync(`${path}${round === 0 ? '' : `.${round}`}`, toLines(numbered(301, `old ${round}`)))
    }
    const go = join(folder, `go ${round}`)
    const names = ['a', 'b', 'c'].map((name) => `round ${round} ${name}`)
    const children = names.map((name) => spawn(node, ['--input-type=module', '-e', program, go, name]))
    await Promise.all(children.map((child) => new Promise((resolve) => child.stdout.once('data', resolve))))
    const ended = children.map((child) => new Promise((resolve) => child.on('close', resolve)))
    fs.writeFileSync(go, '')
    expect(await Promise.all(ended)).toEqual([0, 0, 0])
    for (const path of [project, global]) {
      const entries = new Set(openHistoryFile(path, 300).entries())
      expect(names.flatMap((name) => numbered(25, name)).filter((text) => !entries.has(text))).toEqual([])
    }
  }
})
