// `npm run out-dirs:record [-- name ...]` plays every ending with the built program and stores what lies there then.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OutDir, type OutDirName, outDirNames } from '../../../src/testing/out-dirs.ts'
import { play } from './scenes.ts'
import { type Files, settle } from './settle.ts'

/** Plays one ending and gives what lies in its out-dir, the same bytes each time. */
export async function record(name: OutDirName): Promise<OutDir> {
  const scene = await play(name)
  try {
    return { exit: scene.exit, files: settle(filesIn(scene.outDir), scene.root, scene.run) }
  } finally {
    await scene.close()
  }
}

/** Locks, shortcuts and what agents hand over while they run are no part of what is left. */
const passing = /^(?:lease-|snapshot\.json|card\.json|hand-over\/|notified)/

function filesIn(dir: string): Files {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const kept = paths.map((path) => path.slice(dir.length + 1)).filter((path) => !passing.test(path))
  return Object.fromEntries(kept.sort().map((path) => [path, readFileSync(join(dir, path), 'utf8')]))
}

function store(name: OutDirName, { exit, files }: OutDir): void {
  const folder = join(import.meta.dirname, '..', '..', '..', 'src', 'testing', 'out-dirs')
  mkdirSync(folder, { recursive: true })
  const lines = Object.entries(files).map(([path, text]) => [path, text.split('\n')])
  writeFileSync(
    join(folder, `${name}.json`),
    `${JSON.stringify({ exit, files: Object.fromEntries(lines) }, null, 2)}\n`,
  )
}

if (import.meta.main) {
  const wanted = process.argv.slice(2)
  for (const name of outDirNames.filter((one) => wanted.length === 0 || wanted.includes(one))) {
    const recorded = await record(name)
    store(name, recorded)
    console.log(`${name}: exit ${recorded.exit}, ${Object.keys(recorded.files).length} files`)
  }
}
