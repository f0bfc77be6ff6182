import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type ConfigProblem } from '../../../config/problem.ts'
import type { YamlSource } from '../../../config/yaml-source.ts'
import { PawlError } from '../../../contract/exit.ts'
import { findNearest } from '../../../contract/nearest.ts'
import { dataFolder } from '../../../installation.ts'
import { type Categories, ProjectType, Taxonomy } from '../contract/project-type.ts'
import { findTypeProblems } from '../core/level/check-type.ts'
import { parseData } from './parse-data.ts'
import { findTemplateProblem, type TemplateProblem } from './template-engine.ts'
import { listNames, readTypeFile } from './type-folder.ts'

export type FoundType = {
  readonly name: string
  /** The folder of types that it is in. */
  readonly folder: string
}

export type LoadedType = FoundType & {
  readonly type: ProjectType
  /** The categories of the base and of the genre. A genre without a file, or none, has those of the base. */
  taxonomy(genre?: string): Categories
  /** The texts of the prompts by name, such as `judge`. */
  readonly templates: Readonly<Record<string, string>>
}

/** The folder of the types that come with the program. */
export const builtInTypesFolder = (): string => dataFolder('types', 'modes/writing/types')

/** Returns the types in these folders by name. A type in an earlier folder hides one of the same name in a later folder. */
export function findTypes(folders: readonly string[]): readonly FoundType[] {
  const found = new Map<string, FoundType>()
  for (const folder of folders) {
    for (const name of listNames(folder)) {
      const isType = typeName.test(name) && existsSync(join(folder, name, typeFile))
      if (isType && !found.has(name)) found.set(name, { name, folder })
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Loads a type with all that belongs to it. Throws a ConfigError that names file and line of each problem. */
export function loadType(name: string, folders: readonly string[]): LoadedType {
  const types = findTypes(folders)
  const found = types.find((one) => one.name === name)
  if (!found) throw unknownType(name, types, folders)
  const { folder } = found
  const type = parseType(found)
  const taxonomies = loadTaxonomies(found, type.value.taxonomy, type.source)
  return {
    ...found,
    type: type.value,
    taxonomy: (genre) => {
      // People write "Science fiction" for `science-fiction`.
      const own = taxonomies.genres.get(
        (genre ?? '')
          .trim()
          .toLowerCase()
          .replace(/[\s_]+/g, '-'),
      )
      return { ...taxonomies.base, ...own }
    },
    templates: loadTemplates(name, folder, folders),
  }
}

const typeFile = 'type.yaml'
const typeName = /^[a-z][a-z0-9-]{0,39}$/

function unknownType(name: string, types: readonly FoundType[], folders: readonly string[]): PawlError {
  const names = types.map((one) => one.name)
  const nearest = findNearest(name, names)
  const guess = nearest === undefined ? '' : `Did you mean ${nearest}? `
  const known = names.length > 0 ? `Known: ${names.join(', ')}. ` : ''
  const hint = `${guess}${known}A type is a folder with a ${typeFile}, in: ${folders.join(', ')}`
  return new PawlError(30, `there is no project type ${JSON.stringify(name)}`, hint, 'unknown_type')
}

function parseType({ name, folder }: FoundType) {
  const file = join(folder, name, typeFile)
  const text = readTypeFile(folder, join(name, typeFile))
  if (text === undefined) throw new ConfigError([missingFile(file)])
  const parsed = parseData(file, text, ProjectType)
  const { value, source } = parsed
  const misnamed = { path: ['type'], what: 'another name than its folder', found: value.type, allowed: name }
  const [first, ...more] = [...(value.type === name ? [] : [misnamed]), ...findTypeProblems(value)].map((problem) =>
    locate(problem, file, source),
  )
  if (first) throw new ConfigError([first, ...more])
  return parsed
}

type Taxonomies = { readonly base: Categories; readonly genres: ReadonlyMap<string, Categories> }

function loadTaxonomies({ name, folder }: FoundType, named: ProjectType['taxonomy'], source: YamlSource): Taxonomies {
  const load = (file: string, path: readonly string[]): Categories => {
    const place = join(name, 'taxonomy', file)
    const text = readTypeFile(folder, place)
    if (text !== undefined) return parseData(join(folder, place), text, Taxonomy).value.categories
    const known = listNames(folder, join(name, 'taxonomy'))
    const problem = { path, what: 'no such file', found: file, allowed: `files in ${join(folder, name, 'taxonomy')}` }
    throw new ConfigError([
      locate({ ...problem, nearest: findNearest(file, known) }, join(folder, name, typeFile), source),
    ])
  }
  if (!named) return { base: {}, genres: new Map() }
  const genres = Object.entries(named.genres)
  return {
    base: load(named.base, ['taxonomy', 'base']),
    genres: new Map(genres.map(([genre, file]) => [genre, load(file, ['taxonomy', 'genres', genre])])),
  }
}

/** The type's own templates, else those of `default` in the first folder that has them. */
function loadTemplates(name: string, folder: string, folders: readonly string[]): Readonly<Record<string, string>> {
  const shared = new Map(folders.toReversed().flatMap((one) => readTemplates(one, 'default')))
  const own = readTemplates(folder, name)
  for (const [template] of own) {
    // A name with _ is a part that other templates of the type include.
    if (shared.has(template) || template.startsWith('_')) continue
    const file = join(folder, name, 'prompts', `${template}.liquid`)
    throw new ConfigError([unknownTemplate(file, template, [...shared.keys()])])
  }
  const all = Object.fromEntries([...shared, ...own])
  const written = folders.filter((one) => one !== builtInTypesFolder()).map((one) => [one, 'default'] as const)
  for (const [from, type] of [[folder, name] as const, ...written]) refuseBroken(from, type, all)
  return all
}

/** Throws if a template of this folder cannot be used, before a run is started with it. */
function refuseBroken(folder: string, name: string, all: Readonly<Record<string, string>>): void {
  for (const [template, text] of readTemplates(folder, name)) {
    const problem = findTemplateProblem(template, { ...all, [template]: text })
    if (problem) throw new ConfigError([brokenTemplate(join(folder, name, 'prompts', `${template}.liquid`), problem)])
  }
}

function readTemplates(folder: string, name: string): readonly (readonly [string, string])[] {
  const path = join(name, 'prompts')
  const files = listNames(folder, path).filter((file) => file.endsWith('.liquid'))
  return files.map((file) => {
    const template = file.slice(0, -'.liquid'.length)
    if (!templateName.test(template)) throw new ConfigError([misnamedTemplate(join(folder, path, file), template)])
    return [template, readTypeFile(folder, join(path, file)) ?? ''] as const
  })
}

const templateName = /^_?[a-z][a-z0-9-]{0,39}$/

type Placed = {
  readonly path: readonly (string | number)[]
  readonly what: string
  readonly found: string
  readonly allowed: string
  readonly nearest?: string | undefined
}

function locate({ path, ...problem }: Placed, file: string, source: YamlSource): ConfigProblem {
  const { line, column } = source.valueAt(path)
  return { file, line, column, key: path.join('.'), ...problem, next: 'Correct the value.' }
}

const wholeFile = { line: null, column: null, key: '' }

const missingFile = (file: string): ConfigProblem => ({
  ...wholeFile,
  file,
  what: 'cannot be read',
  found: 'nothing',
  allowed: 'a text file',
  next: 'Write it.',
})

const misnamedTemplate = (file: string, template: string): ConfigProblem => ({
  ...wholeFile,
  file,
  what: 'wrong name',
  found: template,
  allowed: 'lower-case letters, digits and -',
  next: 'Rename it.',
})

const brokenTemplate = (file: string, problem: TemplateProblem): ConfigProblem => ({
  file,
  key: '',
  what: 'broken template',
  ...problem,
  allowed: 'a Liquid template',
  next: 'Correct the file and run the command again.',
})

const unknownTemplate = (file: string, template: string, known: readonly string[]): ConfigProblem => ({
  ...wholeFile,
  file,
  what: 'unknown template',
  found: template,
  allowed: `${known.join(', ')}, or a name with _ for a part of others`,
  nearest: findNearest(template, known),
  next: 'Rename it.',
})
