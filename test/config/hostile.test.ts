import { expect, test } from 'vitest'
import { machine } from './fixture.ts'

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...'bcdefghij'.split('').map((name, index) => {
    const before = 'abcdefghi'[index]
    return `${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`
  }),
].join('\n')

const heavy = {
  'alias bomb': bomb,
  'open brackets': '['.repeat(1_000_000),
  'open maps': '{a: '.repeat(250_000),
  'compact sequences': '- '.repeat(500_000),
  'explicit keys': '? '.repeat(500_000),
  'indented maps': Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
  'many keys': Array.from({ length: 80_000 }, (_, index) => `key${index}: 1\n`).join(''),
  'keys under the limit': Array.from({ length: 7000 }, (_, index) => `${'k'.repeat(100)}${index}: 1\n`).join(''),
  'many errors': ']'.repeat(1_000_000),
  'many documents': '---\n'.repeat(250_000),
  'a long key': `${'k'.repeat(1_000_000)}: 1\n`,
  'many wrong gates': `gates: [${'1,'.repeat(15_000)}]`,
}
test.each(Object.entries(heavy))('%s: refused within a moment', async (_, workspace) => {
  const here = await machine({ workspace })
  const began = performance.now()
  const error = await here.refusal()
  expect(error.file).toBe('.pawl/config.yml')
  expect(error.line).toBeGreaterThan(0)
  expect(performance.now() - began).toBeLessThan(5000)
})

test('an alias bomb is refused at its first alias', async () => {
  expect(await (await machine({ workspace: bomb })).refusal()).toMatchObject({ line: 2, column: 8 })
})

test('nesting is refused at its line, before anything recurses; 32 levels are still read', async () => {
  const nested = (levels: number) => `gates:\n  ${'['.repeat(levels)}${']'.repeat(levels)}\n`
  const deep = await (await machine({ workspace: nested(5000) })).refusal()
  expect(deep).toMatchObject({ line: 2, allowed: 'at most 32 levels of nesting' })
  expect(await (await machine({ workspace: nested(20) })).refusal()).toMatchObject({ line: 2, key: 'gates.0' })
})

test('an array that contains itself is a wrong value, not a hang', async () => {
  expect(await (await machine({ workspace: 'gates: &a [*a]\n' })).refusal()).toMatchObject({
    line: 1,
    key: 'gates.0',
    found: '*a',
  })
})

test.each([
  ['__proto__: { gates: [evil] }\n', 1, 1, '__proto__'],
  ['procedures:\n  __proto__: { gates: [evil] }\n', 2, 3, 'procedures.__proto__'],
  ['procedures:\n  build:\n    __proto__: { gates: [evil] }\n', 3, 5, 'procedures.build.__proto__'],
  ['constructor: 1\n', 1, 1, 'constructor'],
  ['toString: 1\n', 1, 1, 'toString'],
])('%j is an unknown key and touches no prototype', async (workspace, line, column, key) => {
  expect(await (await machine({ workspace })).refusal()).toMatchObject({ line, column, key })
  expect(Object.hasOwn(Object.prototype, 'gates')).toBe(false)
})

test('a procedure named constructor works like any other', async () => {
  const here = await machine({ workspace: 'procedures:\n  constructor: { gates: [make] }\n' })
  expect((await here.load({ procedure: 'constructor' })).value('gates')).toEqual(['make'])
  expect((await here.load({ procedure: 'to-string' })).value('gates')).toEqual([])
})

test('%YAML 1.1 does not bring back its booleans and merges', async () => {
  const here = await machine({ workspace: '%YAML 1.1\n---\nagent: yes\n' })
  expect((await here.load()).value('agent')).toBe('yes')
  const merging = await machine({ workspace: '%YAML 1.1\n---\n<<: { agent: x }\n' })
  expect(await merging.refusal()).toMatchObject({ line: 3, key: '<<' })
})

test.each([
  [undefined, 'off', false],
  [undefined, 'auto', true],
  [undefined, 'required', true],
  ['off', 'off', true],
  ['off', 'required', true],
  ['auto', 'off', false],
  ['required', 'auto', false],
  ['required', 'off', false],
])('where the user says sandbox %s, a repository saying %s is fine: %s', async (own, asked, fine) => {
  const here = await machine({ ...(own && { user: `sandbox: ${own}\n` }), workspace: `# x\nsandbox: ${asked}\n` })
  if (fine) {
    expect((await here.load()).value('sandbox')).toBe(asked)
    return
  }
  const error = await here.refusal()
  expect(error).toMatchObject({ file: '.pawl/config.yml', line: 2, column: 10, key: 'sandbox', found: asked })
  expect(error.message).toContain(`a repository cannot weaken your sandbox (${own ?? 'auto'})`)
})

test('only the user may set where runs report to, even if the file has another error', async () => {
  const address = 'https://example.com/hook?token=sesame'
  const here = await machine({ user: `notify_webhook: ${address}\n` })
  expect((await here.load()).value('notify_webhook')).toBe(address)
  const env = { PAWL_NOTIFY_WEBHOOK: 'http://127.0.0.1:8080/' }
  expect((await here.load({ env })).value('notify_webhook')).toBe(env.PAWL_NOTIFY_WEBHOOK)
  const theirs = await machine({ workspace: `gatez: []\nnotify_webhook: ${address}\n` })
  const error = await theirs.refusal()
  expect(error.problems.map(({ key, line, column }) => [key, line, column])).toEqual([
    ['gatez', 1, 1],
    ['notify_webhook', 2, 1],
  ])
  expect(error.message).toContain('a repository cannot set where your notifications are sent')
  expect(error.message).not.toContain('sesame')
})

test.each([
  ['http://example.com/'],
  ['https://user:word@example.com/'],
  ['ftp://127.0.0.1/'],
  ['file:///etc/passwd'],
  ['example.com'],
  ['http://127.0.0.1.example.com/'],
])('%s is not a valid webhook address', async (address) => {
  const error = await (await machine({ user: `notify_webhook: ${address}\n` })).refusal()
  expect(error.message).toContain('an https:// address')
})

test('users may weaken their own sandbox by variable or flag', async () => {
  const here = await machine({ user: 'sandbox: required\n' })
  expect((await here.load({ flags: { sandbox: 'off' } })).value('sandbox')).toBe('off')
})

test("an error elsewhere in the user's file does not disable their sandbox setting", async () => {
  const here = await machine({ user: 'sandbox: off\ngatez: []\n', workspace: 'sandbox: off\n' })
  expect((await here.refusal()).problems.map(({ key }) => key)).toEqual(['gatez'])
})

test.each([
  `sk-ant-${'x1'.repeat(12)}`,
  `ghp_${'A1'.repeat(18)}`,
  `github_pat_${'A1'.repeat(18)}`,
  `AKIA${'A1B2'.repeat(4)}`,
])('a literal such as %s in a workspace file is a warning that does not repeat it', async (secret) => {
  const text = `# x\r\nai_cmd: agent --key ${secret}\r\n`
  const { warnings } = await (await machine({ workspace: text })).load()
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('.pawl/config.yml:2 seems to contain a secret')
  expect(warnings[0]).not.toContain(secret)
  expect((await (await machine({ user: text })).load()).warnings).toEqual([])
})

test('ordinary words are not secrets', async () => {
  const { warnings } = await (
    await machine({ workspace: 'gates: [task-list-of-things-to-do, ./risk-assessment.sh]\n' })
  ).load()
  expect(warnings).toEqual([])
})
