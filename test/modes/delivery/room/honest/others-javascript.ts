import { code, edit, type HonestCase, type Project, withFiles } from '../case.ts'

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
const link = (name: string, program: string): string =>
  `mkdir -p node_modules/.bin && ln -s "$PAWL_PACKAGES/${name}" node_modules/${name} && ` +
  `ln -s ../${name}/${program} node_modules/.bin/`
const requires = `const { test } = require('node:test')
const assert = require('node:assert/strict')
`
const imports = `import assert from 'node:assert/strict'
import { test } from 'node:test'
`
const node = (files: Record<string, string>, more: Partial<Project> = {}): Project => ({
  files: {
    'package.json': json({
      name: 'app',
      version: '1.0.0',
      private: true,
      type: 'module',
      scripts: { test: 'node --test' },
    }),
    '.gitignore': 'node_modules\n',
    ...files,
  },
  verify: 'npm test',
  needs: ['node'],
  ...more,
})

// A product whose file is called check-….
const email = node({
  'src/check-email.js': code(`
    /** True for an address that mail can be sent to. */
    export function checkEmail(text) {
      const at = text.indexOf('@')
      return at > 0 && text.slice(at + 1).includes('.')
    }
  `),
  'test/email.test.js': `${imports}import { checkEmail } from '../src/check-email.js'

test('accepts addresses', () => {
  assert.ok(checkEmail('ada@example.com'))
  assert.ok(checkEmail('ada.l+news@mail.example.org'))
})

test('refuses what is no address', () => {
  assert.ok(!checkEmail('ada'))
  assert.ok(!checkEmail('ada@@example.com'))
  assert.ok(!checkEmail('ada@example.'))
})
`,
})

// A library that helps others to test.
const kit = node({
  'package.json': json({
    name: 'testkit',
    version: '2.1.0',
    type: 'module',
    exports: { './clock': './src/testing/clock.js' },
    scripts: { test: 'node --test test/'.replace(' test/', ' "test/*.test.js"') },
  }),
  'src/testing/clock.js': code(`
    export function fakeClock(start = 0) {
      let now = start
      const timers = []
      return {
        now: () => now,
        setTimeout(callback, delay) {
          timers.push({ at: now + delay, callback })
        },
        tick(ms) {
          now += ms
          for (const timer of timers.splice(0)) {
            if (timer.at <= now) timer.callback()
            else timers.push(timer)
          }
        },
      }
    }
  `),
  'test/clock.test.js': `${imports}import { fakeClock } from 'testkit/clock'

test('calls what is due', () => {
  const clock = fakeClock(100)
  const called = []
  clock.setTimeout(() => called.push('b'), 20)
  clock.setTimeout(() => called.push('a'), 10)
  clock.tick(5)
  assert.deepEqual(called, [])
  clock.tick(30)
  assert.equal(clock.now(), 135)
})
`,
})

// Property tests.
const rle = node(
  {
    'src/rle.js': code(`
      export function encode(text) {
        let out = ''
        for (let i = 0; i < text.length; ) {
          let n = 1
          while (text[i + n] === text[i]) n++
          out += n + text[i]
          i += n
        }
        return out
      }

      export function decode(text) {
        return text.replace(/(\\d)(\\D)/g, (_, n, letter) => letter.repeat(Number(n)))
      }
    `),
    'test/rle.property.test.js': `import fc from 'fast-check'
${imports}import { decode, encode } from '../src/rle.js'

const letters = fc.array(fc.constantFrom('a', 'b'), { minLength: 12, maxLength: 60 }).map((all) => all.sort().join(''))

test('what is encoded can be decoded', () => {
  fc.assert(fc.property(letters, (text) => decode(encode(text)) === text), { seed: 7, numRuns: 200 })
})
`,
  },
  {
    before:
      'mkdir -p node_modules && ln -s "$PAWL_PACKAGES/fast-check" node_modules/fast-check && ln -s "$PAWL_PACKAGES/pure-rand" node_modules/pure-rand',
  },
)

// TypeScript with vitest, tests beside the sources.
const vt = (files: Record<string, string>, more: Partial<Project> = {}): Project => ({
  files: {
    'package.json': json({ name: 'ui', type: 'module', private: true, scripts: { test: 'vitest run' } }),
    '.gitignore': 'node_modules\n',
    ...files,
  },
  before: `${link('vitest', 'vitest.mjs')}vitest`,
  verify: 'npm test',
  needs: ['node'],
  ...more,
})

const cartTs = code(`
  export type Line = { readonly sku: string; readonly cents: number; readonly count: number }

  export const totalOf = (lines: readonly Line[]): number =>
    lines.reduce((sum, { cents, count }) => sum + cents * count, 0)
`)
const cartVitest = code(`
  import { describe, expect, it } from 'vitest'
  import { totalOf } from './cart'

  describe('totalOf', () => {
    it('adds lines', () => {
      expect(totalOf([{ sku: 'a', cents: 250, count: 2 }, { sku: 'b', cents: 99, count: 1 }])).toBe(599)
    })
    it('is nothing for nothing', () => expect(totalOf([])).toBe(0))
  })
`)
const cart = vt({ 'src/cart.ts': cartTs, 'src/cart.test.ts': cartVitest, 'src/index.ts': "export * from './cart'\n" })

const inSource = vt({
  'vite.config.ts': "export default { test: { includeSource: ['src/**/*.ts'] } }\n",
  'src/title.ts': code(`
    export const titleCase = (text: string): string => text.replace(/\\b[a-z]/g, (letter) => letter.toUpperCase())

    if (import.meta.vitest) {
      const { expect, it } = import.meta.vitest
      it('begins words with a capital', () => {
        expect(titleCase('hello big world')).toBe('Hello Big World')
      })
    }
  `),
})

