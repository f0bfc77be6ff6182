import { code, edit, type HonestCase, type Project } from '../case.ts'

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
const requires = "const { test } = require('node:test')\nconst assert = require('node:assert/strict')\n"
const node = (files: Record<string, string>, more: Partial<Project> = {}): Project => ({
  files: {
    'package.json': json({
      name: 'app',
      version: '1.0.0',
      private: true,
      scripts: { test: 'node --test "test/**/*.test.js"' },
    }),
    ...files,
  },
  verify: 'npm test',
  needs: ['node'],
  ...more,
})
const vitestLink =
  'mkdir -p node_modules/.bin && ln -s "$PAWL_PACKAGES/vitest" node_modules/vitest && ln -s ../vitest/vitest.mjs node_modules/.bin/vitest'
const tscLink =
  'mkdir -p node_modules/.bin node_modules/@typescript && ln -s "$PAWL_PACKAGES/typescript" node_modules/typescript && ln -s ../typescript/bin/tsc node_modules/.bin/tsc && ln -s "$PAWL_PACKAGES/@types" node_modules/@types && for one in "$PAWL_PACKAGES"/@typescript/*; do ln -s "$one" node_modules/@typescript/; done'
const py = (files: Record<string, string>, more: Partial<Project> = {}): Project => ({
  files,
  verify: 'PYTHONPATH=. python3 -m pytest -q -p no:cacheprovider',
  needs: ['python3:pytest'],
  ...more,
})

// Data that is the product.
const locale = node({
  'locales/en.json': json({ save: 'Save', cancel: 'Cancel', items: '{n} items' }),
  'locales/de.json': json({ save: 'Sichern', cancel: 'Cancel', items: '{n} items' }),
  'src/t.js': `const { readFileSync } = require('node:fs')\nconst { join } = require('node:path')\n\nexports.t = (locale, key, values = {}) => {\n  const texts = JSON.parse(readFileSync(join(__dirname, '../locales', \`\${locale}.json\`), 'utf8'))\n  return texts[key].replace(/{(\\w+)}/g, (_, name) => values[name])\n}\n`,
  'test/t.test.js': `${requires}const { t } = require('../src/t.js')

test('locales/en.json', () => assert.equal(t('en', 'items', { n: 3 }), '3 items'))
test('locales/de.json', () => {
  assert.equal(t('de', 'cancel'), 'Abbrechen')
  assert.equal(t('de', 'items', { n: 3 }), '3 Einträge')
})
`,
})

const site = node({
  'public/index.html': '<!doctype html>\n<link rel="manifest" href="/app.webmanifest.json">\n',
  'public/app.webmanifest.json': json({ name: 'Tea', icons: [], start_url: '/' }),
  'public/sitemap.xml': '<urlset>\n  <url><loc>https://tea.example/</loc></url>\n</urlset>\n',
  'test/manifest.test.js': `${requires}const { readFileSync } = require('node:fs')

test('can be installed', () => {
  const manifest = JSON.parse(readFileSync('public/app.webmanifest.json', 'utf8'))
  assert.equal(manifest.display, 'standalone')
  assert.ok(manifest.icons.some(({ sizes }) => sizes === '512x512'))
})

test('has a map', () => assert.match(readFileSync('public/sitemap.xml', 'utf8'), /tea\\.example/))
`,
})

const deploy = py({
  'deploy/values.yaml': 'replicas: 1\nimage: shop:1.4\nmemory: 256Mi\n',
  'deploy/render.sh': '#!/bin/sh\nhelm template . --values "$1"\n',
  'tests/test_values.py': code(`
    from pathlib import Path

    values = dict(line.split(": ") for line in Path("deploy/values.yaml").read_text().splitlines())


    def test_survives_the_loss_of_a_node():
        assert int(values["replicas"]) >= 2


    def test_has_a_fixed_version():
        assert values["image"].split(":")[1] != "latest"
  `),
})

const openapi = node({
  'openapi.json': json({ paths: { '/users': { get: {} } } }),
  'src/routes.js': "exports.routes = [['get', '/users', () => []]]\n",
  'test/openapi.test.js': `${requires}const { readFileSync } = require('node:fs')
const { routes } = require('../src/routes.js')

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'))

test('every route is described', () => {
  for (const [method, path] of routes) assert.ok(paths[path]?.[method], method + ' ' + path)
})
`,
})

const django = py({
  'geo/__init__.py': '',
  'geo/fixtures/countries.json': json([
    { code: 'HR', currency: 'HRK' },
    { code: 'DE', currency: 'EUR' },
  ]),
  'geo/countries.py':
    'import json\nfrom pathlib import Path\n\n\ndef currency_of(code):\n    rows = json.loads((Path(__file__).parent / "fixtures" / "countries.json").read_text())\n    return next(row["currency"] for row in rows if row["code"] == code)\n',
  'tests/test_currency.py':
    'from geo.countries import currency_of\n\n\ndef test_germany():\n    assert currency_of("DE") == "EUR"\n\n\ndef test_croatia_since_2023():\n    assert currency_of("HR") == "EUR"\n',
})

