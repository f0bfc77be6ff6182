// The published manifest is smaller than the checkout's: no bundled Node (189 MB), no tools, no scripts, and none of the
// bundled packages. The checkout has them as dependencies, because without a build it runs src.
// npm packs the package.json in the folder, so `prepack` writes the small one and `postpack` restores the original.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Versions = Record<string, string>
type Manifest = Record<string, unknown> & { dependencies?: Versions; optionalDependencies?: Versions }

/** Packages whose types are in the published declarations. */
const published = ['zod']

/** Writes the small manifest. First restores the original after a killed pack. */
export function strip(root: string): void {
  restore(root)
  const { manifest, kept, fresh } = pathsOf(root)
  const ours = readFileSync(manifest, 'utf8')
  // The backup is complete before package.json changes, so a kill can never lose it.
  write(kept, ours, fresh)
  write(manifest, reduce(ours), fresh)
}

/** Restores the original, unless package.json was changed since: then the change wins. */
export function restore(root: string): void {
  const { manifest, kept, fresh } = pathsOf(root)
  const copy = readIfThere(kept)
  if (copy === null) return
  if (readIfThere(manifest) === reduce(copy)) write(manifest, copy, fresh)
  rmSync(dirname(kept), { recursive: true })
}

function reduce(text: string): string {
  const { scripts: _scripts, devDependencies: _tools, overrides: _pins, ...manifest } = JSON.parse(text) as Manifest
  keep(manifest, 'dependencies', (name) => published.includes(name))
  keep(manifest, 'optionalDependencies', (name) => !name.startsWith('node-'))
  return `${JSON.stringify(manifest, null, 2)}\n`
}

function keep(
  manifest: Manifest,
  field: 'dependencies' | 'optionalDependencies',
  isKept: (name: string) => boolean,
): void {
  const kept = Object.entries(manifest[field] ?? {}).filter(([name]) => isKept(name))
  if (kept.length > 0) manifest[field] = Object.fromEntries(kept)
  else delete manifest[field]
}

/** The backup is in .pawl/, which git ignores and `npm ci` does not touch. */
function pathsOf(root: string): { manifest: string; kept: string; fresh: string } {
  const folder = join(root, '.pawl', 'packing')
  return { manifest: join(root, 'package.json'), kept: join(folder, 'package.json'), fresh: join(folder, 'fresh') }
}

/** Writes atomically. A kill leaves at most a partial file in .pawl/. */
function write(path: string, text: string, fresh: string): void {
  mkdirSync(dirname(fresh), { recursive: true })
  writeFileSync(fresh, text)
  renameSync(fresh, path)
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
