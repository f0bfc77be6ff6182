import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { ConfigError } from '../../src/config/problem.ts'
import { type Machine, machine, shape } from './fixture.ts'

const settingKeys = Object.keys(shape.rules)

// A nightly run asks for more: PAWL_FUZZ_RUNS=100000.
const runs = Number(process.env.PAWL_FUZZ_RUNS ?? 250)

/** Loads or throws ConfigError with sane places; anything else, and any hang, fails the test. */
async function holds(here: Machine, workspace: string | Uint8Array): Promise<void> {
  await here.write('workspace/.pawl/config.yml', workspace)
  const began = performance.now()
  try {
    const settings = await here.load({ procedure: 'build' })
    for (const key of settingKeys) settings.lookUp(key)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const { line, column } of error.problems) expect((line ?? 1) >= 1 && (column ?? 1) >= 1).toBe(true)
    expect(error.message.split('\n').length).toBeLessThanOrEqual(21)
  }
  expect(performance.now() - began).toBeLessThan(5000)
}

const word = fc.oneof(
  fc.constantFrom(...settingKeys, 'procedures', 'build', '$schema', '__proto__', 'constructor', '<<'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const value = fc.oneof(
  fc.constantFrom('3h', 'off', 'strict', 'look.md', 'never', '1e309', '.nan', '-0', '٣', '', 'NPM_*'),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    value,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(word, tie('tree'), { maxKeys: 5 }),
  ),
}))
const signs =
  ': |:|  |- |[|]|{|}|,|&a |*a|!x |!!str |>-|"|# |? |<<|~|@|`|%YAML 1.1|---|...|1e309|gates|procedures|build'
const fragment = fc.constantFrom(...signs.split('|'), '|', "'", '\n', '\r\n', '\t', '\ufeff', '\0', '\u2028')

test('arbitrary bytes', async () => {
  const here = await machine()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), (bytes) => holds(here, bytes)),
    { numRuns: runs },
  )
})

test('arbitrary pieces of YAML', async () => {
  const here = await machine()
  const text = fc.array(fragment, { maxLength: 60 }).map((pieces) => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(text, (yaml) => holds(here, yaml)),
    { numRuns: runs },
  )
})

test('arbitrary trees under known and unknown keys', async () => {
  const here = await machine()
  await fc.assert(
    fc.asyncProperty(fc.dictionary(word, tree, { maxKeys: 6 }), (config) => holds(here, stringify(config))),
    { numRuns: runs },
  )
})

test('arbitrary variables and flags', async () => {
  const texts = fc.dictionary(fc.constantFrom(...settingKeys), fc.string({ unit: 'binary' }), { maxKeys: 3 })
  const anything = fc.dictionary(word, fc.anything({ withBigInt: true, withNullPrototype: true }), { maxKeys: 4 })
  const here = await machine()
  await fc.assert(
    fc.asyncProperty(texts, anything, async (variables, flags) => {
      const env = Object.fromEntries(
        Object.entries(variables).map(([key, text]) => [`PAWL_${key.toUpperCase()}`, text]),
      )
      const outcome = await here.load({ env, flags }).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ConfigError)
    }),
    { numRuns: runs },
  )
})