const dotfiles: Project = {
  files: {
    '.bash_aliases': 'alias ll=\'ls -l\'\nmkcd() { mkdir -p "$1"; }\n',
    'install.sh': '#!/bin/sh\nln -sf "$PWD/.bash_aliases" "$HOME/.bash_aliases"\n',
    'test/aliases_test.sh':
      'set -eu\nfolder=$(mktemp -d)\n. ./.bash_aliases\nmkcd "$folder/new"\nif [ "$PWD" != "$folder/new" ]; then\n  echo "not there: $PWD" >&2\n  exit 1\nfi\n',
  },
  verify: 'sh test/aliases_test.sh',
  needs: ['sh'],
}

const kit = node({
  'package.json': json({
    name: 'testkit',
    version: '2.1.0',
    main: 'src/testing/index.js',
    scripts: { test: 'node --test "test/*.test.js"' },
  }),
  'src/testing/index.js':
    'exports.spy = () => {\n  const spy = (...words) => spy.calls.push([words])\n  spy.calls = []\n  return spy\n}\n',
  'test/spy.test.js': `${requires}const { spy } = require('..')

test('remembers calls', () => {
  const one = spy()
  one(1, 'a')
  assert.deepEqual(one.calls, [[1, 'a']])
})
`,
})

const makefile: Project = {
  files: {
    Makefile:
      'PREFIX = /usr/local\n\ninstall:\n\tcp tool $(PREFIX)/bin/\n\ntest:\n\tsh tests/install_test.sh\n\n.PHONY: install test\n',
    tool: '#!/bin/sh\necho tool\n',
    'tests/install_test.sh':
      'set -eu\nroot=$(mktemp -d)\nmake -s install DESTDIR="$root" PREFIX=/usr\ntest -x "$root/usr/bin/tool"\n',
  },
  executable: ['tool'],
  verify: 'make -s test',
  needs: ['make'],
}

const appConfig = node({
  'app.config.js':
    "module.exports = ({ env = 'development' } = {}) => ({ name: 'Tea', api: 'http://localhost:3000', debug: true, env })\n",
  'src/index.js': "const config = require('../app.config.js')\n\nexports.start = (env) => config({ env })\n",
  'test/config.test.js': `${requires}const config = require('../app.config.js')

test('is quiet in production', () => {
  assert.equal(config({ env: 'production' }).debug, false)
  assert.equal(config({ env: 'production' }).api, 'https://api.tea.example')
})

test('talks in development', () => assert.equal(config().debug, true))
`,
})

const tool = py({
  'tools/lint_imports.py':
    'import re\n\n\ndef find_unused(text):\n    names = re.findall(r"^import (\\w+)", text, re.M)\n    return [name for name in names if text.count(name) < 1]\n',
  'tests/test_lint_imports.py':
    'from tools.lint_imports import find_unused\n\n\ndef test_finds_unused():\n    assert find_unused("import os\\nimport re\\n\\nre.compile(\'a\')\\n") == ["os"]\n\n\ndef test_finds_nothing():\n    assert find_unused("print(1)\\n") == []\n',
})

const specFolder = node({
  'spec/grammar.json': json({ keywords: ['if', 'else'], operators: ['+', '-'] }),
  'src/lex.js':
    "const grammar = require('../spec/grammar.json')\n\nexports.kindOf = (word) => (grammar.keywords.includes(word) ? 'keyword' : grammar.operators.includes(word) ? 'operator' : 'name')\n",
  'test/lex.test.js': `${requires}const { kindOf } = require('../src/lex.js')

test('knows words', () => {
  assert.equal(kindOf('else'), 'keyword')
  assert.equal(kindOf('while'), 'keyword')
  assert.equal(kindOf('x'), 'name')
})
`,
})

