import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { configJsonSchema } from '../../src/config/json-schema.ts'
import { shape } from './fixture.ts'

type Node = { description?: string; properties?: Record<string, Node>; additionalProperties?: Node | false }
const schema = configJsonSchema(shape) as Node
const settingKeys = Object.keys(shape.rules)

test('every key of both levels is described, and others are refused', () => {
  const procedure = schema.properties?.procedures?.additionalProperties
  if (!procedure) throw new Error('procedures have no schema')
  expect(Object.keys(schema.properties ?? {})).toEqual(Object.keys(shape.schema.shape))
  expect(Object.keys(procedure.properties ?? {})).toEqual(Object.keys(shape.procedure))
  for (const level of [schema, procedure]) {
    expect(level.additionalProperties).toBe(false)
    for (const [key, node] of Object.entries(level.properties ?? {})) expect(node.description, key).toMatch(/^\S.*\.$/)
  }
})

test('the schema is the same each time and describes what people write', () => {
  expect(JSON.stringify(configJsonSchema(shape))).toBe(JSON.stringify(configJsonSchema(shape)))
  expect(schema.properties?.max_time).toMatchObject({ anyOf: [{ type: 'number' }, { type: 'string' }] })
})

test('no key names an endpoint or a credential', () => {
  for (const key of settingKeys) expect(key).not.toMatch(/url|host|endpoint|api|key|password/)
})

test('the page of the manual names every key', async () => {
  const page = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  for (const key of settingKeys) expect(page).toContain(`\`${key}\``)
})
