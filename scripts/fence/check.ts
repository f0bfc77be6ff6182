// The import fence: enforces the table of ARCHITECTURE.md (dependency-cruiser missed a real cycle
// under TypeScript 7).
import { findCycles } from './cycles.ts'
import { folderCycles, fullFolders } from './folders.ts'
import { findImpurities, isPure } from './purity.ts'
import { refuseFile, refuseImport } from './rules.ts'
import { findImports, type Imports, importGraph, readSources, resolveImport, type Sources } from './sources.ts'
import type { Violation } from './violation.ts'

/** Returns every violation in the tree under `src`; file names are relative to it. */
export function checkFence(src: string): Violation[] {
  const sources = readSources(src)
  const imports = findImports(sources)
  const files = [...sources.keys()]
  return [
    ...forbidden(imports),
    ...impurities(sources),
    ...fileCycles(imports),
    ...folderCycles(imports),
    ...fullFolders(files),
  ]
}

function forbidden(imports: Imports): Violation[] {
  const found: Violation[] = []
  for (const [file, list] of imports) {
    const refusal = refuseFile(file)
    if (refusal) found.push({ file, line: 1, reason: refusal })
    for (const one of list) {
      const reason = refuseImport(file, one.specifier, resolveImport(file, one))
      if (reason) found.push({ file, line: one.line, reason })
    }
  }
  return found
}

function impurities(sources: Sources): Violation[] {
  return [...sources]
    .filter(([file]) => isPure(file))
    .flatMap(([file, source]) => findImpurities(source).map(({ line, name }) => ({ file, line, name })))
    .map(({ file, line, name }) => ({ file, line, reason: `${name} in a room that only computes` }))
}

function fileCycles(imports: Imports): Violation[] {
  return findCycles(importGraph(imports)).map((cycle) => {
    const [file, next] = [cycle[0]!, cycle[1]!]
    const edge = imports.get(file)!.find((one) => resolveImport(file, one) === next)
    return { file, line: edge?.line ?? 1, reason: `cycle: ${cycle.join(' -> ')}` }
  })
}

// Relative to src, like every file of a violation.
const exceptionsFile = '../scripts/fence/exceptions.txt'

/** Exceptions are lines `file: reason`. An unused exception is a violation too, so the list only shrinks. */
export function withoutExceptions(violations: readonly Violation[], exceptions: readonly string[]): Violation[] {
  const keyOf = ({ file, reason }: Violation): string => `${file}: ${reason}`
  const needed = new Set(violations.map(keyOf))
  const idle = exceptions.filter((exception) => !needed.has(exception))
  return [
    ...violations.filter((violation) => !exceptions.includes(keyOf(violation))),
    ...idle.map((exception) => ({ file: exceptionsFile, line: 1, reason: `no longer needed: ${exception}` })),
  ]
}
