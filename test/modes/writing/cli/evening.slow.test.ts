import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { until } from '../../../surfaces/cli/pawl.ts'
import { beats, change, file, newNovel, prose, type ScriptStep, says } from '../support/novel.ts'
import { listRuns, startPawl } from '../support/program.ts'
import { openRepl } from '../support/terminal.ts'

// What a novelist ran into in an evening's work.

type Novel = ReturnType<typeof newNovel>

const chapter = (number: number): string => `chapter-beats/${file(number)}`
const plan = says.plan([{ name: file(2) }, { name: file(3) }])
const write = (mood = 'grey', more: Partial<ScriptStep> = {}): ScriptStep =>
  says.write({ [file(2)]: beats(2, mood), [file(3)]: beats(3, mood) }, more)
const approves = says.judge('approved', 'Good.')
const rejects = says.judge('needs_revision', 'Chapter 2 is not grey yet.', {
  issues: ['Chapter 2 is bright.'],
})
const describeIt = says.describe({
  changes: [
    change({ id: 'C1', hunks: ['h1'], units: ['u1'], title: 'Chapter 2 greyer' }),
    change({ id: 'C2', hunks: ['h2'], units: ['u2'], title: 'Chapter 3 greyer' }),
  ],
})
const steps = [plan, write(), approves, describeIt]

async function openAt(novel: Novel) {
  const repl = openRepl(novel, ['write', novel.name], 'pawl')
  await repl.say('> ', `/model ${novel.model}`)
  return repl
}

async function leave(repl: Awaited<ReturnType<typeof openAt>>): Promise<void> {
  await repl.say('> ', '/exit')
  await repl.ended
}

test('/cull commits own edits and own files first, so that /undo brings them back', async () => {
  const novel = newNovel({ chapters: 3, steps })
  novel.write(chapter(1), 'MY EDIT\n')
  novel.write(chapter(4), 'MY CHAPTER\n')
  const repl = await openAt(novel)
  await repl.say('> ', '/cull chapters')
  await repl.say('(yes/no): ', 'yes')
  await repl.sees('Your own edits were committed first')
  await repl.say('> ', '/undo')
  await repl.sees('To bring it back: /redo')
  await leave(repl)
  expect([novel.read(chapter(1)), novel.read(chapter(4))]).toEqual(['MY EDIT\n', 'MY CHAPTER\n'])
})

