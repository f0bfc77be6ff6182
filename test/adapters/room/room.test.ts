import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRoom } from '../../../src/adapters/room/room.ts'
import { capture } from '../../../src/adapters/shell/capture.ts'
import { createShell } from '../../../src/adapters/shell/shell.ts'
import type { Capture } from '../../../src/ports/capture.ts'
import type { Place } from '../../../src/ports/shell.ts'
import { canMountHere } from '../../support/can-mount.ts'
import { newRepository } from '../git/snapshots/scratch.ts'

type Options = { readonly sandbox?: boolean; readonly means?: 'overlay' | 'copy'; readonly caches?: readonly string[] }

/** A repository with ignored files and the room that is made of it before an agent starts. */
async function newRoom({ sandbox = false, means = 'overlay', caches = [] }: Options = {}) {
  const repository = newRepository()
  const { folder: workspace, home, write, env } = repository
  write('ignored/tool.sh', 'echo honest\n')
  write('.pawl/config.yml', 'secret: 1\n')
  const options = { workspace, folder: join(home, 'room'), without: ['.pawl'] }
  if (caches[0]) fs.mkdirSync(join(home, caches[0]))
  const listCaches = (): string[] => caches.map((name) => join(home, name)).filter((path) => fs.existsSync(path))
  const snapshots = repository.open(workspace, { ownFolders: [join(workspace, '.pawl')] })
  const tools = { snapshots, capture, means, listCaches }
  const room = await openRoom(options, tools)
  const confine = {
    writable: [workspace, join(home, 'room', 'uses'), ...listCaches()],
    protectedFolders: [],
    protectedFiles: [],
  }
  const shell = createShell(
    sandbox ? { secrets: [], isolation: 'auto', confine } : { secrets: [], isolation: 'off', bubblewrap: null },
  )
  const runIn = async (place: Place, commands: readonly string[]): Promise<string[]> => {
    const said: string[] = []
    for (const command of commands) {
      const argv = ['/bin/sh', '-c', command] as const
      const exit = await shell.run(
        { argv: [...argv], cwd: place.at, env: { ...env, PATH: process.env.PATH!, HOME: home }, scope: 'room', place },
        new AbortController().signal,
      )
      said.push(exit.code === 0 ? exit.stdoutTail.trim() : `exit ${exit.code} ${exit.stderrTail.trim()}`)
    }
    return said
  }
  const run = async (tree: string, ...commands: string[]): Promise<string[]> =>
    room.use(tree, (place) => runIn(place, commands))
  return { ...repository, workspace, room, options, tools, run, runIn, snapshots: tools.snapshots }
}

/** A path in the copy from before the first agent. */
const startOf = (folder: string, ...path: string[]): string =>
  join(folder, fs.readdirSync(folder).find((name) => name.startsWith('start-'))!, ...path)

