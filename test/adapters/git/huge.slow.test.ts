import * as fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isWhole } from '../../support/sample.ts'
import { newFolder } from './scratch.ts'

describe.runIf(isWhole)('a huge repository', () => {
  test('says unknown for a huge untracked tree, with and without git, and a broken repository is walked', async () => {
    const { at, repository, folder } = newFolder()
    fs.mkdirSync(at('huge'))
    for (let index = 0; index <= 20_000; index++) fs.writeFileSync(at(`huge/${index}`), '')
    expect(await repository().look()).toBeUndefined()
    expect(await repository(at('huge')).look()).toBeUndefined()
    fs.rmSync(at('.git'), { recursive: true })
    expect(await repository(folder).look()).toBeUndefined()
    fs.rmSync(at('huge'), { recursive: true })
    fs.writeFileSync(at('.git'), 'gitdir: nowhere\n')
    expect(await repository(folder).look()).toMatchObject({ head: null })
  })

  test('lists are cut, totals are not', async () => {
    const { git, repository, write, commit } = newFolder()
    const base = git('rev-parse', 'HEAD')
    for (let index = 0; index < 600; index++) write(`many/${index}`, 'x\n')
    commit('many')
    for (let index = 0; index < 205; index++) git('commit', '-q', '--allow-empty', '-m', `c${index}`)
    const changes = await repository().changesSince(base)
    expect(changes).toMatchObject({ totalCommits: 206, totalFiles: 600, added: 600 })
    expect([changes?.commits.length, changes?.files.length]).toEqual([200, 500])
    expect(changes?.commits[0]?.subject).toBe('c204')
  })
})
