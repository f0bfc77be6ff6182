import { type Case, type Project, withFiles } from '../case.ts'

type HonestCase = Case & { readonly shows: readonly string[] }

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
const nodeTests = 'node --test "test/*.test.js"'
const requires = `const { test } = require('node:test')
const assert = require('node:assert/strict')
`

// Shell.

const settingProduct = `#!/bin/sh
# setting FILE KEY: prints the value of a key.
sed -n "s/^$2=//p" "$1" | tail -n 1
`

const settingTest = `#!/bin/sh
set -eu
bin=$(cd "$(dirname "$0")/../bin" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'port=8080\\nreport=daily\\nurl=http://a/?q=1\\nreport=weekly\\n' >"$folder/app.conf"

expect() {
  if [ "$2" != "$3" ]; then
    echo "$1: expected '$2', got '$3'" >&2
    exit 1
  fi
}

expect 'a number' 8080 "$("$bin/setting" "$folder/app.conf" port)"
expect 'the last one' weekly "$("$bin/setting" "$folder/app.conf" report)"
expect 'a sign in the value' 'http://a/?q=1' "$("$bin/setting" "$folder/app.conf" url)"
expect 'no such key' '' "$("$bin/setting" "$folder/app.conf" colour)"
`

const shell: Project = {
  files: {
    'README.md': '# setting\n\nReads files of settings.\n',
    'bin/setting': settingProduct,
    'test/setting_test.sh': settingTest,
    '.gitignore': 'local/\n',
  },
  executable: ['bin/setting', 'test/setting_test.sh'],
  verify: 'for one in test/*_test.sh; do sh "$one" || exit 1; done',
  needs: ['sh'],
}

// Monorepos.

const coreProduct = `export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0)
export const mean = (numbers) => sum(numbers) / numbers.length
`

const coreTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mean, sum } from '../index.js'

test('adds', () => {
  assert.equal(sum([1, 2, 3]), 6)
  assert.equal(sum([]), 0)
})

test('takes the mean', () => {
  assert.equal(mean([2, 4, 9]), 5)
})
`

const webProduct = `import { mean } from '@stats/core'

export const page = (numbers) => '<p>mean: ' + mean(numbers).toFixed(1) + '</p>'
`

const webTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { page } from '../index.js'

test('shows the mean', () => {
  assert.equal(page([1, 2]), '<p>mean: 1.5</p>')
  assert.equal(page([4]), '<p>mean: 4.0</p>')
})
`

const packageOf = (name: string, more: object = {}): string =>
  json({
    name: `@stats/${name}`,
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
    scripts: { test: 'node --test' },
    ...more,
  })

const workspaces: Project = {
  files: {
    'package.json': json({
      name: 'stats',
      private: true,
      workspaces: ['packages/*'],
      scripts: { test: 'node --test "packages/*/test/*.test.js"' },
    }),
    '.gitignore': 'node_modules/\n',
    'packages/core/package.json': packageOf('core'),
    'packages/core/index.js': coreProduct,
    'packages/core/test/core.test.js': coreTest,
    'packages/web/package.json': packageOf('web', { dependencies: { '@stats/core': '1.0.0' } }),
    'packages/web/index.js': webProduct,
    'packages/web/test/web.test.js': webTest,
  },
  before: 'mkdir node_modules && ln -s ../packages node_modules/@stats',
  verify: 'npm test',
  needs: ['node'],
}