describe.runIf(canMountHere).each([
  ['without a sandbox', false],
  ['in the sandbox', true],
])('%s', (_name, sandbox) => {
  test('a tree is verified with the ignored files of the start, whatever the agent did to them', async () => {
    const { run, write, at, snapshots, workspace } = await newRoom({ sandbox })
    write('a.txt', 'changed\n')
    write('new/c.txt', 'new\n')
    write('ignored/tool.sh', 'echo planted\n')
    write('ignored/planted', 'x')
    fs.rmSync(at('sub'), { recursive: true })
    const tree = await snapshots.take()
    write('a.txt', 'later\n')
    expect(await run(tree, 'cat a.txt new/c.txt', 'sh ignored/tool.sh', 'ls -A ignored', 'ls -A', 'pwd')).toEqual([
      'changed\nnew',
      'honest',
      'tool.sh',
      '.git\n.gitignore\na.txt\nignored\nnew',
      workspace,
    ])
    expect(fs.readFileSync(at('a.txt'), 'utf8')).toBe('later\n')
  })

  test('what one verification writes, the next command sees, and no other verification', async () => {
    const { run, snapshots, at, home } = await newRoom({ sandbox })
    const tree = await snapshots.take()
    const poison = 'echo poison > ignored/tool.sh; echo x > built.txt; rm a.txt; cat built.txt'
    expect(await run(tree, poison, 'ls')).toEqual(['x', 'built.txt\nignored\nsub'])
    expect(await run(tree, 'ls; sh ignored/tool.sh')).toEqual(['a.txt\nignored\nsub\nhonest'])
    expect([fs.existsSync(at('built.txt')), fs.existsSync(at('a.txt'))]).toEqual([false, true])
    expect(fs.readdirSync(join(home, 'room', 'uses'))).toEqual([])
  })

  test('git works in it, and cannot change the repository', async () => {
    const { run, write, snapshots, git } = await newRoom({ sandbox })
    write('a.txt', 'changed\n')
    const tree = await snapshots.take()
    const commands = [
      'git status --porcelain',
      'git log --format=%s',
      'git diff HEAD --name-only',
      'git ls-files | wc -l',
      'git branch --show-current',
      'git -c user.name=a -c user.email=b commit -qm inside && git log --format=%s -1',
      'rm -rf .git/base/* 2>&1 | grep -c Read-only',
    ]
    const [status, log, diff, files, branch, inside, refused] = await run(tree, ...commands)
    expect([status, log, diff, files, branch, inside]).toEqual(['M  a.txt', 'first', 'a.txt', '3', 'main', 'inside'])
    expect(Number(refused)).toBeGreaterThan(0)
    expect(git('log', '--format=%s')).toBe('first')
    git('fsck', '--strict')
  })
})

test.runIf(canMountHere)('without its history, git has nothing to show', async () => {
  const { room, runIn, snapshots } = await newRoom()
  const look = ['cat a.txt', 'git rev-parse --verify -q HEAD || git cat-file --batch-all-objects --batch-check | wc -l']
  const said = await room.use(await snapshots.take(), (place) => runIn(place, look), { withoutHistory: true })
  expect(said).toEqual(['one', '0'])
})

test.runIf(canMountHere)('files keep their times, and a file may become a folder', async () => {
  const { run, write, at, snapshots } = await newRoom()
  fs.rmSync(at('a.txt'))
  write('a.txt/inner.txt', 'x\n')
  fs.rmSync(at('sub'), { recursive: true })
  write('sub', 'a file\n')
  const tree = await snapshots.take()
  const times = (path: string): string => String(Math.floor(fs.statSync(at(path)).mtimeMs / 1000))
  expect(await run(tree, 'cat a.txt/inner.txt sub', 'stat -c %Y .gitignore')).toEqual([
    'x\na file',
    times('.gitignore'),
  ])
})

test('a copy that was not finished is made again, a finished one stays, and nothing remains', async () => {
  const { room, options, tools, write } = await newRoom()
  write('ignored/tool.sh', 'echo planted\n')
  const read = (): string => fs.readFileSync(startOf(options.folder, 'ignored', 'tool.sh'), 'utf8')
  expect([(await openRoom(options, tools)).start, read()]).toEqual([room.start, 'echo honest\n'])
  fs.rmSync(join(options.folder, 'made'))
  await openRoom(options, tools)
  expect(read()).toBe('echo planted\n')
  room.remove()
  expect(fs.existsSync(options.folder)).toBe(false)
})

test('a room that was left has what people changed since then, and nothing of the agents', async () => {
  const { room, options, tools, write, at, run } = await newRoom({ means: 'copy' })
  write('ignored/tool.sh', 'echo planted\n')
  write('ignored/planted', 'x')
  room.leave()
  const left = Date.now()
  // A file system knows times by a few milliseconds only.
  const writeLater = async (path: string, text: string): Promise<void> =>
    expect
      .poll(() => {
        write(path, text)
        return fs.statSync(at(path)).ctimeMs
      })
      .toBeGreaterThan(left + 1)
  await writeLater('ignored/installed/lib.sh', 'echo installed\n')
  fs.symlinkSync('lib.sh', at('ignored/installed/link.sh'))
  await writeLater('.pawl/later', 'x')
  const again = await openRoom(options, tools)
  const read = (...path: string[]): string => fs.readFileSync(startOf(options.folder, ...path), 'utf8')
  expect(read('ignored', 'tool.sh')).toBe('echo honest\n')
  expect(read('ignored', 'installed', 'link.sh')).toBe('echo installed\n')
  expect([again.had('ignored/planted'), again.had('.pawl/later')]).toEqual([false, false])
  // From here on, agents may write again.
  write('ignored/installed/lib.sh', 'echo planted\n')
  await openRoom(options, tools)
  expect(read('ignored', 'installed', 'lib.sh')).toBe('echo installed\n')
  expect(await run(room.start, 'sh ignored/tool.sh')).toEqual(['honest'])
})

