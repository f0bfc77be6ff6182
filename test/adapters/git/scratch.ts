import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createRepository } from '../../../src/adapters/git/repository.ts'
import { capture } from '../../../src/adapters/shell/capture.ts'
import type { Look } from '../../../src/ports/repository.ts'

/** A scratch folder, and with `git` a repository of one commit in it. */
export function newFolder({ git: asRepository = true, format = 'sha1' } = {}) {
  const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'pawl-git-')))
  const folder = join(home, 'répo')
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }))
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always']
  const env = { PATH: process.env.PATH!, HOME: home, LC_ALL: 'C' }
  const gitIn = (cwd: string, ...args: string[]): string =>
    execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const git = (...args: string[]): string => gitIn(folder, ...args)
  const write = (path: string, text: string | Buffer): void => {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true })
    fs.writeFileSync(join(folder, path), text)
  }
  const commit = (subject: string): string => {
    git('add', '-A')
    git('commit', '-q', '-m', subject)
    return git('rev-parse', 'HEAD')
  }
  const repository = (at = folder, from: NodeJS.ProcessEnv = env) =>
    createRepository({ folder: at, env: from, capture })
  const look = async (at?: string): Promise<Look> => {
    const found = await repository(at).look()
    if (!found) throw new Error('unknown')
    return found
  }
  fs.mkdirSync(folder)
  if (asRepository) {
    git('init', '-q', '-b', 'main', `--object-format=${format}`)
    write('.gitignore', 'ignored/\n*.log\n')
    write('a.txt', 'one\n')
    write('sub/b.txt', 'two\n')
    commit('first')
  }
  return { home, folder, env, git, gitIn, write, commit, repository, look, at: (path: string) => join(folder, path) }
}