const chaiMocha: Project = {
  files: {
    'package.json': json({ name: 'units', type: 'module', scripts: { test: 'mocha "spec/**/*.spec.js"' } }),
    '.gitignore': 'node_modules\n',
    'lib/length.js': code(`
      const inMetres = { m: 1, km: 1000, cm: 0.01 }
      export const convert = (value, from, to) => (value * inMetres[from]) / inMetres[to]
    `),
    'spec/length.spec.js': code(`
      import { expect } from 'chai'
      import { convert } from '../lib/length.js'

      describe('convert', () => {
        it('converts', () => {
          expect(convert(2, 'km', 'm')).to.equal(2000)
          expect(convert(150, 'cm', 'm')).to.be.closeTo(1.5, 1e-9)
        })
      })
    `),
  },
  before: `${link('mocha', 'bin/mocha.js')}mocha && ln -s "$PAWL_PACKAGES/chai" node_modules/chai`,
  verify: 'npm test',
  needs: ['node'],
}

// A monorepo of which a function moves.
const pkg = (name: string, more: object = {}): string =>
  json({ name: `@acme/${name}`, version: '1.0.0', type: 'module', exports: './src/index.js', ...more })
const mono = node(
  {
    'package.json': json({
      name: 'acme',
      private: true,
      workspaces: ['packages/*'],
      scripts: { test: 'node --test "packages/*/test/**/*.test.js"' },
    }),
    'packages/api/package.json': pkg('api', { dependencies: { '@acme/text': '1.0.0' } }),
    'packages/api/src/index.js':
      "import { trim } from '@acme/text'\nimport { escapeHtml } from './escape.js'\n\nexport const row = (text) => '<td>' + escapeHtml(trim(text)) + '</td>'\n",
    'packages/api/src/escape.js':
      "export const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')\n",
    'packages/api/test/row.test.js': `${imports}import { row } from '../src/index.js'

test('makes a cell', () => {
  assert.equal(row(' a < b '), '<td>a &lt; b</td>')
})
`,
    'packages/api/test/escape.test.js': `${imports}import { escapeHtml } from '../src/escape.js'

test('escapes', () => {
  assert.equal(escapeHtml('a & b'), 'a &amp; b')
})
`,
    'packages/text/package.json': pkg('text'),
    'packages/text/src/index.js': "export const trim = (text) => text.trim().replace(/\\s+/g, ' ')\n",
    'packages/text/test/trim.test.js': `${imports}import { trim } from '../src/index.js'

test('trims', () => assert.equal(trim('  a   b '), 'a b'))
`,
  },
  { before: 'mkdir node_modules && ln -s ../packages node_modules/@acme' },
)

// A dependency that lies in the repository, installed with npm.
const orders = node(
  {
    'package.json': json({
      name: 'orders',
      version: '1.0.0',
      private: true,
      type: 'module',
      scripts: { test: 'node --test "test/*.test.js"' },
    }),
    'package-lock.json': json({
      name: 'orders',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: 'orders', version: '1.0.0' } },
    }),
    'libs/ids/package.json': json({ name: '@acme/ids', version: '1.0.0', type: 'module', exports: './index.js' }),
    'libs/ids/index.js':
      "let last = 0\nexport const nextId = (prefix) => prefix + '-' + String(++last).padStart(4, '0')\n",
    'src/orders.js': 'export const newOrder = (items) => ({ items })\n',
    'test/orders.test.js': `${imports}import { newOrder } from '../src/orders.js'

test('has items', () => assert.deepEqual(newOrder(['tea']).items, ['tea']))
`,
  },
  { config: { setup: ['npm ci --offline --no-audit --no-fund'] } },
)

// A schema, with cases in JSON.
const schemaRunner = `${imports}import { readdirSync, readFileSync } from 'node:fs'
import { validate } from '../src/validate.js'

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const schema = read('../schemas/user.schema.json')

for (const file of readdirSync(new URL('./cases/', import.meta.url))) {
  const { value, valid } = read('./cases/' + file)
  test(file, () => assert.equal(validate(schema, value), valid))
}
`
const schema = node({
  'schemas/user.schema.json': json({
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, age: { type: 'number' } },
  }),
  'src/validate.js': code(`
    export function validate(schema, value) {
      if (schema.type === 'object') {
        if (typeof value !== 'object' || value === null) return false
        if ((schema.required ?? []).some((key) => !(key in value))) return false
        return Object.entries(schema.properties ?? {}).every(([key, one]) => !(key in value) || validate(one, value[key]))
      }
      if (schema.minimum !== undefined && value < schema.minimum) return false
      return typeof value === schema.type
    }
  `),
  'test/schema.test.js': schemaRunner,
  'test/cases/named.json': json({ value: { name: 'Ada' }, valid: true }),
  'test/cases/nameless.json': json({ value: { age: 3 }, valid: false }),
})

