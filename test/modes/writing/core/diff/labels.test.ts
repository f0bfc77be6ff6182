import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffReplySchema, readLabels } from '../../../../../src/modes/writing/core/diff/labels.ts'
import { change } from './cases/case.ts'
import { compareText } from './level.ts'

const computed = compareText('One. Two here. Three.', 'One. Two there. Three.')

const label = change({
  id: 'C1',
  hunks: ['h1'],
  units: ['u1'],
  type: 'rewrite',
  magnitude: 'minor',
  title: 'Two moves',
  summary: 'Two is there now.',
  before: 'Two is here.',
  after: 'Two is there.',
})
const labels = {
  changes: [label],
  impact: { tone: null, arcs: [], consistency: '' },
  risks: [{ text: 'None.', severity: 'low' }],
  rationale: 'Because.',
}
const reply = JSON.stringify(labels)

describe('the schema of the reply', () => {
  type Schema = { readonly [key: string]: unknown }
  const walk = (schema: Schema): readonly Schema[] => [
    schema,
    ...Object.values((schema.properties ?? {}) as Record<string, Schema>).flatMap(walk),
    ...(schema.items ? walk(schema.items as Schema) : []),
    ...((schema.anyOf ?? []) as readonly Schema[]).flatMap(walk),
  ]

  test('requires all properties of each object and allows no others', () => {
    const objects = walk(diffReplySchema).filter(({ type }) => type === 'object')
    expect(objects.length).toBeGreaterThan(4)
    for (const { properties, required, additionalProperties } of objects) {
      expect(required).toEqual(Object.keys(properties as object))
      expect(additionalProperties).toBe(false)
    }
  })

  test('has no bounds, which some servers reject', () => {
    const keys = walk(diffReplySchema).flatMap((schema) => Object.keys(schema))
    expect(new Set(keys)).toEqual(
      new Set(['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'anyOf']),
    )
  })
})

describe('a reply is read', () => {
  test.each([
    ['alone', reply],
    ['in a fence', `\`\`\`json\n${reply}\n\`\`\``],
    ['between sentences', `Here it is:\n\n${reply}\n\nI hope this helps.`],
    ['behind another object', `{"thinking": "hm"} ${reply}`],
    ['with properties that nobody asked for', JSON.stringify({ ...labels, confidence: 0.9 })],
  ])('%s', (_, text) => {
    expect(readLabels(text, computed)).toEqual({ labels })
  })
})

describe('a reply is unreadable', () => {
  const withChange = (said: object): string => JSON.stringify({ ...labels, changes: [{ ...label, ...said }] })
  const { why: _, ...withoutWhy } = label

  test.each([
    ['without JSON', 'I changed two things.', /0 JSON objects/],
    ['with two answers', `${reply} ${reply}`, /2 JSON objects/],
    ['cut off', reply.slice(0, -20), /broken/],
    ['with a key that is there twice', reply.replace('"rationale"', '"rationale":"x","rationale"'), /repeats a key/],
    ['with an unknown magnitude', withChange({ magnitude: 'huge' }), /changes\.0\.magnitude/],
    ['with an unknown type', withChange({ type: 'improve' }), /changes\.0\.type/],
    ['with an unknown side', withChange({ evidence: [{ side: 'both', quote: 'x' }] }), /side/],
    ['without a field', JSON.stringify({ ...labels, changes: [withoutWhy] }), /changes\.0\.why/],
    ['with a number for a text', withChange({ title: 3 }), /changes\.0\.title/],
    ['with an id that is there twice', JSON.stringify({ ...labels, changes: [label, label] }), /C1/],
    ['with a reserved id', withChange({ id: 'rest' }), /rest/],
    ['with an empty title', withChange({ title: ' ' }), /no title/],
    ['without a change', JSON.stringify({ ...labels, changes: [] }), /1 hunks and no change/],
    ['that is too long', `${reply}${' '.repeat(1024 * 1024)}`, /1 MiB/],
  ])('%s', (_name, text, why) => {
    expect(readLabels(text, computed)).toEqual({ unreadable: expect.stringMatching(why) })
  })

  test('or read, but never throws', () => {
    const piece = fc.constantFrom('{', '}', '"changes"', ':', '[', ']', ',', '"', 'null', '1', reply, '```')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        readLabels(pieces.join(''), computed)
      }),
    )
  })
})

test('no changes are needed where nothing changed', () => {
  expect(readLabels(JSON.stringify({ ...labels, changes: [] }), { hunks: [] })).toHaveProperty('labels')
})
