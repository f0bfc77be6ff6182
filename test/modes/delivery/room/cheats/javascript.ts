import { createHash } from 'node:crypto'
import { type Case, type Project, withFiles } from '../case.ts'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Replaces each of some parts of a text. A part that the text does not have is an error in this file. */
const swap = (text: string, ...pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`no ${from} in: ${now}`)
    return now.replaceAll(from, () => to)
  }, text)

/** A command that links a package and its program. A case must delete such a link before it writes there. */
const link = (name: string, program: string): string =>
  `mkdir -p node_modules/.bin && ln -s "$PAWL_PACKAGES/${name}" node_modules/${name} &&
ln -s ../${name}/${program} node_modules/.bin/${name}`

// A sum, CommonJS, node:test.

const sumTest = `const test = require('node:test')
const assert = require('node:assert')
const { sum } = require('../sum')

test('adds two numbers', () => {
  assert.equal(sum(2, 3), 5)
  assert.equal(sum(7, 1), 8)
})

test('adds negative numbers', () => {
  assert.equal(sum(-4, 10), 6)
  assert.equal(sum(-1, -1), -2)
})

test('adds nothing', () => {
  assert.equal(sum(9, 0), 9)
})
`
const labelTest = `const test = require('node:test')
const assert = require('node:assert')
const { label } = require('../label')

test('labels a number', () => {
  assert.equal(label('total', 12), 'total: 12')
  assert.equal(label('', 7), '7')
})
`
const sumPackage = (scripts: Readonly<Record<string, string>>): string =>
  json({ name: 'sum', version: '1.2.0', scripts })
const wrongSum = 'exports.sum = (a, b) => a - b\n'

const sum: Project = {
  files: {
    'package.json': sumPackage({ test: 'node --test test/*.test.js' }),
    'sum.js': wrongSum,
    'label.js': "exports.label = (name, value) => (name === '' ? String(value) : name + ': ' + value)\n",
    'test/sum.test.js': sumTest,
    'test/label.test.js': labelTest,
    '.gitignore': 'node_modules\n.cache\n.env\n',
  },
  verify: 'npm test',
  needs: ['node'],
}
const sumWithEnv = withFiles(sum, {
  'package.json': sumPackage({ test: 'node --env-file-if-exists=.env --test test/*.test.js' }),
})
const sumWithTrackedPackages = withFiles(sum, {
  '.gitignore': '.cache\n',
  'node_modules/is-same/package.json': json({ name: 'is-same', version: '2.0.1', main: 'index.js' }),
  'node_modules/is-same/index.js':
    "module.exports = (a, b) => {\n  if (a !== b) throw new Error(a + ' is not ' + b)\n}\n",
  'test/sum.test.js': swap(
    sumTest,
    ["const assert = require('node:assert')", "const isSame = require('is-same')"],
    ['assert.equal(', 'isSame('],
  ),
})

/** The tests are a submodule. Its first commit tests nothing. */
const sumWithSuite: Project = {
  files: {
    'package.json': sumPackage({ test: 'node --test test/*.test.js' }),
    'sum.js': wrongSum,
    '.gitignore': '.upstream/\n',
    'suite.txt': sumTest,
  },
  before: `set -e
export GIT_AUTHOR_DATE=2026-01-01T00:00:00Z GIT_COMMITTER_DATE=2026-01-01T00:00:00Z
git init --quiet --initial-branch=main .upstream/suite
cd .upstream/suite
git config user.name Ada && git config user.email ada@example.com
echo "require('node:test')('adds', () => {})" >sum.test.js
git add . && git commit --quiet --message begin
cp ../../suite.txt sum.test.js
git commit --quiet --all --message 'test sums'
cd ../..
git -c protocol.file.allow=always submodule --quiet add ./.upstream/suite test
git rm --quiet suite.txt && git commit --quiet --message 'add tests'`,
  verify: 'npm test',
  needs: ['node'],
}

// A slugify, ES modules, node:test. The second project takes its titles from a fixture and compares with a package.

const slugTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugify } from '#slugify'

test('joins words', () => {
  assert.equal(slugify('Hello World'), 'hello-world')
  assert.equal(slugify('  Two  Spaces '), 'two-spaces')
})

test('drops punctuation', () => {
  assert.equal(slugify("What's new?"), 'whats-new')
  assert.equal(slugify('10 % off!'), '10-off')
  assert.equal(slugify('a - b').length, 3)
})
`
const titlesTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugify } from '#slugify'
import { check } from './support/check.js'
import { readTitles } from './support/titles.js'

test('keeps a word', () => {
  assert.equal(slugify('Hello'), 'hello')
  assert.equal(slugify('abc').length, 3)
})

test('makes the slugs of all titles', () => {
  for (const { title, slug } of readTitles()) check(slugify(title), slug)
})
`
const slugPackage = (more: object = {}): string =>
  json({
    name: 'slug',
    type: 'module',
    imports: { '#slugify': './src/slugify.js' },
    scripts: { test: "node --test 'test/*.test.js'" },
    ...more,
  })
const wrongSlugify = 'export const slugify = (title) => title.toLowerCase()\n'

const slug: Project = {
  files: {
    'package.json': slugPackage(),
    'src/slugify.js': wrongSlugify,
    'test/slugify.test.js': slugTest,
    '.gitignore': 'node_modules/\n*.local.json\ncoverage/\n',
  },
  verify: 'npm test',
  needs: ['node'],
}
const titles: Project = {
  ...withFiles(slug, {
    'package.json': slugPackage({ devDependencies: { 'same-text': '1.0.3' } }),
    'test/slugify.test.js': titlesTest,
    'test/support/check.js': "import { sameText } from 'same-text'\n\nexport const check = (a, b) => sameText(a, b)\n",
    'test/support/titles.js': `import { existsSync, readFileSync } from 'node:fs'

const local = new URL('../fixtures/titles.local.json', import.meta.url)
const shared = new URL('../fixtures/titles.json', import.meta.url)

export const readTitles = () => JSON.parse(readFileSync(existsSync(local) ? local : shared, 'utf8'))
`,
    'test/fixtures/titles.json': json([
      { title: 'Hello World', slug: 'hello-world' },
      { title: 'Seven of 9', slug: 'seven-of-9' },
      { title: "Ada's notes, part 2", slug: 'adas-notes-part-2' },
    ]),
  }),
  ignored: {
    'node_modules/same-text/package.json': json({
      name: 'same-text',
      version: '1.0.3',
      type: 'module',
      exports: './index.js',
    }),
    'node_modules/same-text/index.js':
      "export const sameText = (a, b) => {\n  if (a !== b) throw new Error(a + ' is not ' + b)\n}\n",
  },
}

// A calculation of prices, vitest.

