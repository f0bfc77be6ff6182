import type { Level, ProjectType } from '../../contract/project-type.ts'

/** Returns the levels that change with this one: those made from it, directly or not, and all leaf levels. In the type's order. */
export function listDownstream(type: ProjectType, id: string): readonly Level[] {
  return type.levels.filter((level) => listUpstream(type, level.id).some((one) => one.id === id))
}

/** Returns the levels that this one is made from, directly or not. A leaf level is about all others. In the type's order. */
export function listUpstream(type: ProjectType, id: string): readonly Level[] {
  const level = type.levels.find((one) => one.id === id)
  if (!level) return []
  if (level.leaf) return type.levels.filter(({ leaf }) => !leaf)
  const found = new Set<string>()
  const open = listSources(level)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    const source = type.levels.find((one) => one.id === next)
    if (source) open.push(...listSources(source))
  }
  return type.levels.filter((one) => found.has(one.id) && one.id !== id)
}

/** Returns a way from a level back to itself, such as `a, b, a`, or undefined. */
export function findCycle(type: ProjectType): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (id: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(id)) return [...way.slice(way.indexOf(id)), id]
    const level = type.levels.find((one) => one.id === id)
    if (!level || done.has(id)) return undefined
    for (const source of listSources(level)) {
      const cycle = visit(source, [...way, id])
      if (cycle) return cycle
    }
    done.add(id)
    return undefined
  }
  for (const { id } of type.levels) {
    const cycle = visit(id, [])
    if (cycle) return cycle
  }
  return undefined
}

const listSources = ({ context, series }: Level): string[] => [
  ...context.filter((id) => id !== 'taxonomy'),
  ...(series?.follows === undefined ? [] : [series.follows]),
]
