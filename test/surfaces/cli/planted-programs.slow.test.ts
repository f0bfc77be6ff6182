import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { probeBubblewrap } from '../../../src/adapters/shell/shell.ts'
import { newWorkspace } from './pawl.ts'

const names =
  'git bwrap sh true env ps setsid nohup sleep claude codex opencode notify-me git-status less vi ssh'.split(' ')
const prd = '## Acceptance Criteria\n\n- **AC-01:** S1.txt is there.\n'

test('no command runs a program outside the sandbox that an agent could have planted', async (context) => {
  if ((await probeBubblewrap()) === null) context.skip('bubblewrap does not work here')
  const { root, workspace, run, env } = newWorkspace({
    config: { agent: 'scripted', agent_script: 'agent.yml', notify: 'notify-me' },
    agent: [{ write: { 'S1.txt': 'done\n' }, output: 'done\n' }],
    // The programs that it plants are found there, too.
    elsewhere: false,
  })
  const owned = join(root, 'owned')
  const planted = join(workspace, 'node_modules', '.bin')
  for (const folder of [owned, planted, join(root, 'tmp')]) fs.mkdirSync(folder, { recursive: true })
  // Inside the sandbox this folder cannot be written, so only what runs outside leaves a file.
  for (const name of names) {
    const script = `#!/bin/sh\n: >${owned}/${name}\nexit 0\n`
    for (const folder of [workspace, planted]) fs.writeFileSync(join(folder, name), script, { mode: 0o755 })
  }
  fs.writeFileSync(join(workspace, 'prd.md'), prd)
  const begin = 'git init -q && git config user.name A && git config user.email a@b.c && git add . && git commit -qm 0'
  execFileSync('/bin/sh', ['-c', begin], { cwd: workspace })
  // As under npm run, with an entry that means the current folder on both sides.
  Object.assign(env, { PATH: `:.:${planted}:${process.env.PATH}:`, TMPDIR: join(root, 'tmp') })
  delete (env as Record<string, string>).PAWL_SANDBOX

  const ran = await run('run', 'build', '-n', '1', '--trust')
  expect([ran.code, ran.err]).toEqual([0, expect.not.stringContaining('bubblewrap failed')])
  const delivered = await run('deliver', 'prd.md', '--verify', 'test -f S1.txt', '--trust', '--dirty', 'include')
  for (const words of [['doctor'], ['ls'], ['show'], ['config'], ['plan', 'prd.md'], ['init', '--yes']]) {
    await run(...words)
  }
  expect(fs.readdirSync(owned)).toEqual([])
  // The person's own command found no program either, because only a planted one has that name.
  expect([delivered.code, delivered.err]).toEqual([0, expect.stringContaining('the notify command failed (exit 127)')])
})

test('a git that only an agent could have put there is refused by name, with the way out', async () => {
  const { root, workspace, run, env } = newWorkspace({
    config: { agent: 'scripted', agent_script: 'agent.yml' },
  })
  const [planted, nodeOnly] = [join(workspace, 'node_modules', '.bin'), join(root, 'bin')]
  for (const folder of [planted, nodeOnly, join(root, 'tmp')]) fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(join(planted, 'git'), `#!/bin/sh\n: >${root}/owned\n`, { mode: 0o755 })
  fs.symlinkSync(process.execPath, join(nodeOnly, 'node'))
  fs.mkdirSync(join(workspace, '.git'))
  fs.writeFileSync(join(workspace, 'prd.md'), prd)
  Object.assign(env, { PATH: `${planted}:${nodeOnly}`, TMPDIR: join(root, 'tmp') })
  const refused = `${planted}/git is not used: an agent or another user could have written it`
  for (const words of [
    ['run', 'build', '-n', '1', '--trust'],
    ['deliver', 'prd.md', '--verify', 'true', '--trust'],
    ['doctor'],
    ['demo'],
  ]) {
    const { out, err } = await run(...words)
    expect([words[0], out + err]).toEqual([words[0], expect.stringContaining(refused)])
  }
  expect(fs.existsSync(join(root, 'owned'))).toBe(false)
})

test('a copy of the program in the repository is warned about, by doctor and at the start of a run', async () => {
  const { workspace, env } = newWorkspace()
  const copy = join(workspace, 'node_modules', 'pawl')
  const at = (...words: string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: workspace, env, encoding: 'utf8' })
    return stdout + stderr
  }
  for (const name of ['bin', 'dist', 'package.json']) {
    fs.cpSync(join(projectRoot, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  }
  const [own, elsewhere] = [copy, projectRoot].map((folder) => join(folder, 'bin', 'pawl.cjs')) as [string, string]
  expect(at(own, 'doctor')).toContain('agents can change the program that supervises them')
  expect(at(elsewhere, 'doctor')).not.toContain('agents can change the program')
  expect(at(own, 'run', 'build', '-n', '1', '--trust')).toContain('this program is installed in the folder')
  expect(at(elsewhere, 'run', 'build', '-n', '1', '--trust')).not.toContain('this program is installed')
})

const projectRoot = join(import.meta.dirname, '..', '..', '..')
