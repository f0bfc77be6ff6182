// The import fence: the table of ARCHITECTURE.md, held by a check of our own (dependency-cruiser passed a real cycle
// silently under TypeScript 7).
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { findCycles } from './cycles.ts'
import { type Import, importsOf } from './imports.ts'
import { refuseFile, refuseImport } from './rules.ts'

export type Violation = { readonly file: string; readonly line: number; readonly reason: string }

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
  return [...found, ...cyclesIn(imports)]
}

function cyclesIn(imports: ReadonlyMap<string, readonly Import[]>): Violation[] {
  const graph = new Map([...imports].map(([file, list]) => [file, list.map((one) => targetOf(file, one) ?? '')]))
  return findCycles(graph).map((cycle) => {
    const [file, next] = [cycle[0]!, cycle[1]!]
    const edge = imports.get(file)!.find((one) => targetOf(file, one) === next)
    return { file, line: edge?.line ?? 1, reason: `cycle: ${cycle.join(' -> ')}` }
  })
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
