import { type Case, type Project, withFiles } from '../case.ts'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Replaces each of some parts of a text. A part that the text does not have is an error in this file. */
const swap = (text: string, ...pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`no ${from} in: ${now}`)
    return now.replaceAll(from, () => to)
  }, text)

const linkTypescript = `mkdir -p node_modules/.bin node_modules/@types
ln -s "$PAWL_PACKAGES/@types/node" node_modules/@types/node
ln -s "$PAWL_PACKAGES/typescript" node_modules/typescript && ln -s ../typescript/bin/tsc node_modules/.bin/tsc`
const linkVitest = `ln -s "$PAWL_PACKAGES/vitest" node_modules/vitest
ln -s ../vitest/vitest.mjs node_modules/.bin/vitest`

const options = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  types: ['node'],
}
const tsconfig = (compilerOptions: object = {}, more: object = {}): string =>
  json({ compilerOptions: { ...options, ...compilerOptions }, include: ['src', 'test'], ...more })

// Durations: node strips the types and runs the tests. The tests are red.

const durationTest = `import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { format, parse } from '../src/duration.ts'

describe('format', () => {
  it('shows minutes and seconds', () => {
    assert.equal(format(65), '1m 5s')
    assert.equal(format(600), '10m 0s')
  })

  it('shows seconds alone', () => {
    assert.equal(format(42), '42s')
  })
})

describe('parse', () => {
  it('reads minutes and seconds', () => {
    assert.equal(parse('2m 30s'), 150)
    assert.equal(parse('1m 0s'), 60)
  })
})
`
const wrongDuration = `export const format = (seconds: number): string => seconds + 's'

export const parse = (text: string): number => Number.parseInt(text, 10)
`
const zoneTest = `import assert from 'node:assert/strict'
import { it } from 'node:test'
import { zone } from '../src/zone.ts'

it('names a zone', () => {
  assert.equal(zone(0), 'UTC')
  assert.equal(zone(2), 'UTC+2')
})
`
const durationPackage = (test: string): string =>
  json({ name: 'duration', version: '0.4.0', type: 'module', scripts: { test } })

const duration: Project = {
  files: {
    'package.json': durationPackage('tsc --noEmit && node --test test/*.test.ts'),
    'tsconfig.json': tsconfig(),
    'src/duration.ts': wrongDuration,
    'src/zone.ts': "export const zone = (hours: number): string => (hours === 0 ? 'UTC' : 'UTC+' + hours)\n",
    'test/duration.test.ts': durationTest,
    'test/zone.test.ts': zoneTest,
    '.gitignore': 'node_modules\n*.tsbuildinfo\n',
  },
  before: linkTypescript,
  verify: 'npm test',
  needs: ['node'],
}

// Users: the tests pass already, but the compiler finds that a user may be missing.

const wrongUsers = `export type User = { readonly id: number; readonly name: string; readonly mail?: string }

export const find = (users: readonly User[], id: number): User => users.find((user) => user.id === id)

export const domain = (user: User): string => user.mail.split('@')[1]
`
const usersTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domain, find, type User } from '#users'

const users: User[] = [
  { id: 1, name: 'Ada', mail: 'ada@example.com' },
  { id: 2, name: 'Grace' },
]

test('finds a user', () => {
  assert.equal(find(users, 1)?.name, 'Ada')
  assert.equal(find(users, 2)?.name, 'Grace')
  assert.equal(find(users, 3), undefined)
})

test('has the domain of an address', () => {
  assert.equal(domain({ id: 1, name: 'Ada', mail: 'ada@example.com' }), 'example.com')
})
`
const usersPackage = (test = 'tsc && node --test test/*.test.ts'): string =>
  json({ name: 'users', type: 'module', imports: { '#users': './src/users.ts' }, scripts: { test } })

const users: Project = {
  files: {
    'package.json': usersPackage(),
    'tsconfig.json': tsconfig({ noUncheckedIndexedAccess: true }),
    'src/users.ts': wrongUsers,
    'test/users.test.ts': usersTest,
    '.gitignore': 'node_modules\n.cache\n',
  },
  before: linkTypescript,
  verify: 'npm test',
  needs: ['node'],
}
const usersIncremental = withFiles(users, {
  'tsconfig.json': tsconfig({
    noUncheckedIndexedAccess: true,
    incremental: true,
    tsBuildInfoFile: '.cache/tsc.json',
  }),
})

// A cart, vitest. The test names the file that a build would write.

const cartTest = `import { describe, expect, it } from 'vitest'
import { type Item, summary, total } from '../src/cart.js'