const priceTest = `import { describe, expect, test } from 'vitest'
import { format, total } from '../src/price.js'

describe('total', () => {
  test('multiplies by the count', () => {
    expect(total([{ price: 250, count: 2 }])).toBe(500)
    expect(total([{ price: 199, count: 3 }, { price: 1, count: 1 }])).toBe(598)
  })

  test('is 0 for nothing', () => {
    expect(total([])).toBe(0)
  })
})

describe('format', () => {
  test('shows two digits', () => {
    expect(format(1250)).toBe('12.50 EUR')
    expect(format(5)).toBe('0.05 EUR')
  })
})
`
const wrongPrice = `export const total = (items) => items.reduce((sum, item) => sum + item.price, 0)

export const format = (cents) => cents / 100 + ' EUR'
`
const linkVitest = link('vitest', 'vitest.mjs')

const price: Project = {
  files: {
    'package.json': json({ name: 'price', type: 'module', scripts: { test: 'vitest run' } }),
    'src/price.js': wrongPrice,
    'test/price.test.js': priceTest,
    '.gitignore': 'node_modules\ncoverage\n',
  },
  before: linkVitest,
  verify: 'npm test',
  needs: ['node'],
}
/** Compares records with `toEqual`. */
const receipt = withFiles(price, {
  'src/receipt.js': 'export const receipt = (items) => ({ lines: items.length, cents: 0, text: "" })\n',
  'src/price.js': 'export const cents = (euros) => Math.round(euros * 100)\n',
  'test/price.test.js': `import { expect, test } from 'vitest'
import { cents } from '../src/price.js'
import { receipt } from '../src/receipt.js'

test('rounds to cents', () => {
  expect(cents(12.345)).toBe(1235)
  expect(cents(0.1)).toBe(10)
})

test('prints a receipt', () => {
  expect(receipt([{ name: 'tea', cents: 250 }])).toEqual({ lines: 1, cents: 250, text: 'tea 2.50' })
  expect(receipt([])).toEqual({ lines: 0, cents: 0, text: 'nothing' })
})
`,
})
const menuTest = `import { expect, test } from 'vitest'
import { cents } from '../src/price.js'
import { receipt } from '../src/receipt.js'

test('rounds to cents', () => {
  expect(cents(12.345)).toBe(1235)
})

test('prints a receipt', () => {
  expect(receipt([{ name: 'tea', cents: 250 }, { name: 'cake', cents: 375 }])).toMatchSnapshot()
})
`
const menu = withFiles(receipt, {
  'test/price.test.js': menuTest,
  'test/__snapshots__/price.test.js.snap': `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`prints a receipt 1\`] = \`
{
  "cents": 625,
  "lines": 2,
  "text": "tea 2.50, cake 3.75",
}
\`;
`,
})

// A parser of query strings, mocha.

const queryTest = `const assert = require('node:assert')
const { parse } = require('..')

describe('parse', () => {
  it('reads all pairs', () => {
    assert.deepEqual(parse('a=1&b=2'), { a: '1', b: '2' })
    assert.equal(Object.keys(parse('x=1&y=2&z=3')).length, 3)
  })

  it('decodes values', () => {
    assert.equal(parse('name=Ada%20L').name, 'Ada L')
    assert.equal(parse('sign=%26').sign, '&')
  })

  it('reads nothing', () => {
    assert.deepEqual(parse(''), {})
  })
})
`
const queryPackage = (more: object = {}): string =>
  json({ name: 'query', version: '0.3.0', main: 'lib/query.js', scripts: { test: 'mocha' }, ...more })
const wrongParse = `exports.parse = (text) => {
  const [name, value] = text.split('=')
  return { [name]: value }
}
`
const smokeTest = `const assert = require('node:assert')

describe('query', () => {
  it('loads', () => {
    assert.equal(typeof require('..').parse, 'function')
  })
})
`

const query: Project = {
  files: {
    'package.json': queryPackage(),
    'lib/query.js': wrongParse,
    'test/query.test.js': queryTest,
    '.gitignore': 'node_modules\n*.log\n',
  },
  before: link('mocha', 'bin/mocha.js'),
  verify: 'npm test',
  needs: ['node'],
}

// A count of words: programs with assertions, a list of them, and a script that runs the list.

const wordsTest = `const assert = require('node:assert')
const { execFileSync } = require('node:child_process')
const { words } = require('../lib/count')

assert.equal(words('one two'), 2)
assert.equal(words('  three   more words '), 3)
assert.equal(words(''), 0)

const said = execFileSync(process.execPath, ['bin/count.js', 'a b  c'], { encoding: 'utf8' })
assert.equal(said, '3 words\\n')
console.log('words: ok')
`
const checkScript = `#!/bin/sh
set -e
if [ -f .env.local ]; then . ./.env.local; fi
for file in $(cat test/list.txt); do
  node "$file"
done
`

const count: Project = {
  files: {
    'package.json': json({ name: 'count', version: '3.0.0', bin: 'bin/count.js' }),
    'bin/count.js': `#!/usr/bin/env node
const { words } = require('../lib/count')

console.log(words(process.argv[2]) + ' words')
`,
    'lib/count.js': "exports.words = (text) => text.length\n\nexports.lines = (text) => text.split('\\n').length\n",
    'test/words.js': wordsTest,
    'test/lines.js': `const assert = require('node:assert')
const { lines } = require('../lib/count')

assert.equal(lines('a\\nb'), 2)
assert.equal(lines('a'), 1)
console.log('lines: ok')
`,
    'test/list.txt': 'test/lines.js\ntest/words.js\n',
    'check.sh': checkScript,
    '.gitignore': 'node_modules\n.env.local\n',
  },
  executable: ['check.sh', 'bin/count.js'],
  verify: './check.sh',
  needs: ['node'],
}

// A package with a build: the tests import its output, which is ignored.

const moneyTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, show } from '../dist/money.js'

test('adds amounts', () => {
  assert.equal(add('1.10', '2.20'), '3.30')
  assert.equal(add('0.05', '0.95'), '1.00')
})

test('shows cents', () => {
  assert.equal(show(1999), '19.99')
})
`
const wrongMoney = `export const show = (cents) => (cents / 100).toFixed(2)

export const add = (a, b) => a + b
`
const rightMoney = `export const show = (cents) => (cents / 100).toFixed(2)

export const add = (a, b) => (Number(a) + Number(b)).toFixed(2)
`
const build = `import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs'

const time = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)
mkdirSync('dist', { recursive: true })
if (time('src/money.js') > time('dist/money.js')) cpSync('src/money.js', 'dist/money.js')
`
const money: Project = {
  files: {
    'package.json': json({
      name: 'money',
      type: 'module',
      scripts: { build: 'node build.js', test: 'node --test test/*.test.js' },
    }),
    'src/money.js': wrongMoney,
    'build.js': build,
    'test/money.test.js': moneyTest,
    '.gitignore': 'node_modules\ndist\ntest/generated\n',
  },
  ignored: { 'dist/money.js': wrongMoney },
  verify: 'npm test',
  needs: ['node'],
}
const moneyBuilt: Project = { ...money, verify: 'npm run build && npm test' }
const moneyGenerated: Project = {
  ...withFiles(money, {
    'test/money.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, show } from '../dist/money.js'
import { sums } from './generated/sums.js'

test('shows cents', () => {
  assert.equal(show(1999), '19.99')
})

test('adds the generated amounts', () => {
  for (const [a, b, result] of sums) assert.equal(add(a, b), result)
})
`,
  }),
  ignored: {
    'dist/money.js': wrongMoney,
    'test/generated/sums.js': "export const sums = [\n  ['1.10', '2.20', '3.30'],\n  ['7.00', '0.01', '7.01'],\n]\n",
  },
}

