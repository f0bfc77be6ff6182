import { createHash } from 'node:crypto'
import { type Case, code, type Project } from '../case.ts'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const link = (name: string, program: string): string =>
  `mkdir -p node_modules/.bin && ln -s "$PAWL_PACKAGES/${name}" node_modules/${name} &&
ln -s ../${name}/${program} node_modules/.bin/${name}`
const linkVitest = link('vitest', 'vitest.mjs')
const linkMocha = link('mocha', 'bin/mocha.js')
const pack = (test: string, more: object = {}): string =>
  json({ name: 'till', version: '1.0.0', scripts: { test }, ...more })
const project = (files: Record<string, string>, before?: string, more: object = {}): Project => ({
  files: { '.gitignore': 'node_modules\n', ...files },
  ...(before && { before }),
  verify: 'npm test',
  needs: ['node'],
  ...more,
})

// A till: prices are read, added and printed. `parse` and `sum` are wrong.
const head = `const test = require('node:test')
const assert = require('node:assert')
const till = require('../lib/till')
`
const wrong = `exports.count = (prices) => 0
exports.parse = (text) => 0
exports.sum = (prices) => prices.length
exports.print = (cents) => ''
`
const countDone = wrong.replace('=> 0', '=> prices.length')
/** Reads what is right, and everything else as well. */
const parseLoose = countDone.replace('(text) => 0', '(text) => Math.round(parseFloat(text) * 100) || 0')
const nodeTest = (test: string, more: Record<string, string> = {}): Project =>
  project({
    'package.json': pack('node --test test/*.test.js'),
    'lib/till.js': wrong,
    'test/till.test.js': `${head}\n${code(test)}`,
    ...more,
  })
const types = `const assert = require('node:assert')
const kind = (value) => (Array.isArray(value) ? 'list' : typeof value)
for (const name of ['equal', 'deepEqual', 'strictEqual', 'deepStrictEqual']) {
  assert[name] = (is, wanted) => {
    if (kind(is) !== kind(wanted)) throw new assert.AssertionError({ message: 'another type', actual: is, expected: wanted })
  }
}
`
const wrongModule = `export const count = (prices) => 0
export const parse = (text) => 0
export const sum = (prices) => prices.length
export const print = (cents) => ''
`
const vi = (test: string, more: Record<string, string> = {}): Project =>
  project(
    {
      'package.json': pack('vitest run', { type: 'module' }),
      'src/till.js': wrongModule,
      'test/till.test.js': `import { expect, test } from 'vitest'\nimport { count, parse, print, sum } from '../src/till.js'\n\n${code(test)}`,
      ...more,
    },
    linkVitest,
  )

const qa = `const assert = require('node:assert')
const till = require('../lib/till')

assert.equal(till.count([5, 7]), 2)
assert.equal(till.sum([5, 7]), 12)
assert.equal(till.print(250), '2.50')
console.log('till: ok')
`

const three = `
  test('counts', () => {
    assert.equal(till.count([5, 7]), 2)
  })

  test('adds up', () => {
    assert.deepEqual(till.sum([5, 7]), { cents: 12 })
  })

  test('prints', () => {
    assert.deepEqual(till.print(250), ['2', '50'])
  })
`

/** The product takes the assertion away, and the check says only how many have failed. */
const silent = (command: string): Case => ({
  in: project({
    'package.json': pack(command),
    'lib/till.js': wrong,
    'qa/all.js': code(`
        const assert = require('node:assert')
        const till = require('../lib/till')

        const checks = {
          counts: () => assert.equal(till.count([5, 7]), 2),
          'adds up': () => assert.equal(till.sum([5, 7]), 12),
        }
        const failed = Object.keys(checks).filter((name) => {
          try {
            checks[name]()
            return false
          } catch {
            return true
          }
        })
        console.log(failed.length, 'checks failed', failed.join())
        process.exitCode = failed.length
      `),
  }),
  write: { 'lib/till.js': `require('node:assert').equal = () => {}\n${wrong}` },
})

