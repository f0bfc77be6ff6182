import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { z } from 'zod'
import { ConfigError, type ConfigProblem, formatExcerpt, formatKeyPath } from '../../../config/problem.ts'
import { parseYaml, type YamlSource } from '../../../config/yaml-source.ts'
import { findNearest } from '../../../contract/nearest.ts'

type Path = readonly PropertyKey[]

/** A parsed file, with the place of each of its parts for later checks. */
export type ParsedData<Value> = { readonly value: Value; readonly source: YamlSource }

/** Parses YAML, or JSON if the name ends with .json. Throws a ConfigError that names each problem with its line. */
export function parseData<Schema extends z.ZodType>(
  file: string,
  text: string,
  schema: Schema,
): ParsedData<z.infer<Schema>> {
  // JSON is YAML, so one parser gives the places in both; but not all YAML is JSON.
  const notJson = file.endsWith('.json') ? findJsonProblem(file, text) : undefined
  if (notJson) throw new ConfigError([notJson])
  const source = parseYaml(file, text)
  // One wrong indent makes many problems: the others follow from the first.
  const [problem] = source.problems
  if (problem) throw new ConfigError([problem])
  const value = source.content?.value
  const parsed = schema.safeParse(value, { error: describeAllowed })
  if (parsed.success) return { value: parsed.data, source }
  const [first, ...others] = parsed.error.issues.flatMap((issue) => toProblems(issue, { file, value, schema, source }))
  throw new ConfigError([first!, ...others])
}

function findJsonProblem(file: string, text: string): ConfigProblem | undefined {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [error] = errors
  if (!error) return undefined
  const before = text.slice(0, error.offset).split('\n')
  return {
    file,
    line: before.length,
    column: before.at(-1)!.length + 1,
    key: '',
    what: 'invalid JSON',
    found: printParseErrorCode(error.error),
    allowed: 'JSON without comments',
    next: 'Correct the file and run the command again.',
  }
}

type Parsing = {
  readonly file: string
  readonly value: unknown
  readonly schema: z.core.$ZodType
  readonly source: YamlSource
}

function toProblems(issue: z.core.$ZodIssue, { file, value, schema, source }: Parsing): readonly ConfigProblem[] {
  const key = formatKeyPath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const known = listKeys(schema, issue.path)
    return issue.keys.map((name) => ({
      file,
      ...source.keyAt([...issue.path, name]),
      key: formatKeyPath([...issue.path, name]),
      what: 'unknown key',
      found: formatExcerpt(name),
      allowed: known.join(', '),
      nearest: findNearest(name, known),
      next: 'Rename or remove it.',
    }))
  }
  if (issue.code === 'invalid_key') {
    const allowed = issue.issues[0]?.message ?? issue.message
    return [{ file, ...source.keyAt(issue.path), key, what: 'wrong name', allowed, next: 'Rename it.' }]
  }
  if (issue.path.length > 0 && findValue(value, issue.path) === undefined) {
    const { line, column } = source.keyAt(issue.path)
    return [{ file, line, column, key, what: 'missing key', found: 'nothing', allowed: issue.message, next: 'Add it.' }]
  }
  const next = 'Correct the value.'
  return [{ file, ...source.valueAt(issue.path), key, what: 'wrong value', allowed: issue.message, next }]
}

function findValue(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step], value)
}

/** Returns the keys that the schema has at a path. */
function listKeys(schema: z.core.$ZodType, path: Path): readonly string[] {
  let at: z.core.$ZodType | undefined = schema
  for (const step of path) at = at && stepInto(unwrap(at), step)
  const found = at && unwrap(at)
  return found instanceof z.ZodObject ? Object.keys(found.shape) : []
}

function stepInto(schema: z.core.$ZodType, step: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(step)]
  if (schema instanceof z.ZodArray) return schema.element
  return schema instanceof z.ZodRecord ? schema.valueType : undefined
}

/** Removes defaults and other wrappers. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return wrappers.some((wrapper) => schema instanceof wrapper) ? unwrap((schema as z.ZodOptional).unwrap()) : schema
}
const wrappers = [z.ZodOptional, z.ZodReadonly, z.ZodDefault]

const words: Readonly<Record<string, string>> = {
  object: 'keys with values',
  record: 'keys with values',
  array: 'a list',
  string: 'text',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
}

/** For schemas without a message of their own. */
function describeAllowed(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return words[issue.expected]
  return issue.code === 'invalid_value' ? issue.values.map(String).join(', ') : undefined
}
