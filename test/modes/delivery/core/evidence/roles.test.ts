import { describe, expect, test } from 'vitest'
import {
  findRole,
  isNamedCheck,
  isTestData,
  usesTestFramework,
} from '../../../../../src/modes/delivery/core/evidence/roles.ts'
import { isShadow } from '../../../../../src/modes/delivery/core/evidence/shadows.ts'

const table: Readonly<Record<string, string>> = {
  test: `test/sum.js tests/__init__.py src/sum.test.ts sum_test.go test_sum.py spec/models/a_spec.rb src/__snapshots__/a.snap
    __mocks__/fs.js fixtures/a.json pkg/testdata/in.txt src/SumTest.java a.feature check.bats vitest-setup.ts testing/helpers.go e2e/login.ts run-tests.sh`,
  settings: `.gitignore .npmrc tests/conftest.py vitest.config.ts pytest.ini tox.ini setup.cfg tsconfig.build.json biome.json rust-toolchain.toml go.work
    pom.xml CMakeLists.txt .env.test karma.conf.js jest.workspace.js src/.eslintrc`,
  runner: `node_modules/.bin/jest test/node_modules/chai/index.js vendor/a/a.go .venv/bin/python sitecustomize.py lib/a.pth
    __pycache__/a.pyc gradlew target/debug/sum`,
  script: 'Makefile GNUmakefile rules.mk justfile Taskfile.yml build.rs scripts/check.js ci.sh tools/lint/verify.py',
  ci: '.github/workflows/ci.yml .gitlab-ci.yml .husky/pre-commit Jenkinsfile .pre-commit-config.yaml',
  none: `src/sum.ts README.md docs/index.md checker.js src/validate.ts circle.py package-lock.json src/latest.ts contest.py protest/main.go
    lib/attestation.rb .gitkeep src/inspector.ts`,
}

describe.each(Object.entries(table))('%s', (role, paths) => {
  test.each(paths.trim().split(/\s+/))('%s', (path) => {
    expect(findRole(path) ?? 'none').toBe(role)
  })
})

test('people add globs of tests', () => {
  expect([findRole('checks/a/b.js'), findRole('checks/a/b.js', ['checks/**/*.js'])]).toEqual([undefined, 'test'])
})

test('a file of the start is a test by the framework that it uses', () => {
  const tests = [
    "import { test } from 'node:test'\n",
    'import pytest\n',
    "describe('a', () => {})\n",
    'func TestAdd(t *testing.T) {\n',
  ]
  expect(tests.map(usesTestFramework)).toEqual([true, true, true, true])
  expect(["import { test } from './latest.js'\n", 'def test(x): ...\n'].map(usesTestFramework)).toEqual([false, false])
})

test('a script that a command runs is a check, a product that it runs is not', () => {
  const commands = ['node tools/look.js && sh check.sh', 'node app.js --version']
  expect(['tools/look.js', 'check.sh', 'app.js', 'other.sh'].map((path) => isNamedCheck(path, commands))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('data that only tests name belongs to them', () => {
  const [tests, product] = [new Map([['test/a.js', "read('prices.json')"]]), new Map([['a.js', "read('rates.json')"]])]
  const isData = (path: string): boolean => isTestData(path, tests, product)
  expect(['data/prices.json', 'data/rates.json', 'data/prices.md', 'a.js'].map(isData)).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('a new module of Python shadows what tests and runners import, one inside a package does not', () => {
  const tests = new Map([['tests/test_a.py', 'import helper\nfrom shop import price\n']])
  const shadows = (path: string): boolean => isShadow(path, tests, ['shop/price.py', 'tests/test_a.py'], 'helper>=1\n')
  expect(['pytest.py', 'unittest/__init__.py', 'helper.py', 'tests/json.py'].map(shadows)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['shop/json.py', 'shop.py', 'stock.py', 'pytest.js'].map(shadows)).toEqual([false, false, false, false])
})