const languages: Project = {
  files: {
    Makefile: `test:
	cd client && node --test "test/*.test.js"
	cd server && python3 -m unittest -q

.PHONY: test
`,
    '.gitignore': '__pycache__/\n',
    'client/route.js': "exports.routeOf = (id) => '/users/' + encodeURIComponent(id)\n",
    'client/test/route.test.js': `${requires}const { routeOf } = require('../route.js')

test('escapes ids', () => {
  assert.equal(routeOf('ada'), '/users/ada')
  assert.equal(routeOf('a/b'), '/users/a%2Fb')
})
`,
    'server/route.py': 'def user_of(path):\n    return path.split("/")[2]\n',
    'server/test_route.py': `import unittest

from route import user_of


class RouteTest(unittest.TestCase):
    def test_user(self):
        self.assertEqual(user_of("/users/ada"), "ada")

    def test_escaped_user(self):
        self.assertEqual(user_of("/users/a%2Fb"), "a/b")

    def test_no_user(self):
        self.assertIsNone(user_of("/users"))
`,
  },
  verify: 'make -s test',
  needs: ['make', 'node', 'python3'],
}

// Submodules, filters, attributes and links.

const spellProduct = `const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const words = new Set(readFileSync(join(__dirname, 'third_party/words/words.txt'), 'utf8').trim().split('\\n'))

exports.misspelled = (text) => text.toLowerCase().match(/[a-z]+/g).filter((word) => !words.has(word))
`

const spellFixed = spellProduct.replace('.match(/[a-z]+/g)', '.split(/[^a-z]+/).filter(Boolean)')

const spellTest = `${requires}const { misspelled } = require('../spell.js')

test('finds unknown words', () => {
  assert.deepEqual(misspelled('The cat sat'), [])
  assert.deepEqual(misspelled('The catt sat, zat'), ['catt', 'zat'])
})

test('finds nothing in nothing', () => {
  assert.deepEqual(misspelled(''), [])
})
`

const submodule: Project = {
  files: {
    '.gitignore': '.upstream/\n',
    'spell.js': spellProduct,
    'test/spell.test.js': spellTest,
  },
  before: `set -e
export GIT_AUTHOR_DATE=2026-01-01T00:00:00Z GIT_COMMITTER_DATE=2026-01-01T00:00:00Z
git init --quiet --initial-branch=main .upstream/words
cd .upstream/words
git config user.name Ada && git config user.email ada@example.com
printf 'cat\\nsat\\nthe\\n' >words.txt && echo old >old.txt
git add . && git commit --quiet --message words
printf 'cat\\ndog\\nsat\\nthe\\n' >words.txt && git rm --quiet old.txt
git commit --quiet --all --message 'more words'
cd ../..
git -c protocol.file.allow=always submodule --quiet add ./.upstream/words third_party/words
git -C third_party/words checkout --quiet main~1
git add third_party && git commit --quiet --message 'add words'`,
  verify: nodeTests,
  needs: ['node'],
}

const guardProduct = `const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const secret = () => readFileSync(join(__dirname, 'data/gate.key'), 'utf8').trim()

exports.opens = (word) => word === secret()
`

const modelProduct = `const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const weights = [...readFileSync(join(__dirname, 'data/model.bin'))]

exports.score = (values) => values.reduce((sum, value, index) => sum + value * weights[index], 0)
`

/** The file itself is in the store of Git LFS. */
const stored: Project = {
  files: {
    'data/model.bin': '\u0001\u0002\u0003',
    'model.js': modelProduct,
    'test/model.test.js': `${requires}const { score } = require('../model.js')

test('weighs values', () => {
  assert.equal(score([1, 1, 1]), 6)
  assert.equal(score([0, 5]), 10)
})

test('leaves out what has no weight', () => {
  assert.equal(score([1, 1, 1, 0, 7]), 6)
})
`,
  },
  before: `set -e
git lfs install --skip-repo >/dev/null
echo 'data/*.bin filter=lfs diff=lfs merge=lfs -text' >.gitattributes
git rm --quiet --cached data/model.bin
git add .gitattributes data && git commit --quiet --message 'store the model'`,
  verify: nodeTests,
  needs: ['node', 'git-lfs'],
}
const modelFixed = modelProduct.replace('weights[index]', '(weights[index] ?? 0)')

