import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { readStandardInput } from '../../../../src/config/input/text-input.ts'
import { ProcedureName } from '../../../../src/contract/config/shape.ts'
import type { PawlError } from '../../../../src/contract/exit.ts'
import {
  type RefineArguments,
  type RefineInput,
  readRefineInput,
} from '../../../../src/modes/refinement/start/input.ts'

function newFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-refine-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

type Given = Partial<RefineArguments> & { readonly folder?: string; readonly stdin?: Readable & { isTTY?: boolean } }

const read = ({ folder = newFolder(), stdin = Readable.from([]), ...words }: Given): Promise<RefineInput> =>
  readRefineInput(
    { what: 'x', context: [], write: false, ...words },
    { folder, readStdin: () => readStandardInput(stdin) },
  )

async function refusal(given: Given): Promise<string> {
  const error = await read(given).then(
    (taken) => expect.fail(`taken as ${JSON.stringify(taken)}`),
    (thrown: PawlError) => thrown,
  )
  return `${error.exit}: ${error.message}${error.hint ? ` | ${error.hint}` : ''}`
}

test('a task in words is the task, and its run is called refine', async () => {
  expect(await read({ what: 'Write a PRD for either/or questions over TCP/IP.', goal: 'short' })).toEqual({
    brief: { task: 'Write a PRD for either/or questions over TCP/IP.', goal: 'short', context: [], write: false },
    name: 'refine',
  })
  for (const what of [
    '.NET in five lines',
    '~ 500 words on cats',
    '/etc and the like\nare folders',
    'w '.repeat(9000),
    'wort'.repeat(900),
  ]) {
    expect((await read({ what })).brief.task).toBe(what)
  }
})

test('control characters of a task go no further', async () => {
  expect((await read({ what: 'write\u001b[2J this\r\nand\tthat\u0085' })).brief.task).toBe('write[2J this\nand\tthat')
})

test('a file is the text that is to become better, known by its hash', async () => {
  const folder = newFolder({ 'Über PRD v2.md': '\ufeffone\r\ntwo\r\n' })
  chmodSync(join(folder, 'Über PRD v2.md'), 0o640)
  const sha256 = createHash('sha256').update('\ufeffone\r\ntwo\r\n').digest('hex')
  const { brief, name } = await read({ folder, what: 'Über PRD v2.md' })
  const file = { path: join(folder, 'Über PRD v2.md'), shown: 'Über PRD v2.md', sha256, mode: 0o640 }
  expect(brief).toEqual({ task: 'Refine Über PRD v2.md', text: 'one\ntwo\n', context: [], file, write: false })
  expect(name).toBe('uber-prd-v2')
})

test('whatever a file is called, its run has a name that fits', async () => {
  for (const file of ['---.md', '日本語.md', `${'a-'.repeat(60)}.md`, '.hidden', 'A.B.C.txt', '0']) {
    const { name } = await read({ folder: newFolder({ [file]: 'text' }), what: file })
    expect(ProcedureName.parse(name), file).toBe(name)
  }
})

test('a link is followed to its file, and the file itself is remembered', async () => {
  const folder = newFolder({ 'real.md': 'text' })
  symlinkSync('real.md', join(folder, 'link.md'))
  const { brief, name } = await read({ folder, what: 'link.md' })
  expect(brief.file).toMatchObject({ path: join(folder, 'real.md'), shown: 'link.md', link: true })
  expect(name).toBe('link')
})

test('what looks like a path and is none is misuse, with the nearest one that is there', async () => {
  const folder = newFolder({ 'prd.md': 'x' })
  mkdirSync(join(folder, 'my docs'))
  writeFileSync(join(folder, 'my docs', 'guide.md'), 'x')
  expect(await refusal({ folder, what: 'prd.dm' })).toBe('2: there is no file prd.dm | Did you mean prd.md?')
  expect(await refusal({ folder, what: './pdr.md' })).toBe('2: there is no file ./pdr.md | Did you mean prd.md?')
  expect(await refusal({ folder, what: 'my docs/giude.md' })).toContain('Did you mean my docs/guide.md?')
  expect(await refusal({ folder, what: 'docs/prd.md' })).toContain('there is no folder docs')
  for (const what of ['~/prd', '.env', '/nowhere', 'TCP/IP', '../x y z.md', '~ann/two words']) {
    expect(await refusal({ folder, what }), what).toMatch(/^2: there is no file/)
  }
})

test('an empty task is misuse, an empty file is wrong input', async () => {
  for (const what of ['', ' \n\t', '\u0000\u001b']) expect(await refusal({ what })).toBe('2: the task is empty')
  expect(await refusal({ what: 'do it', goal: ' ' })).toBe('2: the goal is empty')
  expect(await refusal({ folder: newFolder({ 'a.md': ' \n' }), what: 'a.md' })).toMatch(/^30: a\.md is empty/)
  expect(await refusal({ what: '-' })).toBe('2: standard input is empty')
})

