import { expect, test } from 'vitest'
import { explain } from '../../src/config/explain.ts'
import { ConfigError } from '../../src/config/problem.ts'
import { machine } from './fixture.ts'

const commented = [
  '# the loop',
  '$schema: https://example.org/schema.json',
  '',
  'failure_threshold: 5 # five',
  'gates:',
  '  # fast ones first',
  '  - npm run lint',
  '  - npm test',
  'procedures:',
  '  plan: { gates: ["true"] }',
  '  build:',
  '    # more patience',
  '    max_time: 3h',
  '    gates: [make]',
  '',
]

for (const [ending, name] of [
  ['\n', 'LF'],
  ['\r\n', 'CRLF'],
] as const) {
  test(`origins name the line of the key, past comments and blank lines (${name}, with and without BOM)`, async () => {
    for (const bom of ['', '\ufeff']) {
      const here = await machine({ workspace: bom + commented.join(ending) })
      const settings = await here.load({ procedure: 'build' })
      const where = (key: 'failure_threshold' | 'max_time' | 'gates') => settings.effective(key).origin.where
      expect(where('failure_threshold')).toBe('.pawl/config.yml:4')
      expect(where('max_time')).toBe('.pawl/config.yml:13')
      expect(where('gates')).toBe('.pawl/config.yml:14')
      expect(settings.value('gates')).toEqual(['make'])
      expect(settings.effective('gates').shadowed[0]).toEqual({
        value: ['npm run lint', 'npm test'],
        origin: { tier: 'workspace', where: '.pawl/config.yml:5' },
      })
    }
  })
}

test('a value from an alias has the line of the key that uses it', async () => {
  const here = await machine({
    workspace:
      'procedures:\n  plan: &shared\n    failure_threshold: 7\n  build: *shared\n  test:\n    gates: &g [a]\n    context: *g\n',
  })
  expect((await here.load({ procedure: 'build' })).effective('failure_threshold')).toMatchObject({
    value: 7,
    origin: { where: '.pawl/config.yml:4' },
  })
  expect((await here.load({ procedure: 'test' })).effective('context').origin.where).toBe('.pawl/config.yml:7')
})

test('explain works for a key and for one procedure, whatever is selected', async () => {
  const here = await machine({ workspace: commented.join('\n') })
  const settings = await here.load()
  expect(explain(settings, 'gates')).toMatchObject({ key: 'gates', value: ['npm run lint', 'npm test'] })
  expect(explain(settings, 'procedures.build.gates')).toEqual({
    key: 'procedures.build.gates',
    value: ['make'],
    origin: { tier: 'procedure', where: '.pawl/config.yml:14' },
    shadowed: [
      { value: ['npm run lint', 'npm test'], origin: { tier: 'workspace', where: '.pawl/config.yml:5' } },
      { value: [], origin: { tier: 'built-in', where: 'built-in' } },
    ],
  })
  expect(explain(settings, 'procedures.build.max_time').value).toBe(10_800_000)
  expect(explain(settings, 'max_iterations')).toMatchObject({ key: 'default_iterations', value: 0 })
})

test.each([
  ['failure_treshold', 'failure_threshold'],
  ['gate', 'gates'],
  ['procedures.biuld.gates', 'procedures.build.gates'],
  ['procedures.build.gatse', 'procedures.build.gates'],
  ['procedures.build.sandbox', undefined],
  ['procedures.build.gates.0', 'procedures.build.gates'],
  ['__proto__', undefined],
  ['toString', undefined],
  ['', undefined],
])('explain of the unknown key %j suggests %j', async (key, suggestion) => {
  const settings = await (await machine({ workspace: commented.join('\n') })).load()
  const outcome = caught(() => explain(settings, key))
  expect(outcome.nearest).toBe(suggestion)
  expect(outcome.allowed).toContain('failure_threshold')
})

function caught(action: () => unknown): ConfigError {
  try {
    action()
  } catch (error) {
    if (error instanceof ConfigError) return error
  }
  throw new Error('expected a ConfigError')
}