test('a room that was left gets a folder in place of a link, and neither sockets nor pipes', async () => {
  const { room, options, tools, home, runIn, at } = await newRoom({ means: 'copy' })
  room.remove()
  const other = join(home, 'other')
  fs.mkdirSync(other)
  fs.writeFileSync(join(other, 'lib.sh'), 'echo other\n')
  fs.symlinkSync(other, at('ignored/modules'))
  const linked = await openRoom(options, tools)
  linked.leave()
  fs.rmSync(at('ignored/modules'))
  fs.mkdirSync(at('ignored/modules'))
  execFileSync('mkfifo', [at('ignored/pipe')])
  const left = Date.now()
  const isLater = (): number => {
    fs.writeFileSync(at('ignored/modules/lib.sh'), 'echo own\n')
    return fs.statSync(at('ignored/modules/lib.sh')).ctimeMs
  }
  await expect.poll(isLater).toBeGreaterThan(left + 1)
  const again = await openRoom(options, tools)
  const look = ['sh ignored/modules/lib.sh', 'test ! -e ignored/pipe']
  expect(await again.use(again.start, (place) => runIn(place, look))).toEqual(['own', ''])
  expect(fs.readFileSync(join(other, 'lib.sh'), 'utf8')).toBe('echo other\n')
})

test('a copy that a killed process left running writes into no room', async () => {
  const { tools, workspace, home } = await newRoom()
  const options = { workspace, folder: join(home, 'killed'), without: ['.pawl'] }
  const targets: string[] = []
  const killed: Capture = (question) => {
    targets.push(question.argv.at(-1)!)
    return question.argv[0] === 'cp' ? Promise.reject(new Error('killed')) : tools.capture(question)
  }
  await expect(openRoom(options, { ...tools, capture: killed })).rejects.toThrow('killed')
  const left = targets.at(-1)!
  expect(fs.existsSync(left)).toBe(true)
  await openRoom(options, tools)
  expect([fs.existsSync(left), fs.existsSync(startOf(options.folder, 'a.txt'))]).toEqual([false, true])
})

test('a room inside the work tree, as in an out-dir, is not copied into itself', async () => {
  const { workspace, write, tools } = await newRoom()
  write('build/tracked.txt', 'x\n')
  write('build/out/result.json', '{}\n')
  const folder = join(workspace, 'build', 'out', 'room')
  await openRoom({ workspace, folder, without: ['.pawl'] }, tools)
  const copied = (path: string): boolean => fs.existsSync(startOf(folder, path))
  const paths = ['build/tracked.txt', 'build/out/result.json', 'build/out/room', 'a.txt']
  expect(paths.map(copied)).toEqual([true, true, false, true])
})

test('huge folders of build tools are left out, everywhere in the work tree; others are not', async () => {
  const { workspace, home, write, tools, room } = await newRoom()
  write('.gitignore', 'ignored\ntarget/\nnode_modules/\n')
  for (const folder of ['target', 'core/target', 'node_modules']) write(`${folder}/big.bin`, 'x'.repeat(1 << 20))
  write('core/lib.rs', '\n')
  const folder = join(home, 'other')
  const other = await openRoom({ workspace, folder, without: ['.pawl'] }, { ...tools, maxBuild: 512 })
  const copied = (path: string): boolean => fs.existsSync(startOf(folder, path))
  const named = ['core/target (larger than 2 GB)', 'target (larger than 2 GB)']
  expect([other.left, room.left]).toEqual([named, []])
  expect(['target', 'core/target', 'core/lib.rs', 'node_modules/big.bin'].map(copied)).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect((await openRoom({ workspace, folder, without: ['.pawl'] }, tools)).left).toEqual(other.left)
})