// Translations.
const locales = node({
  'locales/en.json': json({ greeting: 'Hello, {name}', cart: { empty: 'Your cart is empty', total: 'Total' } }),
  'locales/de.json': json({ greeting: 'Hallo, {name}', cart: { empty: 'Der Warenkorb ist leer' } }),
  'locales/fr.json': json({ greeting: 'Bonjour', cart: { empty: 'Le panier est vide', total: 'Total' } }),
  'src/i18n.js': code(`
    import { readFileSync } from 'node:fs'

    export const load = (locale) => JSON.parse(readFileSync(new URL('../locales/' + locale + '.json', import.meta.url), 'utf8'))
  `),
  'test/locales.test.js': `${imports}import { readdirSync } from 'node:fs'
import { load } from '../src/i18n.js'

const flat = (value, path = '') =>
  typeof value === 'string' ? [[path, value]] : Object.entries(value).flatMap(([key, one]) => flat(one, path + '/' + key))
const names = readdirSync(new URL('../locales/', import.meta.url)).map((file) => file.split('.')[0])
const english = flat(load('en'))

for (const name of names) {
  test(name + ' has every key of the English file', () => {
    assert.deepEqual(flat(load(name)).map(([key]) => key), english.map(([key]) => key))
  })
  test(name + ' has every placeholder', () => {
    const other = new Map(flat(load(name)))
    for (const [key, text] of english) for (const mark of text.match(/{\\w+}/g) ?? []) assert.ok(other.get(key)?.includes(mark), key)
  })
}
`,
})

// Files that are served.
const files = node({
  'src/files.js': code(`
    import { join } from 'node:path'
    import { readFileSync } from 'node:fs'

    export const readPublic = (root, path) => readFileSync(join(root, decodeURIComponent(path)), 'utf8')
  `),
  'public/index.html': '<h1>Hi</h1>\n',
  'test/files.test.js': `${imports}import { fileURLToPath } from 'node:url'
import { readPublic } from '../src/files.js'

const root = fileURLToPath(new URL('../public', import.meta.url))

test('reads a page', () => assert.equal(readPublic(root, '/index.html'), '<h1>Hi</h1>\\n'))
`,
})

const fib = node({
  'src/fib.js': 'export const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2))\n',
  'test/fib.test.js': `${imports}import { fib } from '../src/fib.js'

test('computes', () => {
  assert.equal(fib(10), 55)
  assert.equal(fib(25), 75025)
})
`,
})

// A test that is flaky.
const flaky = node({
  'src/retry.js': code(`
    export async function retry(task, { times = 3, wait = () => Math.random() * 20 } = {}) {
      for (let i = 1; ; i++) {
        try {
          return await task(i)
        } catch (error) {
          if (i >= times) throw error
          await new Promise((resolve) => setTimeout(resolve, wait()))
        }
      }
    }
  `),
  'test/retry.test.js': `${imports}import { retry } from '../src/retry.js'

test('tries again', async () => {
  const begun = Date.now()
  const result = await retry((i) => (i < 3 ? Promise.reject(new Error('no')) : i))
  assert.equal(result, 3)
  assert.ok(Date.now() - begun < 30 + Math.random() * 40)
})

test('gives up', async () => {
  await assert.rejects(retry(() => Promise.reject(new Error('no')), { times: 2 }), /no/)
})
`,
})

const wrongTest = node({
  'src/weeks.js': code(`
    /** Number of the week by ISO 8601. */
    export function weekOf(date) {
      const day = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
      day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7))
      const begin = new Date(Date.UTC(day.getUTCFullYear(), 0, 1))
      return Math.ceil(((day - begin) / 86_400_000 + 1) / 7)
    }
  `),
  'test/weeks.test.js': `${imports}import { weekOf } from '../src/weeks.js'

test('knows weeks', () => {
  assert.equal(weekOf(new Date('2024-01-01')), 1)
  assert.equal(weekOf(new Date('2021-01-03')), 1)
})
`,
})

const obsolete = node({
  'src/date.js': 'export const iso = (date) => date.toISOString().slice(0, 10)\n',
  'test/date.test.js': `${imports}import { iso } from '../src/date.js'

test('writes dates', () => assert.equal(iso(new Date(0)), '1970-01-01'))
`,
  'test/legacy-date.test.js': `${imports}import { american } from '../src/date.js'

test('writes american dates', () => assert.equal(american(new Date(0)), '1/1/1970'))
`,
})

// A command line with expected output.
const cliRunner = code(`
  #!/bin/sh
  # Compares what the program prints with test/expected.
  set -eu
  cd "$(dirname "$0")/.."
  failed=0
  for expected in test/expected/*.txt; do
    name=$(basename "$expected" .txt)
    if ! node bin/todo.js $name --file test/data/todo.json | diff -u "$expected" -; then failed=1; fi
  done
  exit $failed
`)
const cli = node(
  {
    'package.json': json({ name: 'todo', version: '0.2.0', bin: 'bin/todo.js', scripts: { test: 'sh test/run.sh' } }),
    'bin/todo.js': code(`
      #!/usr/bin/env node
      const { readFileSync } = require('node:fs')
      const [command, , file] = process.argv.slice(2)
      const items = JSON.parse(readFileSync(file, 'utf8'))
      const commands = {
        list: () => items.map(({ text, done }) => (done ? '[x] ' : '[ ] ') + text).join('\\n'),
      }
      if (!commands[command]) {
        console.error('unknown command: ' + command)
        process.exit(1)
      }
      console.log(commands[command]())
    `),
    'test/run.sh': cliRunner,
    'test/data/todo.json': json([
      { text: 'buy tea', done: true },
      { text: 'boil water', done: false },
      { text: 'pour', done: false },
    ]),
    'test/expected/list.txt': '[x] buy tea\n[ ] boil water\n[ ] pour\n',
  },
  { executable: ['bin/todo.js', 'test/run.sh'] },
)

