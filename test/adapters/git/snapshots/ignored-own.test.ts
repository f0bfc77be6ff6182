import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTool } from '../../../../src/adapters/git/snapshots/tool.ts'
import type { Capture } from '../../../../src/ports/capture.ts'
import { newFolder } from '../scratch.ts'
import { newRepository } from './scratch.ts'

type Repository = ReturnType<typeof newRepository>
const append = (path: string, line: string): void => {
  fs.mkdirSync(join(path, '..'), { recursive: true })
  fs.appendFileSync(path, `${line}\n`)
}

const places: Readonly<Record<string, (repository: Repository, home: string) => void>> = {
  '.gitignore: .pawl/': ({ at }) => append(at('.gitignore'), '.pawl/'),
  '.gitignore: .pawl': ({ at }) => append(at('.gitignore'), '.pawl'),
  '.gitignore: /.pawl/runs/': ({ at }) => append(at('.gitignore'), '/.pawl/runs/'),
  '.gitignore: .*': ({ at }) => append(at('.gitignore'), '.*'),
  '.pawl/.gitignore: *': ({ at }) => append(at('.pawl/.gitignore'), '*'),
  '.git/info/exclude': ({ at }) => append(at('.git/info/exclude'), '.pawl/'),
  'the excludesFile of the user': ({ git }, home) => {
    append(join(home, 'ignore'), '.pawl/')
    git('config', 'core.excludesFile', join(home, 'ignore'))
  },
}

test.each(Object.entries(places))("a run's folder may be ignored: %s", async (_, ignore) => {
  const repository = newRepository()
  const { at, write, open, folder, files } = repository
  write('.pawl/runs/1/result.json', '{}')
  write('.pawl/runs/1/prompt.md', 'x')
  ignore(repository, newFolder().folder)
  write('new.txt', 'n\n')
  const snapshots = open(folder, { ownFolders: [at('.pawl/runs/1')] })
  const taken = files(await snapshots.take())
  expect(taken).toContain('new.txt')
  expect(taken.filter((path) => path.startsWith('.pawl/runs'))).toEqual([])
})

test.each(['out/1', '[out]/1', '!out/1', '^out', '\\out/1', 'öut/1', '*', '?x/1', ']x'])(
  'an own folder is left out whatever its name, ignored or not: %s',
  async (name) => {
    const { at, write, open, folder, files } = newRepository()
    write(`${name}/result.json`, '{}')
    write('xout/1/kept.txt', 'k')
    const snapshots = open(folder, { ownFolders: [at(name)] })
    const expected = ['.gitignore', 'a.txt', 'sub/b.txt', 'xout/1/kept.txt']
    expect(files(await snapshots.take()).sort()).toEqual(expected)
    append(at('.gitignore'), '/*')
    append(at('.gitignore'), '!/xout')
    expect(files(await snapshots.take()).sort()).toEqual(expected)
  },
)

test('a submodule in an ignored folder stays as it is', async () => {
  const { at, write, git, commit, snapshots, files } = newRepository()
  const other = newRepository()
  git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.folder, 'vendor/other')
  append(at('.gitignore'), 'vendor/')
  commit('a submodule')
  write('vendor/other/a.txt', 'changed inside\n')
  expect(files(await snapshots.take())).toContain('vendor/other')
})

test("git's own words reach the user, also those that are neither fatal nor error", async () => {
  const { folder, env } = newRepository()
  const says = async (stderrTail: string): Promise<string> => {
    const capture: Capture = async () => ({ code: 1, stdout: Buffer.alloc(0), stderrTail })
    const tool = await openTool(folder, { capture, env, deadline: performance.now() + 60_000 })
    return tool.run(['add', '.']).then(String, (error: Error) => error.message)
  }
  expect(await says('The following paths are ignored:\n.pawl\nhint: Use -f\n')).toBe(
    'git add failed: The following paths are ignored:; .pawl',
  )
  expect(await says('warning: x\nfatal: bad index\n')).toBe('git add failed: fatal: bad index')
  expect(await says('')).toBe('git add failed: exit code 1')
})