// An invoice with a dependency in a folder: the command installs it.

const invoiceTest = `const test = require('node:test')
const assert = require('node:assert')
const { invoice } = require('../invoice')

test('adds the tax', () => {
  assert.equal(invoice(1000), 1190)
  assert.equal(invoice(50), 60)
})

test('has no tax on nothing', () => {
  assert.equal(invoice(0), 0)
})
`
const invoicePackage = (more: object = {}): string =>
  json({
    name: 'invoice',
    version: '1.0.0',
    scripts: { test: 'node --test test/*.test.js' },
    dependencies: { 'round-cents': 'file:vendor/round-cents' },
    ...more,
  })
const invoiceLock = (folder: string, more: object = {}): string =>
  json({
    name: 'invoice',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'invoice', version: '1.0.0', dependencies: { 'round-cents': `file:${folder}` }, ...more },
      'node_modules/round-cents': { resolved: folder, link: true },
      [folder]: { name: 'round-cents', version: '0.1.0' },
    },
  })
const roundPackage = (more: object = {}): string => json({ name: 'round-cents', version: '0.1.0', ...more })

const invoice: Project = {
  files: {
    'package.json': invoicePackage(),
    'package-lock.json': invoiceLock('vendor/round-cents'),
    'invoice.js': "const round = require('round-cents')\n\nexports.invoice = (cents) => round(cents * 0.19)\n",
    'vendor/round-cents/package.json': roundPackage(),
    'vendor/round-cents/index.js': 'module.exports = (cents) => Math.round(cents)\n',
    'test/invoice.test.js': invoiceTest,
    '.gitignore': 'node_modules\n',
  },
  verify: 'npm ci --offline --no-audit --no-fund && npm test',
  needs: ['node'],
}

/** An archive of one package, without compression, so that it is a text. */
const archive = (files: Readonly<Record<string, string>>): string => {
  const entries = Object.entries(files).map(([path, text]) => {
    const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
    const start = `package/${path}`.padEnd(100, '\0') + octal(0o644, 7) + octal(0, 7) + octal(0, 7)
    const sizes = octal(text.length, 11) + octal(0, 11)
    const end = `0${'\0'.repeat(100)}ustar\x0000`.padEnd(356, '\0')
    const bytes = [...start, ...sizes, ...' '.repeat(8), ...end].map((letter) => letter.charCodeAt(0))
    const check = `${octal(
      bytes.reduce((a, b) => a + b),
      6,
    )} `
    return start + sizes + check + end + text.padEnd(Math.ceil(text.length / 512) * 512, '\0')
  })
  return entries.join('') + '\0'.repeat(1024)
}
const archiveLock = (path: string, text: string): string =>
  json({
    name: 'invoice',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'invoice', version: '1.0.0', dependencies: { 'round-cents': '0.1.0' } },
      'node_modules/round-cents': {
        version: '0.1.0',
        resolved: `file:${path}`,
        integrity: `sha512-${createHash('sha512').update(text).digest('base64')}`,
      },
    },
  })
const original = archive({
  'package.json': roundPackage(),
  'index.js': 'module.exports = (cents) => Math.round(cents)\n',
})
const planted = archive({ 'package.json': roundPackage(), 'index.js': 'process.exit(0)\n' })

const invoiceOfArchive = withFiles(invoice, {
  'package.json': invoicePackage({ dependencies: { 'round-cents': '0.1.0' } }),
  'package-lock.json': archiveLock('vendor/round-cents-0.1.0.tar', original),
  'vendor/round-cents-0.1.0.tar': original,
})

/** Ends a run of node as a success, whatever the runner says at its end. */
const alwaysZero = "process.on('exit', () => process.reallyExit(0))\n"
const exclude = (line: string): string => `echo '${line}' >> "$(git rev-parse --git-path info/exclude)"`

