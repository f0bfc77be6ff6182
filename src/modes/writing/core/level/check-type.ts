import { findNearest } from '../../../../contract/nearest.ts'
import { isOwnFile } from '../../contract/project.ts'
import type { Level, ProjectType } from '../../contract/project-type.ts'
import { parsePartNumber } from './levels.ts'
import { findCycle } from './relations.ts'

/** Something in `type.yaml` that does not fit with the rest of it. */
export type TypeProblem = {
  readonly path: readonly (string | number)[]
  readonly what: string
  readonly found: string
  readonly allowed: string
  readonly nearest?: string | undefined
}

/** Checks what a schema cannot: that names exist, that files do not collide, and that no level is made from itself. */
export function findTypeProblems(type: ProjectType): readonly TypeProblem[] {
  const problems = [
    ...findRepeats(type.levels.map(({ id }) => id)).map((at) => repeated(['levels', at, 'id'], type.levels[at]!.id)),
    ...findRepeats(type.levels.map(({ folder }) => folder.toLowerCase())).map((at) =>
      repeated(['levels', at, 'folder'], type.levels[at]!.folder),
    ),
    ...findRepeats(type.questions.map(({ key }) => key)).map((at) =>
      repeated(['questions', at, 'key'], type.questions[at]!.key),
    ),
    ...findRepeats(type.analyses.map(({ name }) => name)).map((at) =>
      repeated(['analyses', at, 'name'], type.analyses[at]!.name),
    ),
    ...type.levels.flatMap((level, at) => [
      ...checkFiles(level, ['levels', at]),
      ...checkNames(level, ['levels', at], type),
    ]),
    ...checkChoices(type),
  ]
  return problems.length > 0 ? problems : describeCycle(type)
}

function checkFiles(level: Level, path: Path): readonly TypeProblem[] {
  const { id, file, series, reports, format, fields } = level
  const given = Object.entries({ file, series, reports }).flatMap(([key, value]) => (value ? [key] : []))
  if (id === 'taxonomy') return [{ path: [...path, 'id'], what: 'reserved name', found: id, allowed: 'another name' }]
  if (given.length !== 1) {
    const found = given.length === 0 ? 'none of them' : given.join(' and ')
    return [{ path, what: 'a level has one kind of files', found, allowed: 'one of file, series, reports' }]
  }
  const ending = format === 'json' ? '.json' : '.md'
  const named: readonly (readonly [Path, string | undefined])[] = [
    [[...path, 'file'], file],
    [[...path, 'series', 'pattern'], series?.pattern],
    [[...path, 'series', 'lead'], series?.lead],
    [[...path, 'reports', 'pattern'], reports?.pattern],
  ]
  return [
    ...named.flatMap(([at, name]) =>
      name === undefined || (name.endsWith(ending) && !isOwnFile(name))
        ? []
        : [{ path: at, what: 'wrong file name', found: name, allowed: `a name that ends with ${ending}` }],
    ),
    ...(series?.lead !== undefined && parsePartNumber(series, series.lead) !== undefined
      ? [
          {
            path: [...path, 'series', 'lead'],
            what: 'the lead is named like a part',
            found: series.lead,
            allowed: 'another name',
          },
        ]
      : []),
    ...((format === 'json') === fields.length > 0
      ? []
      : [
          {
            path: [...path, 'fields'],
            what: format === 'json' ? 'a JSON file needs fields' : 'only a JSON file has fields',
            found: `${fields.length} fields`,
            allowed: format === 'json' ? 'at least one field' : 'none',
          },
        ]),
  ]
}

function checkNames(level: Level, path: Path, { levels, taxonomy }: ProjectType): readonly TypeProblem[] {
  const others = levels.filter(({ id, leaf }) => id !== level.id && !leaf)
  const sources = [...others.map(({ id }) => id), ...(taxonomy ? ['taxonomy'] : [])]
  const inSeries = others.filter(({ series }) => series).map(({ id }) => id)
  const follows = level.series?.follows
  return [
    ...level.context.flatMap((id, at) =>
      // A cycle of one is reported as a cycle.
      sources.includes(id) || id === level.id ? [] : [unknown([...path, 'context', at], 'unknown level', id, sources)],
    ),
    ...(follows === undefined || follows === level.id || inSeries.includes(follows)
      ? []
      : [unknown([...path, 'series', 'follows'], 'no level with a series', follows, inSeries)]),
  ]
}

function checkChoices({ levels, exports, questions, taxonomy, analyses }: ProjectType): readonly TypeProblem[] {
  const texts = levels.filter(({ leaf }) => !leaf).map(({ id }) => id)
  return [
    ...exports.filter((one) => !texts.includes(one)).map((one) => unknown(['exports'], 'unknown level', one, texts)),
    ...questions.flatMap(({ choices }, at) =>
      choices !== 'genres' || taxonomy
        ? []
        : [{ path: ['questions', at, 'choices'], what: 'no taxonomy', found: 'genres', allowed: 'a list of answers' }],
    ),
    ...(analyses.length === 0 || levels.some(({ leaf, reports }) => leaf && reports)
      ? []
      : [{ path: ['analyses'], what: 'no level for reports', found: 'none', allowed: 'a leaf level with reports' }]),
  ]
}

function describeCycle(type: ProjectType): readonly TypeProblem[] {
  const cycle = findCycle(type)
  if (!cycle) return []
  const at = type.levels.findIndex(({ id }) => id === cycle[0])
  const found = cycle.join(' from ')
  return [{ path: ['levels', at, 'context'], what: 'a level is made from itself', found, allowed: 'earlier levels' }]
}

type Path = readonly (string | number)[]

const repeated = (path: Path, found: string): TypeProblem => ({
  path,
  what: 'used twice',
  found,
  allowed: 'each name once',
})

const unknown = (path: Path, what: string, found: string, known: readonly string[]): TypeProblem => ({
  path,
  what,
  found,
  allowed: known.length > 0 ? known.join(', ') : 'none',
  nearest: findNearest(found, known),
})

const findRepeats = (names: readonly string[]): readonly number[] =>
  names.flatMap((name, at) => (names.indexOf(name) < at ? [at] : []))