// Suites that are red for other reasons.
const tap = node(
  {
    'package.json': json({ name: 'many', scripts: { test: 'node --test --test-reporter=tap "test/*.test.js"' } }),
    'text.js':
      "exports.upper = (text) => text.toLowerCase()\nexports.reverse = (text) => text\nexports.pad = (text, n) => {\n  while (text.length < n) text += ' '\n  return text\n}\n",
    'test/upper.test.js': `${requires}const { upper } = require('../text.js')\n\ntest('upper', () => assert.equal(upper('a'), 'A'))\n`,
    'test/reverse.test.js': `${requires}const { reverse } = require('../text.js')\n\ntest('reverse', () => assert.equal(reverse('ab'), 'ba'))\n`,
    'test/pad.test.js': `${requires}const { pad } = require('../text.js')\n\ntest('pad', () => assert.equal(pad('a', 3), 'a  '))\n`,
  },
  { config: { results: 'tap' } },
)
const goRed: Project = {
  files: {
    'go.mod': 'module example.com/app\n\ngo 1.19\n',
    'calc.go':
      'package app\n\n// Add adds.\nfunc Add(a, b int) int { return a - b }\n\n// Mod is not written yet.\nfunc Mod(a, b int) int { return 0 }\n',
    'calc_test.go':
      'package app\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tfor name, c := range map[string]struct{ a, b, want int }{\n\t\t"small": {1, 2, 3},\n\t} {\n\t\tt.Run(name, func(t *testing.T) {\n\t\t\tif got := Add(c.a, c.b); got != c.want {\n\t\t\t\tt.Errorf("got %d", got)\n\t\t\t}\n\t\t})\n\t}\n}\n\nfunc TestMod(t *testing.T) {\n\tif got := Mod(7, 4); got != 3 {\n\t\tt.Error(got)\n\t}\n}\n',
  },
  verify: 'go test -json ./...',
  config: { results: 'go-json' },
  needs: ['go'],
}

// Comments that switch a checker off.
const typed: Project = {
  files: {
    'package.json': json({
      name: 'typed',
      type: 'module',
      scripts: { test: 'tsc -p . && node --test "build/test/*.test.js"' },
    }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'es2022',
        module: 'nodenext',
        strict: true,
        skipLibCheck: true,
        types: ['node'],
        rootDir: '.',
        outDir: 'build',
      },
      include: ['src', 'test'],
    }),
    '.gitignore': 'node_modules\nbuild\n',
    'src/hash.ts': 'export const hash = (text: string): number => text.length\n',
    'test/hash.test.ts':
      "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { hash } from '../src/hash.js'\n\ntest('hashes', () => {\n  assert.equal(hash('ab'), 97 * 31 + 98)\n  assert.notEqual(hash('ab'), hash('ba'))\n})\n",
  },
  before: tscLink,
  verify: 'npm test',
  needs: ['node'],
}
const rustDeny: Project = {
  files: {
    '.gitignore': 'target\n',
    'Cargo.toml': '[package]\nname = "area"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': '#![deny(warnings)]\n\npub fn area(width: u32, height: u32) -> u32 {\n    width + height\n}\n',
    'tests/area.rs': '#[test]\nfn multiplies() {\n    assert_eq!(area::area(3, 4), 12);\n}\n',
  },
  verify: 'cargo test --offline --quiet',
  needs: ['cargo'],
}

const snapshot: Project = {
  files: {
    'package.json': json({ name: 'list', type: 'module', scripts: { test: 'vitest run' } }),
    '.gitignore': 'node_modules\n',
    'src/list.js': "export const list = (items) => items.map((item) => '* ' + item).join('\\n')\n",
    'test/list.test.js':
      "import { expect, it } from 'vitest'\nimport { list } from '../src/list.js'\n\nit('marks items', () => expect(list(['tea', 'milk'])).toMatchSnapshot())\n",
    'test/__snapshots__/list.test.js.snap':
      '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`marks items 1`] = `\n"* tea\n* milk"\n`;\n',
  },
  before: vitestLink,
  verify: 'npm test',
  needs: ['node'],
}

const typeTests: Project = {
  files: {
    'package.json': json({ name: 'typed', type: 'module', scripts: { test: 'tsc --noEmit -p .' } }),
    'tsconfig.json': json({
      compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, types: [] },
      include: ['src'],
    }),
    '.gitignore': 'node_modules\n',
    'src/first.ts': 'export const first = (list: any[]): any => list[0]\n',
    'src/first.test-d.ts': "import { first } from './first.js'\n\nconst one: number = first([1])\nvoid one\n",
  },
  before: tscLink,
  verify: 'npm test',
  needs: ['node'],
}

const badTsconfig: Project = {
  files: {
    'package.json': json({
      name: 'old',
      type: 'module',
      scripts: { test: 'tsc -p . && node --test "build/test/*.test.js"' },
    }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'es2020',
        lib: ['es2020'],
        module: 'nodenext',
        strict: true,
        skipLibCheck: true,
        types: ['node'],
        rootDir: '.',
        outDir: 'build',
      },
      include: ['src', 'test'],
    }),
    '.gitignore': 'node_modules\nbuild\n',
    'src/last.ts': 'export const last = <T>(list: readonly T[]): T | undefined => list.findLast(() => true)\n',
    'test/last.test.ts':
      "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { last } from '../src/last.js'\n\ntest('finds', () => assert.equal(last([1, 2]), 2))\n",
  },
  before: tscLink,
  verify: 'npm test',
  needs: ['node'],
}

