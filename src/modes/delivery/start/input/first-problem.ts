import { z } from 'zod'
import { findNearest } from '../../../../contract/nearest.ts'
import { type ContractProblem, formatPointer, spell } from './contract-error.ts'

type Path = readonly PropertyKey[]

/** Goes down schema and value together and stops at the first mistake: zod would list a million of them in memory. */
export function firstProblem(schema: z.core.$ZodType, value: unknown, path: Path = []): ContractProblem | undefined {
  const { def } = unwrapped(schema)._zod as { readonly def: Def }
  if (def.type === 'array' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = firstProblem(def.element, item, [...path, index])
      if (problem) return problem
    }
    return undefined
  }
  if (def.type === 'object' && isObject(value)) {
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(def.shape, key))
    if (unknown !== undefined && def.catchall) return unknownKey(unknown, Object.keys(def.shape), path)
    for (const [key, inner] of Object.entries(def.shape)) {
      const problem = firstProblem(inner, value[key], [...path, key])
      if (problem) return problem
    }
    return undefined
  }
  if (def.type === 'record' && isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const problem = wrongValue(def.keyType, key, [...path, key]) ?? firstProblem(def.valueType, item, [...path, key])
      if (problem) return problem
    }
    return undefined
  }
  return wrongValue(schema, value, path)
}

/** What a schema says of one value, in its first complaint. */
export function wrongValue(schema: z.core.$ZodType, value: unknown, path: Path): ContractProblem | undefined {
  const issue = z.safeParse(schema, value, { error: describeAllowed, reportInput: true }).error?.issues[0]
  if (!issue) return undefined
  const what = issue.input === undefined ? 'missing' : 'wrong value'
  return { pointer: formatPointer([...path, ...issue.path]), what, found: spell(issue.input), allowed: issue.message }
}

function unknownKey(key: string, known: readonly string[], path: Path): ContractProblem {
  return {
    pointer: formatPointer([...path, key]),
    what: 'unknown key',
    found: spell(key),
    allowed: known.join(', '),
    nearest: findNearest(key, known),
  }
}

type Def =
  | { readonly type: 'array'; readonly element: z.core.$ZodType }
  | { readonly type: 'object'; readonly shape: z.core.$ZodShape; readonly catchall?: unknown }
  | { readonly type: 'record'; readonly keyType: z.core.$ZodType; readonly valueType: z.core.$ZodType }
  | { readonly type: 'string' }

/** Defaults and other wrappings taken off. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema
  for (;;) {
    const { innerType } = inner._zod.def as { readonly innerType?: z.core.$ZodType }
    if (!innerType) return inner
    inner = innerType
  }
}

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

/** For schemas that bring no phrase of their own. */
function describeAllowed(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return words[issue.expected]
  return issue.code === 'invalid_value' ? issue.values.map(String).join(', ') : undefined
}
