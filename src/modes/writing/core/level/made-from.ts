import type { Level, ProjectType } from '../../contract/project-type.ts'
import type { Base } from '../../contract/request.ts'
import { parsePartNumber } from './levels.ts'

/** Returns the hashes of the files that a file was made from, by path. */
export function findSources(
  name: string,
  level: Level,
  { type, context, files }: Pick<Base, 'type' | 'context' | 'files'>,
): Readonly<Record<string, string>> {
  const own = ownNumber(name, level)
  const upstream = context.flatMap(({ level: id, files: found }) =>
    found.filter(({ path }) => isSource(path, own, findLevel(type, id), level)),
  )
  // Parts are also made from the file that belongs to all of them.
  const lead = files.filter(({ path }) => level.series?.lead && path === `${level.folder}/${level.series.lead}`)
  const all = name === level.series?.lead ? upstream : [...upstream, ...lead]
  return Object.fromEntries(all.map(({ path, sha256 }) => [path, sha256]))
}

/** A part that follows another series is made from the part of the same number; other parts are only read along. */
function isSource(path: string, own: number | undefined, from: Level | undefined, level: Level): boolean {
  if (!from?.series || from.id !== level.series?.follows || own === undefined) return true
  const number = parsePartNumber(from.series, path.slice(from.folder.length + 1))
  return number === undefined || number === own
}

const ownNumber = (name: string, { series }: Level): number | undefined => series && parsePartNumber(series, name)

const findLevel = (type: ProjectType, id: string): Level | undefined => type.levels.find((level) => level.id === id)

export type Freshness = {
  readonly state: 'fresh' | 'stale' | 'unknown'
  /** The files that changed since. */
  readonly because: readonly string[]
}

/** Compares what a file was made from with what there is now. Needs no model. */
export function decideFreshness(
  madeFrom: Readonly<Record<string, string>> | undefined,
  hashes: ReadonlyMap<string, string>,
): Freshness {
  if (!madeFrom) return { state: 'unknown', because: [] }
  const because = Object.entries(madeFrom).flatMap(([path, sha256]) => (hashes.get(path) === sha256 ? [] : [path]))
  return { state: because.length > 0 ? 'stale' : 'fresh', because }
}
