import type { Level } from '../contract/project-type.ts'
import type { Base } from '../contract/request.ts'
import { findLevel } from '../core/level/levels.ts'
import { listDownstream } from '../core/level/relations.ts'
import { formatSelections, formatTaxonomy } from '../core/level/taxonomy.ts'
import { readJsonFile } from '../core/reply/json-file.ts'
import { type OpenProject, readFiles, readHistory } from '../project/project.ts'

/** Reads everything that an iteration on this level is given and may affect. */
export function gatherBase(open: OpenProject, level: Level): Base {
  const { loaded, project } = open
  const { type, templates } = loaded
  const context = level.context.flatMap((id) => {
    const from = findLevel(type, id)
    return from ? [{ level: id, files: readFiles(open, from) }] : []
  })
  const hasContext = context.some((part) => part.files.length > 0)
  const below = hasContext || level.leaf ? [] : findBelow(open, level)
  return {
    project,
    type,
    templates: { ...templates },
    taxonomy: level.context.includes('taxonomy') ? readTaxonomy(open, level) : '',
    files: readFiles(open, level),
    context,
    below,
    downstream: listAffected(open, level),
    history: readHistory(open, level),
  }
}

/** The texts of the nearest level below that exists: an imported draft. */
function findBelow(open: OpenProject, level: Level): Base['files'] {
  for (const lower of listDownstream(open.loaded.type, level.id)) {
    const found = lower.leaf ? [] : readFiles(open, lower)
    if (found.length > 0) return found
  }
  return []
}

/** Levels made from this one that have files. */
export function listAffected(open: OpenProject, level: Level): Base['downstream'] {
  return listDownstream(open.loaded.type, level.id).flatMap((lower) => {
    const found = readFiles(open, lower).map(({ path, sha256 }) => ({ path, sha256 }))
    return found.length > 0 ? [{ level: lower.id, files: found }] : []
  })
}

/** All options for the level that chooses among them; for the others what it chose. */
function readTaxonomy(open: OpenProject, level: Level): string {
  const { loaded, project } = open
  const categories = loaded.taxonomy(project.genre)
  if (level.fields.some(({ kind }) => kind === 'selections')) return formatTaxonomy(categories)
  const chooser = loaded.type.levels.find(({ fields }) => fields.some(({ kind }) => kind === 'selections'))
  const field = chooser?.fields.find(({ kind }) => kind === 'selections')
  const [file] = chooser ? readFiles(open, chooser) : []
  return field ? formatSelections(categories, readJsonFile(file?.text)?.[field.name]) : ''
}
