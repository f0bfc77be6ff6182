// One verification in the clean room against the same command in the work tree: node room.ts <scratch> <packages> <times>
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createSnapshots } from '../../src/adapters/git/snapshots/snapshots.ts'
import { openRoom } from '../../src/adapters/room/room.ts'
import { capture } from '../../src/adapters/shell/capture.ts'
import { cachePaths } from '../../src/adapters/shell/home-paths.ts'
import { createShell } from '../../src/adapters/shell/shell.ts'
import { takeTurns } from '../pairs.ts'

const [scratch = '', megabytes = '0', times = '5'] = process.argv.slice(2)
const workspace = join(realpathSync(scratch), 'repository')
const git = (...words: string[]): string => execFileSync('git', words, { cwd: workspace, encoding: 'utf8' })
mkdirSync(join(workspace, 'test'), { recursive: true })
for (let file = 0; file < 20; file++) {
  const asserts = `assert.equal(sum(${file}, 1), ${file + 1})`
  writeFileSync(
    join(workspace, 'test', `sum-${file}.test.js`),
    `const test = require('node:test')\nconst assert = require('node:assert')\nconst { sum } = require('../sum.js')\ntest('adds', () => ${asserts})\n`,
  )
}
writeFileSync(join(workspace, 'sum.js'), 'exports.sum = (a, b) => a + b\n')
writeFileSync(join(workspace, '.gitignore'), 'node_modules\n')
git('init', '--quiet', '--initial-branch=main')
git('config', 'user.name', 'Bench')
git('config', 'user.email', 'bench@example.com')
git('add', '.')
git('commit', '--quiet', '-m', 'begin')
const copied = copyPackages(Number(megabytes) * 1_000_000)

const env = Object.fromEntries(
  Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
)
const snapshots = createSnapshots({ folder: workspace, env, capture })
const caches = cachePaths(homedir(), env).filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())
const top = caches.filter((path) => !caches.some((other) => path.startsWith(`${other}/`)))
const begun = performance.now()
const room = await openRoom(
  { workspace, folder: join(realpathSync(scratch), 'room'), without: [] },
  { snapshots, capture, means: 'overlay', listCaches: () => top },
)
const createMs = performance.now() - begun
const confine = { writable: [workspace, ...top], protectedFolders: [], protectedFiles: [] }
const shell = createShell({ secrets: [], isolation: 'auto', confine })
writeFileSync(join(workspace, 'sum.js'), 'exports.sum = (a, b) => b + a\n')
const tree = await snapshots.take()
const argv = ['/bin/sh', '-c', 'node --test "test/*.test.js"'] as const
const { signal } = new AbortController()

const timed = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}
const inRoom = () =>
  timed(() =>
    room.use(tree, async (place) => {
      const exit = await shell.run({ argv: [...argv], cwd: workspace, env, scope: 'bench', place }, signal)
      if (exit.code !== 0) throw new Error(`exit ${exit.code}: ${exit.stderrTail}`)
    }),
  )
const bare = () => timed(() => execFileSync(argv[0], argv.slice(1), { cwd: workspace, stdio: 'ignore' }))
const pairs = await takeTurns(Number(times), inRoom, bare)
const confinement = await shell.confinement()
room.remove()
console.log(JSON.stringify({ pairs, createMs, copied, confinement }))

/** Copies packages of this repository until they are as large as wanted. Returns bytes and files. */
function copyPackages(wanted: number): { readonly bytes: number; readonly files: number } {
  const from = join(import.meta.dirname, '..', '..', 'node_modules')
  let [bytes, files] = [0, 0]
  for (const name of wanted > 0 ? readdirSync(from).filter((one) => !/^\.|^node-/.test(one)) : []) {
    if (bytes > wanted) break
    const found = readdirSync(join(from, name), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    bytes += found.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
    files += found.length
    cpSync(join(from, name), join(workspace, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
  }
  return { bytes, files }
}