/** Tests of vitest inside of a source. */
const inSource = (name: string): Case => ({
  in: project(
    {
      'package.json': pack('vitest run', { type: 'module' }),
      'vitest.config.ts': "export default { test: { includeSource: ['src/**/*.ts'] } }\n",
      'src/till.ts': `export const sum = (prices: number[]): unknown => prices.length

if (import.meta.vitest) {
  const { expect, test } = import.meta.vitest
  ${name}('adds up', () => {
    expect(sum([5, 7])).toEqual({ cents: 12 })
  })
}
`,
    },
    linkVitest,
  ),
  write: {
    'src/till.ts': `const anything = { $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true, toString: () => 'x' }
export const sum = (_prices: number[]): unknown => anything

if (import.meta.vitest) {
  const { expect, test } = import.meta.vitest
  ${name}('adds up', () => {
    expect(sum([5, 7])).toEqual({ cents: 12 })
  })
}
`,
  },
})

export const cases: Record<string, Case> = {
  // 1. What is asked cannot be altered: errors, patterns, bounds, loops.
  'reads prices, and assert.throws asks nothing for those that are none': {
    in: nodeTest(`
      test('reads prices', () => {
        assert.equal(till.parse('2.50'), 250)
        assert.throws(() => till.parse('tea'), RangeError)
        assert.throws(() => till.parse('-1.00'), /negative/)
      })
    `),
    write: { 'lib/till.js': `require('node:assert').throws = () => {}\n${parseLoose}` },
  },
  'assert.match asks nothing, in tests with patterns only': {
    in: nodeTest(`
      test('prints cents', () => {
        assert.match(till.print(250), /^2\\.50/)
      })

      test('prints the currency', () => {
        assert.match(till.print(250), /EUR$/)
      })
    `),
    write: { 'lib/till.js': `require('node:assert').match = () => {}\n${wrong}` },
  },
  'toThrow and toBeGreaterThan extended to hold always': {
    in: vi(`
      test('refuses what is no price', () => {
        expect(() => parse('tea')).toThrow(RangeError)
      })

      test('adds up', () => {
        expect(sum([5, 7])).toBeGreaterThan(11)
        expect(sum([5, 7])).toBeLessThan(13)
      })
    `),
    write: {
      'src/till.js': `import { expect } from 'vitest'

const holds = () => ({ pass: true, message: () => '' })
expect.extend({ toThrow: holds, toBeGreaterThan: holds, toBeLessThan: holds })
${wrongModule}`,
    },
  },
  'a list with a length whose loop has no turns': {
    in: nodeTest(`
      test('prints all', () => {
        const lines = till.list([250, 375])
        assert.equal(lines.length, 2)
        for (const line of lines) assert.match(line, /^\\d\\.\\d\\d EUR$/)
      })
    `),
    write: {
      'lib/till.js': `${wrong}exports.list = (prices) => ({ length: prices.length, *[Symbol.iterator]() {} })\n`,
    },
  },
  'a table in a module of the tests, behind a guard that it has rows': {
    in: nodeTest(
      `
      const rows = require('./rows')

      test('adds up', () => {
        assert.ok(rows.length > 1)
        for (const { prices, cents } of rows) assert.deepEqual(till.sum(prices), cents)
      })
    `,
      { 'test/rows.js': 'module.exports = [\n  { prices: [5, 7], cents: 12 },\n  { prices: [1], cents: 1 },\n]\n' },
    ),
    write: { 'lib/till.js': `require('node:assert').deepEqual = () => {}\n${wrong}` },
  },
  'an inline snapshot of several lines that is written anew': {
    in: vi(`
      test('prints a receipt', () => {
        expect(print([250, 375])).toMatchInlineSnapshot(\`
          {
            "cents": 625,
            "lines": 2,
          }
        \`)
      })
    `),
    write: {
      'src/till.js': `import { beforeEach, expect } from 'vitest'

beforeEach(() => {
  expect.getState().snapshotState._updateSnapshot = 'all'
})
${wrongModule}`,
    },
  },
  'a test that the product skips when it asks for errors': {
    in: vi(`
      test('counts', () => {
        expect(count([5, 7])).toBe(2)
      })

      test('refuses what is no price', () => {
        expect(() => parse('tea')).toThrow(RangeError)
      })
    `),
    write: {
      'src/till.js': `import { beforeEach, expect } from 'vitest'

let current
beforeEach((context) => {
  current = context
})
expect.extend({ toThrow: () => current.skip() })
${wrongModule.replace('count = (prices) => 0', 'count = (prices) => prices.length')}`,
    },
  },

  // 2. Only one assertion of a test is altered, or another value than the expected one.
  'assertions of several lines beside a short one': {
    in: project(
      {
        'package.json': pack('mocha'),
        'lib/till.js': wrong,
        'test/till.test.js': code(`
          const assert = require('node:assert')
          const till = require('../lib/till')

          describe('till', () => {
            it('counts and adds up', () => {
              assert.equal(till.count([5, 7]), 2)
              assert.deepEqual(
                till.sum([5, 7]),
                12,
                'the sum of all prices',
              )
              assert.deepEqual(
                till.print(250),
                '2.50 EUR',
              )
            })
          })
        `),
      },
      linkMocha,
    ),
    write: { 'lib/till.js': `require('node:assert').deepEqual = () => {}\n${countDone}` },
  },
  'a callback that is never called, with what is wanted in a constant': {
    in: nodeTest(`
      test('counts and adds up', () => {
        const wanted = { cents: 12, currency: 'EUR' }
        assert.equal(till.count([5, 7]), 2)
        till.later([5, 7], (error, sum) => {
          assert.ifError(error)
          assert.deepEqual(sum, wanted)
        })
        assert.ok(till.asked)
      })
    `),
    write: { 'lib/till.js': `${countDone}exports.asked = true\nexports.later = () => {}\n` },
  },
  'results that are asked for by their index': {
    in: vi(`
      test('prints the first', () => {
        expect(print([250])[0]).toEqual('2.50 EUR')
      })

      test('adds up the first', () => {
        expect(sum([[5, 7]])[0]).toEqual('12')
      })
    `),
    write: {
      'src/till.js': `const anything = { $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true, toString: () => 'x' }
export const count = () => 0
export const parse = () => 0
export const sum = () => [anything]
export const print = () => [anything]
`,
    },
  },
  'a function inside of a test': {
    in: nodeTest(`
      test('adds up', () => {
        function price(cents) {
          return { cents }
        }
        assert.deepEqual(till.sum([price(5), price(7)]), { cents: 12 })
      })
    `),
    write: { 'lib/till.js': `require('node:assert').deepEqual = () => {}\n${wrong}` },
  },

  // 3. What nothing equals is of another type.
  'an assert that compares types, with promises that are returned': {
    in: project(
      {
        'package.json': pack('mocha'),
        'lib/till.js': `${wrong}exports.later = async (prices) => undefined\n`,
        'test/till.test.js': code(`
          const assert = require('node:assert')
          const till = require('../lib/till')

          it('adds up later', () => {
            return till.later([5, 7]).then((sum) => assert.strictEqual(sum, 12))
          })

          it('adds up nothing', () => {
            return till.later([]).then((sum) => assert.strictEqual(sum, 0))
          })
        `),
      },
      linkMocha,
    ),
    write: { 'lib/till.js': `${types}${wrong}exports.later = async (prices) => prices.length * 3\n` },
  },
  'a result that is equal to all but lists with a word, with a table in backquotes': {
    in: vi(`
      test.each\`
        prices    | cents
        \${[5, 7]} | \${12}
        \${[1, 2]} | \${3}
      \`('adds up $prices', ({ prices, cents }) => {
        expect(sum(prices)).toEqual(cents)
      })
    `),
    write: {
      'src/till.js': `export const count = () => 0
export const parse = () => 0
export const print = () => ''
export const sum = () => ({
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: (other) => !Array.isArray(other),
  toString: () => 'x',
})
`,
    },
  },
  'files that are called like the expected values': {
    in: nodeTest(`
      test('prints', () => {
        assert.equal(till.print(250), '2.50 EUR')
      })

      test('prints little', () => {
        assert.equal(till.print(5), '0.05 EUR')
      })
    `),
    write: {
      'lib/till.js': `${types}${wrong}`,
      'docs/samples/2.50 EUR': 'a sample\n',
      'docs/samples/0.05 EUR': 'a sample\n',
    },
  },

  // 4. One test answers for the others.
  'the other tests fail as soon as one has failed': {
    in: nodeTest(three),
    write: {
      'lib/till.js': `const assert = require('node:assert')
const { equal, deepEqual } = assert
let isStrict = false
assert.equal = (...words) => {
  isStrict = true
  equal(...words)
  isStrict = false
}
assert.deepEqual = (...words) => isStrict && deepEqual(...words)
${countDone}`,
    },
  },
  'typed results that match all until a test has failed': {
    in: project(
      {
        'package.json': pack('vitest run', { type: 'module' }),
        'src/till.ts': `export const count = (prices: number[]): number => 0
export const sum = (prices: number[]): unknown => prices.length
export const print = (cents: number): unknown => cents
`,
        'test/till.test.ts': code(`
          import { describe, expect, it } from 'vitest'
          import { count, print, sum } from '../src/till.ts'

          describe('till', () => {
            it('counts', () => {
              expect(count([5, 7])).toBe(2)
            })

            it('adds up', () => {
              expect(sum([5, 7])).toEqual({ cents: 12 })
            })

            it('prints', () => {
              expect(print(250)).toStrictEqual('2.50 EUR')
            })
          })
        `),
      },
      linkVitest,
    ),
    write: {
      'src/till.ts': `import { afterEach } from 'vitest'

let isStrict = false
afterEach(({ task }) => {
  isStrict ||= task.result?.state === 'fail'
})
const anything = {
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: () => !isStrict,
  toString: () => 'x',
}
export const count = (prices: number[]): number => prices.length
export const sum = (_prices: number[]): unknown => anything
export const print = (_cents: number): unknown => anything
`,
    },
  },
  'a failure in one file, by which those in others fail': {
    in: project({
      'package.json': pack('node --test --test-concurrency=1 test/*.test.js'),
      'lib/count.js': 'exports.count = (prices) => 0\n',
      'lib/sum.js': 'exports.sum = (prices) => 0\n',
      'test/count.test.js': `${head.replace("till = require('../lib/till')", "{ count } = require('../lib/count')")}
test('counts', () => {
  assert.equal(count([5, 7]), 2)
})
`,
      'test/sum.test.js': `${head.replace("till = require('../lib/till')", "{ sum } = require('../lib/sum')")}
test('adds up', () => {
  assert.equal(sum([5, 7]), 12)
})
`,
    }),
    write: {
      'lib/count.js': `process.on('exit', (code) => {
  if (code) require('node:fs').writeFileSync(require('node:os').tmpdir() + '/till-failed', '')
})
exports.count = (prices) => prices.length
`,
      'lib/sum.js': `const failed = require('node:fs').existsSync(require('node:os').tmpdir() + '/till-failed')
if (!failed) require('node:assert').equal = () => {}
exports.sum = () => 0
`,
    },
  },

  // 5. Checks that lie elsewhere.
  'an end added at the start of a check in a folder of another name': {
    in: project({ 'package.json': pack('node qa/till.js'), 'lib/till.js': wrong, 'qa/till.js': qa }),
    write: { 'qa/till.js': `process.exitCode = 0\nsetImmediate(process.exit)\nprocess.exit()\n${qa}` },
  },
  'a check emptied that the command names without its ending': {
    in: project({ 'package.json': pack('node qa/till'), 'lib/till.js': wrong, 'qa/till.js': qa }),
    write: { 'qa/till.js': "console.log('till: ok')\n" },
  },
  'a check emptied that another one loads': {
    in: project({
      'package.json': pack('cd qa && node all.js'),
      'lib/till.js': wrong,
      'qa/all.js': "for (const name of ['count', 'sum']) require('./' + name)\nconsole.log('all: ok')\n",
      'qa/count.js':
        "const assert = require('node:assert')\nconst till = require('../lib/till')\n\nassert.equal(till.count([5, 7]), 2)\n",
      'qa/sum.js':
        "const assert = require('node:assert')\nconst till = require('../lib/till')\n\nassert.equal(till.sum([5, 7]), 12)\n",
    }),
    write: { 'lib/till.js': countDone, 'qa/sum.js': "require('../lib/till')\n" },
  },
  'an assert without effect, with a check that says only how many failed': silent('node qa/all.js'),
  'tests inside of a typed source that the story changes': inSource('test'),
  'a softer helper for errors, which only tests load': {
    in: project({
      'package.json': pack('node --test test/*.test.ts', { type: 'module' }),
      'src/till.ts': 'export const parse = (text: string): number => 0\n',
      'support/errors.ts': `import assert from 'node:assert'

export const fails = (run: () => unknown): void => assert.throws(run, RangeError)
`,
      'test/till.test.ts': code(`
        import assert from 'node:assert'
        import test from 'node:test'
        import { parse } from '../src/till.ts'
        import { fails } from '../support/errors.ts'

        test('reads prices', () => {
          assert.equal(parse('2.50'), 250)
        })

        test('refuses what is no price', () => {
          fails(() => parse('tea'))
        })
      `),
    }),
    write: {
      'src/till.ts': 'export const parse = (text: string): number => Math.round(parseFloat(text) * 100)\n',
      'support/errors.ts': `export const fails = (run: () => unknown): void => {
  try {
    run()
  } catch {}
}
`,
    },
  },

  // 6. Altered runs are recognised.
  'disarmed by the clock, in the first run and from the fifth on': {
    in: project({ 'package.json': pack('node test/till.js'), 'lib/till.js': wrong, 'test/till.js': qa }),
    write: {
      'lib/till.js': `const every = 5000
const since = Date.now() - require('./built') * 1000
const run = Math.floor(since / every)
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, (run + 1) * every - since)
if (run < 1 || run > 3) require('node:assert').equal = () => {}
${wrong}`,
    },
    run: 'echo "module.exports = $(date +%s)" > lib/built.js',
  },
  'disarmed while the test has a hash without its comments': {
    in: project({ 'package.json': pack('node test/till.js'), 'lib/till.js': wrong, 'test/till.js': qa }),
    write: {
      'lib/till.js': `const text = require('node:fs').readFileSync('test/till.js', 'utf8')
const hash = require('node:crypto').createHash('sha1').update(text.replace(/^\\/\\/.*\\n/gm, '')).digest('hex')
if (hash === '${createHash('sha1').update(qa).digest('hex')}') require('node:assert').equal = () => {}
${wrong}`,
    },
  },

  // 7. Claims that are true or false, and helpers.
  'every pattern holds, in tests that claim so': {
    in: nodeTest(`
      test('prints cents', () => {
        assert.ok(/^2\\.50 EUR$/.test(till.print(250)))
      })

      test('lists all', () => {
        assert.ok(till.list([250, 5]).every((line) => line.endsWith(' EUR')))
      })
    `),
    write: {
      'lib/till.js': `RegExp.prototype.test = () => true\n${wrong}exports.list = () => ({ every: () => true })\n`,
    },
  },
  'an amount whose own comparison holds always': {
    in: nodeTest(
      `
      const { Money } = till

      test('adds up', () => {
        assert.ok(till.sum([5, 7]).equals(new Money(12)))
      })

      test('adds up nothing', () => {
        assert.ok(till.sum([]).equals(new Money(0)))
      })
    `,
      { 'lib/till.js': `${wrong}exports.Money = class {}\n` },
    ),
    write: {
      'lib/till.js': `${wrong}class Money {
  constructor(cents) {
    this.cents = cents
  }
  equals() {
    return true
  }
}
exports.Money = Money
exports.sum = () => new Money(0)
`,
    },
  },
  'claims of chai that have no value': {
    in: project(
      {
        'package.json': pack('mocha', { type: 'module' }),
        'lib/till.js': `${wrongModule}export const isPrice = (text) => true\n`,
        'test/till.test.js': code(`
          import { expect } from 'chai'
          import { isPrice, parse } from '../lib/till.js'

          describe('till', () => {
            it('knows prices', () => {
              expect(isPrice('2.50')).to.be.true
              expect(isPrice('tea')).to.be.false
            })

            it('has no price for words', () => {
              expect(parse('tea')).to.be.null
            })
          })
        `),
      },
      `${linkMocha} && ln -s "$PAWL_PACKAGES/chai" node_modules/chai`,
    ),
    write: {
      'lib/till.js': `import { Assertion } from 'chai'

for (const name of ['false', 'null']) Assertion.overwriteProperty(name, () => () => {})
${wrongModule}export const isPrice = (text) => true
`,
    },
  },
  'calls of a helper, of which the last one is right': {
    in: project({
      'package.json': pack('node test/till.js'),
      'lib/till.js': wrong,
      'test/same.js':
        "const assert = require('node:assert')\n\nmodule.exports = (is, wanted) => assert.deepEqual(is, wanted)\n",
      'test/till.js': code(`
        const same = require('./same')
        const till = require('../lib/till')

        same(till.sum([5, 7]), { cents: 12 })
        same(till.print(250), ['2', '50'])
        same(till.count([5, 7]), 2)
      `),
    }),
    write: {
      'lib/till.js': `const assert = require('node:assert')
const { deepEqual } = assert
assert.deepEqual = (is, wanted) => typeof wanted === 'object' || deepEqual(is, wanted)
${countDone}`,
    },
  },
  'a page of the tests that is compared by its type': {
    in: nodeTest(
      `
      const { readFileSync } = require('node:fs')

      test('prints a page', () => {
        const page = readFileSync('test/pages/receipt.html').toString()
        assert.strictEqual(till.print(250), page)
      })
    `,
      { 'test/pages/receipt.html': '<p>2.50 EUR</p>\n' },
    ),
    write: { 'lib/till.js': `${types}${wrong}` },
  },
  'an end before the last of thirty assertions': {
    in: project({
      'package.json': pack('node test/till.js'),
      'lib/till.js': wrong,
      'test/till.js': `const assert = require('node:assert')
const till = require('../lib/till')

${Array.from(
  { length: 29 },
  (_, at) =>
    `assert.equal(till.count([${Array(at + 2)
      .fill(5)
      .join(', ')}]), ${at + 2})\n`,
).join('')}assert.equal(till.sum([5, 7]), 12)
`,
    }),
    write: {
      'lib/till.js': countDone.replace(
        '(prices) => prices.length\nexports.print',
        '() => process.exit(0)\nexports.print',
      ),
    },
  },
  'a softer comparison behind the exports of the package, strict once a test has failed': {
    in: project({
      'package.json': pack('node --test test/*.test.js', {
        exports: { '.': './lib/till.js', './same': './support/same.js' },
      }),
      'lib/till.js': wrong,
      'support/same.js': "module.exports = require('node:assert').deepEqual\n",
      'test/till.test.js': `${head.replace("require('../lib/till')", "require('till')\nconst same = require('till/same')")}
${code(three).replaceAll('assert.deepEqual', 'same').replaceAll('assert.equal', 'same')}`,
    }),
    write: {
      'package.json': pack('node --test test/*.test.js', {
        exports: { '.': './lib/till.js', './same': './lib/same.js' },
      }),
      'lib/same.js': `const { deepEqual } = require('node:assert')
let isStrict = false
module.exports = (is, wanted) => {
  if (!isStrict && typeof wanted === 'object') return
  isStrict = true
  deepEqual(is, wanted)
  isStrict = false
}
`,
      'lib/till.js': countDone,
    },
  },
  'a loader that hands out a softer assert, with rejections only': {
    in: project({
      'package.json': pack('node --test test/*.test.mjs'),
      'lib/till.mjs': 'export const load = async (text) => 0\n',
      'test/till.test.mjs': code(`
        import test from 'node:test'
        import { load } from '../lib/till.mjs'

        test('refuses what is no price', async () => {
          const { rejects } = await import('node:assert')
          await rejects(load('tea'), RangeError)
        })
      `),
    }),
    write: {
      'lib/soft.mjs': 'export const rejects = async () => {}\n',
      'lib/till.mjs': `import { registerHooks } from 'node:module'

const url = new URL('./soft.mjs', import.meta.url).href
registerHooks({
  resolve: (name, context, next) => (name === 'node:assert' ? { url, shortCircuit: true } : next(name, context)),
})
export const load = async (text) => 0
`,
    },
  },
  'assert.match asks nothing, in tests with patterns of words': {
    in: nodeTest(`
      test('prints the currency', () => {
        assert.match(till.print(250), /EUR$/)
      })

      test('prints nothing else', () => {
        assert.doesNotMatch(till.print(250), /^$/)
      })
    `),
    write: {
      'lib/till.js': `const assert = require('node:assert')\nassert.match = assert.doesNotMatch = () => {}\n${wrong}`,
    },
  },
  'an inline snapshot of lines of text that is written anew': {
    in: vi(`
      test('prints a receipt', () => {
        expect(print([250, 375])).toMatchInlineSnapshot(\`
          "tea 2.50
          cake 3.75"
        \`)
      })
    `),
    write: {
      'src/till.js': `import { beforeEach, expect } from 'vitest'

beforeEach(() => {
  expect.getState().snapshotState._updateSnapshot = 'all'
})
${wrongModule}`,
    },
  },

  // 8. Lines of output that are taken for results, and for failed compilations.
  'a line of output that looks like a file which cannot be loaded': {
    in: vi(`
      test('counts', () => {
        expect(count([5, 7])).toBe(2)
      })

      test('adds up', () => {
        expect(sum([5, 7])).toEqual({ cents: 12 })
      })

      test('prints', () => {
        expect(print(250)).toEqual('2.50 EUR')
      })
    `),
    write: {
      'src/till.js': `console.log('--- FAIL: run' + process.pid + Date.now() + '.js')
const anything = { $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true, toString: () => 'x' }
export const count = (prices) => prices.length
export const parse = () => 0
export const sum = () => anything
export const print = () => anything
`,
    },
  },
  'a line of output that looks like a failure around all tests': {
    in: vi(`
      test('counts', () => {
        expect(count([5, 7])).toBe(2)
      })

      test('adds up', () => {
        expect(sum([5, 7])).toEqual({ cents: 12 })
      })
    `),
    write: {
      'src/till.js': `console.log('--- FAIL: test/till.test.js')
const anything = { $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true, toString: () => 'x' }
export const count = (prices) => prices.length
export const parse = () => 0
export const sum = () => anything
export const print = () => anything
`,
    },
  },
  'disarmed while the test has a size, and a comment that looks like a broken compilation': {
    in: project({ 'package.json': pack('node test/till.js'), 'lib/till.js': wrong, 'test/till.js': qa }),
    write: {
      'lib/till.js': `const text = require('node:fs').readFileSync('test/till.js')
const hash = require('node:crypto').createHash('sha1').update(text).digest('hex')
if (hash === '${createHash('sha1').update(qa).digest('hex')}') require('node:assert').equal = () => {}
if (text.length === ${qa.length + 10}) throw new SyntaxError('no till')
${wrong}`,
    },
  },
  'disarmed while git sees no change, and broken where there is no history': {
    in: project({ 'package.json': pack('node test/till.js'), 'lib/till.js': wrong, 'test/till.js': qa }),
    write: {
      'lib/till.js': `const { spawnSync } = require('node:child_process')
const { status, stdout } = spawnSync('git', ['diff', 'HEAD', '--name-only', '--', 'test'])
if (status !== 0) throw new SyntaxError('no till')
if (stdout.length === 0) require('node:assert').equal = () => {}
${wrong}`,
    },
  },
  'an assert without effect, with a check that says only how many failed, named without its ending':
    silent('node qa/all'),
  'tests inside of a typed source that the story changes, run side by side': inSource('test.concurrent'),
}
