import { expect, test } from 'vitest'
import { machine, shape } from './fixture.ts'

test.each([
  ['PAWL_MAX_ITERATIONS', '0', 'default_iterations', 0],
  ['PAWL_DEFAULT_ITERATIONS', '12', 'default_iterations', 12],
  ['PAWL_FAILURE_THRESHOLD', '4', 'failure_threshold', 4],
  ['PAWL_TOKEN_BUDGET', '50', 'token_budget', 50],
  ['PAWL_MAX_TOKENS', '9007199254740991', 'max_tokens', Number.MAX_SAFE_INTEGER],
  ['PAWL_MAX_COST', '2.50', 'max_cost', 2.5],
  ['PAWL_MAX_TIME', '90s', 'max_time', 90_000],
  ['PAWL_MAX_TIME', '90', 'max_time', 90_000],
  ['PAWL_ATTEMPT_TIMEOUT', '1.5m', 'attempt_timeout', 90_000],
  ['PAWL_SILENCE_TIMEOUT', '250ms', 'silence_timeout', 250],
  ['PAWL_MAX_WAIT', '0', 'max_wait', 0],
  ['PAWL_AI_CMD', 'claude -p', 'ai_cmd', 'claude -p'],
  ['PAWL_AGENT', 'scripted', 'agent', 'scripted'],
  ['PAWL_GATES', 'npm test\n\nmake, really\n', 'gates', ['npm test', 'make, really']],
  ['PAWL_GATES', '', 'gates', []],
  ['PAWL_DURABILITY', 'strict', 'durability', 'strict'],
  ['PAWL_SANDBOX', 'off', 'sandbox', 'off'],
  ['PAWL_BELL', 'false', 'bell', false],
  ['PAWL_BELL', 'true', 'bell', true],
  ['PAWL_UNTIL', 'gates', 'until', 'gates'],
  ['PAWL_ENV', 'PATH\nNPM_*', 'env', ['PATH', 'NPM_*']],
  ['PAWL_PROCEDURES_BUILD_FAST_FAILURE_THRESHOLD', '8', 'failure_threshold', 8],
  ['PAWL_PROCEDURES_BUILD_FAST_MAX_ITERATIONS', '8', 'default_iterations', 8],
] as const)('%s=%j sets %s to %j', async (variable, text, key, value) => {
  const settings = await (await machine()).load({ env: { [variable]: text }, procedure: 'build-fast' })
  expect(settings.lookUp(key)).toMatchObject({ value, origin: { tier: 'environment', where: variable } })
})

const notNumbers = [
  '٣',
  '1e3',
  '0x3',
  '3 ',
  ' 3',
  '3\n',
  '\n3',
  '+3',
  '-3',
  '3.0',
  '03',
  '',
  ' ',
  'three',
  'NaN',
  'Infinity',
  '1_000',
  '9007199254740992',
  '3,0',
  '３',
  '3\0',
  'null',
  '[3]',
]
test.each(notNumbers)('PAWL_MAX_ITERATIONS=%j is refused, naming the variable', async (text) => {
  const error = await (await machine()).refusal({ env: { PAWL_MAX_ITERATIONS: text } })
  expect(error).toMatchObject({ file: 'PAWL_MAX_ITERATIONS', line: null, column: null, key: 'default_iterations' })
  expect(error.allowed).toBe('a whole number, 0 for unlimited')
  expect(error.message.split('\n')).toHaveLength(1)
})

test.each(notNumbers)('--max-iterations %j is refused, naming the flag', async (text) => {
  const error = await (await machine()).refusal({ flags: { maxIterations: text } })
  expect(error).toMatchObject({ file: '--max-iterations', key: '' })
})

test('the message for a refused variable is one complete line', async () => {
  const error = await (await machine()).refusal({ env: { PAWL_MAX_ITERATIONS: '1e3\n' } })
  expect(error.message).toBe(
    'PAWL_MAX_ITERATIONS default_iterations: wrong value, found "1e3\\n", allowed: a whole number, 0 for unlimited. Correct or unset the variable.',
  )
})

