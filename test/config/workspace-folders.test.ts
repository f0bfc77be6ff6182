import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkWorkspaceFolders } from '../../src/config/workspace-folders.ts'
import { PawlError } from '../../src/contract/exit.ts'
import { newFolder } from '../support/folder.ts'

const refusalOf = (workspace: string): unknown => {
  try {
    return checkWorkspaceFolders(workspace, '.rooda')
  } catch (error) {
    return error
  }
}

test('folders that are there, missing or behind a link are fine', () => {
  const workspace = newFolder()
  expect(refusalOf(workspace)).toBeUndefined()
  mkdirSync(join(workspace, '.rooda', 'state'), { recursive: true })
  mkdirSync(join(workspace, 'elsewhere'))
  symlinkSync('../elsewhere', join(workspace, '.rooda', 'runs'))
  expect(refusalOf(workspace)).toBeUndefined()
})

test.each(['.rooda', '.rooda/state', '.rooda/runs'])(
  'a file or a dead link in the place of %s is named with what to do: 30',
  (path) => {
    for (const put of [
      (at: string) => writeFileSync(at, ''),
      (at: string) => symlinkSync('nowhere', at),
      (at: string) => symlinkSync(at, at),
    ]) {
      const workspace = newFolder()
      if (path !== '.rooda') mkdirSync(join(workspace, '.rooda'))
      put(join(workspace, path))
      const refusal = refusalOf(workspace)
      expect(refusal).toBeInstanceOf(PawlError)
      expect(refusal).toMatchObject({ exit: 30, hint: `Move it away, then try again: mv ${path} ${path}.old` })
      expect((refusal as Error).message).toContain(`${path} is `)
    }
  },
)
