import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorkspace } from './pawl.ts'

const prd = '## Acceptance Criteria\n\n- **AC-01:** S1.txt is there.\n'

test('no command that only looks runs a program that a repository names', async () => {
  const { root, workspace, run, env } = newWorkspace({
    config: { agent: 'scripted', agent_script: 'agent.yml' },
    agent: [{ write: { 'S1.txt': 'done\n' } }],
  })
  const owned = join(root, 'owned')
  fs.mkdirSync(owned)
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: workspace, env, encoding: 'utf8' })
  const begin = [
    ['init', '-q', '-b', 'main'],
    ['config', 'user.name', 'A'],
    ['config', 'user.email', 'a@b.c'],
  ]
  for (const words of begin) git(...words)
  fs.writeFileSync(join(workspace, 'prd.md'), prd)
  fs.writeFileSync(join(workspace, 'a.txt'), 'one\n')
  fs.writeFileSync(join(workspace, '.gitattributes'), '*.txt filter=x diff=x merge=x\n')
  makeSubmodule(workspace, git)
  git('add', '.')
  git('commit', '-qm', 'first')
  // A signature that git would check if log.showSignature were obeyed.
  const signed = git('cat-file', 'commit', 'HEAD').replace(
    '\n\n',
    '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n',
  )
  const id = execFileSync('git', ['hash-object', '-w', '-t', 'commit', '--stdin'], {
    cwd: workspace,
    env,
    input: signed,
  })
  git('update-ref', 'HEAD', id.toString().trim())
  plant(workspace, owned, join(workspace, '.git', 'config'))
  plant(workspace, owned, join(workspace, '.git', 'modules', 'sub', 'config'))
  // Same size and another date, so that git has to compare the content, which is where filters run.
  fs.writeFileSync(join(workspace, 'a.txt'), 'two\n')
  fs.writeFileSync(join(workspace, 'sub', 'b.txt'), 'two\n')

  const words = [
    ['doctor'],
    ['init', '--yes'],
    ['config'],
    ['plan', 'prd.md'],
    ['run', 'build', '-n', '1', '--trust'],
    ['deliver', 'prd.md', '--verify', 'test -f S1.txt', '--trust', '--dirty', 'include'],
    ['ls'],
    ['show'],
    ['why'],
    ['logs'],
    ['undo'],
  ]
  for (const one of words) {
    const { code, err } = await run(...one)
    expect([one, fs.readdirSync(owned)]).toEqual([one, []])
    if (one[0] === 'deliver' || one[0] === 'doctor') expect([one, code, err]).toEqual([one, 0, expect.anything()])
  }
})

function makeSubmodule(workspace: string, git: (...args: string[]) => string): void {
  const source = join(workspace, '..', 'source')
  git('init', '-q', '-b', 'main', source)
  fs.writeFileSync(join(source, 'b.txt'), 'one\n')
  fs.writeFileSync(join(source, '.gitattributes'), '*.txt filter=x diff=x\n')
  git('-C', source, 'add', '.')
  git('-C', source, '-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-qm', 'first')
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'sub')
}

/** Names a program wherever git's config can name one. Each leaves a file with the name of its key. */
function plant(workspace: string, owned: string, config: string): void {
  const hooks = join(workspace, '..', 'hooks')
  fs.mkdirSync(hooks, { recursive: true })
  for (const name of ['pre-commit', 'post-commit', 'post-index-change', 'reference-transaction', 'post-checkout']) {
    fs.writeFileSync(join(hooks, name), `#!/bin/sh\n: >${owned}/hook-${name}\n`, { mode: 0o755 })
  }
  const program = (key: string): string => {
    const path = join(workspace, '..', `run-${key}`)
    fs.writeFileSync(path, `#!/bin/sh\n: >${owned}/${key}\ncat\n`, { mode: 0o755 })
    return path
  }
  const included = `${config}.included`
  fs.writeFileSync(included, settings(program, keys.slice(8)))
  fs.appendFileSync(
    config,
    `${settings(program, keys.slice(0, 8))}[core]\n\thooksPath = ${hooks}\n[log]\n\tshowSignature = true\n`,
  )
  fs.appendFileSync(config, `[include]\n\tpath = ${included}\n`)
}

const keys = [
  ['filter "x"', 'clean'],
  ['filter "x"', 'smudge'],
  ['core', 'fsmonitor'],
  ['diff', 'external'],
  ['diff "x"', 'textconv'],
  ['diff "x"', 'command'],
  ['merge "x"', 'driver'],
  ['gpg', 'program'],
  ['filter "y"', 'process'],
  ['core', 'sshCommand'],
  ['core', 'editor'],
  ['core', 'pager'],
  ['core', 'askPass'],
  ['core', 'gitProxy'],
  ['core', 'alternateRefsCommand'],
  ['sequence', 'editor'],
  ['pager', 'log'],
  ['pager', 'status'],
  ['credential', 'helper'],
  ['interactive', 'diffFilter'],
  ['alias', 'status'],
  ['alias', 'log'],
  ['alias', 'config'],
  ['alias', 'version'],
  ['trailer "x"', 'command'],
  ['uploadpack', 'packObjectsHook'],
  ['submodule "sub"', 'update'],
] as const

const settings = (program: (key: string) => string, list: readonly (readonly [string, string])[]): string =>
  list
    .map(([section, key]) => {
      const bang = section === 'alias' || section.startsWith('submodule') || section === 'credential' ? '!' : ''
      return `[${section}]\n\t${key} = ${bang}${program(`${section}.${key}`.replace(/[" ]/g, ''))}\n`
    })
    .join('')
