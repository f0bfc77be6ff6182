import { expect, test } from 'vitest'
import { type Line, toLine } from '../../../src/contract/line.ts'
import { listSchemas } from '../../../src/surfaces/cli/commands/schema.ts'
import { everyKind } from '../../../src/testing/journal-suite.ts'
import { goodInput, goodPlan, goodResult, withValue } from '../../modes/delivery/start/contract-files.ts'
import { programAt } from '../../support/runs.ts'

const schemas = listSchemas(programAt('/'))

type Schema = Readonly<Record<string, unknown>>

/** What a JSON schema says is wrong with a value: as much of the standard as our schemas use, and no word more. */
function faults(schema: Schema, value: unknown, at = ''): string[] {
  // The other words speak of values of the right type alone.
  const allowed = [schema.type ?? []].flat() as string[]
  if (allowed.length > 0 && !allowed.some((type) => types[type]!(value))) return [`${at} type`]
  return Object.entries(schema).flatMap(([keyword, says]) => {
    const check = keywords[keyword]
    if (!check) throw new Error(`a keyword that this test does not know: ${keyword}`)
    const result = check(says as never, value as never, at, schema)
    return typeof result === 'boolean' ? (result ? [] : [`${at} ${keyword}`]) : result
  })
}

type Check = (says: never, value: never, at: string, schema: Schema) => boolean | string[]
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const note = (): boolean => true
const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  integer: Number.isInteger,
  null: (value) => value === null,
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
}
const keywords: Readonly<Record<string, Check>> = {
  $schema: note,
  readOnly: note,
  default: note,
  format: note,
  type: note,
  const: (only: unknown, value) => value === only,
  enum: (all: unknown[], value) => all.includes(value),
  anyOf: (all: Schema[], value) => all.some((one) => faults(one, value).length === 0),
  pattern: (pattern: string, value: string) => new RegExp(pattern, 'u').test(value),
  minLength: (least: number, value: string) => value.length >= least,
  maxLength: (most: number, value: string) => value.length <= most,
  minItems: (least: number, value: unknown[]) => value.length >= least,
  maxItems: (most: number, value: unknown[]) => value.length <= most,
  minimum: (least: number, value: number) => value >= least,
  maximum: (most: number, value: number) => value <= most,
  exclusiveMinimum: (bound: number, value: number) => value > bound,
  required: (names: string[], value: object) => names.every((name) => Object.hasOwn(value, name)),
  items: (one: Schema, value: unknown[], at) => value.flatMap((item, index) => faults(one, item, `${at}/${index}`)),
  propertyNames: (one: Schema, value: object, at) => Object.keys(value).flatMap((key) => faults(one, key, at)),
  properties: (shape: Record<string, Schema>, value: object, at) =>
    Object.entries(value).flatMap(([key, item]) => (shape[key] ? faults(shape[key], item, `${at}/${key}`) : [])),
  additionalProperties: (rest: Schema | boolean, value: object, at, { properties = {} }) =>
    Object.entries(value).flatMap(([key, item]) => {
      if (Object.hasOwn(properties as object, key) || rest === true) return []
      return rest === false ? [`${at}/${key} unknown`] : faults(rest, item, `${at}/${key}`)
    }),
}

const lines: Line[] = everyKind.map((draft, index) => toLine({ ...draft, seq: index + 1, epoch: 1 }, 'run_1'))
const examples: readonly [
  name: string,
  good: readonly object[],
  worse: readonly (string | number)[],
  value: unknown,
][] = [
  ['run-input', [goodInput], ['limits', 'story_max_attempts'], 0],
  ['run-input', [goodInput], ['limts'], {}],
  ['run-input', [goodInput], ['verification'], undefined],
  ['plan', [goodPlan], ['stories', 1, 'id'], '../S2'],
  ['plan', [goodPlan], ['sha256'], 'abc'],
  ['plan', [goodPlan], ['stories'], []],
  ['result', [goodResult], ['reason'], 'bad luck'],
  ['result', [goodResult], ['stories', 0, 'tampering', 0, 'kind'], 'moved'],
  ['progress', lines, ['seq'], 0],
  ['progress', lines, ['timestamp'], 5],
  ['progress', lines, ['context'], undefined],
]

test.each(examples)('the schema %s holds what is good and nothing worse: %#', async (name, good, path, value) => {
  const schema = (await schemas[name]!()) as Schema
  for (const example of good) {
    expect(faults(schema, JSON.parse(JSON.stringify(example)))).toEqual([])
    expect(faults(schema, withValue(JSON.parse(JSON.stringify(example)), path, value))).not.toEqual([])
  }
})

test('the least run input that the seed allows is good too', async () => {
  const { limits: _, agent: __, policy: ___, ...least } = goodInput
  expect(faults((await schemas['run-input']!()) as Schema, least)).toEqual([])
})
