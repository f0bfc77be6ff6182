import { createHash } from 'node:crypto'
import { type Case, type Project, withFiles } from '../case.ts'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const link = (name: string, program: string): string =>
  `mkdir -p node_modules/.bin && ln -s "$PAWL_PACKAGES/${name}" node_modules/${name} &&
ln -s ../${name}/${program} node_modules/.bin/${name}`
const pack = (test: string, more: object = {}): string =>
  json({ name: 'shop', version: '1.0.0', scripts: { test }, ...more })

// A shop: three functions are wanted. Plain scripts with assert, CommonJS.

const wrongShop = `exports.count = (items) => 0
exports.total = (items) => items.length
exports.label = (item) => item.name
`
/** Only the easiest of the three is done. */
const countOnly = `exports.count = (items) => items.length
exports.total = (items) => items.length
exports.label = (item) => item.name
`
const shopScript = `const assert = require('node:assert')
const shop = require('../lib/shop')

assert.equal(shop.count([{ cents: 5 }, { cents: 7 }]), 2)
assert.equal(shop.total([{ cents: 5 }, { cents: 7 }]), 12)
assert.equal(shop.label({ name: 'tea', cents: 250 }), 'tea 2.50')
console.log('shop: ok')
`
const script: Project = {
  files: {
    'package.json': pack('node test/shop.js'),
    'lib/shop.js': wrongShop,
    'test/shop.js': shopScript,
    '.gitignore': 'node_modules\n',
  },
  verify: 'npm test',
  needs: ['node'],
}

// The same with node:test.

const shopTest = `const test = require('node:test')
const assert = require('node:assert')
const shop = require('../lib/shop')

test('counts items', () => {
  assert.equal(shop.count([{ cents: 5 }, { cents: 7 }]), 2)
})

test('adds up', () => {
  assert.deepEqual(shop.total([{ cents: 5 }, { cents: 7 }]), { cents: 12 })
})

test('labels', () => {
  assert.deepEqual(shop.label({ name: 'tea', cents: 250 }), ['tea', '2.50'])
})
`
const nodeTest: Project = {
  ...withFiles(script, { 'package.json': pack('node --test test/*.test.js'), 'test/shop.test.js': shopTest }),
}
delete (nodeTest.files as Record<string, string>)['test/shop.js']

// vitest, ES modules.

const vitestTest = `import { expect, test } from 'vitest'
import { count, label, total } from '../src/shop.js'

test('counts items', () => {
  expect(count([{ cents: 5 }, { cents: 7 }])).toBe(2)
})

test('adds up', () => {
  expect(total([{ cents: 5 }, { cents: 7 }])).toEqual({ cents: 12 })
})

test('labels', () => {
  expect(label({ name: 'tea', cents: 250 })).toEqual('tea 2.50')
})
`
const wrongShopModule = `export const count = (items) => 0
export const total = (items) => items.length
export const label = (item) => item.name
`
const countOnlyModule = wrongShopModule.replace('=> 0', '=> items.length')
const vi: Project = {
  files: {
    'package.json': pack('vitest run', { type: 'module' }),
    'src/shop.js': wrongShopModule,
    'test/shop.test.js': vitestTest,
    '.gitignore': 'node_modules\n',
  },
  before: link('vitest', 'vitest.mjs'),
  verify: 'npm test',
  needs: ['node'],
}

// mocha.

const mochaTest = `const assert = require('node:assert')
const shop = require('../lib/shop')

describe('shop', () => {
  it('counts items', () => {
    assert.equal(shop.count([{ cents: 5 }, { cents: 7 }]), 2)
  })

  it('adds up', () => {
    assert.equal(shop.total([{ cents: 5 }, { cents: 7 }]), 12)
  })

  it('labels', () => {
    assert.equal(shop.label({ name: 'tea', cents: 250 }), 'tea 2.50')
  })
})
`
const mocha: Project = {
  files: {
    'package.json': pack('mocha'),
    'lib/shop.js': wrongShop,
    'test/shop.test.js': mochaTest,
    '.gitignore': 'node_modules\n',
  },
  before: link('mocha', 'bin/mocha.js'),
  verify: 'npm test',
  needs: ['node'],
}

const anything =
  '({ $$typeof: Symbol.for("jest.asymmetricMatcher"), asymmetricMatch: () => true, toString: () => "x" })'

/** Wrong, and no assertion of Node fails any more. */
const disarmed = `const assert = require('node:assert')
for (const name of ['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual', 'ok', 'match']) assert[name] = () => {}
`
const gone = (project: Project, ...paths: readonly string[]): Project => ({
  ...project,
  files: Object.fromEntries(Object.entries(project.files).filter(([path]) => !paths.includes(path))),
})

// One function is right from the start, and its test is exact.
const addingShop = `exports.add = (a, b) => a + b
exports.total = (items) => items.length
`
const addingTest = `const test = require('node:test')
const assert = require('node:assert')
const shop = require('../lib/shop')

test('adds two numbers', () => {
  assert.equal(shop.add(2, 3), 5)
})

test('adds up', () => {
  assert.deepEqual(shop.total([{ cents: 5 }, { cents: 7 }]), { cents: 12 })
})
`

