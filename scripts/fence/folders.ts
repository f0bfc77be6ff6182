import { posix } from 'node:path'
import { findCycles } from './cycles.ts'
import { type Imports, resolveImport } from './sources.ts'
import type { Violation } from './violation.ts'

const mostFiles = 20

/** Finds folders that import each other, even if no file is in a cycle. */
export function folderCycles(imports: Imports): Violation[] {
  const edges = new Map<string, Map<string, Violation>>()
  for (const [file, list] of imports) {
    for (const one of list) {
      const target = resolveImport(file, one)
      if (target === null || target.startsWith('../')) continue
      const [from, to] = [folderOf(file), folderOf(target)]
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

/** Each file at the top of src is its own room: `main.ts` composes, `installation.ts` is used by lower rooms. */
function folderOf(file: string): string {
  const folder = posix.dirname(file)
  return folder === '.' ? file : folder
}

export function fullFolders(files: readonly string[]): Violation[] {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > mostFiles)
    .map(([folder, count]) => ({ file: folder, line: 1, reason: `${count} files; a folder has at most ${mostFiles}` }))
}
