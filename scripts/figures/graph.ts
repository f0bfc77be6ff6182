export type Graph = ReadonlyMap<string, readonly string[]>

/** Counts for each file how many files import it. */
export function countImporters(graph: Graph): number[] {
  const counts = new Map([...graph.keys()].map((file) => [file, 0]))
  for (const targets of graph.values()) {
    for (const target of new Set(targets)) counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  return [...counts.values()]
}

/** Returns the length of the longest import chain. Ignores imports that close a cycle. */
export function longestChain(graph: Graph): string[] {
  const chains = new Map<string, string[]>()
  const open = new Set<string>()
  function chainFrom(file: string): string[] {
    const known = chains.get(file)
    if (known) return known
    open.add(file)
    const rest = (graph.get(file) ?? []).filter((next) => !open.has(next)).map(chainFrom)
    open.delete(file)
    const chain = [file, ...longest(rest)]
    chains.set(file, chain)
    return chain
  }
  return longest([...graph.keys()].map(chainFrom))
}

function longest(chains: readonly string[][]): string[] {
  return chains.reduce((best, chain) => (chain.length > best.length ? chain : best), [])
}
