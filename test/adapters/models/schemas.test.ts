import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Rubric } from '../../../src/contract/rubric.ts'
import { judgeQuestion, type QuestionInput, toJsonSchema } from '../../../src/judging/scoring/question.ts'
import { phasesSchema } from '../../../src/modes/refinement/core/phases.ts'
import { JudgeReply } from '../../../src/modes/writing/contract/verdict.ts'
import { diffReplySchema } from '../../../src/modes/writing/core/diff/labels.ts'
import { OutlineReply, PlanReply } from '../../../src/modes/writing/core/pieces.ts'
import { jsonFileSchema } from '../../../src/modes/writing/core/reply/json-file.ts'
import { builtInTypesFolder, loadType } from '../../../src/modes/writing/project/types.ts'
import type { JsonSchema } from '../../../src/ports/model.ts'
import { startModelServer } from '../../support/model-server.ts'
import { findSchemaProblem } from '../../support/strict-schema.ts'
import { ask, modelAt } from './places.ts'

const rubric: Rubric = {
  id: 'largest',
  version: 1,
  // As many as a rubric may have.
  dimensions: Array.from({ length: 8 }, (_, at) => ({ id: `d-${at}`, question: 'So?', weight: 1, floor: 60 })),
  checks: {},
  anchors: [],
}
const asked: QuestionInput = {
  rubric,
  scale: 'anchored',
  task: 'Say how to make tea.',
  phase: { title: 'Draft', number: 2, of: 3 },
  text: 'Boil water.',
  issues: [],
  sample: 1,
}
const about = { severity: 'major', reopened: 0, raisedIn: 1, quote: '', problem: 'How much?', state: 'open' } as const
const issues = Array.from({ length: 100 }, (_, at) => ({ ...about, id: `I${at + 1}` }))

const premise = loadType('novel', [builtInTypesFolder()]).type.levels[0]!

/** Every schema that a model is asked with, by the file that makes it. */
const schemas: Readonly<Record<string, readonly JsonSchema[]>> = {
  'judging/scoring/question.ts': [
    judgeQuestion(asked).schema,
    judgeQuestion({ ...asked, issues }).schema,
    judgeQuestion({ ...asked, scale: 'percent' }).schema,
  ],
  'modes/refinement/core/phases.ts': [phasesSchema],
  'modes/writing/core/diff/labels.ts': [diffReplySchema],
  'modes/writing/work/call.ts': [PlanReply, OutlineReply, JudgeReply, jsonFileSchema(premise)].map(toJsonSchema),
}

describe.each(Object.entries(schemas))('the schemas of %s', (_, made) => {
  test('are accepted by strict servers', () => {
    expect(made.map(findSchemaProblem)).toEqual(made.map(() => undefined))
  })
})

test('every file that makes a schema for a model is checked here', () => {
  const src = join(import.meta.dirname, '../../../src')
  const makes = globSync('**/*.ts', { cwd: src })
    .filter((file) => /\btoJsonSchema\(|: JsonSchema =/.test(readFileSync(join(src, file), 'utf8')))
    // The schemas of files, for editors.
    .filter((file) => file !== 'surfaces/cli/commands/schema.ts')
  expect(makes.toSorted()).toEqual(Object.keys(schemas).toSorted())
})

test.each<[string, z.ZodObject, string | undefined]>([
  ['a number or null', z.object({ a: z.number().nullable() }), undefined],
  ['a list of choices', z.object({ a: z.array(z.enum(['x', 'y'])) }), undefined],
  ['an optional key', z.object({ a: z.object({ b: z.string().optional() }) }), '#/a/b is not required'],
  ['other keys', z.object({ a: z.array(z.looseObject({ b: z.string() })) }), '#/a/items allows other properties'],
  ['any key', z.object({ a: z.record(z.string(), z.string()) }), '#/a has propertyNames'],
  ['any value', z.object({ a: z.unknown() }), '#/a has no type'],
  ['a least length', z.object({ a: z.string().min(1) }), '#/a has minLength'],
  ['a pattern', z.object({ a: z.string().regex(/^x/) }), '#/a has pattern'],
  ['a default', z.object({ a: z.string().default('x') }), '#/a has default'],
  ['bounds of a number', z.object({ a: z.array(z.object({ b: z.int() })) }), '#/a/items/b has minimum'],
  ['a bound in a choice', z.object({ a: z.number().min(1).nullable() }), '#/a/anyOf/0 has minimum'],
  [
    'too many choices',
    z.object({ a: z.enum(Array.from({ length: 1001 }, (_, at) => `${at}`)) }),
    'the schema has 1001 enum values',
  ],
])('the rules of strict servers: %s', (_, made, problem) => {
  expect(findSchemaProblem(toJsonSchema(made))).toBe(problem)
})

test('the servers of the tests reject what strict servers reject', async () => {
  const server = await startModelServer(() => ({ text: '{}' }))
  const reply = await ask(modelAt('ollama', server.url), { schema: { type: 'object', properties: {} } })
  await server.close()
  expect(reply).toMatchObject({ status: 'failed', fault: 'request' })
})
