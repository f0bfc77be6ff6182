import { z } from 'zod'

const id = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'lower-case letters, digits and -')
/** A plain file or folder name: no path, not hidden. */
const fileName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/, 'a plain file name')
/** A plain file name with one placeholder. */
const filePattern = (placeholder: string, example: string) =>
  z.string().regex(
    // Only one placeholder, so that a name can be read in one way.
    new RegExp(`^(?=[^{}]*\\{${placeholder}\\}[^{}]*$)[A-Za-z0-9_{][A-Za-z0-9_.{}-]{0,79}$`),
    `a plain file name with one {${placeholder}}, such as ${example}`,
  )
const sentence = z.string().min(1).max(2000)

/** A level of many files, such as one per chapter. `{n}` in the pattern is the number, with two digits. */
const Series = z
  .strictObject({
    pattern: filePattern('n', 'chapter-{n}.md'),
    one: z.string().min(1),
    many: z.string().min(1),
    /** A file that belongs to all of them, such as foundation.md. */
    lead: fileName.optional(),
    /** The level whose files these correspond to, number by number. */
    follows: id.optional(),
  })
  .readonly()

/** A level of files that are named by what they are about, such as pacing.md. */
const Reports = z
  .strictObject({ pattern: filePattern('name', '{name}.md'), one: z.string().min(1), many: z.string().min(1) })
  .readonly()

const JsonField = z
  .strictObject({ name: z.string(), kind: z.enum(['text', 'list', 'selections']), says: sentence })
  .readonly()

export const Level = z
  .strictObject({
    id,
    /** As a heading: "Chapters". */
    title: z.string().min(1),
    /** The name shown when its files are saved: "Chapter beats". */
    saved: z.string().min(1),
    folder: fileName,
    /** The one file of the level. Exactly one of `file`, `series` and `reports` is given. */
    file: fileName.optional(),
    series: Series.optional(),
    reports: Reports.optional(),
    format: z.enum(['markdown', 'json']),
    /** The fields of a JSON file. */
    fields: z.array(JsonField).readonly().default([]),
    /** Levels whose texts are given to the model, and `taxonomy`. */
    context: z.array(id).readonly(),
    /** Reports about the work. They are affected by every other level, and nothing is made from them. */
    leaf: z.literal(true).optional(),
    temperature: z.number().min(0).max(2),
    /** For revising an existing text. `temperature` if absent. */
    revisionTemperature: z.number().min(0).max(2).optional(),
    /** Usual length of one file in words. */
    words: z.int().positive(),
    /** What a text of this level is, in a sentence for the model: "A treatment tells the whole story in prose." */
    describes: sentence,
    /** What each file must have, one rule each. */
    rules: z.array(sentence).readonly(),
    /** What the lead file must have. */
    leadRules: z.array(sentence).readonly().default([]),
    /** First words of headings by which `/import` recognizes a section of this level. */
    headings: z.array(z.string()).readonly().default([]),
  })
  .readonly()
export type Level = z.infer<typeof Level>

const Question = z
  .strictObject({
    key: z.enum(['genre', 'idea', 'words', 'parts', 'audience']),
    asks: z.string(),
    /** Offered answers. `genres`: the genres of the taxonomy. */
    choices: z.union([z.literal('genres'), z.array(z.string()).readonly()], 'genres or a list of answers').optional(),
    default: z.string().optional(),
  })
  .readonly()

/** `type.yaml`: a project type. Its folder also has the taxonomy, and templates that differ from the default ones. */
export const ProjectType = z
  .strictObject({
    type: id,
    title: z.string(),
    says: sentence,
    levels: z.array(Level).min(1).max(40).readonly(),
    /** Files in `taxonomy/`: the base, and one for each genre. */
    taxonomy: z
      .strictObject({ base: fileName, genres: z.record(id, fileName) })
      .readonly()
      .optional(),
    /** Asked by `/new` after the name and the type. */
    questions: z.array(Question).readonly(),
    words: z.int().positive().optional(),
    parts: z.int().positive().optional(),
    /** The levels that `/export` writes, in this order. */
    exports: z.union([id.transform((one) => [one]), z.array(id).min(1)]).readonly(),
    /** Kinds of reports that `/analyze` makes. */
    analyses: z
      .array(z.strictObject({ name: id, asks: sentence }).readonly())
      .readonly()
      .default([]),
  })
  .readonly()
export type ProjectType = z.infer<typeof ProjectType>

/** A taxonomy file. A genre's file adds categories to the base. */
export const Taxonomy = z
  .object({
    taxonomy_version: z.string(),
    taxonomy_name: z.string(),
    extends: z.string().optional(),
    genre: z.string().optional(),
    description: z.string(),
    categories: z.record(
      z.string(),
      z
        .object({
          category_name: z.string(),
          selection_rule: z.enum([
            'select_one',
            'select_primary',
            'select_primary_and_secondary',
            'select_one_primary_optional_secondary',
            'select_one_or_two',
            'select_up_to_three',
            'select_multiple',
            'select_all_that_apply',
          ]),
          description: z.string(),
          required: z.boolean().optional(),
          options: z.record(z.string(), z.looseObject({ name: z.string(), description: z.string() }).readonly()),
        })
        .readonly(),
    ),
  })
  .readonly()
export type Taxonomy = z.infer<typeof Taxonomy>
/** By key, such as `tone`. */
export type Categories = Taxonomy['categories']