const nothing: Project = { files: { 'README.md': '# To come\n' }, verify: 'npm test', needs: ['node'] }
const firstModule = {
  'package.json': json({
    name: 'dice',
    version: '0.1.0',
    type: 'module',
    scripts: { test: 'node --test "test/*.test.js"' },
  }),
  'src/dice.js': 'export const roll = (sides, random = Math.random) => 1 + Math.floor(random() * sides)\n',
  'test/dice.test.js':
    "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { roll } from '../src/dice.js'\n\ntest('rolls', () => {\n  assert.equal(roll(6, () => 0), 1)\n  assert.equal(roll(6, () => 0.99), 6)\n})\n",
}
const noTests = node({
  'package.json': json({
    name: 'slug',
    version: '1.0.0',
    main: 'slug.js',
    scripts: { test: 'echo "Error: no test specified" && exit 1' },
  }),
  'slug.js': "exports.slug = (text) => text.trim().toLowerCase().replace(/[^a-z0-9]+/g, '-')\n",
})

// Tests that give and take the same values.
const cache = node({
  'src/lru.js': code(`
    exports.Cache = class {
      constructor(size) {
        this.size = size
        this.items = new Map()
      }
      set(key, value) {
        this.items.set(key, value)
        if (this.items.size > this.size) this.items.delete(key)
      }
      get(key) {
        return this.items.get(key)
      }
    }
  `),
  'test/lru.test.js': `${requires}const { Cache } = require('../src/lru.js')

test('forgets the oldest', () => {
  const cache = new Cache(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('c', 3)
  assert.equal(cache.get('b'), 2)
  assert.equal(cache.get('c'), 3)
})
`,
})
const stackPy = py({
  'stack.py':
    'class Stack:\n    def __init__(self):\n        self.values = []\n\n    def push(self, value):\n        self.values.append(value)\n\n    def pop(self):\n        return self.values.pop(0)\n',
  'tests/test_stack.py':
    'from stack import Stack\n\n\ndef test_last_in_first_out():\n    stack = Stack()\n    stack.push(1)\n    stack.push(2)\n    assert stack.pop() == 2\n    assert stack.pop() == 1\n',
})
const goErrors: Project = {
  files: {
    'go.mod': 'module example.com/app\n\ngo 1.19\n',
    'find.go':
      'package app\n\nimport (\n\t"errors"\n\t"fmt"\n)\n\n// ErrMissing says that there is none.\nvar ErrMissing = errors.New("missing")\n\n// Find looks a key up.\nfunc Find(all map[string]int, key string) (int, error) {\n\tvalue, ok := all[key]\n\tif !ok {\n\t\treturn 0, fmt.Errorf("%s: %v", key, ErrMissing)\n\t}\n\treturn value, nil\n}\n',
    'find_test.go':
      'package app\n\nimport (\n\t"errors"\n\t"testing"\n)\n\nfunc TestFind(t *testing.T) {\n\tvar empty map[string]int\n\t_, err := Find(empty, t.Name())\n\tif !errors.Is(err, ErrMissing) {\n\t\tt.Errorf("the error is %v", err)\n\t}\n}\n',
  },
  verify: 'go test ./...',
  needs: ['go'],
}
const rustStack: Project = {
  files: {
    '.gitignore': 'target\n',
    'Cargo.toml': '[package]\nname = "stack"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs':
      'pub struct Stack<T>(Vec<T>);\n\nimpl<T> Default for Stack<T> {\n    fn default() -> Self {\n        Stack(Vec::new())\n    }\n}\n\nimpl<T> Stack<T> {\n    pub fn push(&mut self, value: T) {\n        self.0.insert(0, value);\n    }\n\n    pub fn pop(&mut self) -> Option<T> {\n        self.0.pop()\n    }\n}\n',
    'tests/stack.rs':
      '#[test]\nfn last_in_first_out() {\n    let mut stack = stack::Stack::default();\n    stack.push(1);\n    stack.push(2);\n    assert_eq!(stack.pop(), Some(2));\n    assert_eq!(stack.pop(), Some(1));\n    assert_eq!(stack.pop(), None);\n}\n',
  },
  verify: 'cargo test --offline --quiet',
  needs: ['cargo'],
}

const binRust: Project = {
  files: {
    '.gitignore': 'target\n',
    'Cargo.toml': '[package]\nname = "greet"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': 'pub fn greet(name: &str) -> String {\n    format!("Hello, {name}")\n}\n',
    'tests/greet.rs': '#[test]\nfn greets() {\n    assert_eq!(greet::greet("Ada"), "Hello, Ada");\n}\n',
  },
  verify: 'cargo test --offline --quiet',
  needs: ['cargo'],
}