test('what is no text of a size that makes sense is refused at once', async () => {
  const folder = newFolder({
    'big.md': 'x'.repeat(2 << 20),
    'nul.md': 'a\0b',
    'latin1.md': Buffer.from('fine\ngr\xfc\xdfe\n', 'latin1'),
    'full.md': 'x'.repeat(1 << 20),
  })
  execFileSync('mkfifo', [join(folder, 'pipe.md')])
  mkdirSync(join(folder, 'docs'))
  expect(await refusal({ folder, what: 'big.md' })).toMatch(/^30: big\.md is larger than 1 MiB/)
  expect(await refusal({ folder, what: 'nul.md' })).toBe('30: nul.md is not text: byte 1 is NUL')
  expect(await refusal({ folder, what: 'latin1.md' })).toMatch(/^30: latin1\.md is not valid UTF-8, starting at line 2/)
  expect(await refusal({ folder, what: 'pipe.md' })).toMatch(/^30: pipe\.md is a pipe, socket or device/)
  expect(await refusal({ folder, what: '/dev/zero' })).toMatch(/^30: \/dev\/zero is a pipe, socket or device/)
  expect(await refusal({ folder, what: 'docs' })).toMatch(/^2: docs is a directory/)
  expect((await read({ folder, what: 'full.md' })).brief.text).toHaveLength(1 << 20)
})

test('standard input is read to its end or to its bound, and a terminal is not waited for', async () => {
  const stdin = Readable.from([Buffer.from('gr\xc3', 'latin1'), Buffer.from('\xbcn\r\n', 'latin1')])
  expect(await read({ what: '-', stdin, out: 'new.md' })).toMatchObject({
    brief: { task: 'Refine this text', text: 'grün\n' },
    name: 'refine',
  })
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1 << 16, 'x')
    })(),
  )
  expect(await refusal({ what: '-', stdin: endless })).toMatch(/^30: standard input is larger than 1 MiB/)
  const terminal = Object.assign(Readable.from([]), { isTTY: true })
  expect(await refusal({ what: '-', stdin: terminal })).toMatch(
    /^2: - reads standard input, but standard input is a terminal/,
  )
})

test('context comes from files that must be there', async () => {
  const folder = newFolder({ 'a.md': 'one\r\n', 'b.txt': 'two', 'c.md': 'y'.repeat(1 << 20) })
  const { brief } = await read({ folder, what: 'do it', context: ['a.md', 'b.txt'] })
  expect(brief.context).toEqual([
    { name: 'a.md', text: 'one\n' },
    { name: 'b.txt', text: 'two' },
  ])
  expect(await refusal({ folder, what: 'do it', context: ['c.txt'] })).toMatch(/^2: there is no file c\.txt/)
  const five = ['c.md', 'c.md', 'c.md', 'c.md', 'c.md']
  expect(await refusal({ folder, what: 'do it', context: five })).toMatch(/^30: --context is larger than 4 MiB/)
})

test('where the result cannot go is refused before anything is spent', async () => {
  const folder = newFolder({ 'a.md': 'text', 'there.md': '' })
  mkdirSync(join(folder, 'docs'))
  symlinkSync('nowhere', join(folder, 'dangling.md'))
  const given = { folder, what: 'a.md' }
  expect(await refusal({ ...given, out: 'x.md', write: true })).toMatch(/^2: give --out or --write, not both/)
  expect(await refusal({ folder, what: 'do it', write: true })).toMatch(/^2: --write needs a file to write back/)
  expect(await refusal({ ...given, out: 'there.md' })).toMatch(/^30: --out there\.md already exists/)
  expect(await refusal({ ...given, out: 'a.md' })).toContain('To write back the file being refined: --write')
  expect(await refusal({ ...given, out: 'dangling.md' })).toMatch(/already exists/)
  expect(await refusal({ ...given, out: 'docs' })).toMatch(/^30: --out docs is a folder/)
  expect(await refusal({ ...given, out: 'new/x.md' })).toContain('mkdir -p')
  expect(await refusal({ ...given, out: 'a.md/x.md' })).toContain('part of the path is not a folder')
  expect(await refusal({ ...given, out: '/proc/x.md' })).toMatch(/^30: cannot write \/proc\/x\.md/)
  // As a start that was killed leaves it, and others that only look like that.
  for (const name of ['.pawl-probe-99999999', '.pawl-probe-1', '.pawl-probe-x', '.pawl-probe'])
    writeFileSync(join(folder, 'docs', name), '')
  writeFileSync(join(folder, 'docs', '.pawl-probe-99999998'), 'mine')
  expect(await read({ ...given, out: 'docs/x.md' })).toMatchObject({ brief: { out: join(folder, 'docs', 'x.md') } })
  const left = ['.pawl-probe', '.pawl-probe-1', '.pawl-probe-99999998', '.pawl-probe-x']
  expect(readdirSync(join(folder, 'docs')).sort()).toEqual(left)
  expect(await read({ ...given, write: true })).toMatchObject({ brief: { write: true } })
})
