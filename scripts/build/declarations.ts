import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { importsOf } from '../fence/imports.ts'

/** Removes declarations that no exported module reaches: half of the package. */
export function pruneDeclarations(dist: string, exported: readonly string[]): void {
  const needed = findReachable(exported.map((name) => join(dist, `${name}.d.ts`)))
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && path.endsWith('.d.ts') && !needed.has(path)) rmSync(path)
  }
  removeEmptyFolders(dist)
}

function findReachable(entries: readonly string[]): Set<string> {
  const found = new Set(entries)
  for (const path of found) {
    for (const { specifier } of importsOf(readFileSync(path, 'utf8'))) {
      if (specifier?.startsWith('.')) found.add(join(dirname(path), specifier.replace(/\.ts$/, '.d.ts')))
    }
  }
  return found
}

function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name))
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
