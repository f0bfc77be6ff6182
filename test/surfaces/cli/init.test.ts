import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { needs, newMounts } from '../../faults/faulty.ts'
import { type Files, scratch } from '../../setup/init/fixture.ts'
import { type Ended, until } from './pawl.ts'

const program = (name: string): string => fileURLToPath(new URL(`../../../bin/${name}`, import.meta.url))
const npm = { '.git/': '', 'package.json': JSON.stringify({ scripts: { test: 'exit 0', lint: 'exit 0' } }) }

type Repo = ReturnType<typeof newRepo>

function newRepo(files: Files = npm) {
  const here = scratch(files)
  const env = { ...here.environment.env, TZ: 'UTC', LANG: 'C.UTF-8', PAWL_SANDBOX: 'off' } as Record<string, string>
  const call = (argv: readonly string[], cwd = here.repo): Promise<Ended> => {
    const child = spawn(argv[0]!, argv.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => (out += data.toString()))
    child.stderr.on('data', (data: Buffer) => (err += data.toString()))
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
  }
  const pawl = (...words: string[]): Promise<Ended> => call([program('pawl'), ...words])
  const isThere = (path: string): boolean => fs.existsSync(join(here.repo, path))
  return { ...here, env, call, pawl, isThere }
}

/** In a pseudo-terminal, typing an answer once the question is there. */
async function atTerminal(
  { repo, env }: Repo,
  answer: string,
  ...words: string[]
): Promise<{ code: number | null; screen: string }> {
  const command = [program('pawl'), ...words].join(' ')
  const child = spawn('script', ['-qfec', command, '/dev/null'], { cwd: repo, env, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let screen = ''
  child.stdout.on('data', (data: Buffer) => (screen += data.toString()))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  await until(() => screen.includes('[y/N]'), 'the question')
  child.stdin.write(answer)
  return { code: await ended, screen }
}

describe('without a terminal', () => {
  test('nothing is written without --yes: exit 10, what it would write, and the command that does', async () => {
    const repo = newRepo()
    const { code, out, err } = await repo.pawl('init')
    expect(code).toBe(10)
    expect(out).toMatch(/^gate +npm run lint {2}\(package\.json\)$/m)
    expect(out).toMatch(/^file +\.pawl\/prompts\/act\.md$/m)
    expect(err).toBe('Nothing was written. To write these files: pawl init --yes\n')
    expect(repo.isThere('.pawl')).toBe(false)
    const json = await repo.pawl('init', '--json')
    expect([json.code, JSON.parse(json.out)]).toEqual([10, expect.objectContaining({ written: false })])
  })

  test('with --yes it is written, and the procedure runs without any question', async () => {
    const repo = newRepo()
    const { code, out, err } = await repo.pawl('init', '--yes')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/Next:\n {2}pawl run build --dry-run\n {2}pawl run build -n 1\n {2}pawl doctor\n$/)
    const config = await repo.pawl('config', '--json')
    expect(config.err).toBe('')
    expect(JSON.parse(config.out)).toMatchObject({ procedures: ['build'] })
    const dry = await repo.pawl('run', 'build', '--dry-run')
    expect([dry.code, dry.out]).toEqual([0, expect.stringMatching(/Missing: no agent is configured[\s\S]*## OBSERVE/)])
    const asked = await repo.pawl('run', 'build')
    expect([asked.code, asked.err]).toEqual([10, expect.stringContaining('no agent is configured')])
    const ran = await repo.pawl('run', 'build', '-n', '1', '--ai-cmd', 'cat')
    expect(ran.err).not.toContain('trust')
    expect(ran.out).toContain('Iteration 1/1 completed')
  })

  test('the promise of an agent that was told of it by these prompts ends the run', async () => {
    const repo = newRepo()
    await repo.pawl('init', '--yes')
    repo.program('my-agent', 'cat >/dev/null; echo "all done"; echo "<promise>SUCCESS</promise>"')
    const kept = await repo.pawl('run', 'build', '--ai-cmd', 'my-agent', '--json')
    expect(kept.code).toBe(0)
    expect(JSON.parse(kept.out.trim().split('\n').at(-1)!)).toMatchObject({
      result: { reason: { code: 'promise_kept' }, says: 'promise kept, gates green' },
    })
  })

  test('with --json one object tells all of it', async () => {
    const repo = newRepo()
    repo.program('claude', 'echo "2.1.325 (Claude Code)"')
    const { code, out } = await repo.pawl('init', '--yes', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      written: true,
      workspace: repo.repo,
      folder: '.pawl',
      agent: 'claude',
      gates: [{ command: 'npm run lint' }, { command: 'npm test' }],
      next: ['pawl run build --dry-run', 'pawl run build -n 1', 'pawl doctor'],
    })
  })

  test('a second time is refused with the path, from any folder of the repository', async () => {
    const repo = newRepo({ ...npm, 'src/deep/': '' })
    await repo.pawl('init', '--yes')
    for (const cwd of [repo.repo, join(repo.repo, 'src/deep')]) {
      const { code, out, err } = await repo.call([program('pawl'), 'init', '--yes'], cwd)
      expect([code, out]).toEqual([10, ''])
      expect(err).toContain(`${repo.repo}/.pawl/config.yml already exists: nothing was written`)
    }
  })

  test('from a subfolder it is written at the root of the repository, and says so', async () => {
    const repo = newRepo({ ...npm, 'src/deep/': '' })
    const { code, out } = await repo.call([program('pawl'), 'init', '--yes'], join(repo.repo, 'src/deep'))
    expect([code, out]).toEqual([0, expect.stringContaining(`The workspace is the repository's root ${repo.repo}`)])
    expect([repo.isThere('.pawl/config.yml'), repo.isThere('src/deep/.pawl')]).toEqual([true, false])
  })

  test('as rooda it writes below .rooda and names its own commands', async () => {
    const repo = newRepo()
    const { code, out } = await repo.call([program('rooda'), 'init', '--yes'])
    expect([code, repo.isThere('.rooda/config.yml'), repo.isThere('.pawl')]).toEqual([0, true, false])
    expect(out).toContain('rooda run build -n 1')
    const ran = await repo.call([program('rooda'), 'build', '--max-iterations', '1', '--ai-cmd', 'cat'])
    expect(ran.code).toBe(0)
  })

  test('a folder that cannot be written is 20, names it, and leaves nothing', async (context) => {
    needs(context, 'namespaces')
    const repo = newRepo()
    const mounts = await newMounts(
      `mount --bind '${repo.repo}' '${repo.repo}'; mount -o remount,bind,ro '${repo.repo}'`,
    )
    const { code, err } = await repo.call([...mounts.enter(repo.repo), program('pawl'), 'init', '--yes'])
    expect(code).toBe(20)
    expect(err).toMatch(
      /cannot write .*\/\.pawl\/\.gitignore: EROFS[\s\S]*Nothing was written. To try again: pawl init/,
    )
    expect(repo.isThere('.pawl')).toBe(false)
  })
})

const noTerminals = spawnSync('script', ['-qfec', 'true', '/dev/null']).status !== 0

describe.skipIf(noTerminals)('at a terminal', () => {
  test('it shows what it found and asks once; y writes', async () => {
    const repo = newRepo()
    const { code, screen } = await atTerminal(repo, 'y\n', 'init')
    expect(code).toBe(0)
    expect(screen).toMatch(/gate +npm test[\s\S]*Write these files\? \[y\/N\][\s\S]*Next:/)
    expect(screen.match(/gate +npm test/g)).toHaveLength(1)
    expect(repo.isThere('.pawl/config.yml')).toBe(true)
  })

  test.each([
    ['n', 'n\n'],
    ['a bare Enter', '\n'],
    ['the end of input', '\u0004'],
  ])('%s writes nothing and exits 10', async (_, answer) => {
    const repo = newRepo()
    const { code, screen } = await atTerminal(repo, answer, 'init')
    expect([code, repo.isThere('.pawl')]).toEqual([10, false])
    expect(screen).toContain('Nothing was written. To write these files: pawl init --yes')
  })

  test('Ctrl-C writes nothing and is an interruption', async () => {
    const repo = newRepo()
    const { code } = await atTerminal(repo, '\u0003', 'init')
    expect([code, repo.isThere('.pawl')]).toEqual([130, false])
  })
})
