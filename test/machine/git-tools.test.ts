import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMachine } from '../../src/machine/open-machine.ts'
import { newFolder } from '../support/folder.ts'

function openGit() {
  const home = newFolder()
  const env = { PATH: process.env.PATH!, HOME: home }
  const stateFolder = join(home, 'state')
  const { git } = openMachine({ program: 'pawl', cwd: home, env, home, folder: '.pawl', stateFolder }, { modes: [] })
  const ask = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8' }).trim()
  return { home, git, ask }
}

test('a new repository is on main and has no hooks, whatever the user has configured, also inside another one', async () => {
  const { home, git, ask } = openGit()
  fs.mkdirSync(join(home, 'template', 'hooks'), { recursive: true })
  fs.writeFileSync(join(home, 'template', 'hooks', 'pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  ask(home, 'config', '--global', 'init.templateDir', join(home, 'template'))
  ask(home, 'config', '--global', 'init.defaultBranch', 'trunk')
  ask(home, 'init', '-q')
  const folder = join(home, 'notes')
  fs.mkdirSync(folder)
  await git.createRepository(folder)
  expect(ask(folder, 'rev-parse', '--show-toplevel')).toBe(fs.realpathSync(folder))
  expect(ask(folder, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
  expect(fs.existsSync(join(folder, '.git', 'hooks'))).toBe(false)
  expect(ask(folder, 'config', '--local', '--list')).not.toMatch(/worktree|template/)
})

test('the first commit of a new repository, and creating it again changes nothing', async () => {
  const { home, git, ask } = openGit()
  await expect(git.openPathCommits(home)).rejects.toThrow(/not in a git repository/)
  await git.createRepository(home)
  const paths = await git.openPathCommits(home)
  const id = await paths.commit({
    changes: [{ path: 'a.md', content: Buffer.from('a\n') }],
    subject: 'first',
    trailers: { 'Pawl-Step': '1' },
    author: { name: 'Ada', email: 'ada@example.com' },
  })
  ask(home, 'switch', '-q', '-c', 'other')
  ask(home, 'config', 'core.fileMode', 'false')
  const config = fs.readFileSync(join(home, '.git', 'config'), 'utf8')
  await git.createRepository(home)
  const side = join(home, 'side')
  ask(home, 'worktree', 'add', '-q', side)
  await git.createRepository(side)
  expect(ask(side, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('side')
  expect([ask(home, 'rev-parse', 'HEAD'), ask(home, 'symbolic-ref', '--short', 'HEAD')]).toEqual([id, 'other'])
  expect(fs.readFileSync(join(home, '.git', 'config'), 'utf8')).toBe(config)
})

test('what a power loss has left of a new repository is completed', async () => {
  const { home, git, ask } = openGit()
  await git.createRepository(home)
  fs.rmSync(join(home, '.git', 'HEAD'))
  await git.createRepository(home)
  expect(ask(home, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
})
