import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { beats, file, newNovel, says } from '../support/novel.ts'
import { dyingAt, listRuns, startPawl, writeAnswers } from '../support/program.ts'
import { openRepl } from '../support/terminal.ts'

type Novel = ReturnType<typeof newNovel>

const changed = [2, 3].map((number) => `chapter-beats/${file(number)}`)

const wordsOf = (novel: Novel): string[] => {
  const answers = writeAnswers(novel, { cull: 'cull-all', judge: 'yes', accept: 'yes', provider: 'abort' })
  const words = ['write', novel.name, '--target', 'chapters', '--feedback', 'Make it grey']
  return [...words, '--answers', answers, '--model', novel.model]
}

/** A process that was killed while it saved an accepted iteration, right after a file had got its name. */
async function newHalfSaved(name: string): Promise<Novel> {
  const novel = newNovel({
    chapters: 4,
    prose: 2,
    steps: [
      says.plan([{ name: file(2) }, { name: file(3) }]),
      says.write({ [file(2)]: beats(2, 'grey'), [file(3)]: beats(3, 'grey') }),
      says.judge('approved', 'Good.'),
      says.describe({}),
    ],
  })
  const { code } = await startPawl(novel, wordsOf(novel), { fatal: `name ${name}` })
  expect([code, novel.git('log', '--format=%s')]).toEqual([null, 'Import'])
  expect(novel.git('status', '--short')).toContain(changed[0])
  return novel
}

function expectSavedOnce(novel: Novel): void {
  const { id } = listRuns(novel)[0]!
  expect(changed.map(novel.read)).toEqual([beats(2, 'grey'), beats(3, 'grey')])
  expect(fs.existsSync(join(novel.folder, 'chapters'))).toBe(false)
  expect(novel.git('log', '--format=%s|%(trailers:key=Iteration-Id,valueonly,separator=%x2c)')).toBe(
    `[chapters] Make it grey|${id}\nImport|`,
  )
  const { iterations } = JSON.parse(novel.read('chapter-beats/iteration_history.json')) as {
    iterations: { iteration_id: string }[]
  }
  expect(iterations.map(({ iteration_id }) => iteration_id)).toEqual([id])
  expect(novel.git('status', '--short')).toBe('')
}

test('/undo that is killed is finished by /undo, and leaves no temporary file', async () => {
  const novel = await newHalfSaved(file(2))
  expect((await startPawl(novel, ['resume', listRuns(novel)[0]!.id])).code).toBe(0)
  const killed = openRepl(
    { ...novel, env: { ...novel.env, ...dyingAt(`name ${file(1)}`) } },
    ['write', novel.name],
    'pawl',
  )
  await killed.say('> ', '/undo')
  await killed.ended
  expect(fs.readdirSync(join(novel.folder, 'chapters'))).toContainEqual(expect.stringMatching(/\.part$/))
  const repl = openRepl(novel, ['write', novel.name], 'pawl')
  await repl.say('> ', '/undo')
  await repl.sees('To bring it back: /redo')
  await repl.say('> ', '/exit')
  await repl.ended
  expect(changed.map(novel.read)).toEqual([beats(2), beats(3)])
  expect(fs.readdirSync(join(novel.folder, 'chapters'))).toEqual([file(1), file(2)])
  expect(novel.git('status', '--short')).toBe('')
})

describe('an iteration whose process died while it was saved', () => {
  for (const name of [file(2), 'iteration_history.json', 'sources.json'])
    test(`right after ${name} was written: resume makes the one commit`, async () => {
      const novel = await newHalfSaved(name)
      expect((await startPawl(novel, ['resume', listRuns(novel)[0]!.id])).code).toBe(0)
      expectSavedOnce(novel)
    })

  test('is finished when the session is opened again', async () => {
    const novel = await newHalfSaved(file(2))
    const repl = openRepl(novel, ['write', novel.name], 'pawl')
    await repl.sees('An accepted iteration was not saved to its end. Finishing it.')
    await repl.say('> ', '/exit')
    await repl.ended
    expectSavedOnce(novel)
  })

  test('is finished when its project is opened in a session about several', async () => {
    const novel = await newHalfSaved('sources.json')
    fs.cpSync(novel.folder, join(novel.studio, 'zz-other'), { recursive: true })
    novel.write('../zz-other/project.yaml', 'name: zz-other\ntype: novel\ncreated_at: "2026"\n')
    const repl = openRepl(novel, ['write'], 'pawl')
    await repl.say('> ', '/open my-novel')
    await repl.sees('Finishing it.')
    await repl.say('> ', '/exit')
    await repl.ended
    fs.rmSync(join(novel.studio, 'zz-other'), { recursive: true })
    expectSavedOnce(novel)
  })

  test('is not taken for own edits: another iteration is refused until it is finished', async () => {
    const novel = await newHalfSaved(file(2))
    const { id } = listRuns(novel)[0]!
    const { code, err } = await startPawl(novel, wordsOf(novel))
    expect([code, err]).toEqual([
      10,
      expect.stringMatching(`was not saved to its end\nTo finish it: pawl resume ${id}`),
    ])
    expect(novel.git('log', '--format=%s')).toBe('Import')
    expect((await startPawl(novel, ['resume', id])).code).toBe(0)
    expectSavedOnce(novel)
  })
})
