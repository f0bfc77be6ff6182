import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Fact } from '../../../src/contract/event.ts'
import type { Ref } from '../../../src/contract/values.ts'
import { newWorkspace } from './pawl.ts'
import { writeRun } from './written-run.ts'

type Workspace = ReturnType<typeof newWorkspace>

const asked: Fact = {
  type: 'decision-made',
  decision: { do: 'pause', question: { id: 'q1', topic: { code: 'paused' } } },
  by: 'person',
}
const writeAsking = (pawl: Workspace) => writeRun(pawl.workspace, [asked])

const piped = ({ bin, workspace, env }: Workspace, input: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(bin, words, { cwd: workspace, env, input, encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

test('what cannot be refined is refused with its exit code, and says what to do', async () => {
  const pawl = newWorkspace()
  fs.writeFileSync(join(pawl.workspace, 'prd.md'), 'one\n')
  fs.writeFileSync(join(pawl.workspace, 'there.md'), '')
  const cases: [string[], number, string][] = [
    [['prd.dm'], 2, 'there is no file prd.dm\nDid you mean prd.md?'],
    [[''], 2, 'the task is empty'],
    [['-'], 2, 'standard input is empty'],
    [['do it', '--write'], 2, '--write needs a file to write back'],
    [['prd.md', '--write', '--out', 'x.md'], 2, 'give --out or --write, not both'],
    [['prd.md', '--out', 'there.md'], 30, 'already exists'],
    [['prd.md', '-c', 'no.md'], 2, 'there is no file no.md'],
    [['/dev/zero'], 30, 'a pipe, socket or device'],
    [[], 2, "missing required argument 'what'"],
  ]
  for (const [words, code, says] of cases) {
    const ended = await pawl.run('refine', ...words)
    expect([ended.code, ended.out, ended.err], words.join(' ')).toEqual([code, '', expect.stringContaining(says)])
  }
  expect(fs.existsSync(join(pawl.workspace, '.pawl', 'runs'))).toBe(false)
})

test('the help of refine names every way in and out', async () => {
  const { code, out } = await newWorkspace().run('refine', '--help')
  expect(code).toBe(0)
  for (const flag of [
    '--goal',
    '--context',
    '--rubric',
    '--out',
    '--write',
    '--local-only',
    '--preset',
    '--adaptive',
  ]) {
    expect(out).toContain(flag)
  }
})

test('an answer comes typed, from a file or piped, without control characters', async () => {
  const answerOf = (dir: string, id: number): string => {
    const note = JSON.parse(fs.readFileSync(join(dir, 'inbox', `${id}.json`), 'utf8')) as { say: string; text: Ref }
    expect(note.say).toBe('answer')
    return fs.readFileSync(join(dir, note.text.path), 'utf8')
  }
  const pawl = newWorkspace()
  const { dir } = writeAsking(pawl)
  fs.writeFileSync(join(pawl.workspace, 'review.md'), 'Shorter\r\nplease\n')
  expect((await pawl.run('answer', 'build', '--text', 'Add more\u001b[1m details')).code).toBe(0)
  expect((await pawl.run('answer', 'build', '--file', 'review.md')).code).toBe(0)
  expect(piped(pawl, 'from a pipe', 'answer', 'build', '-').code).toBe(0)
  expect([1, 2, 3].map((id) => answerOf(dir, id))).toEqual(['Add more[1m details', 'Shorter\nplease\n', 'from a pipe'])
})

test('an answer that cannot be taken leaves no note', async () => {
  const pawl = newWorkspace()
  const { dir } = writeAsking(pawl)
  const refusal = async (...words: string[]): Promise<string> => {
    const { code, err } = await pawl.run('answer', 'build', ...words)
    return `${code} ${err}`
  }
  expect(await refusal('--text', ' \u0007')).toMatch(/^2 .*the text is empty/)
  expect(await refusal('--text', 'x', '--file', 'y')).toMatch(/^2 .*give a text or --file, not both/)
  expect(await refusal('--file', 'gone.md')).toMatch(/^2 .*there is no file gone\.md/)
  expect(await refusal('-')).toMatch(/^2 .*standard input is empty/)
  fs.writeFileSync(join(pawl.workspace, 'long.md'), 'x'.repeat(65 * 1024))
  expect(await refusal('--file', 'long.md')).toMatch(/^2 .*the limit is 64 KiB/)
  expect(fs.existsSync(join(dir, 'inbox'))).toBe(false)
})

test('feedback is refused where nobody would read it', async () => {
  const pawl = newWorkspace()
  writeAsking(pawl)
  expect(await pawl.run('feedback', 'build', 'Shorter')).toMatchObject({
    code: 2,
    err: expect.stringContaining('build is a procedure: it does not read feedback while it runs'),
  })
  expect((await pawl.run('feedback', 'build')).err).toContain('no feedback given')
})