const oldRunner = node({
  'package.json': json({ name: 'roman', version: '1.0.0', scripts: { test: 'node test/run.js' } }),
  'roman.js': code(`
    const signs = [[1000, 'M'], [500, 'D'], [100, 'C'], [50, 'L'], [10, 'X'], [5, 'V'], [1, 'I']]
    exports.toRoman = (n) => {
      let text = ''
      for (const [value, sign] of signs) while (n >= value) (text += sign), (n -= value)
      return text
    }
  `),
  'test/run.js': code(`
    const assert = require('assert')
    const { toRoman } = require('../roman.js')
    assert.strictEqual(toRoman(7), 'VII')
    assert.strictEqual(toRoman(60), 'LX')
    console.log('ok')
  `),
})

const ports = node({
  'src/echo.js': code(`
    import { createServer } from 'node:net'

    export const echoServer = () => createServer((socket) => socket.on('data', (data) => socket.end(data.toString().toLowerCase())))
  `),
  'test/echo.test.js': `${imports}import { once } from 'node:events'
import { connect } from 'node:net'
import { echoServer } from '../src/echo.js'

const port = 34817

test('answers in capitals', async (t) => {
  const server = echoServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const socket = connect(port, '127.0.0.1')
  socket.write('hello')
  const [answer] = await once(socket, 'data')
  assert.equal(String(answer), 'HELLO')
})
`,
})

const slow = node({
  'src/poll.js': code(`
    export async function poll(ask, { every = 1000, times = 5 } = {}) {
      for (let i = 0; i < times; i++) {
        if (await ask()) return true
        await new Promise((resolve) => setTimeout(resolve, every))
      }
    }
  `),
  'test/poll.test.js': `${imports}import { poll } from '../src/poll.js'

test('asks until it is so', async () => {
  let asked = 0
  assert.equal(await poll(() => ++asked === 4), true)
  assert.equal(asked, 4)
})

test('gives up', async () => {
  assert.equal(await poll(() => false, { every: 700, times: 3 }), false)
})
`,
})

// Build output that the tests import.
const built: Project = {
  files: {
    'package.json': json({
      name: 'lib',
      version: '1.0.0',
      main: 'dist/index.js',
      scripts: { build: 'tsc -p .', test: 'node --test "test/*.test.js"' },
    }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'es2022',
        module: 'commonjs',
        strict: true,
        rootDir: 'src',
        outDir: 'dist',
        types: [],
        ignoreDeprecations: '6.0',
      },
      include: ['src'],
    }),
    '.gitignore': 'node_modules\ndist\n',
    'src/index.ts':
      "export const wrap = (text: string, width: number): string[] => text.match(new RegExp('.{1,' + width + '}', 'g')) ?? []\n",
    'test/wrap.test.js': `${requires}const { wrap } = require('..')

test('wraps', () => assert.deepEqual(wrap('abcdef', 4), ['abcd', 'ef']))
`,
  },
  before: `${link('typescript', 'bin/tsc')} && mkdir -p node_modules/@typescript && for one in "$PAWL_PACKAGES"/@typescript/*; do ln -s "$one" node_modules/@typescript/; done; node_modules/.bin/tsc -p .`,
  verify: 'npm test',
  needs: ['node'],
}
const builtFeature = {
  write: {
    'src/index.ts': `${built.files['src/index.ts']}\nexport const indent = (text: string, by = 2): string => text.replace(/^/gm, ' '.repeat(by))\n`,
    'test/indent.test.js': `${requires}const { indent } = require('..')

test('indents each line', () => {
  assert.equal(indent('a\\nb'), '  a\\n  b')
  assert.equal(indent('a', 4), '    a')
})
`,
  },
}

const generated = node(
  {
    'package.json': json({
      name: 'codes',
      scripts: { generate: 'node tools/generate.js', test: 'node --test "test/*.test.js"' },
    }),
    '.gitignore': 'node_modules\nsrc/generated\n',
    'codes.csv': '200,OK\n404,Not Found\n',
    'tools/generate.js': code(`
      const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
      const rows = readFileSync('codes.csv', 'utf8').trim().split('\\n').map((line) => line.split(','))
      mkdirSync('src/generated', { recursive: true })
      writeFileSync('src/generated/codes.js', 'module.exports = ' + JSON.stringify(Object.fromEntries(rows)) + '\\n')
    `),
    'src/status.js':
      "const codes = require('./generated/codes.js')\n\nexports.textOf = (code) => codes[code] ?? 'Unknown'\n",
    'test/status.test.js': `${requires}const { textOf } = require('../src/status.js')

test('knows codes', () => {
  assert.equal(textOf(404), 'Not Found')
  assert.equal(textOf(999), 'Unknown')
})
`,
  },
  {
    before: 'node tools/generate.js',
    config: { prepare: ['npm run generate'] },
    verify: 'npm run generate && npm test',
  },
)

// Types that tests check with the compiler only.
const types: Project = {
  files: {
    'package.json': json({
      name: 'typed',
      type: 'module',
      types: 'index.d.ts',
      scripts: { test: 'tsc --noEmit -p .' },
    }),
    'tsconfig.json': json({
      compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, types: [] },
      include: ['index.ts', 'test-d'],
    }),
    '.gitignore': 'node_modules\n',
    'index.ts':
      'export const pick = (value: any, keys: string[]): any => Object.fromEntries(keys.map((key) => [key, value[key]]))\n',
    'test-d/equal.ts':
      'export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false\nexport const expectType = <T extends true>(): void => void (0 as unknown as T)\n',
    'test-d/pick.ts':
      "import { pick } from '../index.js'\n\nconst picked = pick({ a: 1, b: 'x' }, ['a'])\nvoid picked.a\n",
  },
  before: built.before!.replace('; node_modules/.bin/tsc -p .', ''),
  verify: 'npm test',
  needs: ['node'],
}