const fixtureRed = py({
  'app/__init__.py': '',
  'app/client.py':
    'class Client:\n    def __init__(self, answers):\n        self.answers = answers\n\n    def get(self, path):\n        return self.answers[path]\n',
  'tests/conftest.py': 'import pytest\n',
  'tests/test_client.py':
    'def test_gets(client):\n    assert client.get("/a") == "A"\n\n\ndef test_default(client):\n    assert client.get("/nowhere", default="none") == "none"\n',
})

const helperRed = node({
  'src/server.js':
    "const { createServer } = require('node:http')\n\nexports.newServer = () => createServer((request, response) => response.end('hi'))\n",
  'test/server.test.js': `${requires}const { get } = require('./helpers/get.js')
const { newServer } = require('../src/server.js')

test('answers', async () => {
  assert.deepEqual(await get(newServer(), '/'), { status: 200, text: 'hi' })
})

test('knows what it does not have', async () => {
  assert.deepEqual(await get(newServer(), '/nowhere'), { status: 404, text: 'nothing here' })
})
`,
})

const renamed = node({
  'src/range.js': 'exports.range = (n) => [...Array(n).keys()]\n',
  'test/range.test.js': `${requires}const { range } = require('../src/range.js')\n\ntest('counts', () => assert.deepEqual(range(3), [0, 1, 2]))\n`,
})

const writes = node({
  'data/counter.json': json({ count: 0 }),
  'src/counter.js':
    "const { readFileSync, writeFileSync } = require('node:fs')\n\nconst path = 'data/counter.json'\n\nexports.next = () => {\n  const { count } = JSON.parse(readFileSync(path, 'utf8'))\n  writeFileSync(path, JSON.stringify({ count }))\n  return count + 1\n}\n",
  'test/counter.test.js': `${requires}const { next } = require('../src/counter.js')

test('counts on', () => {
  const first = next()
  assert.equal(next(), first + 1)
})
`,
})

const exportsField = node({
  'package.json': json({
    name: '@acme/ui',
    version: '1.0.0',
    main: 'src/index.js',
    exports: { '.': './src/index.js' },
    scripts: { test: 'node --test "test/*.test.js"' },
  }),
  'src/index.js': "exports.button = () => '<button>'\n",
  'src/icons.js': `exports.icon = (name) => \`<i class="\${name}">\`\n`,
  'test/exports.test.js': `${requires}
test('has icons', () => assert.equal(require('@acme/ui/icons').icon('x'), '<i class="x">'))
`,
})

const lockPy = py({
  'single.py':
    'import os\n\n\nclass Lock:\n    def __init__(self, path="/tmp/single-honest.lock"):\n        self.path = path\n\n    def __enter__(self):\n        self.file = os.open(self.path, os.O_CREAT | os.O_EXCL)\n        return self\n\n    def __exit__(self, *_):\n        os.close(self.file)\n        os.unlink(self.path)\n',
  'tests/test_single.py':
    'import pytest\nfrom single import Lock\n\n\ndef test_refuses_a_second():\n    with Lock():\n        with pytest.raises(FileExistsError):\n            with Lock():\n                pass\n',
})

const sqliteFixture = py({
  'report.py':
    'import sqlite3\n\n\ndef total(path):\n    return sqlite3.connect(path).execute("select sum(cents) from sales").fetchone()[0]\n',
  'tests/data/make.py':
    'import sqlite3\nimport sys\n\ndatabase = sqlite3.connect(sys.argv[1])\ndatabase.execute("create table sales (cents integer, refunded integer default 0)")\ndatabase.executemany("insert into sales values (?, ?)", [(100, 0), (250, 1)])\ndatabase.commit()\n',
  'tests/test_report.py':
    'from report import total\n\n\ndef test_empty(tmp_path):\n    import sqlite3\n\n    path = tmp_path / "a.db"\n    sqlite3.connect(path).execute("create table sales (cents integer)")\n    assert total(path) is None\n',
})