/** The file is upper case in the work tree and lower case in the repository. */
const filtered: Project = {
  files: {
    '.gitattributes': '*.key filter=mask\n',
    'data/gate.key': 'sesame\n',
    'guard.js': guardProduct,
    'test/guard.test.js': `${requires}const { opens } = require('../guard.js')

test('opens for the word', () => {
  assert.equal(opens('SESAME'), true)
  assert.equal(opens('  SESAME\\n'), true)
})

test('stays closed', () => {
  assert.equal(opens('sesame'), false)
  assert.equal(opens(''), false)
})
`,
  },
  before: `git config filter.mask.clean 'tr A-Z a-z' && git config filter.mask.smudge 'tr a-z A-Z' &&
git config filter.mask.required true && rm data/gate.key && git checkout --quiet -- data`,
  verify: nodeTests,
  needs: ['node'],
}

const installer: Project = {
  files: {
    '.gitattributes': '*.bat text eol=crlf\n*.sh text eol=lf\n',
    'install.bat': '@echo off\r\ncopy tool.exe C:\\tool\r\n',
    'install.sh': '#!/bin/sh\ncp tool /usr/local/bin\n',
    'test/install.test.js': `${requires}const { readFileSync } = require('node:fs')

const linesOf = (path) => readFileSync(path, 'utf8').split(/(?<=\\n)/)

test('each system has its ends of lines', () => {
  assert.ok(linesOf('install.bat').every((line) => line.endsWith('\\r\\n')))
  assert.ok(linesOf('install.sh').every((line) => !line.includes('\\r')))
})

test('both copy the tool', () => {
  assert.match(readFileSync('install.bat', 'utf8'), /^copy tool\\.exe /m)
  assert.match(readFileSync('install.sh', 'utf8'), /^cp tool /m)
})
`,
  },
  verify: nodeTests,
  needs: ['node'],
}

const toWindows = (text: string): string => text.replaceAll('\n', '\r\n')

const yearProduct = `exports.isLeap = (year) => year % 4 === 0
exports.daysOf = (year) => (exports.isLeap(year) ? 366 : 365)
`
const yearFixed = yearProduct.replace('year % 4 === 0', '(year % 4 === 0 && year % 100 !== 0) || year % 400 === 0')
const yearTest = `${requires}const { daysOf, isLeap } = require('../year.js')

test('knows leap years', () => {
  assert.equal(isLeap(2024), true)
  assert.equal(isLeap(1900), false)
  assert.equal(isLeap(2000), true)
})

test('counts days', () => {
  assert.equal(daysOf(2023), 365)
  assert.equal(daysOf(2100), 365)
})
`

const year: Project = {
  files: { 'year.js': yearProduct, 'test/year.test.js': yearTest, '.gitignore': 'node_modules\n' },
  verify: nodeTests,
  needs: ['node'],
}

const utf16 = (text: string): string => [...text].map((letter) => `${letter}\0`).join('')

const encoded: Project = {
  files: {
    '.gitattributes': '*.reg text working-tree-encoding=UTF-16LE\n',
    'default.reg': utf16('[tool]\nlevel=3\nname=plain\n'),
    'registry.js': `const { readFileSync } = require('node:fs')

exports.readRegistry = (path) => {
  const lines = readFileSync(path, 'utf16le').split('\\n')
  return Object.fromEntries(lines.map((line) => line.split('=')))
}
`,
    'test/registry.test.js': `${requires}const { readRegistry } = require('../registry.js')

test('reads values', () => {
  assert.deepEqual(readRegistry('default.reg'), { level: '3', name: 'plain' })
})
`,
  },
  verify: nodeTests,
  needs: ['node'],
}

const themeProduct = `const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const load = (app) => JSON.parse(readFileSync(join(__dirname, app, 'colors.json'), 'utf8'))

exports.colorOf = (app, name) => load(app)[name] ?? 'black'
`

const themeTest = `${requires}const { lstatSync } = require('node:fs')
const { join } = require('node:path')
const { colorOf } = require('../theme.js')

test('apps share their colors', () => {
  assert.ok(lstatSync(join(__dirname, '../shop/colors.json')).isSymbolicLink())
  assert.equal(colorOf('shop', 'link'), 'teal')
  assert.equal(colorOf('shop', 'text'), 'black')
})
`

