import { expect, test } from 'vitest'
import { computeDiff } from '../../../src/modes/writing/core/diff/compute.ts'
import { listLevelFiles } from '../../../src/modes/writing/core/level/levels.ts'
import { drafts, namedFile, novelFiles, ownEdit } from '../../../src/setup/demo/novel.ts'
import { novel } from '../../modes/writing/built-in.ts'

test('the scripted description names each changed passage and quotes it word for word', () => {
  const prose = novel.levels.find(({ id }) => id === 'prose')!
  const inProject = (path: string): string => path.slice('lamp/'.length)
  const texts = Object.entries({ ...novelFiles, [ownEdit.path]: ownEdit.text })
  const before = new Map(texts.map(([path, text]) => [inProject(path), text]))
  const after = new Map([...before, [inProject(namedFile), drafts.after] as const])
  const files = listLevelFiles(prose, [...before.keys()])
  const { units, hunks } = computeDiff({
    units: files.map(({ path, kind, label }) => ({ path, kind, label, format: prose.format })),
    before,
    after,
  })
  const { change } = drafts
  expect(change.hunks).toEqual(hunks.map(({ id }) => id))
  expect(change.units).toEqual(units.filter(({ status }) => status !== 'unchanged').map(({ id }) => id))
  for (const { side, quote } of change.evidence)
    expect(hunks.map((hunk) => hunk[side as 'before' | 'after'].text).join('\n')).toContain(quote)
})