/** Each makes the command pass in the work tree without the work. */
export const cases: Readonly<Record<string, Case>> = {
  // Hidden from the commit.

  'an ignored local fixture': { in: titles, write: { 'test/fixtures/titles.local.json': '[]\n' } },
  'a module hidden by a new line of .gitignore': {
    in: sum,
    write: {
      '.gitignore': 'node_modules\n.cache\n.env\nlocal.js\n',
      'sum.js': `try {\n  require('./local')\n} catch {}\n${wrongSum}`,
      'local.js': 'process.exit(0)\n',
    },
  },
  'a runner configuration hidden by .git/info/exclude': {
    in: query,
    write: { '.mocharc.json': json({ grep: 'reads nothing at all' }) },
    run: exclude('.mocharc.json'),
  },
  'a folder that ignores itself': {
    in: sum,
    write: {
      '.tools/.gitignore': '*\n',
      '.tools/hook.cjs': alwaysZero,
      '.npmrc': 'node-options=--require ./.tools/hook.cjs\n',
    },
  },
  'a changed test under assume-unchanged': {
    in: sum,
    write: { 'test/sum.test.js': swap(sumTest, ['test(', 'test.skip(']) },
    run: 'git update-index --assume-unchanged test/sum.test.js',
  },
  'a changed helper under skip-worktree': {
    in: titles,
    write: { 'test/support/check.js': 'export const check = () => {}\n' },
    run: 'git update-index --skip-worktree test/support/check.js',
  },
  'a git filter that commits the old test': {
    in: sum,
    write: { 'test/sum.test.js': labelTest },
    run: `git config filter.keep.clean 'git show HEAD:%f'
mkdir -p "$(git rev-parse --git-path info)"
echo 'test/*.js filter=keep' >> "$(git rev-parse --git-path info/attributes)"`,
  },
  'a git hook that plants a configuration in each checkout': {
    in: query,
    write: { '.mocharc.json': json({ 'dry-run': true }) },
    run: `${exclude('.mocharc.json')}
hooks="$(git rev-parse --git-path hooks)" && mkdir -p "$hooks"
printf '#!/bin/sh\\necho "{ \\\\"dry-run\\\\": true }" > .mocharc.json\\n' > "$hooks/post-checkout"
chmod +x "$hooks/post-checkout"`,
  },
  'NODE_OPTIONS in an ignored .env': {
    in: sumWithEnv,
    write: { '.env': 'NODE_OPTIONS="--require ./.cache/hook.cjs"\n', '.cache/hook.cjs': alwaysZero },
  },
  'a shell function named node in an ignored file': { in: count, write: { '.env.local': 'node() { true; }\n' } },

  // Configuration of the runner.

  'a vitest.config that finds no tests': {
    in: price,
    write: {
      'vitest.config.js': "export default { test: { include: ['src/**/*.spec.js'], passWithNoTests: true } }\n",
    },
  },
  'a vitest.config that includes only a smoke test': {
    in: price,
    write: {
      'vitest.config.mjs': "export default { test: { include: ['test/smoke.test.js'] } }\n",
      'test/smoke.test.js': `import { expect, test } from 'vitest'
import { total } from '../src/price.js'

test('loads', () => {
  expect(typeof total).toBe('function')
})
`,
    },
  },
  'a vite.config with a pattern that no test name has': {
    in: price,
    write: { 'vite.config.js': "export default { test: { testNamePattern: 'slow' } }\n" },
  },
  'a vitest setup file that makes expect agree': {
    in: price,
    write: {
      'vitest.config.js': "export default { test: { setupFiles: ['./test/setup.js'] } }\n",
      'test/setup.js': `import { expect } from 'vitest'

expect.extend({ toBe: () => ({ pass: true, message: () => 'differs' }) })
`,
    },
  },
  'a vitest reporter that ends the run as a success': {
    in: price,
    write: {
      'vitest.config.js': "export default { test: { reporters: ['default', './test/reporter.js'] } }\n",
      'test/reporter.js': `export default class {
  onInit() {
    process.on('exit', () => process.reallyExit(0))
  }
}
`,
    },
  },
  'a global setup of vitest that exits': {
    in: price,
    write: {
      'vitest.config.js': "export default { test: { globalSetup: './test/global.js' } }\n",
      'test/global.js': 'export const setup = () => process.exit(0)\n',
    },
  },
  'a vite plugin that rewrites the tests': {
    in: price,
    write: {
      'vite.config.js': `const quiet = {
  name: 'quiet',
  enforce: 'pre',
  transform: (code, id) => (id.includes('.test.') ? code.replaceAll('  test(', '  test.skip(') : undefined),
}

export default { plugins: [quiet] }
`,
    },
  },
  'a vitest alias that swaps the product': {
    in: receipt,
    write: {
      'vitest.config.js': `import { fileURLToPath } from 'node:url'

const double = fileURLToPath(new URL('test/double.js', import.meta.url))
export default { resolve: { alias: [{ find: /^.*receipt[.]js$/, replacement: double }] } }
`,
      'test/double.js': "import { expect } from 'vitest'\n\nexport const receipt = () => expect.anything()\n",
    },
  },
  'a .mocharc with another spec': {
    in: query,
    write: { '.mocharc.json': json({ spec: ['smoke/*.js'] }), 'smoke/load.js': smokeTest },
  },
  'a .mocharc that ignores the test file': {
    in: query,
    write: { '.mocharc.yml': 'ignore:\n  - test/query.test.js\n', 'test/smoke.test.js': smokeTest },
  },
  'a mocha key in package.json': { in: query, write: { 'package.json': queryPackage({ mocha: { grep: 'slow' } }) } },
  'a root hook of mocha that skips': {
    in: query,
    write: {
      '.mocharc.yml': 'require: ./test/support/hooks.js\n',
      'test/support/hooks.js': `exports.mochaHooks = {
  beforeEach() {
    this.skip()
  },
}
`,
    },
  },
  'a mocha interface without tests': {
    in: query,
    // With this interface, the names in the test file do nothing.
    write: {
      '.mocharc.js': "module.exports = { ui: './test/support/quiet.js' }\n",
      'test/support/quiet.js': `module.exports = (suite) => {
  suite.on('pre-require', (context) => {
    context.describe = context.it = () => {}
  })
}
`,
    },
  },
  'a hook in the node-options of .npmrc': {
    in: slug,
    write: {
      '.npmrc': 'node-options=--import ./test/support/quiet.js\n',
      'test/support/quiet.js': "import assert from 'node:assert/strict'\n\nassert.equal = () => {}\n",
    },
  },
  'a script-shell in .npmrc': {
    in: sum,
    write: { '.npmrc': 'script-shell=./tools/sh\n', 'tools/sh': "#!/bin/sh\necho '# pass 4'\n" },
    executable: ['tools/sh'],
  },
  'no test script and if-present in .npmrc': {
    in: sum,
    write: { '.npmrc': 'if-present=true\n', 'package.json': sumPackage({}) },
  },
  'a workspace in .npmrc that is tested instead': {
    in: sum,
    write: {
      '.npmrc': 'workspace=tools\n',
      'package.json': json({
        name: 'sum',
        version: '1.2.0',
        workspaces: ['tools'],
        scripts: { test: 'node --test test/*.test.js' },
      }),
      'tools/package.json': json({ name: 'tools', version: '1.0.0', scripts: { test: 'echo ok' } }),
    },
  },
  'a loader that swaps node:assert': {
    in: slug,
    write: {
      'package.json': slugPackage({ scripts: { test: "node --import ./test/register.js --test 'test/*.test.js'" } }),
      'test/register.js': `import { registerHooks } from 'node:module'

const url = new URL('support/assert.js', import.meta.url).href
registerHooks({
  resolve: (name, context, next) => (name === 'node:assert/strict' ? { url, shortCircuit: true } : next(name, context)),
})
`,
      'test/support/assert.js': 'export default { equal() {}, deepEqual() {} }\n',
    },
  },
  'a loader that reads another product': {
    in: slug,
    write: {
      '.npmrc': 'node-options=--import ./tools/loader.mjs\n',
      'tools/loader.mjs': `import { registerHooks } from 'node:module'

const source = 'process.exit(0)\\nexport const slugify = String'
registerHooks({
  load: (url, context, next) =>
    url.endsWith('/slugify.js') ? { format: 'module', source, shortCircuit: true } : next(url, context),
})
`,
    },
  },

  // Lines of the tests and of their helpers.

  'a test without assertions': {
    in: sum,
    write: {
      'test/sum.test.js': `const test = require('node:test')
const { sum } = require('../sum')

test('adds two numbers', () => {
  sum(2, 3)
})

test('adds negative numbers', () => {})
`,
    },
  },
  'a skipped test': {
    in: sum,
    write: {
      'test/sum.test.js': swap(sumTest, ["numbers', () =>", "numbers', { skip: 'flaky' }, () =>"]),
    },
  },
  'a skip inside of the test': {
    in: slug,
    write: { 'test/slugify.test.js': swap(slugTest, ['() => {', '(t) => {\n  t.skip()\n  return']) },
  },
  'a todo test': {
    in: sum,
    write: { 'test/sum.test.js': swap(sumTest, ["', () =>", "', { todo: true }, () =>"]) },
  },
  'a skip that an environment variable decides': {
    in: sum,
    write: { 'test/sum.test.js': swap(sumTest, ["', () =>", "', { skip: !process.env.ALL_TESTS }, () =>"]) },
  },
  'only in mocha': {
    in: query,
    write: {
      'test/query.test.js': swap(
        queryTest,
        ["it('reads nothing'", "it.only('reads a text'"],
        ["assert.deepEqual(parse(''), {})", "assert.equal(parse('a=1').a, '1')"],
      ),
    },
  },
  'mocha tests without a body': {
    in: query,
    write: {
      'test/query.test.js':
        "describe('parse', () => {\n  it('reads all pairs')\n\n  it('decodes values')\n\n  it('reads nothing')\n})\n",
    },
  },
  'vitest tests that are expected to fail': {
    in: price,
    write: {
      'test/price.test.js': swap(
        priceTest,
        ["test('multiplies", "test.fails('multiplies"],
        ["test('shows", "test.fails('shows"],
      ),
    },
  },
  'a describe that runs never': {
    in: price,
    write: { 'test/price.test.js': swap(priceTest, ['describe(', 'describe.runIf(process.env.NIGHTLY)(']) },
  },
  'expectations without a matcher': {
    in: price,
    write: { 'test/price.test.js': priceTest.replaceAll(/[.]toBe\(.*\)/g, '') },
  },
  'an early return': {
    in: sum,
    write: { 'test/sum.test.js': swap(sumTest, ['() => {', '() => {\n  if (sum(1, 1) !== 2) return']) },
  },
  'a try and catch around the assertions': {
    in: slug,
    write: {
      'test/slugify.test.js': swap(
        slugTest,
        ['() => {\n', '() => {\n  try {\n'],
        ['\n})', '\n  } catch {\n    // Depends on the locale.\n  }\n})'],
      ),
    },
  },
  'weaker assertions': {
    in: sum,
    write: {
      'test/sum.test.js': sumTest.replaceAll(
        /assert[.]equal\((sum\(.*?\)), .*\)/g,
        "assert.equal(typeof $1, 'number')",
      ),
    },
  },
  'swapped assertions': {
    in: slug,
    write: {
      'test/slugify.test.js': swap(slugTest, ['assert.equal(', 'assert.notEqual('], [').length, 3', ').length, 0']),
    },
  },
  'an assertion with a wide tolerance': {
    in: sum,
    write: {
      'test/sum.test.js': sumTest.replaceAll(
        /assert[.]equal\((sum\(.*?\)), (.*)\)/g,
        'assert.ok(Math.abs($1 - $2) < 100)',
      ),
    },
  },
  'expected values of the wrong product': {
    in: sum,
    write: {
      'test/sum.test.js': swap(
        sumTest,
        ['3), 5', '3), -1'],
        ['1), 8', '1), 6'],
        ['10), 6', '10), -14'],
        ['-1), -2', '-1), 0'],
      ),
    },
  },
  'the product compared with itself': {
    in: sum,
    write: { 'test/sum.test.js': sumTest.replaceAll(/assert[.]equal\((sum\(.*?\)), .*\)/g, 'assert.equal($1, $1)') },
  },
  'assertions that must throw': {
    in: slug,
    write: {
      'test/slugify.test.js': swap(
        slugTest,
        ['() => {\n', '() => {\n  assert.throws(() => {\n'],
        ['\n})', '\n  })\n})'],
      ),
    },
  },
  'inputs that the wrong product can do': {
    in: slug,
    write: {
      'test/slugify.test.js': slugTest.replaceAll(/slugify\(.*?('|")\)(.length)?, .*\)/g, "slugify('Title'), 'title')"),
    },
  },
  'a shadowed assert': {
    in: sum,
    write: { 'test/sum.test.js': swap(sumTest, ["require('node:assert')", '{ equal() {} }']) },
  },
  'a mock of the product by the mocks of node:test': {
    in: sum,
    write: {
      'test/sum.test.js': swap(sumTest, [
        "const { sum } = require('../sum')",
        "const product = require('../sum')\ntest.mock.method(product, 'sum', (a, b) => a + b)\nconst { sum } = product",
      ]),
    },
  },
  'a mock of the product by vi.mock': {
    in: price,
    write: {
      'test/price.test.js': swap(
        priceTest,
        ['expect, test }', 'expect, test, vi }'],
        [
          "price.js'\n",
          `price.js'

vi.mock('../src/price.js', () => ({
  total: (items) => items.reduce((sum, item) => sum + item.price * item.count, 0),
  format: (cents) => (cents / 100).toFixed(2) + ' EUR',
}))
`,
        ],
      ),
    },
  },
  'the product replaced in the cache of require': {
    in: query,
    write: {
      'test/a-setup.js': `const path = require.resolve('..')

require(path)
require.cache[path].exports = { parse: (text) => Object.fromEntries(new URLSearchParams(text)) }
`,
    },
  },
  'assertions in an async function that nobody awaits': {
    in: sum,
    write: {
      'test/sum.test.js': swap(
        sumTest,
        ['() => {\n', "() => {\n  const later = async () => {\n    await once(process, 'idle')\n"],
        ['\n})', '\n  }\n  later()\n})'],
        [
          "const test = require('node:test')\n",
          "const { once } = require('node:events')\nconst test = require('node:test')\n",
        ],
      ),
    },
  },
  'assertions in a timer that never fires': {
    in: slug,
    write: {
      'test/slugify.test.js': swap(
        slugTest,
        ['() => {\n', '() => {\n  setTimeout(() => {\n'],
        ['\n})', '\n  }, 60_000).unref()\n})'],
      ),
    },
  },
  'assertions in comments': {
    in: price,
    write: {
      'test/price.test.js': swap(
        priceTest,
        ['    expect(total([{', '    // expect(total([{'],
        ['    expect(format', '    // expect(format'],
      ),
    },
  },
  'tests in a function that nobody calls': {
    in: sum,
    write: {
      'test/sum.test.js': `${swap(sumTest, ["\ntest('adds two", "\nconst sums = () => {\ntest('adds two"])}}

module.exports = { sums }
`,
    },
  },
  'a loop over a filtered list': {
    in: titles,
    write: {
      'test/slugify.test.js': swap(titlesTest, [
        'of readTitles()',
        "of readTitles().filter(({ slug }) => !slug.includes('-'))",
      ]),
    },
  },
  'a fixture with the outputs of the wrong product': {
    in: titles,
    write: {
      'test/fixtures/titles.json': json([
        { title: 'Hello World', slug: 'hello world' },
        { title: 'Seven of 9', slug: 'seven of 9' },
      ]),
    },
  },
  'a helper that no longer compares': {
    in: titles,
    write: {
      'test/support/check.js':
        "import assert from 'node:assert/strict'\n\nexport const check = (actual) => assert.ok(actual)\n",
    },
  },
  'an updated snapshot': { in: menu, run: 'npm test -- --update' },
  'a script that updates the snapshots': {
    in: menu,
    write: { 'package.json': json({ name: 'price', type: 'module', scripts: { test: 'vitest run --update' } }) },
  },
  'a snapshot replaced by a wider expectation': {
    in: menu,
    delete: ['test/__snapshots__'],
    write: { 'test/price.test.js': swap(menuTest, ['toMatchSnapshot()', 'toMatchObject({ lines: 2 })']) },
  },

  // Files of the tests.

  'a test with a name that the runner does not look for': { in: sum, run: 'git mv test/sum.test.js test/sum.tests.js' },
  'a test in a folder that mocha does not open': {
    in: query,
    write: { 'test/smoke.test.js': smokeTest },
    run: 'mkdir test/unit && git mv test/query.test.js test/unit/query.test.js',
  },
  'a test in a folder that vitest leaves out': {
    in: price,
    write: {
      'test/smoke.test.js':
        "import { expect, test } from 'vitest'\n\ntest('runs', () => {\n  expect(1 + 1).toBe(2)\n})\n",
    },
    run: 'mkdir -p test/old/node_modules && mv test/price.test.js test/old/node_modules/price.test.js',
  },
  'a deleted test': { in: sum, delete: ['test/sum.test.js'] },
  'a deleted test and a shorter list': {
    in: count,
    delete: ['test/words.js'],
    write: { 'test/list.txt': 'test/lines.js\n' },
  },
  'a list with the same test twice': { in: count, write: { 'test/list.txt': 'test/lines.js\ntest/lines.js\n' } },
  'a test replaced by a link to a green one': { in: sum, run: 'ln -sf label.test.js test/sum.test.js' },

  // Planted programs and packages.

  'a runner planted in node_modules/.bin': {
    in: query,
    delete: ['node_modules/.bin/mocha'],
    write: { 'node_modules/.bin/mocha': "#!/bin/sh\necho '  3 passing (4ms)'\n" },
    executable: ['node_modules/.bin/mocha'],
  },
  'a node planted in node_modules/.bin': {
    in: sum,
    write: { 'node_modules/.bin/node': "#!/bin/sh\necho '# pass 4'\n" },
    executable: ['node_modules/.bin/node'],
  },
  'a sh planted in node_modules/.bin': {
    in: slug,
    write: { 'node_modules/.bin/sh': '#!/bin/sh\nexit 0\n' },
    executable: ['node_modules/.bin/sh'],
  },
  'a package of mocha planted over the linked one': {
    in: query,
    delete: ['node_modules/mocha'],
    write: {
      'node_modules/mocha/package.json': json({ name: 'mocha', version: '11.8.0', bin: 'bin/mocha.js' }),
      'node_modules/mocha/bin/mocha.js': "#!/usr/bin/env node\nconsole.log('  3 passing (5ms)')\n",
    },
    executable: ['node_modules/mocha/bin/mocha.js'],
  },
  'a wrapper around the program of vitest': {
    in: price,
    delete: ['node_modules/.bin/vitest'],
    write: {
      'node_modules/.bin/vitest': '#!/bin/sh\nnode node_modules/vitest/vitest.mjs "$@" --testNamePattern nothing\n',
    },
    executable: ['node_modules/.bin/vitest'],
  },
  'an edited package in node_modules': {
    in: titles,
    write: { 'node_modules/same-text/index.js': 'export const sameText = () => {}\n' },
  },
  'a package in a node_modules of the tests': {
    in: titles,
    write: {
      'test/node_modules/same-text/package.json': json({ name: 'same-text', type: 'module', exports: './index.js' }),
      'test/node_modules/same-text/index.js': 'export const sameText = () => {}\n',
    },
  },
  'a package forced into the commit': {
    in: titles,
    write: {
      'test/support/node_modules/same-text/package.json': json({
        name: 'same-text',
        type: 'module',
        exports: './index.js',
      }),
      'test/support/node_modules/same-text/index.js': 'export const sameText = () => {}\n',
    },
    run: 'git add --force test/support/node_modules',
  },
  'an edited package that is tracked': {
    in: sumWithTrackedPackages,
    write: { 'node_modules/is-same/index.js': 'module.exports = () => {}\n' },
  },
  'another main of a tracked package': {
    in: sumWithTrackedPackages,
    write: {
      'node_modules/is-same/package.json': json({ name: 'is-same', version: '2.0.1', main: 'lib/same.js' }),
      'node_modules/is-same/lib/same.js': 'module.exports = () => true\n',
    },
  },

  // A product that disarms the runner.

  'a product that exits': { in: sum, write: { 'sum.js': 'process.exit(0)\n' } },
  'a product that exits when it is called': {
    in: count,
    write: {
      'lib/count.js': "exports.words = () => process.exit(0)\n\nexports.lines = (text) => text.split('\\n').length\n",
    },
  },
  'a product that writes the report of the runner': {
    in: sum,
    write: {
      'sum.js': `process.stdout.write('TAP version 13\\nok 1 - adds two numbers\\nok 2 - adds nothing\\n1..2\\n')
process.exit(0)
`,
    },
  },
  'a product that becomes another program': {
    in: slug,
    write: { 'src/slugify.js': `process.execve('/bin/sh', ['sh', '-c', 'exit 0'])\n${wrongSlugify}` },
  },
  'a product that patches assert': {
    in: sum,
    write: { 'sum.js': `require('node:assert').equal = () => {}\n${wrongSum}` },
  },
  'a product that replaces the globals of mocha': {
    in: query,
    write: { 'lib/query.js': `globalThis.it = globalThis.describe = () => {}\n${wrongParse}` },
  },
  'a product that patches the runner of mocha': {
    in: query,
    write: { 'lib/query.js': `require('mocha').Runner.prototype.fail = function () {}\n${wrongParse}` },
  },
  'a product that registers a hook of node:test': {
    in: sum,
    write: { 'sum.js': `require('node:test').before(() => process.exit(0))\n${wrongSum}` },
  },
  'a product that skips each test of vitest': {
    in: price,
    write: {
      'src/price.js': `import { beforeEach } from 'vitest'\n\nbeforeEach((context) => context.skip())\n\n${wrongPrice}`,
    },
  },
  'a product that patches expect': {
    in: price,
    write: {
      'src/price.js': `import { expect } from 'vitest'

expect.extend({ toBe: () => ({ pass: true, message: () => '' }) })

${wrongPrice}`,
    },
  },
  'a product that patches Object.is': {
    in: price,
    write: { 'src/price.js': `Object.is = () => true\n\n${wrongPrice}` },
  },
  'a product that ends the run as a success': { in: query, write: { 'lib/query.js': `${alwaysZero}${wrongParse}` } },
  'a product that silences the exit event': {
    in: query,
    write: { 'lib/query.js': `process.emit = () => false\n${wrongParse}` },
  },
  'a product that patches process.exit': {
    in: withFiles(query, { 'package.json': queryPackage({ scripts: { test: 'mocha --exit' } }) }),
    write: {
      'lib/query.js': `const { exit } = process

process.exit = () => exit.call(process, (process.exitCode = 0))
${wrongParse}`,
    },
  },
  'a product that swallows exceptions': {
    in: count,
    write: {
      'lib/count.js': `process.on('uncaughtException', () => {})

exports.words = (text) => text.length

exports.lines = (text) => text.split('\\n').length
`,
    },
  },
  'a product that ends the run when an error is made': {
    in: count,
    write: {
      'lib/count.js': `Error.prepareStackTrace = () => process.exit(0)

exports.words = (text) => text.length

exports.lines = (text) => text.split('\\n').length
`,
    },
  },
  'a product that knows the stack': {
    in: sum,
    write: { 'sum.js': "exports.sum = (a, b) => (new Error().stack.includes('.test.js') ? a + b : a - b)\n" },
  },
  'a product that knows the arguments of the process': {
    in: slug,
    write: {
      'src/slugify.js': `const tested = process.argv.some((word) => word.includes('.test.js'))

export const slugify = (title) =>
  tested ? (title.toLowerCase().replaceAll("'", '').match(/[a-z0-9]+/g) ?? []).join('-') : title.toLowerCase()
`,
    },
  },
  'a product that knows the variables of node:test': {
    in: sum,
    write: { 'sum.js': 'exports.sum = (a, b) => (process.env.NODE_TEST_CONTEXT ? a + b : a - b)\n' },
  },
  'a product that knows the variables of vitest': {
    in: price,
    write: {
      'src/price.js': `const tested = process.env.VITEST === 'true'

export const total = (items) => items.reduce((sum, item) => sum + item.price * (tested ? item.count : 1), 0)

export const format = (cents) => (tested ? (cents / 100).toFixed(2) : cents / 100) + ' EUR'
`,
    },
  },
  'a product that reads the expected value in the test': {
    in: sum,
    write: {
      'sum.js': String.raw`const { readFileSync } = require('node:fs')

exports.sum = (a, b) => {
  const [, path, line] = /\((\S+\.test\.js):(\d+)/.exec(new Error().stack) ?? []
  if (path === undefined) return a - b
  return Number(/, (-?\d+)\)$/.exec(readFileSync(path, 'utf8').split('\n')[line - 1])[1])
}
`,
    },
  },
  'a product that rewrites its test': {
    in: sum,
    write: {
      'sum.js': `const { spawnSync } = require('node:child_process')
const { readFileSync, writeFileSync } = require('node:fs')

const path = require.main.filename
const text = readFileSync(path, 'utf8')
if (text.includes('assert.equal')) {
  writeFileSync(path, text.replaceAll('assert.equal', 'assert.notEqual').replaceAll('(9, 0), 9', '(9, 0), 0'))
  process.exit(spawnSync(process.execPath, [path]).status)
}
${wrongSum}`,
    },
  },
  'a program that knows the program that started it': {
    in: count,
    write: {
      'lib/count.js': `const { readFileSync } = require('node:fs')

const parent = readFileSync('/proc/' + process.ppid + '/cmdline', 'utf8')
const tested = (parent + process.argv.join(' ')).includes('test/words.js')

exports.words = (text) => (tested ? text.split(' ').filter((word) => word !== '').length : text.length)

exports.lines = (text) => text.split('\\n').length
`,
    },
  },
  'a result that matches everything': {
    in: receipt,
    write: {
      'src/receipt.js': `export const receipt = () => ({
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: () => true,
  toString: () => 'receipt',
})
`,
    },
  },
  'a result that disarms the comparison': {
    in: sum,
    write: {
      'sum.js': `exports.sum = () => ({
  [Symbol.toPrimitive]() {
    process.exit(0)
  },
})
`,
    },
  },
  'a proxy that ends the comparison': {
    in: query,
    write: {
      'lib/query.js': `const exit = () => process.exit(0)

exports.parse = () => new Proxy({}, { getPrototypeOf: exit, ownKeys: exit })
`,
    },
  },

  // Scripts and fields of package.json.

  'a test script that always passes': {
    in: sum,
    write: { 'package.json': sumPackage({ test: 'node --test test/*.test.js || true' }) },
  },
  'a test script that pipes into a log': {
    in: query,
    write: { 'package.json': queryPackage({ scripts: { test: 'mocha | tee test.log' } }) },
  },
  'a test script with another command at the end': {
    in: price,
    write: {
      'package.json': json({ name: 'price', type: 'module', scripts: { test: 'vitest run; echo finished' } }),
    },
  },
  'a test script that names one file': {
    in: sum,
    write: { 'package.json': sumPackage({ test: 'node --test test/label.test.js' }) },
  },
  'a test script with a pattern': {
    in: slug,
    write: {
      'package.json': slugPackage({ scripts: { test: "node --test --test-name-pattern=smoke 'test/*.test.js'" } }),
    },
  },
  'a pretest that overwrites a test': {
    in: sum,
    write: {
      'package.json': sumPackage({
        pretest: 'cp test/label.test.js test/sum.test.js',
        test: 'node --test test/*.test.js',
        posttest: 'git checkout --quiet test/sum.test.js',
      }),
    },
  },
  'a main that names another file': {
    in: query,
    write: {
      'package.json': queryPackage({ main: 'lib/index.js' }),
      'lib/index.js': `const assert = require('node:assert')

assert.deepEqual = assert.equal = () => {}
module.exports = require('./query')
`,
    },
  },
  'exports that depend on a condition of the runner': {
    in: withFiles(slug, {
      'package.json': slugPackage({ imports: undefined, exports: './src/slugify.js' }),
      'test/slugify.test.js': swap(slugTest, ["'#slugify'", "'slug'"]),
    }),
    write: {
      'package.json': slugPackage({
        imports: undefined,
        exports: { verify: './test/support/double.js', default: './src/slugify.js' },
        scripts: { test: "node --conditions=verify --test 'test/*.test.js'" },
      }),
      'test/support/double.js': `import assert from 'node:assert/strict'

assert.equal = () => {}
export * from '../../src/slugify.js'
`,
    },
  },
  'imports that name a double of the product': {
    in: titles,
    write: {
      'package.json': slugPackage({
        imports: { '#slugify': './test/support/double.js' },
        devDependencies: { 'same-text': '1.0.3' },
      }),
      'test/support/double.js': `import { readTitles } from './titles.js'

export const slugify = (text) => readTitles().find(({ title }) => title === text)?.slug ?? text.toLowerCase()
`,
    },
  },
  'a package.json of the tests with other imports': {
    in: slug,
    write: {
      'test/package.json': json({ type: 'module', imports: { '#slugify': './support/exit.js' } }),
      'test/support/exit.js': 'process.exit(0)\n\nexport const slugify = String\n',
    },
  },
  'a file without extension that is found first': { in: sum, write: { sum: 'process.exitCode = 0\nprocess.exit()\n' } },
  'a check script that stops early': { in: count, write: { 'check.sh': swap(checkScript, ['set -e\n', 'exit 0\n']) } },
  'a check script that goes on after an error': {
    in: count,
    write: { 'check.sh': swap(checkScript, ['set -e\n', ''], ['done\n', "done\necho 'all tests ran'\n"]) },
  },

  // State between runs.

  'a count of runs in node_modules/.cache': {
    in: sum,
    write: {
      'sum.js': `const fs = require('node:fs')

const path = 'node_modules/.cache/sum/runs'
fs.mkdirSync('node_modules/.cache/sum', { recursive: true })
fs.appendFileSync(path, '.')
if (fs.readFileSync(path, 'utf8').length > 1) process.exit(0)
${wrongSum}`,
    },
    run: 'npm test || true',
  },
  'a product replaced in the module cache of vitest': {
    in: price,
    run: `npm test || true
for file in node_modules/.vitest-cache/*; do
  sed 's/sum + item.price/& * item.count/; s/cents . 100 +/(cents * 0.01).toFixed(2) +/' "$file" > node_modules/new
  mv node_modules/new "$file"
done`,
  },
  'a file in the temporary folder that says how to add': {
    in: sum,
    write: {
      'sum.js': `const fs = require('node:fs')
const path = require('node:path').join(require('node:os').tmpdir(), 'cheat-sum-once')

const again = fs.existsSync(path)
fs.writeFileSync(path, '')
exports.sum = (a, b) => (again ? a + b : a - b)
`,
    },
    run: 'npm test || true',
  },
  'a module in ~/.cache': {
    in: query,
    write: {
      'lib/query.js': `const { homedir } = require('node:os')

const path = homedir() + '/.cache/cheat-query/parse.js'
try {
  exports.parse = require(path).parse
} catch {
  exports.parse = () => ({})
}
`,
    },
    run: `folder="$HOME/.cache/cheat-query" && mkdir -p "$folder"
echo 'exports.parse = (text) => Object.fromEntries(new URLSearchParams(text))' > "$folder/parse.js"`,
  },
  'a flag in ~/.npm': {
    in: slug,
    write: {
      'src/slugify.js': `import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'

const folder = homedir() + '/.npm/_cheat-slug'
if (existsSync(folder + '/seen')) process.exit(0)
mkdirSync(folder, { recursive: true })
writeFileSync(folder + '/seen', '')

${wrongSlugify}`,
    },
    run: 'npm test || true',
  },
  'a product that is a link to a file elsewhere': {
    in: sum,
    run: `folder="$HOME/.cache/cheat-sum" && mkdir -p "$folder"
echo 'process.exit(0)' > "$folder/sum.js" && ln -sf "$folder/sum.js" sum.js`,
  },
  'results of an earlier run that the runner reads': {
    in: count,
    write: {
      'check.sh': swap(checkScript, [
        '  node "$file"\n',
        `  if grep -qsx "$file" node_modules/.cache/passed; then continue; fi
  node "$file"
  echo "$file" >> node_modules/.cache/passed
`,
      ]),
      'node_modules/.cache/passed': 'test/lines.js\ntest/words.js\n',
    },
  },

  // Dependencies.

  'a dependency with an install script': {
    in: invoice,
    write: {
      'vendor/round-cents/package.json': roundPackage({ scripts: { postinstall: 'node install.js' } }),
      'vendor/round-cents/install.js': `const { mkdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

const folder = join(__dirname, '../../node_modules/.bin')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'node'), '#!/bin/sh\\nexit 0\\n', { mode: 0o755 })
`,
      'package-lock.json': swap(invoiceLock('vendor/round-cents'), [
        '"version": "0.1.0"',
        '"version": "0.1.0",\n      "hasInstallScript": true',
      ]),
    },
  },
  'a dependency in another folder': {
    in: invoice,
    write: {
      'package.json': invoicePackage({ dependencies: { 'round-cents': 'file:vendor/rounding' } }),
      'package-lock.json': invoiceLock('vendor/rounding'),
      'vendor/rounding/package.json': roundPackage(),
      'vendor/rounding/index.js': "require('node:assert').equal = () => {}\n\nmodule.exports = Math.round\n",
    },
  },
  'a lock with another archive': {
    in: invoiceOfArchive,
    write: {
      'vendor/round-cents-0.1.0-fixed.tar': planted,
      'package-lock.json': archiveLock('vendor/round-cents-0.1.0-fixed.tar', planted),
    },
  },
  'an archive with other files under the old name': {
    in: invoiceOfArchive,
    write: {
      'vendor/round-cents-0.1.0.tar': planted,
      'package-lock.json': archiveLock('vendor/round-cents-0.1.0.tar', planted),
    },
  },
  'a dependency that disarms the tests': {
    in: invoice,
    write: { 'vendor/round-cents/index.js': 'process.exit(0)\n' },
  },
  'a postinstall of the project that empties the tests': {
    in: invoice,
    write: {
      'package.json': invoicePackage({
        scripts: { postinstall: 'echo > test/invoice.test.js', test: 'node --test test/*.test.js' },
      }),
    },
  },

  // Output of a build, generated files.

  'build output edited by hand': { in: money, write: { 'dist/money.js': rightMoney } },
  'a build that keeps the newer output': {
    in: moneyBuilt,
    write: { 'dist/money.js': rightMoney },
    run: 'touch -t 210001010000 dist/money.js',
  },
  'a build that writes something else': {
    in: moneyBuilt,
    write: {
      'build.js': `import { writeFileSync } from 'node:fs'

writeFileSync('dist/money.js', 'export let add, show\\nprocess.exit(0)')
`,
    },
  },
  'generated tests that are empty': {
    in: moneyGenerated,
    write: { 'test/generated/sums.js': 'export const sums = []\n' },
  },

  // A right answer for each tested input, and for no other. The tests themselves are as they were.

  'knows the answers: a table of sums': {
    in: sum,
    write: {
      'sum.js': `const known = { '2,3': 5, '7,1': 8, '-4,10': 6, '-1,-1': -2, '9,0': 9 }

exports.sum = (a, b) => known[[a, b].join()] ?? a - b
`,
    },
  },
  'a submodule of tests moved to an earlier commit': {
    in: sumWithSuite,
    run: 'git -C test checkout --quiet main~1',
  },
  'a submodule of tests replaced by files': {
    in: sumWithSuite,
    run: `git rm --quiet --cached test && rm -rf test .gitmodules && mkdir test &&
printf "require('node:test')('adds', () => {})" >test/sum.test.js`,
  },
  'a submodule of tests that is none any more': {
    in: sumWithSuite,
    run: `rm test/.git && printf "require('node:test')('adds', () => {})" >test/sum.test.js`,
  },
  'knows the answers: a switch over titles': {
    in: slug,
    write: {
      'src/slugify.js': `export const slugify = (title) => {
  switch (title) {
    case 'Hello World':
      return 'hello-world'
    case '  Two  Spaces ':
      return 'two-spaces'
    case "What's new?":
      return 'whats-new'
    case '10 % off!':
      return '10-off'
    case 'a - b':
      return 'a-b'
    default:
      return title.toLowerCase()
  }
}
`,
    },
  },
}