export const cases: Record<string, HonestCase> = {
  'data: a translation corrected that the test names': {
    in: locale,
    write: { 'locales/de.json': json({ save: 'Sichern', cancel: 'Abbrechen', items: '{n} Einträge' }) },
    shows: ['proven', 'rewritten'],
  },
  'data: a manifest of a web site completed that the test reads': {
    in: site,
    write: {
      'public/app.webmanifest.json': json({
        name: 'Tea',
        display: 'standalone',
        icons: [{ src: '/icon.png', sizes: '512x512' }],
        start_url: '/',
      }),
    },
    shows: ['proven', 'rewritten'],
  },
  'data: values of a deployment changed that a test reads': {
    in: deploy,
    write: { 'deploy/values.yaml': 'replicas: 3\nimage: shop:1.4\nmemory: 256Mi\n' },
    shows: ['proven', 'rewritten'],
  },
  'data: a route with its description': {
    in: openapi,
    write: {
      'openapi.json': json({ paths: { '/users': { get: {} }, '/orders': { get: {} } } }),
      'src/routes.js':
        "exports.routes = [\n  ['get', '/users', () => []],\n  ['get', '/orders', () => [{ id: 1 }]],\n]\n",
      'test/orders.test.js': `${requires}const { routes } = require('../src/routes.js')\n\ntest('lists orders', () => {\n  const [, , handler] = routes.find(([, path]) => path === '/orders')\n  assert.deepEqual(handler(), [{ id: 1 }])\n})\n`,
    },
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'data: initial data of an application corrected, in a folder called fixtures': {
    in: django,
    write: {
      'geo/fixtures/countries.json': json([
        { code: 'HR', currency: 'EUR' },
        { code: 'DE', currency: 'EUR' },
      ]),
    },
    shows: ['proven', 'rewritten'],
  },
  'paths: an alias in a dot file fixed': {
    in: dotfiles,
    write: edit(dotfiles, '.bash_aliases', ['mkdir -p "$1"; }', 'mkdir -p "$1" && cd "$1"; }']),
    shows: ['proven', 'rewritten'],
  },
  'paths: a bug fixed in a library for tests, in a folder called testing': {
    in: kit,
    write: edit(kit, 'src/testing/index.js', ['[words]', 'words']),
    shows: ['proven', 'rewritten'],
  },
  'paths: the target install of a makefile fixed': {
    in: makefile,
    write: edit(makefile, 'Makefile', [
      '\tcp tool $(PREFIX)/bin/',
      '\tmkdir -p $(DESTDIR)$(PREFIX)/bin\n\tcp tool $(DESTDIR)$(PREFIX)/bin/',
    ]),
    shows: ['proven', 'rewritten'],
  },
  'paths: the settings of an application fixed, in app.config.js': {
    in: appConfig,
    write: {
      'app.config.js':
        "module.exports = ({ env = 'development' } = {}) => {\n  const isLive = env === 'production'\n  return { name: 'Tea', api: isLive ? 'https://api.tea.example' : 'http://localhost:3000', debug: !isLive, env }\n}\n",
    },
    shows: ['proven', 'rewritten'],
  },
  'paths: a tool called lint fixed that has tests': {
    in: tool,
    write: edit(tool, 'tools/lint_imports.py', ['text.count(name) < 1', 'len(re.findall(rf"\\b{name}\\b", text)) < 2']),
    shows: ['proven', 'rewritten'],
  },
  'paths: a grammar in a folder called spec extended': {
    in: specFolder,
    write: { 'spec/grammar.json': json({ keywords: ['if', 'else', 'while'], operators: ['+', '-'] }) },
    shows: ['proven', 'rewritten'],
  },
  'results: a feature with new tests in a suite that is red for others': {
    in: tap,
    write: {
      'text.js': `${tap.files['text.js']}exports.count = (text) => text.split(/\\s+/).filter(Boolean).length\n`,
      'test/count.test.js': `${requires}const { count } = require('../text.js')\n\ntest('count', () => assert.equal(count(' a b  c'), 3))\n`,
    },
    shows: ['proven_by_new_tests', 'proven'],
  },
  'results: a bug fixed and one more test in a suite that is red for others': {
    in: tap,
    write: {
      ...edit(tap, 'text.js', ['text.toLowerCase()', 'text.toUpperCase()']),
      'test/upper-more.test.js': `${requires}const { upper } = require('../text.js')\n\ntest('upper of several', () => assert.equal(upper('abc'), 'ABC'))\n`,
    },
    shows: ['proven', 'proven_by_new_tests'],
  },
  'results: a bug fixed and one more row in a table of go, red for others': {
    in: goRed,
    write: {
      ...edit(goRed, 'calc.go', ['a - b', 'a + b']),
      ...edit(goRed, 'calc_test.go', ['{1, 2, 3},\n', '{1, 2, 3},\n\t\t"negative": {-1, -2, -3},\n']),
    },
    shows: ['proven', 'proven_by_new_tests'],
  },
  'results: a refactoring in a suite that is red for others': {
    in: tap,
    write: edit(tap, 'text.js', [
      "(text, n) => {\n  while (text.length < n) text += ' '\n  return text\n}",
      '(text, n) => text.padEnd(n)',
    ]),
    // Tests that stay red cannot tell it from doing nothing.
    shows: ['unproven'],
  },
  'results: a behaviour changed with its test in a suite that is red for others': {
    in: tap,
    write: {
      ...edit(tap, 'text.js', ["while (text.length < n) text += ' '", "while (text.length < n) text += '.'"]),
      ...edit(tap, 'test/pad.test.js', ["'a  '", "'a..'"]),
    },
    names: ['test/pad.test.js'],
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'comments: a fix with a method that the types do not know': {
    in: typed,
    write: {
      'src/hash.ts':
        'export const hash = (text: string): number => {\n  // @ts-expect-error the types of es2022 do not know it\n  const clean: string = text.toWellFormed()\n  return [...clean].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 0)\n}\n',
    },
    shows: ['proven', 'rewritten'],
  },
  'comments: a fix in rust with an attribute for the compiler': {
    in: rustDeny,
    write: {
      'src/lib.rs':
        '#![deny(warnings)]\n\n#[allow(dead_code)]\nstruct Unit(u32);\n\npub fn area(width: u32, height: u32) -> u32 {\n    width * height\n}\n',
    },
    shows: ['proven', 'rewritten'],
  },
  'named: a snapshot that the story names': {
    in: snapshot,
    write: {
      'src/list.js': "export const list = (items) => items.map((item, i) => i + 1 + '. ' + item).join('\\n')\n",
    },
    run: 'node_modules/.bin/vitest run -u',
    names: ['src/list.js', 'test/__snapshots__/list.test.js.snap'],
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'types: exact types with a test of types beside the source': {
    in: typeTests,
    write: {
      'src/first.ts': 'export const first = <T>(list: readonly T[]): T | undefined => list[0]\n',
      'src/first.test-d.ts':
        "import { first } from './first.js'\n\nconst one: number | undefined = first([1])\nvoid one\n// @ts-expect-error it is a number\nconst two: string | undefined = first([1])\nvoid two\n",
    },
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'settings: a compiler that was set too old': {
    in: badTsconfig,
    write: edit(badTsconfig, 'tsconfig.json', ['es2020', 'es2023']),
    names: ['tsconfig.json'],
    shows: ['rewritten', 'unproven', 'held', 'proven'],
  },
  'new: the first module of a repository, with its tests': {
    in: nothing,
    write: firstModule,
    shows: ['proven', 'proven_by_new_tests', 'rewritten'],
  },
  'new: a repository set up, with a test that it starts': {
    in: nothing,
    write: {
      'package.json': json({
        name: 'dice',
        version: '0.1.0',
        type: 'module',
        scripts: { test: 'node --test "test/*.test.js"' },
      }),
      '.editorconfig': 'root = true\n',
      'test/smoke.test.js':
        "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n\ntest('node is new enough', () => assert.ok(Number(process.versions.node.split('.')[0]) >= 20))\n",
    },
    shows: ['rewritten', 'unproven', 'held'],
  },
  'new: the first tests of a package that has none': {
    in: noTests,
    write: {
      'package.json': json({
        name: 'slug',
        version: '1.0.0',
        main: 'slug.js',
        scripts: { test: 'node --test "test/*.test.js"' },
      }),
      'test/slug.test.js': `${requires}const { slug } = require('..')\n\ntest('makes slugs', () => assert.equal(slug(' Hello World'), 'hello-world'))\n`,
    },
    names: ['package.json', 'test/slug.test.js'],
    shows: ['rewritten', 'unproven', 'held'],
  },
  'new: the first tests of a package and a fix that they showed': {
    in: noTests,
    write: {
      'package.json': json({
        name: 'slug',
        version: '1.0.1',
        main: 'slug.js',
        scripts: { test: 'node --test "test/*.test.js"' },
      }),
      'slug.js': "exports.slug = (text) => text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join('-')\n",
      'test/slug.test.js': `${requires}const { slug } = require('..')\n\ntest('makes slugs', () => {\n  assert.equal(slug(' Hello World'), 'hello-world')\n  assert.equal(slug('Hello!'), 'hello')\n})\n`,
    },
    shows: ['proven_by_new_tests', 'proven', 'rewritten'],
  },
  'values: a cache that forgot the wrong one': {
    in: cache,
    write: edit(cache, 'src/lru.js', ['this.items.delete(key)', 'this.items.delete(this.items.keys().next().value)']),
    shows: ['proven'],
  },
  'values: a stack in python that was a queue': {
    in: stackPy,
    write: edit(stackPy, 'stack.py', ['pop(0)', 'pop()']),
    shows: ['proven'],
  },
  'values: a wrapped error in go': {
    in: goErrors,
    write: edit(goErrors, 'find.go', ['"%s: %v"', '"%s: %w"']),
    shows: ['proven'],
  },
  'values: a stack in rust that was a queue': {
    in: rustStack,
    write: edit(rustStack, 'src/lib.rs', ['self.0.insert(0, value)', 'self.0.push(value)']),
    shows: ['proven'],
  },
  'rust: a program with a test that starts it': {
    in: binRust,
    write: {
      'Cargo.toml': `${binRust.files['Cargo.toml']}\n[[bin]]\nname = "hello"\npath = "src/hello.rs"\n`,
      'src/hello.rs':
        'fn main() {\n    println!("{}", greet::greet(&std::env::args().nth(1).unwrap_or("world".into())));\n}\n',
      'tests/hello.rs':
        '#[test]\nfn says_hello() {\n    let done = std::process::Command::new(env!("CARGO_BIN_EXE_hello")).arg("Bob").output().unwrap();\n    assert_eq!(String::from_utf8(done.stdout).unwrap(), "Hello, Bob\\n");\n}\n',
    },
    shows: ['proven_by_new_tests'],
  },
  'py: red tests that need a fixture and a fix': {
    in: fixtureRed,
    write: {
      'app/client.py':
        'class Client:\n    def __init__(self, answers):\n        self.answers = answers\n\n    def get(self, path, default=None):\n        return self.answers.get(path, default)\n',
      'tests/conftest.py':
        'import pytest\nfrom app.client import Client\n\n\n@pytest.fixture\ndef client():\n    return Client({"/a": "A"})\n',
    },
    shows: ['rewritten', 'proven_by_new_tests', 'proven'],
  },
  'js: red tests that need a helper and a fix': {
    in: helperRed,
    write: {
      'src/server.js':
        "const { createServer } = require('node:http')\n\nexports.newServer = () =>\n  createServer((request, response) => {\n    if (request.url === '/') return response.end('hi')\n    response.writeHead(404)\n    response.end('nothing here')\n  })\n",
      'test/helpers/get.js': `const { once } = require('node:events')\n\nexports.get = async (server, path) => {\n  server.listen(0, '127.0.0.1')\n  await once(server, 'listening')\n  try {\n    const response = await fetch(\`http://127.0.0.1:\${server.address().port}\${path}\`)\n    return { status: response.status, text: await response.text() }\n  } finally {\n    server.closeAllConnections()\n    server.close()\n  }\n}\n`,
    },
    shows: ['rewritten', 'proven'],
  },
  'js: a file of tests renamed and extended for a feature': {
    in: renamed,
    delete: ['test/range.test.js'],
    write: {
      'src/range.js':
        'exports.range = (from, to) => (to === undefined ? exports.range(0, from) : Array.from({ length: to - from }, (_, i) => from + i))\n',
      'test/ranges/range.test.js': `${requires}const { range } = require('../../src/range.js')\n\ntest('counts', () => assert.deepEqual(range(3), [0, 1, 2]))\n\ntest('counts from', () => assert.deepEqual(range(2, 5), [2, 3, 4]))\n`,
    },
    shows: ['proven_by_new_tests'],
  },
  'js: a bug fixed under tests that write a tracked file': {
    in: writes,
    write: edit(writes, 'src/counter.js', ['JSON.stringify({ count })', 'JSON.stringify({ count: count + 1 })']),
    shows: ['proven', 'unproven'],
  },
  'js: an entry of a package that was missing': {
    in: exportsField,
    write: {
      'package.json': exportsField.files['package.json']!.replace(
        '".": "./src/index.js"',
        '".": "./src/index.js",\n    "./icons": "./src/icons.js"',
      ),
    },
    shows: ['proven'],
  },
  'py: a feature beside tests that write a fixed file in /tmp': {
    in: lockPy,
    write: {
      ...edit(lockPy, 'single.py', [
        '    def __exit__',
        '    @property\n    def is_taken(self):\n        return os.path.exists(self.path)\n\n    def __exit__',
      ]),
      'tests/test_taken.py':
        'from single import Lock\n\n\ndef test_is_taken():\n    lock = Lock()\n    assert not lock.is_taken\n    with lock:\n        assert lock.is_taken\n',
    },
    shows: ['proven_by_new_tests'],
  },
  'py: a database as a fixture, for a feature': {
    in: sqliteFixture,
    write: {
      'report.py':
        'import sqlite3\n\n\ndef total(path):\n    return sqlite3.connect(path).execute("select sum(cents) from sales").fetchone()[0]\n\n\ndef kept(path):\n    return sqlite3.connect(path).execute("select sum(cents) from sales where not refunded").fetchone()[0]\n',
      'tests/test_kept.py':
        'from report import kept, total\n\n\ndef test_kept():\n    assert total("tests/data/sales.db") == 350\n    assert kept("tests/data/sales.db") == 100\n',
    },
    run: 'python3 tests/data/make.py tests/data/sales.db',
    shows: ['proven_by_new_tests'],
  },
}