test('what cannot be read is named, an older cp will do, and any other failure ends it', async () => {
  const { workspace, home, tools } = await newRoom()
  const open = (folder: string, fails: Capture) =>
    openRoom({ workspace, folder: join(home, folder), without: [] }, { ...tools, capture: fails })
  const failing =
    (says: string, when = '--'): Capture =>
    async (question) =>
      question.argv[0] === 'cp' && question.argv.includes(when)
        ? { code: 1, stdout: Buffer.alloc(0), stderrTail: says }
        : tools.capture(question)
  const denied = `cp: cannot access '${workspace}/pgdata': Permission denied\n`
  expect((await open('denied', failing(denied))).left).toEqual(['pgdata (cannot be read)'])
  const old = await open('old', failing("cp: unrecognized option '--reflink=auto'\nTry more.\n", '--reflink=auto'))
  expect([old.left, fs.existsSync(startOf(join(home, 'old'), 'a.txt'))]).toEqual([[], true])
  const full = failing(`${denied}cp: error writing 'x': No space left on device\n`)
  await expect(open('full', full)).rejects.toThrow(/No space left/)
  const cut = `bin' for reading: Permission denied\n${denied}cp: cannot stat '${workspace}/gone': No such file or directory\n`
  expect((await open('cut', failing(cut))).left).toEqual(['pgdata (cannot be read)'])
})

const meansHere = canMountHere ? (['overlay', 'copy'] as const) : (['copy'] as const)

describe.each(meansHere)('a room by %s', (means) => {
  test('an installation becomes a layer of its own: made once, under the files of each tree', async () => {
    const { room, run, runIn, write, snapshots, at } = await newRoom({ means })
    write('lock', '1\n')
    const tree = await snapshots.take()
    const install = 'echo installed > ignored/package; echo changed > a.txt; echo once >> ignored/count'
    const made = async () => room.install('key', tree, async (place) => (await runIn(place, [install])) && undefined)
    const layers = [await made(), await made()]
    const layer = 'layer' in layers[1]! ? layers[1].layer : undefined
    expect(layers[0]).toEqual(layers[1])
    const look = ['cat ignored/package ignored/count a.txt lock', 'ls ignored', 'rm -r ignored', 'ls']
    const said = await room.use(tree, (place) => runIn(place, look), { layer })
    expect(said).toEqual(['installed\nonce\none\n1', 'count\npackage\ntool.sh', '', 'a.txt\nlock\nsub'])
    expect(await room.use(tree, (place) => runIn(place, ['cat ignored/package']), { layer })).toEqual(['installed'])
    expect(await run(tree, 'ls ignored')).toEqual(['tool.sh'])
    expect(fs.existsSync(at('ignored/package'))).toBe(false)
  })

  test('a link in place of a folder leads nobody out of the room', async () => {
    const { room, runIn, write, snapshots, at, home, tools, options } = await newRoom({ means })
    const outside = join(home, 'outside')
    fs.mkdirSync(outside)
    for (const name of ['logo.txt', 'kept.txt']) fs.writeFileSync(join(outside, name), 'kept\n')
    room.remove()
    write('assets/logo.txt', 'logo\n')
    write('shared/kept.txt', 'shared\n')
    write('pkg/shared/kept.txt', 'own\n')
    fs.symlinkSync(outside, at('ignored/data'))
    const here = await openRoom(options, tools)
    for (const path of ['assets', 'pkg/shared']) fs.rmSync(at(path), { recursive: true })
    fs.symlinkSync('ignored/data', at('assets'))
    fs.symlinkSync('../shared', at('pkg/shared'))
    const tree = await snapshots.take()
    const look = ['cat assets/logo.txt', 'cat pkg/shared/kept.txt shared/kept.txt']
    expect(await here.use(tree, (place) => runIn(place, look))).toEqual(['kept', 'shared\nshared'])
    // An installation may leave a link where a tree has a folder.
    const install = [`rm -rf x && ln -s ${outside} x`]
    fs.rmSync(at('assets'))
    write('x/kept.txt', 'x\n')
    const other = await snapshots.take()
    const made = await here.install('key', other, async (place) => (await runIn(place, install)) && undefined)
    const layer = 'layer' in made ? made.layer : undefined
    expect(await here.use(other, (place) => runIn(place, ['cat x/kept.txt']), { layer })).toEqual(['x'])
    expect(fs.readdirSync(outside).map((name) => fs.readFileSync(join(outside, name), 'utf8'))).toEqual([
      'kept\n',
      'kept\n',
    ])
  })

  test('an installation that fails leaves no layer', async () => {
    const { room, runIn, snapshots, options } = await newRoom({ means })
    const tree = await snapshots.take()
    const install = async () =>
      room.install('key', tree, async (place) => (await runIn(place, ['echo x > ignored/half']))[0] ?? 'no')
    expect(await install()).toEqual({ failed: '' })
    expect(fs.readdirSync(join(options.folder, 'installed'))).toEqual([])
  })

  test('a change returns the new texts of the files that were asked for, and stays nowhere', async () => {
    const { room, runIn, write, snapshots, at } = await newRoom({ means })
    write('b.txt', 'b\n')
    const tree = await snapshots.take()
    const command = 'echo formatted > b.txt; echo other > a.txt; echo new > c.txt'
    fs.writeFileSync(at('latin.txt'), Buffer.from('caf\xe9\n', 'latin1'))
    const latin = await snapshots.take()
    expect(await snapshots.readAll(latin, ['latin.txt'])).toEqual(new Map())
    const append = async (place: Place) => (await runIn(place, ['echo more >> latin.txt'])) && undefined
    expect(await room.change(latin, ['latin.txt'], append)).toEqual({ texts: {} })
    const changed = await room.change(tree, ['b.txt'], async (place) => (await runIn(place, [command])) && undefined)
    expect(changed).toEqual({ texts: { 'b.txt': 'formatted\n' } })
    expect([fs.readFileSync(at('b.txt'), 'utf8'), fs.existsSync(at('c.txt'))]).toEqual(['b\n', false])
  })

  test('git works in it', async () => {
    const { run, write, snapshots } = await newRoom({ means })
    write('a.txt', 'changed\n')
    expect(await run(await snapshots.take(), 'git status --porcelain', 'git log --format=%s')).toEqual([
      'M  a.txt',
      'first',
    ])
  })
})

