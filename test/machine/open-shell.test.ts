import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openShell } from '../../src/machine/shell.ts'
import { confines } from '../adapters/shell/confine-helpers.ts'
import { programAt } from '../support/runs.ts'
import { newWorkspace } from '../surfaces/cli/pawl.ts'

const files = ['request.json', 'plan.json', 'result.json', 'progress.ndjson', 'lease-2', 'inbox/1.json']

/** A run's folder as a person may name it, and the shell that all commands of the run go through. */
async function open(run: string, env: (home: string) => Record<string, string> = () => ({}), folders: string[] = []) {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'pawl-open-')))
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
  const [workspace, home, dir] = [join(root, 'repo'), join(root, 'home'), join(root, run)]
  const inRun = ['attempts', 'hand-over', 'inbox'].map((name) => join(dir, name))
  const inHome = ['.cache/state/pawl/trust', ...folders].map((name) => join(home, name))
  for (const folder of [...inRun, workspace, ...inHome]) {
    fs.mkdirSync(folder, { recursive: true })
  }
  for (const name of files.slice(0, 4)) fs.writeFileSync(join(dir, name), '{}\n')
  const { environment } = programAt(workspace, home, { PATH: process.env.PATH, ...env(home) }).machine
  const shell = await openShell(environment, {
    workspace,
    folder: dir,
    sandbox: 'required',
    secrets: [],
    kill: new AbortController().signal,
    agents: [{ name: 'command', argv: ['my-agent'] }],
    mark: 'm1',
  })
  const verify = (script: string) => {
    const command = {
      argv: ['sh', '-c', script] as const,
      cwd: workspace,
      env: { PATH: process.env.PATH!, HOME: home },
    }
    const log = join(dir, 'attempts/S1-attempt-1-verify.log')
    return shell.run({ ...command, log, scope: 'r1' }, new AbortController().signal)
  }
  return { dir, home, verify }
}

const places = ['repo/.pawl/runs/r1', 'repo/artifacts/run1', 'repo/out', 'elsewhere/run1', 'home/.cache/run1']

test.skipIf(!confines).each(places)('a verification command cannot write the folder of its run in %s', async (run) => {
  const { dir, verify } = await open(run)
  const before = fs.readdirSync(dir).sort()
  for (const name of files) {
    const exit = await verify(`echo evil > ${join(dir, name)}`)
    expect([name, exit.code, exit.stderrTail]).toEqual([name, 2, expect.stringMatching(/Read-only file system/)])
  }
  expect(await verify(`cd ${dir}; rm -rf . ; mv inbox attempts/; mv ${dir} ${dir}-old`)).not.toMatchObject({ code: 0 })
  expect(fs.readdirSync(dir).sort()).toEqual(before)
  expect(files.slice(0, 4).map((name) => fs.readFileSync(join(dir, name), 'utf8'))).toEqual(Array(4).fill('{}\n'))
  expect(await verify(`echo report > ${join(dir, 'hand-over/report.txt')}`)).toMatchObject({ code: 0 })
})

test.skipIf(!confines)('trust cannot be given by a command, even where a person keeps it in a cache', async () => {
  const { home, verify } = await open('repo/out', (home) => ({ XDG_STATE_HOME: join(home, '.cache/state') }))
  expect(await verify('echo x > ~/.cache/state/pawl/trust/evil')).toMatchObject({ code: 2 })
  expect(await verify('echo x > ~/.cache/state/other')).toMatchObject({ code: 0 })
  expect(fs.readdirSync(join(home, '.cache/state/pawl/trust'))).toEqual([])
})

test.skipIf(!confines)('an agent finds empty settings where there were none, and cannot fill them', async () => {
  const folders = ['.claude', '.codex', '.config/opencode']
  const { home, verify } = await open('repo/out', () => ({}), folders)
  const names = ['.claude/settings.json', '.codex/config.toml', '.config/opencode/opencode.json']
  for (const name of names) {
    // Not only restored afterwards: another agent outside would read it meanwhile.
    const exit = await verify(`echo evil > ~/${name} || rm -f ~/${name} || mv ~/${name} ~/${name}.old`)
    expect([name, exit.code, exit.stderrTail]).toEqual([name, 1, expect.stringMatching(/Read-only file system/)])
  }
  expect(await verify('echo 1 > ~/.claude.json && cat ~/.claude.json')).toMatchObject({ code: 0, stdoutTail: '1\n' })
  const texts = [...names, '.claude.json'].map((name) => fs.readFileSync(join(home, name), 'utf8'))
  expect(texts).toEqual(['{}\n', '', expect.stringContaining('$schema'), '{}\n'])
})

test.skipIf(!confines)('no settings appear for agents that were never used here', async () => {
  const { home, verify } = await open('repo/out')
  await verify('true')
  for (const name of ['.claude', '.claude.json', '.codex', '.config'])
    expect(fs.existsSync(join(home, name))).toBe(false)
})

test.skipIf(!confines)('a gate of a run is held as its agent is, and only then', async () => {
  const write = 'for f in .pawl/runs/*/request.json; do echo evil >> "$f" && touch got-through; done'
  for (const sandbox of ['off', 'required']) {
    const procedure = { gates: [`(${write}); touch gate-ran; exit 1`] }
    const pawl = newWorkspace({ procedure, env: { PAWL_SANDBOX: sandbox } })
    await pawl.run('run', 'build', '-n', '1', '--trust')
    const made = fs.readdirSync(pawl.workspace).filter((name) => ['gate-ran', 'got-through'].includes(name))
    expect(made.sort()).toEqual(sandbox === 'off' ? ['gate-ran', 'got-through'] : ['gate-ran'])
  }
})

test.skipIf(!confines)(
  'on a new account the tools of a repository can create their caches, and nothing else',
  async () => {
    const fresh = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'pawl-fresh-')))
    onTestFinished(() => fs.rmSync(fresh, { recursive: true, force: true }))
    const [workspace, home, folder] = ['repo', 'home', 'run'].map((name) => join(fresh, name)) as [
      string,
      string,
      string,
    ]
    for (const path of [workspace, home, join(folder, 'hand-over')]) fs.mkdirSync(path, { recursive: true })
    for (const name of ['go.mod', 'package.json']) fs.writeFileSync(join(workspace, name), '{}\n')
    const { environment } = programAt(workspace, home, { PATH: process.env.PATH }).machine
    const signal = new AbortController().signal
    const options = {
      workspace,
      folder,
      sandbox: 'required',
      secrets: [],
      kill: signal,
      agents: [],
      mark: 'm1',
    } as const
    const shell = await openShell(environment, options)
    const script = 'mkdir -p ~/.cache/go-build ~/go/pkg/mod ~/.npm/_cacache; mkdir ~/.cargo ~/other; ls -A ~'
    const env = { PATH: process.env.PATH!, HOME: home }
    const { stdoutTail } = await shell.run({ argv: ['sh', '-c', script], cwd: workspace, env, scope: 'r1' }, signal)
    expect(stdoutTail.split('\n').filter(Boolean).sort()).toEqual(['.cache', '.local', '.npm', 'go'])
  },
)
