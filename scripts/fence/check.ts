// The import fence: the table of ARCHITECTURE.md, held by a check of our own (dependency-cruiser passed a real cycle
// silently under TypeScript 7).
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { findCycles } from './cycles.ts'
import { type Import, importsOf } from './imports.ts'
import { refuseFile, refuseImport } from './rules.ts'

export type Violation = { readonly file: string; readonly line: number; readonly reason: string }

const mostFiles = 20

/** Every way in which the tree under `src` breaks the table; files are named relative to it. */
export function checkFence(src: string): Violation[] {
  const imports = readImports(src)
  const found: Violation[] = []
  for (const [file, list] of imports) {
    const refusal = refuseFile(file)
    if (refusal) found.push({ file, line: 1, reason: refusal })
    for (const one of list) {
      const reason = refuseImport(file, one.specifier, targetOf(file, one))
      if (reason) found.push({ file, line: one.line, reason })
    }
  }
  return [...found, ...fileCycles(imports), ...folderCycles(imports), ...fullFolders([...imports.keys()])]
}

type Imports = ReadonlyMap<string, readonly Import[]>

function fileCycles(imports: Imports): Violation[] {
  const graph = new Map([...imports].map(([file, list]) => [file, list.map((one) => targetOf(file, one) ?? '')]))
  return findCycles(graph).map((cycle) => {
    const [file, next] = [cycle[0]!, cycle[1]!]
    const edge = imports.get(file)!.find((one) => targetOf(file, one) === next)
    return { file, line: edge?.line ?? 1, reason: `cycle: ${cycle.join(' -> ')}` }
  })
}

/** Two folders that import each other are one, whatever their files do. */
function folderCycles(imports: Imports): Violation[] {
  const edges = new Map<string, Map<string, Violation>>()
  for (const [file, list] of imports) {
    for (const one of list) {
      const target = targetOf(file, one)
      if (target === null || target.startsWith('../')) continue
      const [from, to] = [posix.dirname(file), posix.dirname(target)]
      const out = edges.get(from) ?? new Map<string, Violation>()
      if (from !== to && !out.has(to)) out.set(to, { file, line: one.line, reason: target })
      edges.set(from, out)
    }
  }
  const graph = new Map([...edges].map(([folder, out]) => [folder, [...out.keys()]]))
  return findCycles(graph).map((cycle) => {
    const { file, line } = edges.get(cycle[0]!)!.get(cycle[1]!)!
    return { file, line, reason: `folder cycle: ${cycle.join(' -> ')}` }
  })
}

function fullFolders(files: readonly string[]): Violation[] {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > mostFiles)
    .map(([folder, count]) => ({ file: folder, line: 1, reason: `${count} files; a folder has at most ${mostFiles}` }))
}

/** The file an import names, relative to src with forward slashes; null for a package, a builtin or a computed path. */
function targetOf(file: string, { specifier }: Import): string | null {
  return specifier !== null && /^\.\.?(\/|$)/.test(specifier) ? posix.join(posix.dirname(file), specifier) : null
}

function readImports(src: string): Map<string, Import[]> {
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  return new Map(files.map((file) => [file, importsOf(readFileSync(join(src, file), 'utf8'))]))
}

/** Exceptions are lines `file: reason`. One that nothing needs any more is a violation too: the list only shrinks. */
export function withoutExceptions(violations: readonly Violation[], exceptions: readonly string[]): Violation[] {
  const keyOf = ({ file, reason }: Violation): string => `${file}: ${reason}`
  const needed = new Set(violations.map(keyOf))
  const idle = exceptions.filter((exception) => !needed.has(exception))
  return [
    ...violations.filter((violation) => !exceptions.includes(keyOf(violation))),
    ...idle.map((exception) => ({ file: 'exceptions.txt', line: 1, reason: `no longer needed: ${exception}` })),
  ]
}
