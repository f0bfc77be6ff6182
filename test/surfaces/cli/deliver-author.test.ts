import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorkspace } from './pawl.ts'

const prd = '## Acceptance Criteria\n\n- **AC-01:** made.txt is there.\n'

/** A person of whom git knows nothing. */
function newRepository() {
  const here = newWorkspace({
    config: { agent: 'scripted', agent_script: 'agent.yml' },
    agent: [{ output: 'done\n', write: { 'made.txt': 'made\n' } }],
    env: { GIT_CONFIG_NOSYSTEM: '1' },
  })
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: here.workspace, env: here.env, encoding: 'utf8' }).trim()
  writeFileSync(join(here.workspace, 'prd.md'), prd)
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=person', '-c', 'user.email=person@example.com', 'commit', '--quiet', '-m', 'begin')
  const deliver = (...words: string[]) =>
    here.run('deliver', 'prd.md', '--verify', 'test -f made.txt', '--trust', ...words)
  return { ...here, git, deliver }
}

test('a commit that nobody could sign is refused before anything is spent', async () => {
  const { workspace, deliver } = newRepository()
  const { code, err } = await deliver()
  expect(code).toBe(10)
  // What it would have done is shown all the same, and first.
  expect(err).toMatch(/made\.txt is there\.[\s\S]*git does not know who you are[\s\S]*--author[\s\S]*--no-commit/)
  expect(existsSync(join(workspace, '.pawl', 'runs'))).toBe(false)
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false)
})

test('an author on the command line, or no commit at all, is enough', async () => {
  const signed = newRepository()
  expect(await signed.deliver('--author', 'Ada <ada@example.com>')).toMatchObject({ code: 0 })
  expect(signed.git('log', '--format=%an %s')).toBe('Ada S1: made.txt is there.\nperson begin')
  const kept = newRepository()
  expect(await kept.deliver('--no-commit')).toMatchObject({ code: 0 })
  expect(kept.git('log', '--format=%s')).toBe('begin')
})
