import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { showResult } from '../../../../src/modes/refinement/cli/show-result.ts'
import { readRefineInput } from '../../../../src/modes/refinement/start/input.ts'
import type { Io } from '../../../../src/surfaces/terminal/io.ts'

/** Where everything that was said can be read again. */
function newIo(json = false) {
  const said = { out: [] as string[], err: [] as string[] }
  const io: Io = {
    json,
    attended: false,
    screen: undefined,
    result: () => {},
    data: () => {},
    out: (line) => void said.out.push(line),
    content: (text) => void said.out.push(...text.split('\n')),
    err: (line) => void said.err.push(line),
    ring: () => {},
    unread: () => 0,
    closed: () => false,
    flush: async () => {},
  }
  return { io, said }
}

async function refined(
  text: string,
  { what = 'a.md', completed = true, ...more }: Readonly<Record<string, unknown>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-result-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'a.md'), 'one\r\ntwo\r\n')
  const words = { what: what as string, context: [], write: false, ...more }
  const { brief } = await readRefineInput(words, { folder, stdin: Readable.from([]) })
  const { io, said } = newIo()
  const place = { name: 'pawl', cwd: folder, home: join(folder, 'home'), env: {} } as const
  const handed = showResult({ io, place }, brief, { run: 'r1', completed: completed as boolean, text })
  return { ...said, handed, folder, content: (name: string) => readFileSync(join(folder, name), 'utf8') }
}

test('a file ends with its diff: line ends alone are no difference', async () => {
  const { out, err } = await refined('one\n2\n\n')
  expect(out).toEqual(['--- a.md', '+++ a.md', '@@ -1,2 +1,2 @@', ' one', '-two', '+2', '1 hunk, +1 −1'])
  expect(err).toEqual([])
  expect((await refined('one\ntwo')).out).toEqual(['No difference.'])
})

test('a task ends with its text, and with where it went if that is a file', async () => {
  expect(await refined('new\u001b[2J text', { what: 'do it' })).toMatchObject({ out: ['new text'], err: [] })
  const { out, err, content } = await refined('new text', { what: 'do it', out: 'b.md' })
  expect([out, content('b.md')]).toEqual([[], 'new text\n'])
  expect(err[0]).toMatch(/^Written to .*b\.md\.$/)
})

test('--write shows what it wrote', async () => {
  const { out, err, content } = await refined('one\n2', { write: true })
  expect(out.at(-1)).toBe('1 hunk, +1 −1')
  expect(err).toEqual(['a.md is written.'])
  expect(content('a.md')).toBe('one\r\n2\r\n')
})

test('a run that did not complete shows no diff and says how to take the best text', async () => {
  const { out, err } = await refined('one\nhalf', { completed: false, write: true })
  expect(out).toEqual([])
  expect(err).toEqual(['It did not complete, so a.md is not written. The best text so far: pawl show r1 --text'])
})