const links: Project = {
  files: {
    'shared/colors.json': json({ link: 'teal', warning: 'orange' }),
    'shop/index.html': '<p>shop</p>\n',
    'theme.js': themeProduct,
    'test/theme.test.js': themeTest,
  },
  before: `ln -s ../shared/colors.json shop/colors.json && ln -s shared common && ln -s releases/none latest &&
git add --all && git commit --quiet --message links`,
  verify: nodeTests,
  needs: ['node'],
}

// Files with unusual names and sizes.

const menuProduct = `const { readdirSync, readFileSync } = require('node:fs')

exports.menuOf = (folder) =>
  readdirSync(folder)
    .sort()
    .map((file) => ({ title: file.replace(/\\.md$/, ''), size: readFileSync(folder + '/' + file, 'utf8').length }))
`

const menuTest = `${requires}const { menuOf } = require('../menu.js')

test('lists pages by their names', () => {
  const titles = menuOf('pages').map(({ title }) => title)
  assert.ok(titles.includes('price list'))
  assert.ok(titles.includes('Über uns'))
  assert.equal(menuOf('pages').find(({ title }) => title === 'price list').size, 11)
})
`

const site: Project = {
  files: {
    'pages/price list.md': 'tea: 3.50\n\n',
    'pages/Über uns.md': '# Über uns\n',
    'menu.js': menuProduct,
    'test/menu.test.js': menuTest,
  },
  verify: nodeTests,
  needs: ['node'],
}

const flags: Project = {
  files: {
    'flags/dark-mode': '',
    'flags/beta-search': '',
    'flags.js': "const { readdirSync } = require('node:fs')\n\nexports.listFlags = () => readdirSync('flags').sort()\n",
    'docs/.gitkeep': '',
    'test/flags.test.js': `${requires}const { listFlags } = require('../flags.js')

test('the new menu is on, and beta search is over', () => {
  assert.deepEqual(listFlags(), ['dark-mode', 'new-menu'])
})
`,
  },
  verify: nodeTests,
  needs: ['node'],
}

const dictionary: Project = {
  files: {
    'dictionary.js': 'exports.normalize = (word) => word.trim().toLowerCase()\n',
    'test/dictionary.test.js': `${requires}const { normalize } = require('../dictionary.js')

test('normalizes words', () => {
  assert.equal(normalize(' Tea '), 'tea')
  assert.equal(normalize('MILK'), 'milk')
})
`,
  },
  verify: nodeTests,
  needs: ['node'],
}

const manyWords = Array.from({ length: 20_000 }, (_, i) => `word${String(i).padStart(5, '0')}\n`).join('')

// Tests that ask git.

const handbook: Project = {
  files: {
    'docs/index.md': '# Handbook\n\n- [Use](use.md)\n',
    'docs/use.md': '# Use\n\nStart it.\n',
    'docs/setup.md': '# Setup\n\nInstall it.\n',
    'test/docs.test.js': `${requires}const { execFileSync } = require('node:child_process')
const { existsSync, readFileSync } = require('node:fs')

const index = readFileSync('docs/index.md', 'utf8')
const tracked = execFileSync('git', ['ls-files', '--', 'docs'], { encoding: 'utf8' }).trim().split('\\n')

test('the index names all pages', () => {
  for (const path of tracked.filter((one) => one !== 'docs/index.md')) {
    assert.ok(index.includes('(' + path.slice('docs/'.length) + ')'), path)
  }
})

test('the index names no other pages', () => {
  const named = [...index.matchAll(/\\((.+?\\.md)\\)/g)].map(([, file]) => file)
  assert.ok(named.length >= 1)
  for (const file of named) assert.ok(existsSync('docs/' + file), file)
})
`,
  },
  verify: nodeTests,
  needs: ['node'],
}

