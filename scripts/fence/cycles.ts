// Cycles in a graph of files: one shortest cycle for each group of files that reach one another.

export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = []
  const told = new Set<string>()
  for (const file of graph.keys()) {
    if (told.has(file)) continue
    const cycle = shortestWayBack(graph, file)
    if (!cycle) continue
    cycles.push(cycle)
    for (const member of cycle) told.add(member)
  }
  return cycles
}

/** Returns the shortest path from `start` to itself, with `start` at both ends. */
function shortestWayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | null {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return [...pathTo(cameFrom, file), start]
      if (cameFrom.has(next)) continue
      cameFrom.set(next, file)
      queue.push(next)
    }
  }
  return null
}

function pathTo(cameFrom: ReadonlyMap<string, string>, end: string): string[] {
  const path = [end]
  for (let file = cameFrom.get(end); file !== undefined; file = cameFrom.get(file)) path.unshift(file)
  return path
}
