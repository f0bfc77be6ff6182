import * as fs from 'node:fs'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPlaceText } from '../../../../src/adapters/place/place-file.ts'
import { withLock } from '../../../../src/machine/open-machine.ts'
import { finishText, formatWritten } from '../../../../src/modes/refinement/finish/finish.ts'
import { readRefineInput } from '../../../../src/modes/refinement/start/input.ts'

type Given = {
  readonly what?: string
  readonly completed?: boolean
  readonly write?: boolean
  readonly out?: string
  readonly meanwhile?: (folder: string) => void
}

async function refined(text: string, { what = 'a.md', completed = true, meanwhile, ...more }: Given = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-result-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'a.md'), 'one\r\ntwo\r\n')
  const words = { what, context: [], write: false, ...more }
  const { brief } = await readRefineInput(words, { folder })
  meanwhile?.(folder)
  const environment = {
    program: 'pawl',
    cwd: folder,
    home: folder,
    env: {},
    folder: '.pawl',
    stateFolder: join(folder, 's'),
  } as const
  const place = createPlaceText({ isAlive: (pid) => fs.existsSync(`/proc/${pid}`) })
  const result = { brief, completed, kind: 'final', text } as const
  const finish = finishText('r1', result, { environment, withLock, place })
  return { ...finish, folder, content: (name: string) => readFileSync(join(folder, name), 'utf8') }
}
const take = { is: 'action', action: { do: 'text', run: 'r1' } }

test('a file ends with its diff: line ends alone are no difference', async () => {
  const { output, says } = await refined('one\n2\n\n')
  expect(output).toEqual({
    kind: 'diff',
    path: 'a.md',
    lines: [
      { kind: 'name', text: '--- a.md' },
      { kind: 'name', text: '+++ a.md' },
      { kind: 'hunk', text: '@@ -1,2 +1,2 @@' },
      { kind: 'same', text: ' one' },
      { kind: 'removed', text: '-two' },
      { kind: 'added', text: '+2' },
    ],
    hunks: 1,
    added: 1,
    removed: 1,
  })
  expect(says).toEqual([])
  expect((await refined('one\ntwo')).output).toMatchObject({ kind: 'diff', lines: [], hunks: 0 })
})

test('a task ends with its text, and with where it went if that is a file', async () => {
  const shown = await refined('new\u001b[2J text', { what: 'do it' })
  expect(shown).toMatchObject({ output: { kind: 'document', text: 'new text' }, says: [] })
  const { output, says, content } = await refined('new text', { what: 'do it', out: 'b.md' })
  expect([output, content('b.md')]).toEqual([undefined, 'new text\n'])
  expect(says[0]![0]).toMatch(/^Written to .*b\.md\.$/)
})

test('--write shows what it wrote', async () => {
  const { output, says, content } = await refined('one\n2', { write: true })
  expect(output).toMatchObject({ kind: 'diff', hunks: 1, added: 1, removed: 1 })
  expect(says).toEqual([['a.md was written.']])
  expect(content('a.md')).toBe('one\r\n2\r\n')
})

test('a run that did not complete shows no diff and says how to take the best text', async () => {
  const { output, says, exit } = await refined('one\nhalf', { completed: false, write: true })
  expect([output, exit]).toEqual([undefined, undefined])
  expect(says).toEqual([['The run did not complete, so a.md is not written. The best text so far: ', take]])
})

test('a file that was asked for and could not be written is no success, and its text is shown', async () => {
  const { exit, output, content } = await refined('new text', {
    what: 'do it',
    out: 'b.md',
    meanwhile: (folder: string) => writeFileSync(join(folder, 'b.md'), 'mine'),
  })
  expect([exit, content('b.md')]).toEqual([10, 'mine'])
  expect(output).toMatchObject({ kind: 'document', text: 'new text' })
})

test('what was not written comes with the command that takes it', () => {
  expect(
    formatWritten({
      did: 'kept',
      says: 'a.md has changed.',
      next: [{ is: 'action', action: { do: 'text', run: 'r1' } }, ' > FILE'],
    }),
  ).toEqual([['a.md has changed. To get it: ', take, ' > FILE']])
  expect(
    formatWritten({
      did: 'kept',
      says: 'The best text so far:',
      next: [{ is: 'action', action: { do: 'text', run: 'r1' } }],
    }),
  ).toEqual([['The best text so far: ', take]])
  expect(formatWritten({ did: 'shown', says: '' })).toEqual([])
})
