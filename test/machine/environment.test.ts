import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readEnvironment } from '../../src/machine/environment.ts'
import { newFolder } from '../support/folder.ts'

afterEach(() => void vi.restoreAllMocks())

/** An outer repository with a config, a repository inside it, and a folder in each. */
function newRepositories(): string {
  const outer = newFolder()
  for (const folder of ['.git', '.pawl', 'docs', 'inner/.git', 'inner/docs'])
    fs.mkdirSync(join(outer, folder), { recursive: true })
  fs.writeFileSync(join(outer, '.pawl', 'config.yml'), '{}\n')
  return outer
}

test.each([
  ['docs', '.'],
  ['.', '.'],
  ['inner', 'inner'],
  ['inner/docs', 'inner/docs'],
])('in %s the workspace is %s: a config above a repository does not count', (cwd, workspace) => {
  const outer = newRepositories()
  vi.spyOn(process, 'cwd').mockReturnValue(join(outer, cwd))
  expect(readEnvironment('pawl').cwd).toBe(join(outer, workspace))
})