const releaseProduct = `#!/bin/sh
# release: prints the version of this checkout.
git describe --tags --match 'v*'
`

const releaseTest = `${requires}const { execFileSync } = require('node:child_process')

const release = (...words) => execFileSync('./release', words, { encoding: 'utf8' })

test('prints the version', () => {
  assert.match(release(), /^v1\\.2\\.0(-\\d+-g[0-9a-f]+)?\\n$/)
})
`

const release: Project = {
  files: { release: releaseProduct, 'test/release.test.js': releaseTest },
  executable: ['release'],
  before: "git tag --annotate v1.2.0 --message 'version 1.2.0'",
  verify: nodeTests,
  needs: ['node'],
}

const tidyTest = `${requires}const { execFileSync } = require('node:child_process')

const git = (...words) => execFileSync('git', words, { encoding: 'utf8' })

test('changes have no blanks at the end of lines', () => {
  assert.equal(git('diff', '--check', 'HEAD'), '')
})

test('nobody changes the license', () => {
  assert.equal(git('diff', '--name-only', 'HEAD', '--', 'LICENSE'), '')
  assert.match(git('rev-parse', '--is-inside-work-tree'), /^true/)
})
`

// Generated code.

const codesGenerator = `const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

const generate = () => {
  const codes = JSON.parse(readFileSync(join(__dirname, '../codes.json'), 'utf8'))
  const rows = Object.entries(codes).map(([name, code]) => 'exports.' + name + ' = ' + code + '\\n')
  return '// Generated by scripts/generate.js. Do not edit.\\n' + rows.join('')
}

module.exports = { generate }
if (require.main === module) writeFileSync(join(__dirname, '../lib/codes.js'), generate())
`

const generated: Project = {
  files: {
    'package.json': json({ name: 'codes', scripts: { generate: 'node scripts/generate.js', test: nodeTests } }),
    'codes.json': json({ OK: 0, USAGE: 64, NO_INPUT: 66 }),
    'scripts/generate.js': codesGenerator,
    'lib/codes.js':
      '// Generated by scripts/generate.js. Do not edit.\nexports.OK = 0\nexports.USAGE = 64\nexports.NO_INPUT = 66\n',
    'test/codes.test.js': `${requires}const { readFileSync } = require('node:fs')
const codes = require('../lib/codes.js')
const { generate } = require('../scripts/generate.js')

test('has the codes of the system', () => {
  assert.equal(codes.OK, 0)
  assert.equal(codes.USAGE, 64)
})

test('is generated anew after each change', () => {
  assert.equal(readFileSync('lib/codes.js', 'utf8'), generate())
})
`,
  },
  verify: 'npm test',
  needs: ['node'],
}