test.each([
  ['PAWL_MAX_COST', '1e3'],
  ['PAWL_MAX_COST', '0'],
  ['PAWL_MAX_COST', '1,50'],
  ['PAWL_MAX_TIME', '90 s'],
  ['PAWL_MAX_TIME', '0'],
  ['PAWL_MAX_TIME', '0.0001s'],
  ['PAWL_MAX_TIME', '25d'],
  ['PAWL_MAX_TIME', '-3h'],
  ['PAWL_MAX_TIME', '٣h'],
  ['PAWL_MAX_TIME', '3h\n'],
  ['PAWL_AI_CMD', ''],
  ['PAWL_AI_CMD', '   '],
  ['PAWL_AI_CMD', 'a\0b'],
  ['PAWL_AI_CMD', 'x'.repeat(32_769)],
  ['PAWL_AGENT', '../evil'],
  ['PAWL_DURABILITY', 'Strict'],
  ['PAWL_SANDBOX', 'none'],
  ['PAWL_SECRETS', 'A,B'],
  ['PAWL_ENV', '*'],
  ['PAWL_ENV', 'A*B'],
])('%s=%j is refused', async (variable, text) => {
  expect((await (await machine()).refusal({ env: { [variable]: text } })).file).toBe(variable)
})

test('a variable of one procedure wins over the general one and is ignored by others', async () => {
  const here = await machine({ workspace: 'procedures: { build: {} }\n' })
  const env = { PAWL_MAX_TIME: '1h', PAWL_PROCEDURES_BUILD_MAX_TIME: '2h' }
  expect((await here.load({ env, procedure: 'build' })).value('max_time')).toBe(7_200_000)
  expect((await here.load({ env, procedure: 'plan' })).value('max_time')).toBe(3_600_000)
})

test('a misspelled variable gives a warning with the right name; unrelated ones are ignored', async () => {
  const here = await machine()
  const settings = await here.load({ env: { PAWL_FAILURE_TRESHOLD: '4', PAWL_HOME: '/x', PATH: '/bin' } })
  expect(settings.warnings).toEqual([
    'PAWL_FAILURE_TRESHOLD is not a known variable and is ignored. Did you mean PAWL_FAILURE_THRESHOLD?',
  ])
})

test.each([
  [{ maxIterations: 5 }, 'default_iterations', 5, '--max-iterations'],
  [{ max_iterations: '5' }, 'default_iterations', 5, '--max-iterations'],
  [{ defaultIterations: 5 }, 'default_iterations', 5, '--max-iterations'],
  [{ aiCmd: 'claude' }, 'ai_cmd', 'claude', '--ai-cmd'],
  [{ gates: 'a\nb' }, 'gates', ['a\nb'], '--gates'],
  [{ gates: ['a', 'b'] }, 'gates', ['a', 'b'], '--gates'],
  [{ 'max-time': 30 }, 'max_time', 30_000, '--max-time'],
  [{ observe: 'look.md' }, 'observe', ['look.md'], '--observe'],
] as const)('flags %j set %s', async (flags, key, value, where) => {
  expect((await (await machine()).load({ flags })).lookUp(key)).toMatchObject({
    value,
    origin: { tier: 'flag', where },
  })
})

test('flags that are not settings, or not given, change nothing', async () => {
  const flags = { json: true, fresh: true, maxIterations: undefined, constructor: 1, procedures: {} }
  const settings = await (await machine()).load({ flags })
  expect(settings.claims).toEqual([])
})

test('a flag of an unexpected type is refused without a crash', async () => {
  const circle: unknown[] = []
  circle.push(circle)
  for (const value of [
    true,
    null,
    {},
    circle,
    3n,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    1.5,
    () => 1,
    Symbol('x'),
  ]) {
    expect((await (await machine()).refusal({ flags: { maxIterations: value } })).file).toBe('--max-iterations')
  }
})

test('a secret in a refused value is not repeated', async () => {
  const secret = `sk-${'a1'.repeat(12)}`
  const error = await (await machine()).refusal({ env: { PAWL_AGENT: `x ${secret}` } })
  expect(JSON.stringify(error.problems) + error.message).not.toContain(secret)
})

test('every key can be reached by its variable and its flag', async () => {
  const here = await machine()
  for (const key of Object.keys(shape.rules)) {
    const upper = `PAWL_${key.toUpperCase()}`
    const outcome = await here.load({ env: { [upper]: '\0' } }).then(
      (settings) => settings.claims.map((claim) => claim.origin.where),
      (error: { readonly file: string }) => [error.file],
    )
    expect(outcome).toEqual([upper])
  }
})
