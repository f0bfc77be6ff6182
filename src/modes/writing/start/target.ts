import { PawlError } from '../../../contract/exit.ts'
import type { Level, ProjectType } from '../contract/project-type.ts'
import { findLevel } from '../core/level/levels.ts'
import { listDownstream } from '../core/level/relations.ts'
import { listFiles, type OpenProject } from '../project/project.ts'
import type { IterationOptions } from './options.ts'

/** Levels that feedback can be given for. Reports are made, not revised. */
export const listTargets = ({ levels }: ProjectType): readonly Level[] => levels.filter(({ leaf }) => !leaf)

export const invalidTarget = (type: ProjectType): PawlError =>
  new PawlError(
    2,
    `Invalid target. Valid targets: ${listTargets(type)
      .map(({ id }) => id)
      .join(', ')}`,
    undefined,
    'invalid_target',
  )

/** Finds the level of a request. Throws the seed's error for a name that is none. */
export function findTarget(
  { loaded: { type } }: OpenProject,
  { target, kind }: Pick<IterationOptions, 'target' | 'kind'>,
): Level {
  const leaf = type.levels.find((level) => level.leaf)
  const level = kind === 'analyze' ? leaf : findLevel(type, target)
  if (!level || (level.leaf && kind !== 'analyze')) throw invalidTarget(type)
  return level
}

export const notFound = ({ id }: Level): PawlError =>
  new PawlError(30, `No ${id} found. Generate ${id} first with /generate ${id}`, undefined, 'not_found')

/** Throws if there is nothing to revise, or nothing to generate from. */
export function refuseMissing(open: OpenProject, level: Level, { kind }: Pick<IterationOptions, 'kind'>): void {
  if (kind === 'iterate' && listFiles(open, level).length === 0) throw notFound(level)
  if (kind !== 'generate') return
  const { type } = open.loaded
  const upstream = [...level.context, ...(level.series?.follows ? [level.series.follows] : [])]
  const nearest = upstream.map((id) => findLevel(type, id)).findLast((found) => found !== undefined)
  if (!nearest || listFiles(open, nearest).length > 0) return
  // An imported draft has no levels above it yet: they are made from it.
  const hasBelow = listDownstream(type, level.id).some((lower) => !lower.leaf && listFiles(open, lower).length > 0)
  if (!hasBelow || level.series?.follows) throw notFound(nearest)
}