describe('/export', () => {
  test('asks before it overwrites a file, takes a path with spaces, and refuses folders', async () => {
    const novel = newNovel({ chapters: 2, prose: 2, steps })
    fs.writeFileSync(join(novel.studio, 'mine.md'), 'mine\n')
    const repl = await openAt(novel)
    await repl.say('> ', '/export md mine.md')
    await repl.say('Overwrite it? (yes/no): ', 'no')
    await repl.say('> ', '/export md My Book.md')
    await repl.sees(`✓ Exported 2 files to ${join(novel.studio, 'My Book.md')}`)
    await repl.say('> ', '/export md my-novel')
    await repl.sees('is a folder]')
    await repl.say('> ', '/export md /nowhere/x.md')
    await repl.sees('[Error: there is no folder /nowhere]')
    await leave(repl)
    expect(fs.readFileSync(join(novel.studio, 'mine.md'), 'utf8')).toBe('mine\n')
  })

  test('has the title and the dedication of an imported draft', async () => {
    const novel = newNovel({ chapters: 0, steps })
    const draft = `# The Bell Ringer\n\nfor Greta\n\n${[1, 2].map((at) => prose(at).replace('# ', '## ')).join('\n')}`
    fs.writeFileSync(join(novel.studio, 'draft.md'), draft)
    const repl = await openAt(novel)
    await repl.say('> ', '/import draft.md')
    await repl.say('(yes/no): ', 'yes')
    await repl.say('> ', '/export md')
    await repl.sees('✓ Exported 3 files')
    await leave(repl)
    const text = fs.readFileSync(join(novel.folder, 'exports', 'my-novel.md'), 'utf8')
    expect(text).toMatch(/^# The Bell Ringer\n\nfor Greta\n\n## Chapter 1/)
  })
})

describe('edit', () => {
  test('replaces the feedback: in the prompts, in the commit and in the history', async () => {
    const novel = newNovel({ chapters: 3, steps: [plan, write('pale'), rejects, plan, write(), approves, describeIt] })
    const repl = await openAt(novel)
    await repl.say('> ', 'Make it pale')
    await repl.say('edit): ', 'edit')
    await repl.sees('Your feedback: Make it pale')
    repl.type('\u0015')
    await repl.say('Your feedback: ', 'Make it grey and a cat')
    await repl.say('skip): ', 'skip')
    await repl.say('(yes/no/diff): ', 'yes')
    await repl.sees('✓ Git commit: "[chapters] Make it grey and a cat"')
    await leave(repl)
    const prompts = novel.calls('You revise a written work')
    expect(prompts[1]).toMatchObject({ prompt: expect.stringContaining('<feedback>\nMake it grey and a cat\n') })
    expect(JSON.stringify(prompts[1])).not.toContain('Make it pale')
    expect(novel.git('log', '-1', '--format=%s')).toBe('[chapters] Make it grey and a cat')
    expect(novel.read('chapter-beats/iteration_history.json')).toContain('"feedback": "Make it grey and a cat"')
  })
})

describe('/diff', () => {
  test('shows what was saved: neither rejected changes nor those that were not accepted', async () => {
    const novel = newNovel({ chapters: 3, steps: [...steps, ...steps] })
    const repl = await openAt(novel)
    await repl.say('> ', 'Make it grey')
    await repl.say('skip): ', 'skip')
    await repl.say('(yes/no/diff): ', 'accept C9')
    await repl.sees('There is no C9. The changes are C1, C2')
    await repl.say('(yes/no/diff): ', 'accept C2')
    await repl.sees('partly accepted')
    await repl.say('> ', 'Make it grey')
    await repl.say('skip): ', 'skip')
    await repl.say('(yes/no/diff): ', 'no')
    await repl.say('> ', '/diff')
    await repl.sees('Chapter 3 greyer')
    expect(repl.after()).not.toContain('Chapter 2 greyer')
    await repl.say('skip): ', 'skip')
    await leave(repl)
  })
})

test('pawl answer some needs the changes, and takes them with --pick', async () => {
  const novel = newNovel({ chapters: 3, steps })
  const words = ['write', novel.name, '--target', 'chapters', '--feedback', 'Make it grey', '--model', novel.model]
  expect((await startPawl(novel, words)).code).toBe(10)
  const { id } = listRuns(novel)[0]!
  await startPawl(novel, ['answer', id, 'some'])
  expect((await startPawl(novel, ['resume', id])).code).toBe(10)
  await startPawl(novel, ['answer', id, 'some', '--pick', 'C2'])
  expect((await startPawl(novel, ['resume', id])).code).toBe(0)
  expect([novel.read(chapter(2)), novel.read(chapter(3))]).toEqual([beats(2), beats(3, 'grey')])
})

describe('at the prompt', () => {
  test('what is typed while a model writes answers no question, and Ctrl-C still stops', async () => {
    const novel = newNovel({ chapters: 3, steps: [plan, write('grey', { delay_ms: 600 }), approves, describeIt] })
    const repl = await openAt(novel)
    await repl.say('> ', 'Make it grey')
    await until(() => novel.calls('You revise a written work').length === 1, 'the call')
    repl.type('abort\r')
    await repl.say('skip): ', 'skip')
    await repl.say('(yes/no/diff): ', 'yes')
    await repl.sees('✓ Iteration complete')
    expect(repl.raw()).not.toContain('abort\r\n')
    await leave(repl)
  })

  test('the words of commands, yes and no, and pasted commands start no iteration', async () => {
    const novel = newNovel({ chapters: 2, steps })
    const repl = await openAt(novel)
    await repl.say('> ', 'exit')
    await repl.sees('[Error: Did you mean /exit?]')
    await repl.say('> ', 'yes')
    await repl.sees('[Error: No question is open]')
    await repl.sees('> ')
    repl.type('\u001b[200~/status\n/stats\nMake it grey\u001b[201~\r')
    await repl.sees('[Error: a command is one line; nothing was done]')
    await leave(repl)
    expect(novel.calls('')).toEqual([])
  })

  test('a question that is resumed says again what it is about', async () => {
    const novel = newNovel({ chapters: 3, steps: [plan, write('pale'), rejects] })
    const repl = await openAt(novel)
    await repl.say('> ', 'Make it grey')
    await repl.sees('edit): ')
    repl.type('\u0003')
    await repl.sees('Press Ctrl-C again within 2 s to leave this question')
    await repl.say('edit): ', '/exit')
    await repl.sees('stays open')
    await repl.say('> ', '/resume')
    await repl.sees('Feedback: "Make it grey"')
    await repl.sees('The judge said:')
    await repl.say('edit): ', 'abort')
    await leave(repl)
  })
})

test('where the person edited meanwhile, the new text is kept beside', async () => {
  const novel = newNovel({ chapters: 3, steps: [plan, write('grey', { delay_ms: 500 }), approves, describeIt] })
  const repl = await openAt(novel)
  await repl.say('> ', 'Make it grey')
  await until(() => novel.calls('You revise a written work').length === 1, 'the call')
  novel.write(chapter(3), 'MINE\n')
  await repl.say('skip): ', 'skip')
  await repl.say('(yes/no/diff): ', 'yes')
  await repl.sees('The new texts are in ')
  await repl.say('(retry/abort): ', 'abort')
  await leave(repl)
  const debug = join(novel.studio, '.pawl', 'debug', novel.name)
  const [folder] = fs.readdirSync(debug)
  expect(fs.readFileSync(join(debug, folder!, 'not_saved_chapter-beats_chapter-03.md'), 'utf8')).toBe(beats(3, 'grey'))
  expect(novel.read(chapter(3))).toBe('MINE\n')
})
