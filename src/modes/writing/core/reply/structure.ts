import { mostFileBytes } from '../../contract/project.ts'
import type { Level } from '../../contract/project-type.ts'

/** A file before and after an attempt. */
export type FileChange = { readonly name: string; readonly before: string | undefined; readonly after: string }

/** Finds what makes a text unusable, whatever it says: it is empty, cut off, not JSON, or has lost its headings. */
export function checkStructure(
  level: Pick<Level, 'format' | 'fields'>,
  files: readonly FileChange[],
  { feedback }: { readonly feedback: string },
): readonly string[] {
  return files.flatMap((file) =>
    level.format === 'json' ? checkJson(level, file) : checkText(file, mayShrink.test(feedback)),
  )
}

/** The person asks for less text. Only then may a file lose most of it. */
const mayShrink =
  /\b(?:shorten|shorter|cut|trim|condense|summari[sz]e|tighten|compress|remove|delete|drop|less|fewer|merge|split|concise|brief|kürz\p{L}*|streich\p{L}*)\b/iu

const minWords = 120
const leastShare = 0.4

function checkText({ name, before, after }: FileChange, mayLose: boolean): string[] {
  if (after.trim() === '') return [`${name} is empty.`]
  if (isObject(after) && !isObject(before ?? '')) return [`${name} is JSON, not a text.`]
  if (new TextEncoder().encode(after).length > mostFileBytes) return [`${name} is too long: more than 1 MiB.`]
  const problems: string[] = []
  const [was, is] = [countWords(before ?? ''), countWords(after)]
  if (!mayLose && was >= minWords && is < was * leastShare)
    problems.push(`${name} lost most of its text: ${was} words before, ${is} after.`)
  const [title, heading] = [findTitle(before ?? ''), findTitle(after)]
  if (title !== undefined && heading === undefined) problems.push(`${name} has lost its heading "${title}".`)
  const placeholder = placeholders.exec(after)?.[0]
  if (placeholder !== undefined && !(before ?? '').includes(placeholder))
    problems.push(`${name} leaves text out: "${placeholder.trim()}".`)
  return problems
}

/** A model that does not want to repeat a text writes such a line instead. */
const placeholders =
  /^[^\S\n]*[[(*]*(?:…|\.\.\.)?\s*(?:the )?(?:rest|remainder)(?: of (?:the|this) (?:chapter|text|file|document|scene))? (?:remains|stays|is) (?:unchanged|the same)[^\n]*$/imu

function checkJson({ fields }: Pick<Level, 'fields'>, { name, after }: FileChange): string[] {
  const value = parseJson(after)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${name} is not a JSON object.`]
  const missing = fields.filter((field) => !(field.name in value)).map((field) => field.name)
  return missing.length > 0 ? [`${name} lacks ${missing.join(', ')}.`] : []
}

const isObject = (text: string): boolean => /^\s*\{/.test(text) && typeof parseJson(text) === 'object'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first heading of the first level. */
const findTitle = (text: string): string | undefined => /^#\s+(.+)$/m.exec(text)?.[1]?.trim()

const countWords = (text: string): number => text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0
