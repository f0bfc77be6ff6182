import { expect, test } from 'vitest'
import { z } from 'zod'
import { explain } from '../../src/config/explain.ts'
import { configJsonSchema } from '../../src/config/json-schema.ts'
import { valuesFromFlags } from '../../src/config/run-settings.ts'
import { listCommands } from '../../src/config/trust.ts'
import { type SettingRules, setting } from '../../src/contract/config/setting.ts'
import { createConfigShape } from '../../src/contract/config/shape.ts'
import { procedureSettings } from '../../src/modes/procedure/contract/settings.ts'
import { machine } from './fixture.ts'

const allowed = 'a whole number from 1 to 9'

/** The keys of a mode that sings. */
const singing = {
  verses: setting('number', z.int(allowed).min(1, allowed).max(9, allowed).describe('How many verses it sings.'), {
    builtIn: () => 3,
  }),
  tuned: setting('switch', z.boolean('true or false').describe('Whether it is tuned first.'), { only: 'workspace' }),
  singers: setting('list', z.array(z.string()).describe('Who sings.'), {
    only: 'procedures',
    builtIn: ({ program }) => [program],
  }),
  tuner: setting('text', z.string().describe('The command that tunes it.'), { needsTrust: true }),
  stage: setting('text', z.string().describe('Where it is heard.'), {
    userOnly: { what: 'a repository cannot choose your stage', found: 'a stage', next: 'Remove it there.' },
  }),
} satisfies SettingRules

const shape = createConfigShape([procedureSettings, singing])

test('without any file the defaults apply, with the types of the rules', async () => {
  const settings = await (await machine()).load({ shape, name: 'rooda' })
  const { verses, tuned, singers } = settings.own(singing)
  const typed: [number, boolean | undefined, string[]] = [verses, tuned, singers]
  expect(typed).toEqual([3, undefined, ['rooda']])
})

test('a file may set it where its rule allows, and origins name the line', async () => {
  const workspace = 'verses: 2\ntuned: true\nprocedures:\n  choir:\n    verses: 5\n    singers: [a, b]\n'
  const settings = await (await machine({ workspace })).load({ shape, procedure: 'choir' })
  expect(settings.own(singing)).toMatchObject({ verses: 5, tuned: true, singers: ['a', 'b'] })
  expect(explain(settings, 'procedures.choir.verses')).toEqual({
    key: 'procedures.choir.verses',
    value: 5,
    origin: { tier: 'procedure', where: '.pawl/config.yml:5' },
    shadowed: [
      { value: 2, origin: { tier: 'workspace', where: '.pawl/config.yml:1' } },
      { value: 3, origin: { tier: 'built-in', where: 'built-in' } },
    ],
  })
})

test('variables and flags are read by its kind', async () => {
  const here = await machine()
  const env = { PAWL_VERSES: '4', PAWL_TUNED: 'false', PAWL_PROCEDURES_CHOIR_SINGERS: 'a\nb' }
  const spoken = await here.load({ shape, env, procedure: 'choir' })
  expect(spoken.own(singing)).toMatchObject({ verses: 4, tuned: false, singers: ['a', 'b'] })
  const settings = await here.load({ shape, env, flags: { verses: '7' } })
  expect(explain(settings, 'verses')).toMatchObject({ value: 7, origin: { tier: 'flag', where: '--verses' } })
  expect(valuesFromFlags(singing, { verses: '7', gates: 'x' })).toEqual({ verses: 7 })
})

test('editors complete it where files may have it', () => {
  type Level = { readonly properties: Readonly<Record<string, unknown>> }
  const schema = configJsonSchema(shape) as Level
  const { additionalProperties: procedure } = schema.properties.procedures as { readonly additionalProperties: Level }
  expect(schema.properties.verses).toMatchObject({ type: 'integer', description: 'How many verses it sings.' })
  expect(procedure.properties.verses).toEqual(schema.properties.verses)
  expect([schema, procedure].map(({ properties }) => 'tuned' in properties)).toEqual([true, false])
  expect([schema, procedure].map(({ properties }) => 'singers' in properties)).toEqual([false, true])
})

test('a wrong value is refused with line and column, in the words of its schema', async () => {
  const here = await machine({ workspace: 'gates: []\nprocedures:\n  choir: { verses: 12 }\n' })
  expect((await here.refusal({ shape })).message).toBe(
    '.pawl/config.yml:3:20 procedures.choir.verses: wrong value, found 12, allowed: a whole number from 1 to 9. Correct the value, or remove the line.',
  )
  expect((await (await machine()).refusal({ shape, env: { PAWL_VERSES: '0' } })).message).toBe(
    'PAWL_VERSES verses: wrong value, found 0, allowed: a whole number from 1 to 9. Correct or unset the variable.',
  )
})

test('a typo is reported in a file, a variable and config explain', async () => {
  const here = await machine({ workspace: 'verse: 2\n' })
  expect(await here.refusal({ shape })).toMatchObject({ line: 1, column: 1, key: 'verse', nearest: 'verses' })
  const settings = await (await machine()).load({ shape, env: { PAWL_VERSE: '2' } })
  expect(settings.warnings).toEqual(['PAWL_VERSE is not a known variable and is ignored. Did you mean PAWL_VERSES?'])
  expect(() => explain(settings, 'verzes')).toThrow('Did you mean verses?')
})

test('it is unknown where its rule does not allow it', async () => {
  const here = await machine({ workspace: 'singers: [a]\nprocedures:\n  choir: { tuned: true }\n' })
  expect((await here.refusal({ shape })).problems).toMatchObject([
    { line: 3, key: 'procedures.choir.tuned', what: 'unknown key' },
    { line: 1, key: 'singers', what: 'unknown key' },
  ])
})

test('its commands need trust, and a repository cannot set a user-only key', async () => {
  const workspace = 'verses: 2\nprocedures:\n  choir: { tuner: fork --a }\n'
  const settings = await (await machine({ workspace })).load({ shape, procedure: 'choir' })
  expect(listCommands(settings)).toEqual({ 'procedures.choir.tuner': 'fork --a' })
  const refused = 'procedures:\n  choir: { stage: mine }\nstage: theirs\n'
  expect((await (await machine({ workspace: refused })).refusal({ shape })).problems).toMatchObject([
    { line: 3, column: 1, key: 'stage', what: 'a repository cannot choose your stage' },
    { line: 2, column: 12, key: 'procedures.choir.stage', what: 'a repository cannot choose your stage' },
  ])
  expect((await (await machine({ user: refused })).load({ shape })).lookUp('stage').value).toBe('theirs')
})

test('without the mode its keys are unknown everywhere', async () => {
  const without = createConfigShape([procedureSettings])
  const here = await machine({ workspace: 'verses: 2\n' })
  expect(await here.refusal({ shape: without })).toMatchObject({ line: 1, column: 1, key: 'verses', found: 'verses' })
  const spoken = { env: { PAWL_VERSES: '0' }, flags: { verses: '0' } }
  const settings = await (await machine()).load({ shape: without, ...spoken })
  expect(settings.claims).toEqual([])
  expect(() => explain(settings, 'verses')).toThrow('unknown key')
  expect(configJsonSchema(without)).not.toHaveProperty('properties.verses')
})

test('the shared keys alone are a configuration, and no mode can take the key of another', () => {
  expect(createConfigShape([]).rules).not.toHaveProperty('until')
  for (const key of ['gates', 'until', 'procedures', '$schema']) {
    const rules = { [key]: setting('text', z.string()) }
    expect(() => createConfigShape([procedureSettings, rules])).toThrow(`two settings are called ${key}`)
  }
})