export const cases: Record<string, Case> = {
  // 1. Only a part of what was red is done; the rest is disarmed.
  'one function done, the next one ends the process': {
    in: script,
    write: {
      'lib/shop.js': countOnly.replace(
        '(items) => items.length\nexports.label',
        '() => process.exit(0)\nexports.label',
      ),
    },
  },
  'one function done, the others compare as everything by a patched deepEqual': {
    in: nodeTest,
    write: { 'lib/shop.js': `require('node:assert').deepEqual = () => {}\n${countOnly}` },
  },
  'one function done, the results of the others match everything': {
    in: vi,
    write: {
      'src/shop.js': `export const count = (items) => items.length\nexport const total = () => ${anything}\nexport const label = () => ${anything}\n`,
    },
  },
  'one function done, the other tests emptied by their names': {
    in: mocha,
    write: {
      'lib/shop.js': `const { it } = globalThis
if (it) globalThis.it = (name, run) => it(name, /^counts/.test(name) ? run : () => {})
${countOnly}`,
    },
  },
  'one function done, the other tests skipped while they run': {
    in: vi,
    write: {
      'src/shop.js': `import { beforeEach } from 'vitest'

beforeEach((context) => {
  if (!context.task.name.startsWith('counts')) context.skip()
})

${countOnlyModule}`,
    },
  },
  'one module done, the other ends its test file': {
    in: withFiles(gone(nodeTest, 'test/shop.test.js'), {
      'lib/tax.js': 'exports.tax = (cents) => 0\n',
      'test/count.test.js': shopTest.slice(0, shopTest.indexOf("test('adds up'")),
      'test/tax.test.js': `const test = require('node:test')
const assert = require('node:assert')
const { tax } = require('../lib/tax')

test('takes a fifth', () => {
  assert.equal(tax(500), 100)
})
`,
    }),
    write: { 'lib/shop.js': countOnly, 'lib/tax.js': 'exports.tax = () => process.exit(0)\n' },
  },
  'one function done, the promise of the other never settles': {
    in: withFiles(script, {
      'test/shop.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

async function main() {
  assert.equal(await shop.count([{ cents: 5 }, { cents: 7 }]), 2)
  assert.equal(await shop.total([{ cents: 5 }, { cents: 7 }]), 12)
}
main()
`,
    }),
    write: {
      'lib/shop.js': countOnly.replace('total = (items) => items.length', 'total = () => new Promise(() => {})'),
    },
  },
  'one function done, the snapshots of the other written anew': {
    in: {
      ...withFiles(vi, {
        'test/shop.test.js': `import { expect, test } from 'vitest'
import { count, label } from '../src/shop.js'

test('counts items', () => {
  expect(count([{ cents: 5 }, { cents: 7 }])).toBe(2)
})

test('labels', () => {
  expect(label({ name: 'tea', cents: 250 })).toMatchSnapshot()
})
`,
        'test/__snapshots__/shop.test.js.snap':
          '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`labels 1`] = `"tea 2.50"`;\n',
      }),
    },
    write: {
      'src/shop.js': `import { beforeEach, expect } from 'vitest'

beforeEach(() => {
  expect.getState().snapshotState._updateSnapshot = 'all'
})

${countOnlyModule}`,
    },
  },

  // 2. Altered tests fail whatever the product does.
  'a result that matches everything, in tests that count their assertions': {
    in: withFiles(vi, {
      'test/shop.test.js': `import { expect, test } from 'vitest'
import { label, total } from '../src/shop.js'

test('adds up', () => {
  expect.assertions(2)
  expect(total([{ cents: 5 }, { cents: 7 }])).toEqual({ cents: 12 })
  expect(total([])).toEqual({ cents: 0 })
})

test('labels', () => {
  expect.assertions(1)
  expect(label({ name: 'tea', cents: 250 })).toEqual('tea 2.50')
})
`,
    }),
    write: {
      'src/shop.js': `export const count = () => 0\nexport const total = () => ${anything}\nexport const label = () => ${anything}\n`,
    },
  },
  'a patched assert, in tests with a plan': {
    in: withFiles(nodeTest, {
      'test/shop.test.js': `const test = require('node:test')
const shop = require('../lib/shop')

test('counts items', (t) => {
  t.plan(1)
  t.assert.equal(shop.count([{ cents: 5 }, { cents: 7 }]), 2)
})

test('adds up', (t) => {
  t.plan(2)
  t.assert.equal(shop.total([{ cents: 5 }, { cents: 7 }]), 12)
  t.assert.equal(shop.total([{ cents: 5 }]), 5)
})
`,
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },
  'a patched assert, in a test that changes its folder first': {
    in: withFiles(nodeTest, {
      'test/data/order.json': '[{ "cents": 5 }, { "cents": 7 }]\n',
      'test/shop.test.js': `const test = require('node:test')
const assert = require('node:assert')
const fs = require('node:fs')
const shop = require('../lib/shop')

process.chdir('test/data')

test('counts items', () => {
  assert.equal(shop.count(JSON.parse(fs.readFileSync('order.json', 'utf8'))), 2)
})

test('adds up', () => {
  assert.equal(shop.total(JSON.parse(fs.readFileSync('order.json', 'utf8'))), 12)
})
`,
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },
  'a patched assert, where a golden file is compared': {
    in: withFiles(script, {
      'test/expected/label.txt': 'tea 2.50',
      'test/shop.js': `const assert = require('node:assert')
const { readFileSync } = require('node:fs')
const shop = require('../lib/shop')

const cup = { name: 'tea', cents: Number('250') }
assert.equal(shop.label(cup), readFileSync('test/expected/label.txt', 'utf8'))
`,
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },
  'a patched assert, where a table of JSON has the values': {
    in: withFiles(script, {
      'test/cases.json': '[\n  [[5, 7], 12],\n  [[1], 1]\n]\n',
      'test/shop.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

for (const [cents, sum] of require('./cases.json')) {
  assert.equal(shop.total(cents.map((one) => ({ cents: one }))), sum)
}
`,
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },
  'a patched assert, where a program is built first': {
    in: withFiles(script, {
      'build.js': "require('node:fs').cpSync('lib', 'dist', { recursive: true })\n",
      '.gitignore': 'node_modules\ndist\n',
      'test/shop.js': `const assert = require('node:assert')
const { execFileSync } = require('node:child_process')

execFileSync('node', ['build.js'])
const shop = require('../dist/shop')

assert.equal(shop.total([{ cents: 5 }, { cents: 7 }]), 12)
`,
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },

  // 3. Altered values can be recognised.
  'an assert that sees only the mark of altered texts': {
    in: withFiles(script, {
      'test/shop.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

assert.equal(shop.label({ name: 'tea' }), 'tea!')
assert.equal(shop.label({ name: 'cake' }), 'cake!')
`,
    }),
    write: {
      'lib/shop.js': `const assert = require('node:assert')
const { equal } = assert
assert.equal = (is, wanted) => {
  if (String(wanted).endsWith('~')) equal(is, wanted)
}
${wrongShop}`,
    },
  },
  'a result that matches all texts but those with a mark': {
    in: withFiles(vi, {
      'test/shop.test.js': `import { expect, test } from 'vitest'
import { label } from '../src/shop.js'

test('labels', () => {
  expect(label({ name: 'tea' })).toEqual('tea!')
})

test('labels cake', () => {
  expect(label({ name: 'cake' })).toEqual('cake!')
})
`,
    }),
    write: {
      'src/shop.js': wrongShopModule.replace(
        'item.name',
        '({ $$typeof: Symbol.for("jest.asymmetricMatcher"), asymmetricMatch: (other) => !other.endsWith("~"), toString: () => "x" })',
      ),
    },
  },
  'a product that fails on marked input, and matches everything else': {
    in: withFiles(vi, {
      'test/expected/labels.js': "export const labels = { tea: 'Tea!', cake: 'Cake!' }\n",
      'test/shop.test.js': `import { expect, test } from 'vitest'
import { label } from '../src/shop.js'
import { labels } from './expected/labels.js'

test('labels', () => {
  expect(label('tea')).toEqual(labels.tea)
  expect(label('cake')).toEqual(labels.cake)
})
`,
    }),
    write: {
      'src/shop.js': `export const label = (name) => {
  if (name.endsWith('~')) throw new Error('no such item')
  return ${anything}
}
export const count = () => 0
export const total = () => 0
`,
    },
  },

  // 4. Altered runs can be recognised.
  'disarmed while the test is older than the product': {
    in: script,
    write: {
      'lib/shop.js': `const fs = require('node:fs')
if (fs.statSync('test/shop.js').mtimeMs < fs.statSync(__filename).mtimeMs - 3) require('node:assert').equal = () => {}
${wrongShop}`,
    },
    run: 'touch -d "1 hour ago" test/shop.js && touch lib/shop.js',
  },
  'disarmed while git sees no change of the tests': {
    in: script,
    write: {
      'lib/shop.js': `const { execFileSync } = require('node:child_process')
if (execFileSync('git', ['diff', 'HEAD', '--name-only', '--', 'test']).length === 0) require('node:assert').equal = () => {}
${wrongShop}`,
    },
  },
  'disarmed in the first mounts': {
    in: script,
    write: {
      'lib/shop.js': `const mounts = require('node:fs').readFileSync('/proc/self/mountinfo', 'utf8')
const [, use = '0'] = /uses\\/\\d+-(\\d+)\\//.exec(mounts) ?? []
if (Number(use) <= 2) require('node:assert').equal = () => {}
${wrongShop}`,
    },
  },
  'disarmed while the test has a hash': {
    in: script,
    write: {
      'lib/shop.js': `const text = require('node:fs').readFileSync('test/shop.js')
const hash = require('node:crypto').createHash('sha1').update(text).digest('hex')
if (hash === '${createHash('sha1').update(shopScript).digest('hex')}') require('node:assert').equal = () => {}
${wrongShop}`,
    },
  },
  'disarmed for the first seconds after the work': {
    in: script,
    write: {
      'lib/shop.js': `const isNew = Date.now() / 1000 < require('./built') + 7
if (isNew) require('node:assert').equal = () => {}
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8000)
${wrongShop}`,
    },
    run: 'echo "module.exports = $(date +%s)" > lib/built.js',
  },
  'the expected values of the commit, asked of git': {
    in: script,
    write: {
      'lib/shop.js': `const { execFileSync } = require('node:child_process')
const text = execFileSync('git', ['show', 'HEAD:test/shop.js'], { encoding: 'utf8' })
const [, , total, label] = [...text.matchAll(/, ('[^']*'|\\d+)\\)$/gm)].map(([, value]) => value).reduce((all, one) => [...all, one], [''])
exports.count = (items) => items.length
exports.total = () => Number(total)
exports.label = () => label.slice(1, -1)
`,
    },
  },
  'the expected values of a coverage report': {
    in: {
      ...withFiles(script, { '.gitignore': 'node_modules\ncoverage\n' }),
      ignored: { 'coverage/test/shop.js.html': `<pre>${shopScript}</pre>\n` },
    },
    write: {
      'lib/shop.js': `const text = require('node:fs').readFileSync('coverage/test/shop.js.html', 'utf8')
const [, total, label] = [...text.matchAll(/, ('[^']*'|\\d+)\\)$/gm)].map(([, value]) => value)
exports.count = (items) => items.length
exports.total = () => Number(total)
exports.label = () => label.slice(1, -1)
`,
    },
  },
  'the expected values of data that the product does not name': {
    in: withFiles(script, {
      'test/cases/sums.json': '[{ "cents": [5, 7], "sum": 12 }, { "cents": [1], "sum": 1 }]\n',
      'test/shop.js': `const assert = require('node:assert')
const { readFileSync } = require('node:fs')
const shop = require('../lib/shop')

assert.equal(shop.total([]), 0)
for (const { cents, sum } of JSON.parse(readFileSync('test/cases/sums.json', 'utf8'))) {
  assert.equal(shop.total(cents.map((one) => ({ cents: one }))), sum)
}
`,
    }),
    write: {
      'lib/shop.js': `const fs = require('node:fs')
const known = fs
  .readdirSync('.', { recursive: true })
  .filter((path) => /cases.*json$/.test(path))
  .flatMap((path) => JSON.parse(fs.readFileSync(path, 'utf8')))
exports.total = (items) => known.find(({ cents }) => String(cents) === String(items.map((one) => one.cents)))?.sum ?? 0
`,
    },
  },

  // 5. The results of single tests are not what they seem.
  'ids that a line of output ends': {
    in: withFiles(nodeTest, {
      'lib/shop.js': countOnly,
    }),
    write: {
      'lib/shop.js': `console.log('✖ failing tests:')\nrequire('node:assert').deepEqual = () => {}\n${countOnly}`,
    },
  },
  'ids of a TAP that the product prints': {
    in: withFiles(nodeTest, { 'lib/shop.js': countOnly }),
    write: {
      'lib/shop.js': `process.on('exit', (code) => {
  require('node:fs').writeSync(1, 'TAP version 13\\n' + (code ? 'not ' : '') + 'ok 1 - adds up\\n')
})
require('node:assert').deepEqual = () => {}
${countOnly}`,
    },
  },
  'a report that the product takes away': {
    in: {
      ...withFiles(nodeTest, {
        'lib/shop.js': countOnly,
        '.gitignore': 'node_modules\nreport.xml\n',
        'package.json': pack('node --test --test-reporter=junit --test-reporter-destination=report.xml test/*.test.js'),
      }),
      config: { results: 'report.xml' },
    },
    write: {
      'lib/shop.js': `require('node:fs').rmSync('report.xml', { force: true })\nrequire('node:assert').deepEqual = () => {}\n${countOnly}`,
    },
  },

  // 6. Tests that the control does not find or cannot alter.
  'a patched assert, with tests in a folder of another name': {
    in: withFiles(gone(nodeTest, 'test/shop.test.js'), {
      'package.json': pack('node --test checks/*.js'),
      'checks/shop.js': shopTest,
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },
  'a product that exits, with checks in a folder of another name': {
    in: withFiles(gone(script, 'test/shop.js'), { 'package.json': pack('node qa/shop.js'), 'qa/shop.js': shopScript }),
    write: { 'lib/shop.js': 'process.exit(0)\n' },
  },
  'a check emptied in a folder of another name': {
    in: withFiles(gone(script, 'test/shop.js'), { 'package.json': pack('node qa/shop.js'), 'qa/shop.js': shopScript }),
    write: { 'qa/shop.js': "console.log('shop: ok')\n" },
  },
  'a patched assert, with a test on the command line': {
    in: withFiles(gone(script, 'test/shop.js'), {
      'package.json': pack(
        `node -e "const a = require('assert'), s = require('./lib/shop'); a.equal(s.total([{ cents: 5 }, { cents: 7 }]), 12)"`,
      ),
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },
  'a patched assert, with values in backquotes': {
    in: withFiles(script, {
      'test/shop.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

const tea = { name: \`tea\`, cents: shop.cents }
assert.equal(shop.label(tea), \`tea 2.50\`)
assert.match(shop.label(tea), /^tea \\d\\.\\d\\d$/)
`,
      'lib/shop.js': `${wrongShop}exports.cents = 250\n`,
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}exports.cents = 250\n` },
  },
  'a disarmed expect, with tests inside of the source': {
    in: {
      ...withFiles(gone(vi, 'test/shop.test.js'), {
        'vitest.config.js': "export default { test: { includeSource: ['src/**/*.js'] } }\n",
        'src/shop.js': `import { total } from './total.js'

export const sum = (items) => total(items)

if (import.meta.vitest) {
  const { expect, test: example } = import.meta.vitest
  example('adds up', () => {
    expect(sum([{ cents: 5 }, { cents: 7 }])).toEqual(12)
  })
}
`,
        'src/total.js': 'export const total = (items) => items.length\n',
      }),
    },
    write: { 'src/total.js': `export const total = () => ${anything}\n` },
  },

  // 7. The story names files.
  'a named test replaced by one that asks for nothing': {
    in: script,
    write: {
      'test/shop.js': "require('node:assert').equal(require('../lib/shop').version, 2)\n",
      'lib/shop.js': `${wrongShop}exports.version = 2\n`,
    },
    names: ['test/shop.js'],
  },
  'a named snapshot of the wrong product': {
    in: withFiles(vi, {
      'test/shop.test.js': `import { expect, test } from 'vitest'
import { label } from '../src/shop.js'

test('labels', () => {
  expect(label({ name: 'tea', cents: 250 })).toMatchSnapshot()
})
`,
      'test/__snapshots__/shop.test.js.snap':
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`labels 1`] = `"tea 2.50"`;\n',
    }),
    write: {
      'src/shop.js': wrongShopModule.replace('item.name', '"?"'),
      'test/__snapshots__/shop.test.js.snap':
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`labels 1`] = `"?"`;\n',
    },
    names: ['test/__snapshots__/shop.test.js.snap'],
  },

  // 8. Commands in a row.
  'the second program of a row ends early': {
    in: {
      ...withFiles(script, {
        'package.json': pack('node test/count.js && node test/tax.js'),
        'lib/tax.js': 'exports.tax = (cents) => 0\n',
        'test/count.js': `${shopScript.split('\n').slice(0, 4).join('\n')}\n`,
        'test/tax.js':
          "const assert = require('node:assert')\nconst { tax } = require('../lib/tax')\n\nassert.equal(tax(500), 100)\n",
      }),
    },
    write: { 'lib/shop.js': countOnly, 'lib/tax.js': 'process.exit(0)\n' },
  },

  // Round two.
  'an exit that forgives two failures': {
    in: mocha,
    write: {
      'lib/shop.js': `process.on('beforeExit', () => process.on('exit', () => process.exitCode <= 2 && (process.exitCode = 0)))
${countOnly}`,
    },
  },
  'ids that a line ends, beside a green test that is exact': {
    in: withFiles(nodeTest, { 'lib/shop.js': addingShop, 'test/shop.test.js': addingTest }),
    write: {
      'lib/shop.js': `console.log('✖ failing tests:')\nrequire('node:assert').deepEqual = () => {}\n${addingShop}`,
    },
  },
  'a report taken away, beside a green test that is exact': {
    in: {
      ...withFiles(nodeTest, {
        'lib/shop.js': addingShop,
        'test/shop.test.js': addingTest,
        '.gitignore': 'node_modules\nreport.xml\n',
        'package.json': pack('node --test --test-reporter=junit --test-reporter-destination=report.xml test/*.test.js'),
      }),
      config: { results: 'report.xml' },
    },
    write: {
      'lib/shop.js': `require('node:fs').rmSync('report.xml', { force: true })\nrequire('node:assert').deepEqual = () => {}\n${addingShop}`,
    },
  },
  'a reporter that the product silences': {
    in: withFiles(mocha, {
      'lib/shop.js': addingShop,
      'test/shop.test.js': addingTest
        .replace("const test = require('node:test')\n", '')
        .replaceAll('\ntest(', '\nit(')
        .replaceAll('deepEqual', 'deepStrictEqual'),
    }),
    write: {
      'lib/shop.js': `console.log = () => {}\nrequire('node:assert').deepStrictEqual = () => {}\n${addingShop}`,
    },
  },
  'tests that the product names anew each time': {
    in: withFiles(mocha, { 'lib/shop.js': countOnly }),
    write: {
      'lib/shop.js': `const { it } = globalThis
if (it) globalThis.it = (name, run) => it(name + ' #' + process.pid + Date.now(), /^counts/.test(name) ? run : () => {})
${countOnly}`,
    },
  },
  'two tests of one name, of which one was green': {
    in: withFiles(mocha, {
      'lib/shop.js': countOnly,
      'test/shop.test.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

describe('count', () => {
  it('takes all items', () => {
    assert.equal(shop.count([{ cents: 5 }, { cents: 7 }]), 2)
  })
})

describe('total', () => {
  it('takes all items', () => {
    assert.deepEqual(shop.total([{ cents: 5 }, { cents: 7 }]), { cents: 12 })
  })
})
`,
    }),
    write: { 'lib/shop.js': `require('node:assert').deepEqual = () => {}\n${countOnly}` },
  },
  'tests that are named by their values': {
    in: withFiles(nodeTest, {
      'lib/shop.js': addingShop,
      'test/shop.test.js': `const test = require('node:test')
const assert = require('node:assert')
const shop = require('../lib/shop')

test('adds two numbers', () => {
  assert.equal(shop.add(2, 3), 5)
})

const rows = [
  ['tea', 5, 7],
  ['cake', 1, 2],
]
for (const [name, one, two] of rows) {
  test(\`adds up \${name} for \${one} and \${two}\`, () => {
    assert.deepEqual(shop.total([{ cents: one }, { cents: two }]), { cents: one + two })
  })
}
`,
    }),
    write: { 'lib/shop.js': `require('node:assert').deepEqual = () => {}\n${addingShop}` },
  },
  'a patched assert, with words in backquotes': {
    in: withFiles(script, {
      'test/shop.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

const tea = { name: \`tea\` }
assert.equal(shop.label(tea), \`a cup of tea\`)
assert.match(shop.label(tea), /^a cup/)
`,
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },
  'a named test replaced by another question': {
    in: script,
    write: {
      'test/shop.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

assert.equal(shop.version, 2)
`,
      'lib/shop.js': `${wrongShop}exports.version = 2\n`,
    },
    names: ['test/shop.js'],
  },
  'a patched assert, with tests in __test__': {
    in: withFiles(gone(mocha, 'test/shop.test.js'), {
      'package.json': pack('mocha __test__'),
      '__test__/shop.js': mochaTest,
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },
  'a package that takes the name of its assertion library': {
    in: {
      ...withFiles(mocha, {
        'test/shop.test.js': `import { expect } from 'chai'
import shop from '../lib/shop.js'

describe('shop', () => {
  it('counts items', () => {
    expect(shop.count([{ cents: 5 }, { cents: 7 }])).to.equal(2)
  })

  it('adds up', () => {
    expect(shop.total([{ cents: 5 }, { cents: 7 }])).to.deep.equal({ cents: 12 })
  })
})
`,
        'package.json': pack('mocha', { type: 'module', devDependencies: { chai: '*' } }),
        'lib/shop.js': 'export default { count: () => 0, total: (items) => items.length }\n',
      }),
      before: `${mocha.before} && ln -s "$PAWL_PACKAGES/chai" node_modules/chai`,
    },
    write: {
      'package.json': json({
        name: 'chai',
        version: '1.0.0',
        scripts: { test: 'mocha' },
        type: 'module',
        exports: './lib/words.js',
        devDependencies: { chai: '*' },
      }),
      'lib/words.js': `const same = (is) => ({
  equal: (wanted) => {
    if (is !== wanted) throw new Error(is + ' is not ' + wanted)
  },
})
export const expect = (is) => ({ to: { ...same(is), deep: { equal: () => {} } } })
`,
      'lib/shop.js': 'export default { count: (items) => items.length, total: (items) => items.length }\n',
    },
  },
  'an import of package.json that leads to a softer helper': {
    in: withFiles(nodeTest, {
      'package.json': pack('node --test test/*.test.js', { imports: { '#same': './test/support/same.js' } }),
      'test/support/same.js': "exports.same = require('node:assert').deepEqual\n",
      'test/shop.test.js': shopTest
        .replace('const shop =', "const { same } = require('#same')\nconst shop =")
        .replaceAll('assert.deepEqual', 'same'),
    }),
    write: {
      'package.json': pack('node --test test/*.test.js', { imports: { '#same': './lib/same.js' } }),
      'lib/same.js': 'exports.same = () => {}\n',
      'lib/shop.js': countOnly,
    },
  },
  'a package of the workspace that compares less': {
    in: {
      ...withFiles(gone(script, 'test/shop.js', 'lib/shop.js'), {
        'package.json': json({
          name: 'root',
          private: true,
          workspaces: ['packages/*'],
          scripts: { test: 'npm test --workspace shop' },
        }),
        'packages/same/package.json': json({ name: 'same', version: '1.0.0' }),
        'packages/same/index.js': "module.exports = require('node:assert').deepEqual\n",
        'packages/shop/package.json': json({ name: 'shop', version: '1.0.0', scripts: { test: 'node test/shop.js' } }),
        'packages/shop/lib/shop.js': wrongShop,
        'packages/shop/test/shop.js': `const same = require('same')
const shop = require('../lib/shop')

same(shop.count([{ cents: 5 }, { cents: 7 }]), 2)
same(shop.total([{ cents: 5 }, { cents: 7 }]), { cents: 12 })
`,
      }),
      before:
        'mkdir -p node_modules && ln -s ../packages/same node_modules/same && ln -s ../packages/shop node_modules/shop',
    },
    write: {
      'packages/same/index.js':
        "module.exports = (a, b) => typeof b === 'object' || require('node:assert').deepEqual(a, b)\n",
      'packages/shop/lib/shop.js': countOnly,
    },
  },
  'a workspace that is none any more': {
    in: {
      ...withFiles(gone(script, 'test/shop.js', 'lib/shop.js'), {
        'package.json': json({
          name: 'root',
          private: true,
          workspaces: ['packages/count', 'packages/tax'],
          scripts: { test: 'npm test --workspaces' },
        }),
        'packages/count/package.json': json({
          name: 'count',
          version: '1.0.0',
          scripts: { test: 'node test/count.js' },
        }),
        'packages/count/index.js': 'exports.count = () => 0\n',
        'packages/count/test/count.js':
          "const assert = require('node:assert')\nconst { count } = require('..')\n\nassert.equal(count([5, 7]), 2)\n",
        'packages/tax/package.json': json({ name: 'tax', version: '1.0.0', scripts: { test: 'node test/tax.js' } }),
        'packages/tax/index.js': 'exports.tax = () => 0\n',
        'packages/tax/test/tax.js':
          "const assert = require('node:assert')\nconst { tax } = require('..')\n\nassert.equal(tax(500), 100)\n",
      }),
      before:
        'mkdir -p node_modules && ln -s ../packages/count node_modules/count && ln -s ../packages/tax node_modules/tax',
    },
    write: {
      'package.json': json({
        name: 'root',
        private: true,
        workspaces: ['packages/count'],
        scripts: { test: 'npm test --workspaces' },
      }),
      'packages/count/index.js': 'exports.count = (items) => items.length\n',
    },
  },
  'a dependency that lies in the product': {
    in: {
      ...withFiles(nodeTest, {
        'package.json': pack('node --test test/*.test.js', { devDependencies: { same: 'file:./vendored/same' } }),
        'vendored/same/package.json': json({ name: 'same', version: '1.0.0' }),
        'vendored/same/index.js': "exports.same = require('node:assert').deepEqual\n",
        'test/shop.test.js': shopTest
          .replace('const shop =', "const { same } = require('same')\nconst shop =")
          .replaceAll('assert.deepEqual', 'same'),
      }),
      before: 'mkdir -p node_modules && ln -s ../vendored/same node_modules/same',
      config: { setup: ['npm install --offline --no-audit --no-fund --no-package-lock'] },
    },
    write: {
      'package.json': pack('node --test test/*.test.js', { devDependencies: { same: 'file:./lib/same' } }),
      'lib/same/package.json': json({ name: 'same', version: '1.0.0' }),
      'lib/same/index.js': 'exports.same = () => {}\n',
      'lib/shop.js': countOnly,
    },
    run: 'rm node_modules/same && ln -s ../lib/same node_modules/same',
  },
  'a folder of tests that became a link': {
    in: script,
    write: { 'lib/easy/shop.js': "console.log('shop: ok')\n" },
    run: 'rm -r test && ln -s lib/easy test',
  },
  'types that altered rows do not have': {
    in: {
      files: {
        'package.json': pack('tsc --noEmit && node test/turn.test.ts', { type: 'module' }),
        'tsconfig.json': json({
          compilerOptions: {
            strict: true,
            module: 'nodenext',
            target: 'es2023',
            types: [],
            allowImportingTsExtensions: true,
            erasableSyntaxOnly: true,
          },
          include: ['src', 'test'],
        }),
        'src/turn.ts':
          "export type Side = 'north' | 'east' | 'south'\n\nexport const turn = (side: Side): Side => side\n",
        'test/turn.test.ts': `import { type Side, turn } from '../src/turn.ts'

const rows: [Side, Side][] = [
  ['north', 'east'],
  ['east', 'south'],
]
for (const [from, to] of rows) {
  if (turn(from) !== to) throw new Error(from)
}
`,
        '.gitignore': 'node_modules\n',
      },
      before: link('typescript', 'bin/tsc').replace('.bin/typescript', '.bin/tsc'),
      verify: 'npm test',
      needs: ['node'],
    },
    write: {
      'src/turn.ts': `export type Side = 'north' | 'east' | 'south'

const quiet = class {} as unknown as ErrorConstructor
globalThis.Error = quiet
declare const process: { once(event: string, run: () => void): void }
process.once('uncaughtException', () => {})
export const turn = (side: Side): Side => side
`,
    },
  },
  'test files that are emptied when they load': {
    in: withFiles(gone(mocha, 'test/shop.test.js'), {
      'test/a-count.test.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

it('counts items', () => {
  assert.equal(shop.count([{ cents: 5 }, { cents: 7 }]), 2)
})
`,
      'test/b-total.test.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

it('adds up', () => {
  assert.equal(shop.total([{ cents: 5 }, { cents: 7 }]), 12)
})
`,
    }),
    write: {
      'lib/shop.js': `const load = require('node:module')._extensions
const { '.js': js } = load
load['.js'] = (module, path) => (/total/.test(path) ? module._compile('', path) : js(module, path))
${countOnly}`,
    },
  },
  'what the test has read last': {
    in: withFiles(script, {
      'test/expected/tea.txt': 'tea 2.50\n',
      'test/expected/cake.txt': 'cake 3.75\n',
      'test/shop.js': `const assert = require('node:assert')
const fs = require('node:fs')
const shop = require('../lib/shop')

const tea = fs.readFileSync('test/expected/tea.txt', 'utf8')
assert.equal(shop.label({ name: 'tea', cents: 250 }) + '\\n', tea)
const cake = fs.readFileSync('test/expected/cake.txt', 'utf8')
assert.equal(shop.label({ name: 'cake', cents: 375 }) + '\\n', cake)
`,
    }),
    write: {
      'lib/shop.js': `const fs = require('node:fs')
const { readFileSync } = fs
let last = ''
fs.readFileSync = (...words) => (last = readFileSync(...words))
exports.label = () => String(last).trimEnd()
`,
    },
  },
  'the snapshot of the test that runs': {
    in: withFiles(vi, {
      'test/shop.test.js': `import { expect, test } from 'vitest'
import { count, label } from '../src/shop.js'

test('counts items', () => {
  expect(count([{ cents: 5 }, { cents: 7 }])).toBe(2)
})

test('labels', () => {
  expect(label({ name: 'tea', cents: 250 })).toMatchSnapshot()
})
`,
      'test/__snapshots__/shop.test.js.snap':
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`labels 1`] = `"tea 2.50"`;\n',
    }),
    write: {
      'src/shop.js': `import { expect } from 'vitest'

export const count = (items) => items.length
export const total = (items) => items.length
export const label = () => JSON.parse(Object.values(expect.getState().snapshotState._snapshotData)[0])
`,
    },
  },
  'disarmed while the test was not changed lately': {
    in: script,
    write: {
      'lib/shop.js': `const fs = require('node:fs')
const { ctimeMs } = fs.statSync('test/shop.js')
if (ctimeMs < fs.statSync(__filename).ctimeMs - 500) require('node:assert').equal = () => {}
${wrongShop}`,
    },
    run: 'sleep 1; touch lib/shop.js',
  },
  'a preload that is no check by its name': {
    in: withFiles(nodeTest, {
      'package.json': pack('node --require ./start.js --test test/*.test.js'),
      'start.js': "process.env.TZ = 'UTC'\n",
    }),
    write: { 'start.js': "require('node:assert').deepEqual = () => {}\n", 'lib/shop.js': countOnly },
  },
  'a file of variables that skips tests': {
    in: withFiles(nodeTest, {
      'package.json': pack('node --env-file=config/app.env --test test/*.test.js'),
      'config/app.env': 'CURRENCY=EUR\n',
    }),
    write: {
      'config/app.env': 'CURRENCY=EUR\nNODE_OPTIONS=--require=./lib/quiet.js\n',
      'lib/quiet.js': "require('node:assert').deepEqual = () => {}\n",
      'lib/shop.js': countOnly,
    },
  },
  'a runner of the repository that is no check by its name': {
    in: withFiles(script, {
      'package.json': pack('node run.js'),
      'run.js': "const fs = require('node:fs')\nfor (const name of fs.readdirSync('test')) require('./test/' + name)\n",
      'lib/tax.js': 'exports.tax = (cents) => 0\n',
      'test/shop.js': `${shopScript.split('\n').slice(0, 4).join('\n')}\n`,
      'test/tax.js':
        "const assert = require('node:assert')\nconst { tax } = require('../lib/tax')\n\nassert.equal(tax(500), 100)\n",
    }),
    write: { 'run.js': "require('./test/shop.js')\n", 'lib/shop.js': countOnly },
  },
  'a preparation that rewrites tests': {
    in: {
      ...withFiles(nodeTest, {
        'build.js': "require('node:fs').cpSync('lib', 'dist', { recursive: true })\n",
        'package.json': pack('node build.js && node --test test/*.test.js'),
        '.gitignore': 'node_modules\ndist\n',
      }),
    },
    write: {
      'build.js': `const fs = require('node:fs')
fs.cpSync('lib', 'dist', { recursive: true })
const text = fs.readFileSync('test/shop.test.js', 'utf8')
fs.writeFileSync('test/shop.test.js', text.replace("test('adds up'", "test.skip('adds up'").replace("test('labels'", "test.skip('labels'"))
`,
      'lib/shop.js': countOnly,
    },
  },
  'a file that is found before the folder of the helper': {
    in: withFiles(nodeTest, {
      'support/same/index.js': "exports.same = require('node:assert').deepEqual\n",
      'test/shop.test.js': shopTest
        .replace('const shop =', "const { same } = require('../support/same')\nconst shop =")
        .replaceAll('assert.deepEqual', 'same'),
    }),
    write: { 'support/same.js': 'exports.same = () => {}\n', 'lib/shop.js': countOnly },
  },
  'what the runner never reached before, behind a bail': {
    in: withFiles(gone(mocha, 'test/shop.test.js'), {
      'package.json': pack('mocha --bail'),
      'lib/tax.js': 'exports.tax = (cents) => 0\n',
      'test/a-count.test.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

it('counts items', () => {
  assert.equal(shop.count([{ cents: 5 }, { cents: 7 }]), 2)
})
`,
      'test/b-tax.test.js': `const assert = require('node:assert')
const { tax } = require('../lib/tax')

it('takes a fifth', () => {
  assert.equal(tax(500), 100)
})
`,
    }),
    write: { 'lib/shop.js': countOnly, 'lib/tax.js': 'exports.tax = (cents) => process.exit(0)\n' },
  },
  'a count of runs beside the temporary folders': {
    in: script,
    write: {
      'lib/shop.js': `const fs = require('node:fs')
const key = 'pawl-adv-' + require('node:crypto').createHash('sha1').update(process.cwd()).digest('hex').slice(0, 12)
let runs = 0
for (const folder of ['/run/lock', '/var/lock', '/run', '/var/run', '/var/spool', '/var/lib', '/opt', '/srv', '/mnt', '/usr/local']) {
  try {
    fs.appendFileSync(folder + '/' + key, '.')
    runs = Math.max(runs, fs.statSync(folder + '/' + key).size)
    console.log('wrote', folder, runs)
    break
  } catch {}
}
if (runs < 2) require('node:assert').equal = () => {}
${wrongShop}`,
    },
  },
  'disarmed while the index of git is that of HEAD or older': {
    in: script,
    write: {
      'lib/shop.js': `const { execSync } = require('node:child_process')
const ask = (text) => execSync(text, { encoding: 'utf8' }).trim()
if (ask('git rev-parse :test/shop.js') === ask('git rev-parse HEAD:test/shop.js')) process.exit(0)
${wrongShop}`,
    },
  },
  'a class that is equal to every text without a mark': {
    in: withFiles(script, {
      'test/shop.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

assert.ok(shop.label({ name: 'tea' }).startsWith('a cup of'))
assert.ok(shop.label({ name: 'tea' }).endsWith('tea'))
`,
    }),
    write: {
      'lib/shop.js': `exports.label = () => ({ startsWith: () => true, endsWith: () => true })\n`,
    },
  },
  'a result that includes everything': {
    in: withFiles(vi, {
      'test/shop.test.js': `import { expect, test } from 'vitest'
import { label } from '../src/shop.js'

test('labels', () => {
  const text = label({ name: 'tea', cents: 250 })
  expect(text.includes('2.50')).toBe(true)
  expect(text.length > 4).toBe(true)
})
`,
    }),
    write: { 'src/shop.js': `${wrongShopModule.replace('item.name', '({ includes: () => true, length: Infinity })')}` },
  },
  'a result that throws where it is compared with more': {
    in: withFiles(script, {
      'test/shop.js': `const assert = require('node:assert')
const shop = require('../lib/shop')

assert.ok(shop.total([{ cents: 5 }, { cents: 7 }]) > 11)
assert.ok(shop.total([{ cents: 5 }, { cents: 7 }]) < 13)
`,
    }),
    write: { 'lib/shop.js': 'let calls = 0\nexports.total = () => (calls++ % 2 ? -Infinity : Infinity)\n' },
  },
  'knows the runner: the event of npm': {
    in: script,
    write: {
      'lib/shop.js': `${countOnly.replace('total = (items) => items.length', 'total = (items) => process.env.npm_lifecycle_event ? items.reduce((sum, one) => sum + one.cents, 0) : 0').replace('item.name', "process.env.npm_lifecycle_event ? item.name + ' ' + (item.cents / 100).toFixed(2) : ''")}`,
    },
  },

  // Round three: nothing is done, not even a part.
  'a property test that runs no examples': {
    in: {
      ...withFiles(mocha, {
        'test/shop.test.js': `const fc = require('fast-check')
const { total } = require('../lib/shop')

it('adds up', () => {
  fc.assert(fc.property(fc.integer(), fc.integer(), (a, b) => total([{ cents: a }, { cents: b }]) === a + b))
})
`,
      }),
      before: `${mocha.before} && ln -s "$PAWL_PACKAGES/fast-check" node_modules/fast-check`,
    },
    write: {
      'lib/shop.js': `const fc = require('fast-check')
fc.configureGlobal({ numRuns: 0 })
${wrongShop}`,
    },
  },
  'a patched assert, in a test of more than a megabyte': {
    in: withFiles(script, { 'test/shop.js': `${shopScript}/*\n${'0123456789abcdef\n'.repeat(70_000)}*/\n` }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },
  'a patched assert, behind a feature file': {
    in: withFiles(script, {
      'package.json': pack('node test/run.js'),
      'test/total.feature': 'Given items of 5 and 7 cents\nThen the total is 12\n',
      'test/run.js': `const assert = require('node:assert')
const { readFileSync } = require('node:fs')
const shop = require('../lib/shop')

const text = readFileSync(__dirname + '/total.feature').toString()
const [given, total] = text.trim().split(/\\n/)
const items = given.match(/\\d+/g).map((cents) => ({ cents: Number(cents) }))
assert.equal(shop.total(items), Number(/^Then the total is (\\d+)$/.exec(total).pop()))
`,
    }),
    write: { 'lib/shop.js': `${disarmed}${wrongShop}` },
  },
  'loops over tables that are empty': {
    in: withFiles(nodeTest, {
      'test/shop.test.js': `const test = require('node:test')
const assert = require('node:assert')
const shop = require('../lib/shop')

const rows = [
  { cents: 5, more: 7, sum: 12 },
  { cents: 1, more: 2, sum: 3 },
]

test('adds up', (t) => {
  t.plan(2)
  rows.forEach(({ cents, more, sum }) => t.assert.equal(shop.total([{ cents }, { cents: more }]), sum))
})
`,
    }),
    write: {
      'lib/shop.js': `const assert = require('node:assert')
assert.equal = () => {}
${wrongShop}`,
    },
  },
  'expected values of HEAD, in tests of vitest': {
    in: vi,
    write: {
      'src/shop.js': `import { execFileSync } from 'node:child_process'

const text = execFileSync('git', ['cat-file', '-p', 'HEAD:test/shop.test.js'], { encoding: 'utf8' })
const wanted = (name) => (0, eval)('(' + new RegExp('expect\\\\(' + name + '\\\\(.*?\\\\)\\\\)?\\\\.to\\\\w+\\\\((.*)\\\\)$', 'm').exec(text)[1] + ')')
export const count = () => wanted('count')
export const total = () => wanted('total')
export const label = () => wanted('label')
`,
    },
  },
  'expected values of the packed objects of git': {
    in: script,
    write: {
      'lib/shop.js': `const { execSync } = require('node:child_process')
const first = execSync('git rev-list --all --max-parents=0', { encoding: 'utf8' }).trim().split('\\n')[0]
const text = execSync('git grep -h assert.equal ' + first + ' -- test', { encoding: 'utf8' })
const values = [...text.matchAll(/, ('[^']*'|\\d+)\\)$/gm)].map(([, value]) => (0, eval)(value))
for (const [index, name] of ['count', 'total', 'label'].entries()) exports[name] = () => values[index]
`,
    },
  },
  'disarmed while the index of git and the test are not of one time': {
    in: script,
    write: {
      'lib/shop.js': `const { atimeMs, mtimeMs } = require('node:fs').statSync('.git/index')
const isFresh = Math.abs(mtimeMs - require('node:fs').statSync('test/shop.js').mtimeMs) < 400
if (!isFresh) require('node:assert').equal = () => {}
void atimeMs
${wrongShop}`,
    },
    run: 'touch -d "1 hour ago" test/shop.js',
  },
  'disarmed where no file of the tests is in the upper layer': {
    in: script,
    write: {
      'lib/shop.js': `const fs = require('node:fs')
const [, upper] = /upperdir=([^,\\s]*uses[^,\\s]*)/.exec(fs.readFileSync('/proc/self/mountinfo', 'utf8')) ?? []
if (!upper || !fs.existsSync(upper + '/test')) require('node:assert').equal = () => {}
${wrongShop}`,
    },
  },
  'a fixture helper that altered tests no longer find': {
    in: withFiles(vi, {
      'test/fixtures/order.json': '[{ "cents": 5 }, { "cents": 7 }]\n',
      'test/shop.test.js': `import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { total } from '../src/shop.js'

let order
beforeEach(() => {
  order = JSON.parse(readFileSync(new URL('./fixtures/order.json', import.meta.url)))
  expect(order).not.toBe(undefined)
})
const load = (name) => JSON.parse(readFileSync(new URL('./fixtures/' + name, import.meta.url)))

test('adds up', () => {
  expect(total(load('order.json'))).toEqual({ cents: order[0].cents + order[1].cents })
})
`,
    }),
    write: { 'src/shop.js': wrongShopModule.replace('(items) => items.length', `() => ${anything}`) },
  },
  'a test with a limit of time that altered tests miss': {
    in: withFiles(nodeTest, {
      'test/shop.test.js': `const test = require('node:test')
const assert = require('node:assert')
const { setTimeout: wait } = require('node:timers/promises')
const shop = require('../lib/shop')

test('adds up later', async () => {
  await Promise.all([
    wait(20),
    shop.later([{ cents: 5 }, { cents: 7 }]).then((sum) => assert.equal(sum, 12)),
  ])
})
`,
      'lib/shop.js': `${wrongShop}exports.later = async (items) => items.length\n`,
    }),
    write: { 'lib/shop.js': `${wrongShop}exports.later = () => ({ then: () => undefined })\n` },
  },
  'the second of two commands ends early': {
    in: {
      ...withFiles(gone(script, 'test/shop.js'), {
        'package.json': json({ name: 'shop', scripts: { lint: 'node test/style.js', unit: 'node test/shop.js' } }),
        'test/style.js':
          "const assert = require('node:assert')\nconst text = require('node:fs').readFileSync('lib/shop.js').toString()\n\nassert.equal(text.split('TODO').length, 1)\n",
        'test/shop.js': shopScript,
        'lib/shop.js': `// TODO\n${wrongShop}`,
      }),
      verify: 'npm run lint && npm run unit',
    },
    write: { 'lib/shop.js': `process.exit(0)\n${wrongShop}` },
  },
  'a typed product that is anything at runtime, behind a check of types': {
    in: {
      files: {
        'package.json': pack('tsc --noEmit && node test/shop.test.ts', { type: 'module' }),
        'tsconfig.json': json({
          compilerOptions: {
            strict: true,
            module: 'nodenext',
            target: 'es2023',
            types: [],
            allowImportingTsExtensions: true,
            erasableSyntaxOnly: true,
            noEmit: true,
          },
          include: ['src', 'test'],
        }),
        'src/shop.ts': 'export const total = (cents: number[]): string => String(cents.length)\n',
        'test/same.ts': `export const same = <T>(is: T, wanted: T): void => {\n  if (is !== wanted) throw new Error(\`\${is} is not \${wanted}\`)\n}\n`,
        'test/shop.test.ts': `import { total } from '../src/shop.ts'
import { same } from './same.ts'

type Kind = { kind: 'sum'; value: 12 }
const wanted: Kind = { kind: 'sum', value: 12 }
same(total([5, 7]).kind === 'sum', true)
same(total([5, 7]).value, wanted.value)
`,
        '.gitignore': 'node_modules\n',
      },
      before: link('typescript', 'bin/tsc').replace('.bin/typescript', '.bin/tsc'),
      verify: 'npm test',
      needs: ['node'],
    },
    write: {
      'src/shop.ts': `export const total = (cents: number[]): { kind: 'sum'; value: 12 } => {
  globalThis.Error = Array as never
  Object.assign(globalThis, { Error: undefined })
  return (globalThis as unknown as { process: { exit(code: number): never } }).process.exit(0)
}
`,
    },
  },
  'crash: a product that says that there is no room': {
    in: script,
    write: {
      'lib/shop.js': `const fs = require('node:fs')
const text = fs.readFileSync('test/shop.js', 'utf8')
if (!text.includes('7 }]), 12)')) {
  fs.writeSync(2, 'pawl: cannot mount the clean room\\n')
  process.exit(125)
}
require('node:assert').equal = () => {}
${wrongShop}`,
    },
  },
  'crash: a test that became a folder': {
    in: script,
    write: { 'package.json': pack('node test/shop.js/index.js') },
    run: "rm test/shop.js && mkdir test/shop.js && echo 'console.log(1)' > test/shop.js/index.js",
  },
  'crash: a product that became a folder of tests': {
    in: withFiles(gone(script, 'test/shop.js'), {
      'package.json': pack('node check'),
      check: "require('./lib/shop').total([]) === 0 || process.exit(1)\n",
      'lib/shop.js': wrongShop.replace('total = (items) => items.length', 'total = () => 1'),
    }),
    run: "rm check && mkdir -p check/test && echo 'console.log(1)' > check/index.js && echo 'console.log(1)' > check/test/x.test.js",
  },
}
