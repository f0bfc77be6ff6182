import { z } from 'zod'
import { findNearest } from '../../../../contract/nearest.ts'
import { type ContractProblem, formatPointer, formatValue } from './contract-error.ts'

type Path = readonly PropertyKey[]

/** Walks schema and value together and stops at the first problem: zod would collect a million of them in memory. */
export function findFirstProblem(given: z.core.$ZodType, value: unknown, path: Path = []): ContractProblem | undefined {
  const schema = unwrap(given)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = findFirstProblem(schema.element, item, [...path, index])
      if (problem) return problem
    }
    return undefined
  }
  if (schema instanceof z.ZodObject && isObject(value)) {
    const { shape } = schema
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(shape, key))
    if (unknown !== undefined && isStrict(schema)) return describeUnknownKey(unknown, Object.keys(shape), path)
    for (const [key, inner] of Object.entries(shape)) {
      const problem = findFirstProblem(inner, value[key], [...path, key])
      if (problem) return problem
    }
    return undefined
  }
  if (schema instanceof z.ZodRecord && isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const at = [...path, key]
      const problem = findValueProblem(schema.keyType, key, at) ?? findFirstProblem(schema.valueType, item, at)
      if (problem) return problem
    }
    return undefined
  }
  return findValueProblem(given, value, path)
}

/** Returns the first problem that the schema reports for one value. */
export function findValueProblem(schema: z.core.$ZodType, value: unknown, path: Path): ContractProblem | undefined {
  const issue = z.safeParse(schema, value, { error: describeAllowed, reportInput: true }).error?.issues[0]
  if (!issue) return undefined
  const what = issue.input === undefined ? 'missing' : 'wrong value'
  return {
    pointer: formatPointer([...path, ...issue.path]),
    what,
    found: formatValue(issue.input),
    allowed: issue.message,
  }
}

function describeUnknownKey(key: string, known: readonly string[], path: Path): ContractProblem {
  return {
    pointer: formatPointer([...path, key]),
    what: 'unknown key',
    found: formatValue(key),
    allowed: known.join(', '),
    nearest: findNearest(key, known),
  }
}

/** Removes defaults and other wrappers. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return wrappers.some((wrapper) => schema instanceof wrapper) ? unwrap((schema as z.ZodOptional).unwrap()) : schema
}
const wrappers = [z.ZodOptional, z.ZodNullable, z.ZodReadonly, z.ZodDefault, z.ZodPrefault]

const isStrict = ({ def }: z.ZodObject): boolean => def.catchall instanceof z.ZodNever

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const words: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  record: 'an object',
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