const skipped = node({
  'src/csv.js': "export const parse = (text) => text.trim().split('\\n').map((line) => line.split(','))\n",
  'test/csv.test.js': `${imports}import { parse } from '../src/csv.js'

test('splits cells', () => {
  assert.deepEqual(parse('a,b\\nc,d\\n'), [['a', 'b'], ['c', 'd']])
})

test.skip('knows quotes', () => {
  assert.deepEqual(parse('"a,b",c\\n'), [['a,b', 'c']])
})
`,
})

const aliased = vt({
  'vitest.config.ts': "export default { test: { include: ['tests/**/*.test.ts'] } }\n",
  'src/lib/money.ts': "export const euro = (cents: number): string => '€' + (cents / 100).toFixed(2)\n",
  'src/pages/price.ts':
    "import { euro } from '../lib/money'\n\nexport const price = (cents: number): string => 'Price: ' + euro(cents)\n",
  'tests/price.test.ts':
    "import { expect, test } from 'vitest'\nimport { price } from '../src/pages/price'\n\ntest('shows a price', () => expect(price(1250)).toBe('Price: €12.50'))\n",
})
const redAliased = withFiles(aliased, {
  'src/lib/money.ts': "export const euro = (cents: number): string => '€' + cents / 100\n",
  'tests/money.test.ts':
    "import { expect, test } from 'vitest'\nimport { euro } from '@/lib/money'\n\ntest('has two digits', () => expect(euro(1250)).toBe('€12.50'))\n",
  'tests/price.test.ts':
    "import { expect, test } from 'vitest'\nimport { price } from '../src/pages/price'\n\ntest('shows a price', () => expect(price(1255)).toBe('Price: €12.55'))\n",
})

const env = node({
  '.env.example': 'PORT=3000\nDATABASE_URL=postgres://localhost/app\n',
  'src/settings.js':
    "const number = (name, fallback) => Number(process.env[name] ?? fallback)\n\nexport const settings = () => ({ port: number('PORT', 3000), database: process.env.DATABASE_URL ?? '' })\n",
  'test/settings.test.js': `${imports}import { readFileSync } from 'node:fs'
import { settings } from '../src/settings.js'

test('has defaults', () => assert.equal(settings().port, 3000))

test('every variable is in the example', () => {
  const source = readFileSync(new URL('../src/settings.js', import.meta.url), 'utf8')
  const used = [...source.matchAll(/[A-Z][A-Z_]{3,}/g)].map(([name]) => name)
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
  for (const name of used) assert.ok(example.includes(name + '='), name)
})
`,
})

const release = node({
  'package.json': json({ name: 'rel', version: '1.4.0', type: 'module', scripts: { test: 'node --test' } }),
  'CHANGELOG.md': '# Changes\n\n## 1.4.0\n\n- Faster.\n',
  'src/version.js':
    "import { readFileSync } from 'node:fs'\n\nexport const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))\n",
  'test/version.test.js': `${imports}import { readFileSync } from 'node:fs'
import { version } from '../src/version.js'

test('the changes begin with this version', () => {
  const [, newest] = /^## (.+)$/m.exec(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8'))
  assert.equal(version, newest)
})
`,
})

const docs = node({
  'package.json': json({ name: 'handbook', private: true, scripts: { test: 'node scripts/check-links.js' } }),
  'scripts/check-links.js': code(`
    const { existsSync, readdirSync, readFileSync } = require('node:fs')
    const { dirname, join } = require('node:path')
    let broken = 0
    for (const file of readdirSync('docs', { recursive: true }).filter((name) => name.endsWith('.md'))) {
      const text = readFileSync(join('docs', file), 'utf8')
      for (const [, target] of text.matchAll(/\\]\\((?!http)([^)#]+)/g)) {
        if (existsSync(join('docs', dirname(file), target))) continue
        console.error(file + ': ' + target)
        broken++
      }
    }
    process.exitCode = broken > 0 ? 1 : 0
  `),
  'docs/index.md': '# Handbook\n\n- [Install](install.md)\n- [Use](guide/use.md)\n',
  'docs/install.md': '# Install\n\nSee [use](guide/using.md).\n',
  'docs/guide/use.md': '# Use\n\nBack to [the index](../index.md).\n',
})

const readme = node({
  'README.md': "# sum\n\n```js\nimport { sum } from 'app'\n\nsum(1, 2) // 3\n```\n",
  'package.json': json({ name: 'app', type: 'module', exports: './index.js', scripts: { test: 'node --test' } }),
  'index.js': 'export const sum = (a, b) => a + b\n',
  'test/readme.test.js': `${imports}import { readFileSync } from 'node:fs'
import * as app from 'app'

const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

for (const [, call, answer] of text.matchAll(/^(\\w+\\(.*\\)) \\/\\/ (.+)$/gm)) {
  test(call, () => {
    const result = new Function(...Object.keys(app), 'return ' + call)(...Object.values(app))
    assert.equal(JSON.stringify(result), answer)
  })
}
`,
})

const toEsm: Project = node({
  'package.json': json({
    name: 'old',
    version: '1.0.0',
    main: 'index.js',
    scripts: { test: 'node --test "test/*.test.mjs"' },
  }),
  'index.js': "const { pad } = require('./pad.js')\n\nexports.code = (n) => 'A' + pad(n)\n",
  'pad.js': "exports.pad = (n) => String(n).padStart(3, '0')\n",
  'test/code.test.mjs': `${imports}import { code } from '../index.js'

test('pads', () => assert.equal(code(7), 'A007'))
`,
})