describe.runIf(canMountHere).each([
  ['without a sandbox', false],
  ['in the sandbox', true],
])('caches, %s', (_name, sandbox) => {
  test('commands see a cache as it was when the room was made, and write to it for themselves', async () => {
    const home = await newRoom({ sandbox, caches: ['cache', 'later'] })
    const cache = join(home.home, 'cache')
    fs.mkdirSync(join(cache, 'sub'), { recursive: true })
    fs.writeFileSync(join(cache, 'sub', 'old'), 'old\n')
    fs.writeFileSync(join(cache, 'sub', 'replaced'), 'honest\n')
    home.room.remove()
    // The system counts time in ticks.
    await expect.poll(() => Date.now() - fs.statSync(join(cache, 'sub', 'old')).ctimeMs).toBeGreaterThan(20)
    const { room, runIn, snapshots } = { ...home, room: await openRoom(home.options, home.tools) }
    fs.writeFileSync(join(cache, 'sub', 'replaced'), 'planted\n')
    fs.writeFileSync(join(cache, 'planted'), 'x')
    fs.utimesSync(join(cache, 'planted'), 1, 1)
    room.agentRan()
    const tree = await snapshots.take()
    const commands = ['ls ../cache ../cache/sub', 'echo mine > ../cache/mine; cat ../cache/mine ../cache/sub/old']
    const [listed, written] = await room.use(tree, (place) => runIn(place, commands))
    expect([listed, written]).toEqual(['../cache:\nsub\n\n../cache/sub:\nold', 'mine\nold'])
    expect(fs.readdirSync(cache).sort()).toEqual(['planted', 'sub'])
    expect(await room.use(tree, (place) => runIn(place, ['ls ../cache']))).toEqual(['sub'])
  })
})