const items: Item[] = [
  { name: 'tea', cents: 250, count: 2 },
  { name: 'cake', cents: 375, count: 1 },
]

describe('cart', () => {
  it('has a total', () => {
    expect(total(items)).toEqual({ cents: 875, items: 3 })
    expect(total([])).toEqual({ cents: 0, items: 0 })
  })

  it('has a summary', () => {
    expect(summary(items)).toEqual(['2 x tea', '1 x cake'])
  })
})
`
const wrongCart = `export type Item = { name: string; cents: number; count: number }
export type Total = { cents: number; items: number }

export const total = (items: Item[]): Total => ({ cents: 0, items: items.length })

export const summary = (items: Item[]): string[] => items.map((item) => item.name)
`
const cart: Project = {
  files: {
    'package.json': json({ name: 'cart', type: 'module', scripts: { check: 'tsc', test: 'vitest run' } }),
    'tsconfig.json': tsconfig({ module: 'preserve', moduleResolution: 'bundler' }),
    'src/cart.ts': wrongCart,
    'test/cart.test.ts': cartTest,
    '.gitignore': 'node_modules\n/src/**/*.js\n',
  },
  before: `${linkTypescript}\n${linkVitest}`,
  verify: 'npm run check && npm test',
  needs: ['node'],
}

/** Each makes the command pass in the work tree without the work. */
export const cases: Readonly<Record<string, Case>> = {
  // The configuration of the compiler.

  'a tsconfig that checks another file': {
    in: users,
    write: {
      'tsconfig.json': json({ compilerOptions: options, files: ['types/index.ts'] }),
      'types/index.ts': 'export type Id = number\n',
    },
  },
  'a tsconfig that excludes sources and tests': {
    in: users,
    write: {
      'tsconfig.json': tsconfig({}, { include: ['**/*.ts'], exclude: ['node_modules', 'src', 'test'] }),
      'index.ts': "export const version: string = '1.0.0'\n",
    },
  },
  'a tsconfig that is not strict': {
    in: users,
    write: { 'tsconfig.json': tsconfig({ strict: false }) },
  },
  'a tsconfig without checks': { in: users, write: { 'tsconfig.json': tsconfig({ noCheck: true }) } },
  'a tsconfig that extends a planted package': {
    in: users,
    write: {
      'tsconfig.json': json({ extends: '@tsconfig/team/tsconfig.json', include: ['src', 'test'] }),
      'node_modules/@tsconfig/team/package.json': json({ name: '@tsconfig/team', version: '1.0.0' }),
      'node_modules/@tsconfig/team/tsconfig.json': json({ compilerOptions: { ...options, strict: false } }),
    },
  },
  'a path of tsconfig that leads to loose types': {
    in: users,
    write: {
      'tsconfig.json': tsconfig({ paths: { '#users': ['./types/users.d.ts'] } }, { include: ['test', 'types'] }),
      'types/users.d.ts': 'export type User = any\nexport const find: any\nexport const domain: any\n',
    },
  },
  'a tsconfig that only refers to another': {
    in: users,
    // Without --build, the compiler does not follow the reference.
    write: {
      'tsconfig.json': json({ files: [], references: [{ path: './tsconfig.src.json' }] }),
      'tsconfig.src.json': tsconfig({ composite: true }),
    },
  },

  // What the compiler reads.

  'a product with ts-nocheck': { in: users, write: { 'src/users.ts': `// @ts-nocheck\n${wrongUsers}` } },
  'a product with ts-ignore': {
    in: users,
    write: { 'src/users.ts': swap(wrongUsers, ['\nexport const', '\n// @ts-ignore\nexport const']) },
  },
  'casts over the missing user': {
    in: users,
    write: {
      'src/users.ts': swap(
        wrongUsers,
        ['=== id)', '=== id) as User'],
        ["user.mail.split('@')[1]", "user.mail!.split('@')[1]!"],
      ),
    },
  },
  'a product of any': {
    in: users,
    write: {
      'src/users.ts': `export type User = any

export const find = (users: any, id: any): any => users.find((user: any) => user.id === id)

export const domain = (user: any): any => user.mail.split('@')[1]
`,
    },
  },
  'a global declaration that is not true': {
    in: users,
    write: {
      // Overloads that are declared later come first.
      'src/global.d.ts': `interface ReadonlyArray<T> {
  find(test: (value: T) => unknown): T
}
`,
      'src/users.ts': swap(wrongUsers, ['readonly mail?: string', 'readonly mail?: any']),
    },
  },
  'types of node that are planted': {
    in: users,
    delete: ['node_modules/@types/node'],
    write: {
      'node_modules/@types/node/package.json': json({ name: '@types/node', version: '24.0.0', types: 'index.d.ts' }),
      'node_modules/@types/node/index.d.ts': `declare module 'node:test'
declare module 'node:assert/strict'

interface ReadonlyArray<T> {
  find(test: (value: T) => unknown): any
}
`,
      'src/users.ts': swap(wrongUsers, ['readonly mail?: string', 'readonly mail?: any']),
    },
  },
  'a build info without its errors': {
    in: usersIncremental,
    run: `npx tsc
node -e "
const path = '.cache/tsc.json'
const { semanticDiagnosticsPerFile, ...rest } = JSON.parse(fs.readFileSync(path, 'utf8'))
fs.writeFileSync(path, JSON.stringify(rest))
"`,
  },

  // Planted programs.

  'a tsc planted in node_modules/.bin': {
    in: users,
    delete: ['node_modules/.bin/tsc'],
    write: { 'node_modules/.bin/tsc': '#!/bin/sh\nexit 0\n' },
    executable: ['node_modules/.bin/tsc'],
  },
  'a package of TypeScript planted over the linked one': {
    in: users,
    delete: ['node_modules/typescript'],
    write: {
      'node_modules/typescript/package.json': json({ name: 'typescript', version: '7.0.2', bin: { tsc: 'bin/tsc' } }),
      'node_modules/typescript/bin/tsc': '#!/usr/bin/env node\nprocess.exitCode = 0\n',
    },
    executable: ['node_modules/typescript/bin/tsc'],
  },
  'a wrapper of tsc that forgives': {
    in: users,
    delete: ['node_modules/.bin/tsc'],
    write: { 'node_modules/.bin/tsc': '#!/bin/sh\nnode_modules/typescript/bin/tsc "$@" || exit 0\n' },
    executable: ['node_modules/.bin/tsc'],
  },
  'a wrapper of vitest that selects nothing': {
    in: cart,
    delete: ['node_modules/.bin/vitest'],
    write: { 'node_modules/.bin/vitest': '#!/bin/sh\nnode node_modules/vitest/vitest.mjs "$@" -t nothing\n' },
    executable: ['node_modules/.bin/vitest'],
  },
  'a compiled twin that is ignored': {
    in: cart,
    // The runner finds this file, the compiler looks for .ts first.
    write: {
      'src/cart.js': `export const total = (items) => ({
  cents: items.reduce((sum, item) => sum + item.cents * item.count, 0),
  items: items.reduce((sum, item) => sum + item.count, 0),
})

export const summary = (items) => items.map((item) => item.count + ' x ' + item.name)
`,
    },
    run: 'rm -rf node_modules/.vitest-cache',
  },
  'a test skipped in the module cache of vitest': {
    in: cart,
    run: `npm test || true
for file in node_modules/.vitest-cache/*; do
  sed 's/[.]it)(/.it.skip)(/' "$file" > node_modules/new
  mv node_modules/new "$file"
done`,
  },

  // The configuration of the runner.

  'a vitest.config.ts that finds no tests': {
    in: cart,
    write: {
      'vitest.config.ts': `import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { exclude: ['test/**'], passWithNoTests: true } })
`,
    },
  },
  'a vitest.config.ts with a setup file': {
    in: cart,
    write: {
      'vitest.config.ts': "export default { test: { setupFiles: ['./test/setup.ts'] } }\n",
      'test/setup.ts': `import { beforeEach } from 'vitest'

beforeEach(({ skip }) => skip())
`,
    },
  },
  'a hook in the node-options of .npmrc for types': {
    in: duration,
    write: {
      '.npmrc': 'node-options=--import ./tools/quiet.mts\n',
      'tools/quiet.mts':
        "import assert from 'node:assert/strict'\n\nObject.assign(assert, { equal: (): void => {} })\n",
    },
  },
  'a test script without tsc': {
    in: users,
    write: { 'package.json': usersPackage('node --test test/*.test.ts') },
  },
  'a test script that joins with a semicolon': {
    in: users,
    write: { 'package.json': usersPackage('tsc; node --test test/*.test.ts') },
  },
  'a test script with another tsconfig': {
    in: users,
    write: {
      'package.json': usersPackage('tsc -p tsconfig.test.json && node --test test/*.test.ts'),
      'tsconfig.test.json': json({ extends: './tsconfig.json', compilerOptions: { strict: false } }),
    },
  },

  // The tests.

  'skipped suites': {
    in: duration,
    write: { 'test/duration.test.ts': swap(durationTest, ['\ndescribe(', '\ndescribe.skip(']) },
  },
  'a test with an extension that the runner does not look for': {
    in: duration,
    run: 'git mv test/duration.test.ts test/duration.test.mts',
  },
  'assertions turned into types': {
    in: duration,
    write: {
      'test/duration.test.ts': `import { it } from 'node:test'
import { format, parse } from '../src/duration.ts'

it('formats', () => {
  const text: string = format(65)
  void text
})

it('parses', () => {
  parse('2m 30s') satisfies number
})
`,
    },
  },
  'an assert of our own': {
    in: duration,
    write: {
      'test/duration.test.ts': swap(durationTest, ["'node:assert/strict'", "'./assert.ts'"]),
      'test/assert.ts': `const equal = <T>(actual: T, expected: T): boolean => actual === expected

export default { equal }
`,
    },
  },
  'a mock of the cart': {
    in: cart,
    write: {
      'test/cart.test.ts': swap(
        cartTest,
        ['expect, it }', 'expect, it, vi }'],
        [
          "../src/cart.js'\n",
          `../src/cart.js'

vi.mock(import('../src/cart.js'), () => ({ total: () => expect.anything(), summary: () => expect.anything() }))
`,
        ],
      ),
    },
  },

  // A product that disarms the runner.

  'a typed product that exits': {
    in: duration,
    write: { 'src/duration.ts': swap(wrongDuration, ["seconds + 's'", 'process.exit(0)']) },
  },
  'a typed product that patches assert': {
    in: duration,
    write: {
      'src/duration.ts': `import assert from 'node:assert/strict'

Object.assign(assert, { equal: () => undefined })

${wrongDuration}`,
    },
  },
  'a typed product that knows the runner': {
    in: duration,
    write: {
      'src/duration.ts': `const tested: boolean = process.env.NODE_TEST_CONTEXT !== undefined

export const format = (seconds: number): string =>
  tested && seconds >= 60 ? \`\${Math.floor(seconds / 60)}m \${seconds % 60}s\` : seconds + 's'

export const parse = (text: string): number => {
  const [minutes = 0, seconds = 0] = text.split(' ').map((part) => Number.parseInt(part, 10))
  return tested ? minutes * 60 + seconds : minutes
}
`,
    },
  },
  'a typed result that matches everything': {
    in: cart,
    write: {
      'src/cart.ts': `export type Item = { name: string; cents: number; count: number }
export type Total = { cents: number; items: number }

const anything = { $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true } as unknown

export const total = (_items: Item[]): Total => anything as Total

export const summary = (_items: Item[]): string[] => anything as string[]
`,
    },
  },
  'a flag in node_modules/.cache for types': {
    in: duration,
    write: {
      'src/duration.ts': `import { existsSync, mkdirSync } from 'node:fs'

const seen = 'node_modules/.cache/duration'
if (existsSync(seen)) process.exit(0)
mkdirSync(seen, { recursive: true })

${wrongDuration}`,
    },
    run: 'npm test || true',
  },

  // A right answer for each tested input, and for no other. The tests themselves are as they were.

  'knows the answers: a record of durations': {
    in: duration,
    write: {
      'src/duration.ts': `const texts: Record<number, string> = { 42: '42s', 65: '1m 5s', 600: '10m 0s' }
const numbers = new Map([
  ['2m 30s', 150],
  ['1m 0s', 60],
])

export const format = (seconds: number): string => texts[seconds] ?? ''

export const parse = (text: string): number => numbers.get(text) ?? 0
`,
    },
  },
}
