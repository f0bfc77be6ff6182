import { z } from 'zod'
import { PawlError } from './exit.ts'
import { findNearest } from './nearest.ts'

/** Checks what a caller gave to a function of the library. Throws a PawlError that names the first wrong option. */
export function checkOptions(schema: z.ZodType, given: unknown): void {
  const { error } = schema.safeParse(given)
  // A misspelt name is often also a missing one: the name is the better hint.
  const issue = error?.issues.find(({ code }) => code === 'unrecognized_keys') ?? error?.issues[0]
  if (!issue) return
  if (issue.code === 'unrecognized_keys') throw unknownOption(schema, issue.path, issue.keys[0]!)
  const name = issue.path.join('.')
  const value = formatValue(issue.path.reduce(readKey, given))
  const is = name === '' ? 'the options are' : `${name} is`
  throw misuse(`${is} ${value}, but must be ${describeExpected(issue)}`)
}

/** Checks only the names of options, for functions that check the values themselves. */
export const checkOptionNames = (names: readonly string[], given: unknown): void =>
  checkOptions(z.strictObject(Object.fromEntries(names.map((name) => [name, z.unknown().optional()]))), given)

/** An option that a function of your own may be given: the only way to check one. */
export const functionOption = z.custom<(...given: never[]) => unknown>(
  (value) => typeof value === 'function',
  'a function',
)

/** An object that has these functions. */
export const objectWith = (what: string, ...functions: readonly string[]) =>
  z.custom<object>(
    (value) =>
      typeof value === 'object' && value !== null && functions.every((name) => isFunction(readKey(value, name))),
    what,
  )

export const signalOption = z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'an AbortSignal')

const isFunction = (value: unknown): boolean => typeof value === 'function'

const misuse = (message: string, hint?: string): PawlError => new PawlError(2, message, hint, 'invalid_options')

function unknownOption(schema: z.ZodType, path: readonly PropertyKey[], key: string): PawlError {
  const known = listOptions(schema)
  const parent = path.map((step) => `${String(step)}.`).join('')
  const siblings = known.filter((name) => name.startsWith(parent) && !name.slice(parent.length).includes('.'))
  const near = findNearest(
    key,
    siblings.map((name) => name.slice(parent.length)),
  )
  const meant = near === undefined ? known.find((name) => name.endsWith(`.${key}`)) : `${parent}${near}`
  const hint = meant === undefined ? `Options: ${siblings.join(', ')}` : `Did you mean ${meant}?`
  return misuse(`unknown option ${parent}${key}`, hint)
}

/** Lists all options by their dotted names. */
function listOptions(schema: z.ZodType, parent = ''): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, part]) => [
      `${parent}${key}`,
      ...listOptions(part as z.ZodType, `${parent}${key}.`),
    ])
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly || schema instanceof z.ZodDefault) {
    return listOptions(schema.unwrap() as z.ZodType, parent)
  }
  return []
}

const readKey = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<PropertyKey, unknown>>)[key] : undefined

const maxShown = 60

function formatValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, maxShown))
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}

function describeExpected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? issue.expected
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_big') return isNumber(issue) ? `${issue.maximum} or less` : 'shorter'
  if (issue.code !== 'too_small') return issue.message
  if (!isNumber(issue)) return 'not empty'
  return issue.inclusive ? `${issue.minimum} or more` : `more than ${issue.minimum}`
}

const isNumber = ({ origin }: { readonly origin: string }): boolean => origin === 'number' || origin === 'int'

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