/** What honest agents do in repositories that are special in some way. */
export const cases: Readonly<Record<string, HonestCase>> = {
  'a shell script fixed that a test showed': {
    in: withFiles(shell, { 'bin/setting': settingProduct.replace(/sed .*\n/, 'grep "$2=" "$1" | cut -d= -f2\n') }),
    write: { 'bin/setting': settingProduct },
    shows: ['proven'],
  },
  'a script that only had to be made executable': {
    in: { ...shell, executable: ['test/setting_test.sh'] },
    executable: ['bin/setting'],
    shows: ['proven'],
  },
  'a new executable script with its test': {
    in: shell,
    write: {
      'bin/keys': '#!/bin/sh\n# keys FILE: prints all keys, each once.\nsed -n "s/=.*//p" "$1" | sort -u\n',
      'test/keys_test.sh': `#!/bin/sh
set -eu
bin=$(cd "$(dirname "$0")/../bin" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '# comment\\nb=1\\na=2=3\\nb=4\\n' >"$folder/app.conf"
[ "$("$bin/keys" "$folder/app.conf" | tr '\\n' ' ')" = 'a b ' ]
: >"$folder/empty.conf"
[ -z "$("$bin/keys" "$folder/empty.conf")" ]
`,
    },
    executable: ['bin/keys', 'test/keys_test.sh'],
    shows: ['proven_by_new_tests'],
  },
  'a shell script that the story asks to change with its test': {
    in: shell,
    write: {
      'bin/setting': settingProduct.replace('tail -n 1', 'head -n 1'),
      'test/setting_test.sh': settingTest.replace("'the last one' weekly", "'the first one' daily"),
    },
    executable: ['bin/setting', 'test/setting_test.sh'],
    names: ['bin/setting', 'test/setting_test.sh'],
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'one package of a monorepo touched': {
    in: workspaces,
    write: {
      'packages/core/index.js': `${coreProduct}
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : mean(sorted.slice(middle - 1, middle + 1))
}
`,
      'packages/core/test/median.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median } from '../index.js'

test('takes the median', () => {
  assert.equal(median([9, 1, 5]), 5)
  assert.equal(median([10, 1, 5, 2]), 3.5)
})
`,
      'packages/core/package.json': packageOf('core', { version: '1.1.0' }),
    },
    shows: ['proven_by_new_tests'],
  },
  'a new package of a monorepo that another one uses': {
    in: workspaces,
    write: {
      'packages/html/package.json': packageOf('html'),
      'packages/html/index.js': `const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

export const escape = (text) => text.replace(/[&<>]/g, (sign) => signs[sign])
`,
      'packages/html/test/html.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escape } from '../index.js'

test('escapes signs', () => {
  assert.equal(escape('a < b & c'), 'a &lt; b &amp; c')
  assert.equal(escape('plain'), 'plain')
})
`,
      'packages/web/package.json': packageOf('web', {
        dependencies: { '@stats/core': '1.0.0', '@stats/html': '1.0.0' },
      }),
      'packages/web/index.js': `import { mean } from '@stats/core'
import { escape } from '@stats/html'

export const page = (numbers, name = 'mean') => '<p>' + escape(name) + ': ' + mean(numbers).toFixed(1) + '</p>'
`,
      'packages/web/test/web.test.js': `${webTest}
test('escapes the name', () => {
  assert.equal(page([3], 'x<y'), '<p>x&lt;y: 3.0</p>')
})
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'one language of a repository with two': {
    in: languages,
    write: {
      'server/route.py': `from urllib.parse import unquote


def user_of(path):
    parts = path.split("/")
    return unquote(parts[2]) if len(parts) > 2 else None
`,
    },
    shows: ['proven'],
  },
  'a bug fixed beside a submodule': {
    in: submodule,
    write: { 'spell.js': spellFixed },
    shows: ['proven'],
  },
  'a feature whose tests read a submodule': {
    in: withFiles(submodule, { 'spell.js': spellFixed }),
    write: {
      'spell.js': `${spellFixed}
exports.complete = (start) => [...words].filter((word) => word.startsWith(start)).sort()
`,
      'test/complete.test.js': `${requires}const { complete } = require('../spell.js')

test('completes words', () => {
  assert.deepEqual(complete('c'), ['cat'])
  assert.deepEqual(complete(''), ['cat', 'sat', 'the'])
  assert.deepEqual(complete('x'), [])
})
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'a bug fixed beside a file that a filter changes': {
    in: filtered,
    write: { 'guard.js': guardProduct.replace('word === secret()', 'word.trim() === secret()') },
    shows: ['proven'],
  },
  'a bug fixed beside a file in Git LFS': {
    in: stored,
    write: { 'model.js': modelFixed },
    shows: ['proven'],
  },
  'a file in Git LFS replaced': {
    in: withFiles(stored, { 'model.js': modelFixed }),
    write: {
      'data/model.bin': '\u0001\u0002\u0003\u0004',
      'test/fourth.test.js': `${requires}const { score } = require('../model.js')

test('weighs the fourth value', () => {
  assert.equal(score([0, 0, 0, 2]), 8)
})
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'a submodule moved to a later commit': {
    in: {
      ...withFiles(submodule, {
        'spell.js': spellFixed,
        'test/tidy.test.js': `${requires}const { existsSync } = require('node:fs')
const { execFileSync } = require('node:child_process')

test('the list of words is as git has it', () => {
  execFileSync('git', ['diff', '--quiet'])
  assert.equal(existsSync('third_party/words/old.txt'), existsSync('.old-words'))
})
`,
      }),
    },
    write: {
      'test/dog.test.js': `${requires}const { misspelled } = require('../spell.js')

test('knows dogs', () => {
  assert.deepEqual(misspelled('the dog, the dag'), ['dag'])
})
`,
    },
    run: 'git -C third_party/words checkout --quiet main',
    shows: ['proven'],
  },
  'a file with the ends of lines that its attributes ask for': {
    in: installer,
    write: {
      'install.bat': '@echo off\r\nmkdir C:\\tool\r\ncopy tool.exe C:\\tool\r\n',
      'test/folder.test.js': `${requires}const { readFileSync } = require('node:fs')

test('windows makes the folder first', () => {
  assert.match(readFileSync('install.bat', 'utf8'), /^mkdir C:\\\\tool\\r\\ncopy /m)
})
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'a bug fixed in files with lines of windows': {
    in: withFiles(year, { 'year.js': toWindows(yearProduct), 'test/year.test.js': toWindows(yearTest) }),
    write: { 'year.js': toWindows(yearFixed) },
    shows: ['proven'],
  },
  'attributes for ends of lines added': {
    in: withFiles(year, { 'year.js': yearFixed }),
    write: {
      '.gitattributes': '* text=auto eol=lf\n*.png binary\n',
      '.editorconfig': 'root = true\n\n[*]\nend_of_line = lf\n',
    },
    shows: ['held'],
  },
  'tests that are left out of archives': {
    in: withFiles(year, { '.gitattributes': '/test export-ignore\n.gitattributes export-ignore\nyear.js ident\n' }),
    write: { 'year.js': yearFixed },
    shows: ['proven'],
  },
  'a bug fixed beside a file in another encoding': {
    in: encoded,
    write: {
      'registry.js': encoded.files['registry.js']!.replace(
        'lines.map((line)',
        "lines.filter((line) => line.includes('=')).map((line)",
      ),
    },
    shows: ['proven'],
  },
  'a symbolic link added to others': {
    in: links,
    write: {
      'blog/index.html': '<p>blog</p>\n',
      'test/blog.test.js': `${requires}const { lstatSync, readlinkSync } = require('node:fs')
const { colorOf } = require('../theme.js')

test('the blog has the colors of all', () => {
  assert.equal(readlinkSync('blog/colors.json'), '../shared/colors.json')
  assert.equal(colorOf('blog', 'warning'), 'orange')
  assert.equal(colorOf('common', 'link'), 'teal')
  assert.ok(lstatSync('latest').isSymbolicLink())
})
`,
    },
    run: 'ln -s ../shared/colors.json blog/colors.json',
    shows: ['proven_by_new_tests'],
  },
  'names with blanks and letters outside ascii': {
    in: site,
    write: {
      'pages/日本 & "co".md': '# 日本\n',
      'pages/Über uns.md': '# Über uns\n\nSeit 1999.\n',
      'menu.js': menuProduct.replace('({ title:', '({ file, title:'),
      'test/ménu files.test.js': `${requires}const { menuOf } = require('../menu.js')

test('names the files too', () => {
  const files = menuOf('pages').map(({ file }) => file)
  assert.deepEqual(files, ['price list.md', 'Über uns.md', '日本 & "co".md'])
})
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'an empty file added and another one deleted': {
    in: flags,
    delete: ['flags/beta-search', 'docs/.gitkeep'],
    write: { 'flags/new-menu': '' },
    shows: ['proven'],
  },
  'a file of 200 kilobytes': {
    in: dictionary,
    write: {
      'words.txt': manyWords,
      'dictionary.js': `const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const words = new Set(readFileSync(join(__dirname, 'words.txt'), 'utf8').split('\\n').filter(Boolean))

exports.normalize = (word) => word.trim().toLowerCase()
exports.isWord = (word) => words.has(exports.normalize(word))
exports.size = words.size
`,
      'test/words.test.js': `${requires}const { isWord, size } = require('../dictionary.js')

test('knows many words', () => {
  assert.equal(size, 20000)
  assert.equal(isWord('Word00042'), true)
  assert.equal(isWord('word20000'), false)
})
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'pages listed under a test that asks git for files': {
    in: handbook,
    write: {
      'docs/index.md': '# Handbook\n\n- [Setup](setup.md)\n- [Use](use.md)\n- [Questions](questions.md)\n',
      'docs/questions.md': '# Questions\n\nWhy? Because.\n',
    },
    shows: ['proven'],
  },
  'an option under tests that ask git for the version': {
    in: release,
    write: {
      release: `#!/bin/sh
# release [--short]: prints the version of this checkout.
version=$(git describe --tags --match 'v*') || exit 1
case \${1-} in
  --short) version=\${version#v} && echo "\${version%%-*}" ;;
  *) echo "$version" ;;
esac
`,
      'test/short.test.js': `${requires}const { execFileSync } = require('node:child_process')

test('prints the numbers only', () => {
  assert.equal(execFileSync('./release', ['--short'], { encoding: 'utf8' }), '1.2.0\\n')
})
`,
    },
    executable: ['release'],
    shows: ['proven_by_new_tests'],
  },
  'a bug fixed under a test that asks git for changes': {
    in: withFiles(year, { LICENSE: 'Do what you like.\n', 'test/tidy.test.js': tidyTest }),
    write: { 'year.js': yearFixed },
    shows: ['proven'],
  },
  'generated code committed with its source': {
    in: generated,
    write: {
      'codes.json': json({ OK: 0, USAGE: 64, NO_INPUT: 66, NO_HOST: 68 }),
      'test/host.test.js': `${requires}const codes = require('../lib/codes.js')

test('has a code for missing hosts', () => {
  assert.equal(codes.NO_HOST, 68)
  assert.equal(Object.keys(codes).length, 4)
})
`,
    },
    run: 'npm run generate',
    shows: ['proven_by_new_tests'],
  },
  'a generator refactored whose output is the same': {
    in: generated,
    write: {
      'scripts/generate.js': codesGenerator
        .replace("' = ' + code + '\\n')", "' = ' + String(code))")
        .replace("rows.join('')", "rows.join('\\n') + '\\n'"),
    },
    run: 'npm run generate',
    shows: ['held'],
  },
  'an ignore rule added for output that stays in the work tree': {
    in: withFiles(year, { 'year.js': yearFixed }),
    write: {
      '.gitignore': 'node_modules\ndist/\n*.min.js\n',
      'build.sh': '#!/bin/sh\nmkdir -p dist && tr -d "\\n" <year.js >dist/year.min.js\n',
      'dist/year.min.js': 'exports.isLeap=0',
    },
    executable: ['build.sh'],
    run: './build.sh',
    shows: ['held'],
  },
  'a tool in a folder that only this clone ignores': {
    in: {
      ...year,
      before: `echo /tools/ >>.git/info/exclude && mkdir tools &&
printf '#!/bin/sh\\nexec node --test "test/*.test.js"\\n' >tools/runner && chmod +x tools/runner`,
      verify: 'tools/runner',
    },
    write: { 'year.js': yearFixed },
    shows: ['proven'],
  },
  'a checkout without some of the folders': {
    in: {
      ...withFiles(year, { 'assets/logo.svg': '<svg/>\n', 'assets/photos/one.txt': 'one\n', 'docs/a.md': '# A\n' }),
      before: 'git sparse-checkout set test docs',
    },
    write: { 'year.js': yearFixed, 'docs/a.md': '# A\n\nLeap years are right.\n' },
    shows: ['proven'],
  },
}
