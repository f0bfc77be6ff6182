import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPerson } from './person.ts'

test('a story that is undone is no longer done: the journal has it, and the same command does it again', async () => {
  const { deliver, run, titles, journal, workspace, tries, git } = newPerson()
  expect(await deliver()).toMatchObject({ code: 0 })
  expect(await run('undo', 'letters', 'S2')).toMatchObject({ code: 0, out: expect.stringContaining('no longer done') })
  expect(fs.existsSync(join(workspace, 'S2'))).toBe(false)
  expect(JSON.stringify(journal())).toContain('"undone":"S2"')
  const { out } = await run('show', 'letters')
  expect(out).toMatch(/S2 +pending/)
  expect(out).toMatch(/S2: undone by /)
  expect(out).not.toContain('all stories are done')
  const again = await deliver()
  expect([again.code, fs.existsSync(join(workspace, 'S2'))]).toEqual([0, true])
  expect(tries()).toEqual(['S1 1', 'S2 1', 'S2 2'])
  expect(titles().filter((title) => title.startsWith('S2: '))).toHaveLength(2)
  expect(git('log', '-1', '--format=%(trailers:only)')).toMatch(/^Pawl-Run: .*\nPawl-Story: S2\nPawl-Round: again-1$/)
  expect(await deliver()).toMatchObject({ code: 0 })
  expect(tries()).toHaveLength(3)
})

test('a story that was reset away or reverted is planned again, and the person is told', async () => {
  const { deliver, run, git, workspace, tries } = newPerson()
  expect(await deliver()).toMatchObject({ code: 0 })
  git('reset', '--quiet', '--hard', 'HEAD~1')
  const again = await deliver()
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('S2 is no longer in the branch') })
  expect([tries(), fs.existsSync(join(workspace, 'S2'))]).toEqual([['S1 1', 'S2 1', 'S2 2'], true])
  git('revert', '--no-edit', 'HEAD')
  const more = await run('resume', 'letters', '--max-time', '1h')
  expect(more).toMatchObject({ code: 0, out: expect.stringContaining('S2 is no longer in the branch') })
  expect(tries().at(-1)).toBe('S2 3')
})

test('a repository that ignores the folder of the runs is delivered like any other', async () => {
  const { deliver, titles } = newPerson({ ignore: '.pawl/\n' })
  expect(await deliver()).toMatchObject({ code: 0 })
  expect(titles()).toEqual(['S2: The file `S2` is there.', 'S1: The file `S1` is there.', 'begin'])
})

test('without a story, undo takes back the one that was committed last; a story that later work builds on names that work', async () => {
  const { deliver, run, git, workspace } = newPerson()
  expect(await deliver()).toMatchObject({ code: 0 })
  expect(await run('undo', 'letters', 'S1')).toMatchObject({ code: 0 })
  expect(await deliver()).toMatchObject({ code: 0 })
  expect(await run('undo', 'letters')).toMatchObject({ code: 0, out: expect.stringContaining('S1') })
  fs.appendFileSync(join(workspace, 'S2'), 'mine\n')
  git('commit', '--quiet', '--all', '-m', 'a line of mine')
  expect(await run('undo', 'letters', 'S2')).toMatchObject({
    code: 10,
    err: expect.stringMatching(/build on it in S2: undo those first \([0-9a-f]+ a line of mine\)/),
  })
})

test('show says that commits after the run are included in what changed', async () => {
  const { deliver, run, git } = newPerson()
  expect(await deliver()).toMatchObject({ code: 0 })
  expect((await run('show', 'letters')).out).not.toContain('later changes are included')
  git('commit', '--quiet', '--allow-empty', '-m', 'mine')
  expect((await run('show', 'letters')).out).toContain('later changes are included')
})
