import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { type Import, importsOf } from './imports.ts'

/** File names are relative to the folder that was read, with forward slashes. */
export type Sources = ReadonlyMap<string, string>
export type Imports = ReadonlyMap<string, readonly Import[]>

export function readSources(folder: string): Sources {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

export function findImports(sources: Sources): Imports {
  return new Map([...sources].map(([file, source]) => [file, importsOf(source)]))
}

/** Returns the file that an import names; null for a package, a builtin or a computed path. */
export function resolveImport(file: string, { specifier }: Import): string | null {
  return specifier !== null && /^\.\.?(\/|$)/.test(specifier) ? posix.join(posix.dirname(file), specifier) : null
}

/** Maps each file to the files it imports. */
export function importGraph(imports: Imports): Map<string, string[]> {
  return new Map(
    [...imports].map(([file, list]) => [file, list.flatMap((one) => resolveImport(file, one) ?? [])] as const),
  )
}
