import * as fs from 'node:fs'
import { basename } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exitOf, startPawl } from '../torture/kill.ts'
import { newThreeStories } from '../torture/three-stories.ts'
import { needs } from './faulty.ts'

const parts = ['a.txt', 'b.txt', 'c.txt']

test('killed while the work of an abandoned story is put away: all of it is kept, and none is in the way', async (context) => {
  needs(context, 'strace')
  const half = `[ "$PAWL_STORY_ID" = S1 ] && { for part in ${parts.join(' ')}; do echo half >$part; done; exit 0; }`
  const { root, repo, at, git, words, runFolders, remove } = newThreeStories('deliver', { moreAgent: half })
  onTestFinished(remove)
  const call = (before: readonly string[] = []): Promise<number | null> =>
    exitOf(startPawl({ cwd: repo, home: root, before }, [...words, '--attempts', '1']))
  const second = ['-P', at('b.txt'), '-e', 'trace=/^unlink', '-e', 'inject=/^unlink:signal=KILL']
  expect(await call(['strace', '-qq', '-o', '/dev/null', ...second])).toBe(null)
  expect(parts.filter((part) => fs.existsSync(at(part)))).toEqual(['b.txt', 'c.txt'])

  expect(await call()).toBe(30)
  const ref = `refs/pawl/${basename(runFolders()[0]!)}/S1-abandoned-1`
  expect(parts.map((part) => git('show', `${ref}:${part}`))).toEqual(['half', 'half', 'half'])
  expect([git('status', '--porcelain'), git('log', '-1', '--format=%s')]).toEqual(['', 'S3: Write the third file.'])
})