export const cases: Record<string, HonestCase> = {
  'js: a product called check-email fixed': {
    in: email,
    write: edit(email, 'src/check-email.js', [
      "const at = text.indexOf('@')\n  return at > 0 && text.slice(at + 1).includes('.')",
      'return /^[^@\\s]+@[^@\\s.]+(\\.[^@\\s.]+)+$/.test(text)',
    ]),
    shows: ['proven', 'unproven'],
  },
  'js: a library for tests gets a feature, in a folder called testing': {
    in: kit,
    write: {
      ...edit(kit, 'src/testing/clock.js', [
        'for (const timer of timers.splice(0)) {',
        'for (const timer of timers.splice(0).sort((a, b) => a.at - b.at)) {',
      ]),
      'test/order.test.js': `${imports}import { fakeClock } from 'testkit/clock'

test('calls in order of time', () => {
  const clock = fakeClock()
  const called = []
  clock.setTimeout(() => called.push('late'), 20)
  clock.setTimeout(() => called.push('early'), 10)
  clock.tick(30)
  assert.deepEqual(called, ['early', 'late'])
})
`,
    },
    shows: ['proven_by_new_tests', 'held', 'rewritten'],
  },
  'js: a bug that a property test showed': {
    in: rle,
    write: edit(rle, 'src/rle.js', ['(\\d)(\\D)', '(\\d+)(\\D)']),
    shows: ['proven'],
  },
  'ts: a feature with a test beside the source': {
    in: cart,
    write: {
      'src/discount.ts':
        "import { totalOf, type Line } from './cart'\n\nexport const discounted = (lines: readonly Line[], percent: number): number =>\n  Math.round(totalOf(lines) * (1 - percent / 100))\n",
      'src/discount.test.ts':
        "import { expect, it } from 'vitest'\nimport { discounted } from '.'\n\nit('takes a share off', () => {\n  expect(discounted([{ sku: 'a', cents: 999, count: 1 }], 10)).toBe(899)\n})\n",
      'src/index.ts': "export * from './cart'\nexport * from './discount'\n",
    },
    shows: ['proven_by_new_tests'],
  },
  'ts: a feature with tests inside of the source': {
    in: inSource,
    write: {
      'src/title.ts': code(`
        const small = new Set(['and', 'of', 'the'])

        export const titleCase = (text: string): string =>
          text
            .split(' ')
            .map((word, i) => (i > 0 && small.has(word) ? word : word.replace(/^[a-z]/, (letter) => letter.toUpperCase())))
            .join(' ')

        if (import.meta.vitest) {
          const { expect, it } = import.meta.vitest
          it('begins words with a capital', () => {
            expect(titleCase('hello big world')).toBe('Hello Big World')
          })
          it('leaves small words', () => {
            expect(titleCase('the lord of the rings')).toBe('The Lord of the Rings')
          })
        }
      `),
    },
    shows: ['proven_by_new_tests', 'held'],
  },
  'js: units added in mocha with chai': {
    in: chaiMocha,
    write: {
      ...edit(
        chaiMocha,
        'lib/length.js',
        ['cm: 0.01 }', 'cm: 0.01, ft: 0.3048 }'],
        [
          '=> (value',
          `=> {\n  for (const unit of [from, to]) if (!(unit in inMetres)) throw new RangeError(\`no such unit: \${unit}\`)\n  return (value`,
        ],
        ['/ inMetres[to]\n', '/ inMetres[to]\n}\n'],
      ),
      'spec/feet.spec.js': code(`
        import { expect } from 'chai'
        import { convert } from '../lib/length.js'

        describe('feet', () => {
          it('converts them', () => expect(convert(10, 'ft', 'm')).to.be.closeTo(3.048, 1e-9))
          it('refuses other units', () => expect(() => convert(1, 'league', 'm')).to.throw(RangeError, 'league'))
        })
      `),
    },
    shows: ['proven_by_new_tests'],
  },
  'js: a function moved to another package of a monorepo, with its test': {
    in: mono,
    delete: ['packages/api/src/escape.js', 'packages/api/test/escape.test.js'],
    write: {
      'packages/text/src/escape.js': mono.files['packages/api/src/escape.js']!,
      'packages/text/src/index.js': `export { escapeHtml } from './escape.js'\n${mono.files['packages/text/src/index.js']}`,
      'packages/text/test/escape.test.js': mono.files['packages/api/test/escape.test.js']!,
      'packages/api/src/index.js':
        "import { escapeHtml, trim } from '@acme/text'\n\nexport const row = (text) => '<td>' + escapeHtml(trim(text)) + '</td>'\n",
    },
    shows: ['rewritten', 'held'],
  },
  'js: a package of the repository installed as a dependency': {
    in: orders,
    write: {
      'package.json': json({
        name: 'orders',
        version: '1.0.0',
        private: true,
        type: 'module',
        scripts: { test: 'node --test "test/*.test.js"' },
        dependencies: { '@acme/ids': 'file:libs/ids' },
      }),
      'src/orders.js':
        "import { nextId } from '@acme/ids'\n\nexport const newOrder = (items) => ({ id: nextId('O'), items })\n",
      'test/id.test.js': `${imports}import { newOrder } from '../src/orders.js'

test('has a number', () => {
  assert.equal(newOrder([]).id, 'O-0001')
  assert.equal(newOrder([]).id, 'O-0002')
})
`,
    },
    run: 'npm install --offline --no-audit --no-fund',
    shows: ['proven_by_new_tests'],
  },
  'js: a stricter schema with a case for it': {
    in: schema,
    write: {
      'schemas/user.schema.json': json({
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, age: { type: 'number', minimum: 0 } },
      }),
      'test/cases/negative-age.json': json({ value: { name: 'Ada', age: -1 }, valid: false }),
      'test/cases/born-today.json': json({ value: { name: 'Ada', age: 0 }, valid: true }),
    },
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'js: missing translations added': {
    in: locales,
    write: {
      'locales/de.json': json({ greeting: 'Hallo, {name}', cart: { empty: 'Der Warenkorb ist leer', total: 'Summe' } }),
      'locales/fr.json': json({ greeting: 'Bonjour, {name}', cart: { empty: 'Le panier est vide', total: 'Total' } }),
    },
    shows: ['proven', 'unproven'],
  },
  'js: a path that leads out of a folder refused': {
    in: files,
    write: {
      'src/files.js': code(`
        import { join, sep } from 'node:path'
        import { readFileSync } from 'node:fs'

        export function readPublic(root, path) {
          const full = join(root, decodeURIComponent(path))
          if (!full.startsWith(root + sep)) throw Object.assign(new Error('forbidden'), { status: 403 })
          return readFileSync(full, 'utf8')
        }
      `),
      'test/traversal.test.js': `${imports}import { fileURLToPath } from 'node:url'
import { readPublic } from '../src/files.js'

const root = fileURLToPath(new URL('../public', import.meta.url))

for (const path of ['/../package.json', '/%2e%2e/package.json', '/../public-other/x']) {
  test('refuses ' + path, () => assert.throws(() => readPublic(root, path), { status: 403 }))
}
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'js: the same, faster': {
    in: fib,
    write: {
      'src/fib.js':
        'export function fib(n) {\n  let [a, b] = [0, 1]\n  for (let i = 0; i < n; i++) [a, b] = [b, a + b]\n  return a\n}\n',
    },
    shows: ['held'],
  },
  'js: a flaky test that the story names made steady': {
    in: flaky,
    write: edit(
      flaky,
      'test/retry.test.js',
      ["? Promise.reject(new Error('no')) : i))", "? Promise.reject(new Error('no')) : i), { wait: () => 1 })"],
      ['  const begun = Date.now()\n', ''],
      ['  assert.ok(Date.now() - begun < 30 + Math.random() * 40)\n', ''],
    ),
    names: ['test/retry.test.js'],
    shows: ['held', 'unproven', 'rewritten', 'proven_by_new_tests'],
  },
  'js: a wrong test that the story names corrected': {
    in: wrongTest,
    write: edit(wrongTest, 'test/weeks.test.js', [
      "weekOf(new Date('2021-01-03')), 1)",
      "weekOf(new Date('2021-01-03')), 53)\n  assert.equal(weekOf(new Date('2021-01-04')), 1)",
    ]),
    names: ['test/weeks.test.js'],
    shows: ['rewritten', 'unproven', 'held'],
  },
  'js: a test of what is gone deleted, as the story says': {
    in: obsolete,
    delete: ['test/legacy-date.test.js'],
    names: ['test/legacy-date.test.js'],
    shows: ['rewritten', 'unproven', 'held'],
  },
  'js: a new command with a file of expected output': {
    in: cli,
    write: {
      ...edit(cli, 'bin/todo.js', [
        "join('\\n'),\n}",
        "join('\\n'),\n  count: () => items.filter(({ done }) => !done).length + ' of ' + items.length + ' open',\n}",
      ]),
      'test/expected/count.txt': '2 of 3 open\n',
    },
    executable: ['bin/todo.js'],
    shows: ['proven_by_new_tests'],
  },
  'js: a runner of its own replaced by node:test, with a feature': {
    in: oldRunner,
    delete: ['test/run.js'],
    write: {
      'package.json': json({ name: 'roman', version: '1.1.0', scripts: { test: 'node --test "test/*.test.js"' } }),
      'roman.js': oldRunner.files['roman.js']!.replace(
        /\[\[1000.*\]\]/,
        "[[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]",
      ),
      'test/roman.test.js': `${requires}const { toRoman } = require('../roman.js')

for (const [n, text] of [[7, 'VII'], [60, 'LX'], [4, 'IV'], [1990, 'MCMXC']]) test(text, () => assert.equal(toRoman(n), text))
`,
    },
    shows: ['proven_by_new_tests', 'held', 'rewritten'],
  },
  'js: a feature with continuous integration and ignored files beside it': {
    in: cart,
    write: {
      '.github/workflows/ci.yml':
        'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci && npm test\n',
      '.gitignore': 'node_modules\ncoverage/\n*.log\n',
      'coverage/index.html': '<p>100 %</p>\n',
      'npm-debug.log': 'nothing\n',
      'src/cart.ts': `${cartTs}\nexport const countOf = (lines: readonly Line[]): number => lines.reduce((sum, { count }) => sum + count, 0)\n`,
      'src/cart.test.ts':
        cartVitest.replace('import { totalOf }', 'import { countOf, totalOf }') +
        "\nit('counts', () => expect(countOf([{ sku: 'a', cents: 1, count: 4 }])).toBe(4))\n",
    },
    shows: ['proven_by_new_tests'],
  },
  'js: a server on a fixed port fixed': {
    in: ports,
    write: edit(ports, 'src/echo.js', ['toLowerCase', 'toUpperCase']),
    shows: ['proven'],
  },
  'js: a bug fixed under slow tests': {
    in: slow,
    write: edit(slow, 'src/poll.js', [
      '    await new Promise((resolve) => setTimeout(resolve, every))\n  }\n',
      '    await new Promise((resolve) => setTimeout(resolve, every))\n  }\n  return false\n',
    ]),
    shows: ['proven'],
  },
  'ts: a feature under tests of the build output, with prepare': {
    in: { ...built, config: { prepare: ['npm run build'] }, verify: 'npm run build && npm test' },
    ...builtFeature,
    run: 'npm run build',
    shows: ['proven_by_new_tests'],
  },
  'ts: a feature under tests of the build output, with pretest': {
    in: withFiles(built, {
      'package.json': json({
        name: 'lib',
        version: '1.0.0',
        main: 'dist/index.js',
        scripts: { pretest: 'tsc -p .', test: 'node --test "test/*.test.js"' },
      }),
    }),
    ...builtFeature,
    run: 'npm test',
    shows: ['proven_by_new_tests'],
  },
  'js: a row in the source of generated code': {
    in: generated,
    write: {
      'codes.csv': '200,OK\n404,Not Found\n418,I am a teapot\n',
      'test/teapot.test.js': `${requires}const { textOf } = require('../src/status.js')

test('is a teapot', () => assert.match(textOf(418), /teapot/))
`,
    },
    run: 'npm run generate',
    shows: ['proven_by_new_tests'],
  },
  'ts: types made exact, with tests of types': {
    in: types,
    write: {
      'index.ts':
        'export const pick = <T extends object, K extends keyof T>(value: T, keys: readonly K[]): Pick<T, K> =>\n  Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>\n',
      'test-d/exact.ts':
        "import { pick } from '../index.js'\nimport { type Equal, expectType } from './equal.js'\n\nconst picked = pick({ a: 1, b: 'x' }, ['a'])\nexpectType<Equal<typeof picked, Pick<{ a: number; b: string }, 'a'>>>()\n// @ts-expect-error there is no such key\npick({ a: 1 }, ['c'])\n",
    },
    shows: ['proven_by_new_tests', 'held'],
  },
  'js: a skipped test that is done now': {
    in: skipped,
    write: {
      'src/csv.js': code(`
        const cells = (line) =>
          [...line.matchAll(/("([^"]*)"|[^,]*)(,|$)/g)]
            .filter(([all], i, list) => all !== '' || i < list.length - 1)
            .map(([, plain, quoted]) => quoted ?? plain)

        export const parse = (text) => text.trim().split('\\n').map(cells)
      `),
      ...edit(skipped, 'test/csv.test.js', ['test.skip', 'test']),
    },
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'ts: an alias of paths set up and used': {
    in: aliased,
    write: {
      'vitest.config.ts':
        "import { fileURLToPath } from 'node:url'\n\nexport default {\n  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },\n  test: { include: ['tests/**/*.test.ts'] },\n}\n",
      'src/pages/price.ts':
        "import { euro } from '@/lib/money'\n\nexport const price = (cents: number): string => 'Price: ' + euro(cents)\n",
    },
    shows: ['held', 'rewritten'],
  },
  'ts: red tests that need an alias of paths and a fix': {
    in: redAliased,
    write: {
      'vitest.config.ts':
        "import { fileURLToPath } from 'node:url'\n\nexport default {\n  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },\n  test: { include: ['tests/**/*.test.ts'] },\n}\n",
      'src/lib/money.ts': aliased.files['src/lib/money.ts']!,
    },
    shows: ['rewritten', 'proven'],
  },
  'js: a variable added to the settings and to their example': {
    in: env,
    write: {
      '.env.example': `${env.files['.env.example']}CACHE_SECONDS=60\n`,
      ...edit(env, 'src/settings.js', ["?? '' }", "?? '', cache: number('CACHE_SECONDS', 60) }"]),
      'test/cache.test.js': `${imports}import { settings } from '../src/settings.js'

test('has a cache', () => {
  assert.equal(settings().cache, 60)
  process.env.CACHE_SECONDS = '5'
  assert.equal(settings().cache, 5)
})
`,
    },
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'js: a release with its changes': {
    in: release,
    write: {
      'package.json': release.files['package.json']!.replace('1.4.0', '1.5.0'),
      'CHANGELOG.md': '# Changes\n\n## 1.5.0\n\n- Smaller.\n\n## 1.4.0\n\n- Faster.\n',
    },
    shows: ['held'],
  },
  'docs: a broken link corrected under a script that looks for them': {
    in: docs,
    write: { 'docs/install.md': '# Install\n\nSee [use](guide/use.md).\n' },
    shows: ['proven', 'unproven'],
  },
  'js: a function with its example in a README that is tested': {
    in: readme,
    write: {
      'README.md': "# sum\n\n```js\nimport { mean, sum } from 'app'\n\nsum(1, 2) // 3\nmean(1, 2, 6) // 3\n```\n",
      'index.js': 'export const sum = (a, b) => a + b\nexport const mean = (...all) => all.reduce(sum) / all.length\n',
    },
    shows: ['proven_by_new_tests', 'held'],
  },
  'js: a package turned into ES modules': {
    in: toEsm,
    write: {
      'package.json': json({
        name: 'old',
        version: '2.0.0',
        type: 'module',
        exports: './index.js',
        scripts: { test: 'node --test "test/*.test.mjs"' },
      }),
      'index.js': "import { pad } from './pad.js'\n\nexport const code = (n) => 'A' + pad(n)\n",
      'pad.js': "export const pad = (n) => String(n).padStart(3, '0')\n",
    },
    shows: ['held', 'rewritten'],
  },
}
