import { formatCount } from '../../../show/format.ts'
import type { Level } from '../contract/project-type.ts'
import { decideFreshness, type Freshness } from '../core/level/made-from.ts'
import { hashFiles, listFiles, type OpenProject, readSources } from './project.ts'

/** Each level with its files and whether they are up to date. Needs no model. */
export function describeLevels(open: OpenProject): string[][] {
  const { levels } = open.loaded.type
  const hashes = new Map(levels.flatMap((level) => hashFiles(open, level)))
  return levels.map((level) => {
    const files = listFiles(open, level)
    if (files.length === 0) return [level.id, '-', '', '']
    const { files: sources } = readSources(open, level)
    const states = files.map(({ name }) => decideFreshness(sources[name]?.made_from, hashes))
    return [level.id, summarize(states, level), formatCount(files.length, 'file'), describeStale(states)]
  })
}

function summarize(states: readonly Freshness[], { context }: Level): string {
  const count = (state: Freshness['state']): number => states.filter((one) => one.state === state).length
  const [stale, unknown] = [count('stale'), count('unknown')]
  if (stale > 0) return stale === states.length ? 'stale' : `${stale} stale`
  // A level that is made from nothing cannot be stale.
  if (context.every((id) => id === 'taxonomy')) return 'fresh'
  if (unknown > 0) return unknown === states.length ? 'unknown' : `${unknown} unknown`
  return 'fresh'
}

const maxNamed = 2

function describeStale(states: readonly Freshness[]): string {
  const changed = [...new Set(states.flatMap(({ because }) => because))]
  if (changed.length === 0) return ''
  const more = changed.length > maxNamed ? ` and ${changed.length - maxNamed} more` : ''
  return `because ${changed.slice(0, maxNamed).join(', ')}${more} changed`
}
