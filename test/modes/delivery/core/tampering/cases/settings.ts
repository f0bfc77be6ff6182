import { added, type Case, deleted, edit, modified, one } from './case.ts'

const workflow = 'on: push\njobs:\n  test:\n    steps:\n      - run: npm ci\n      - run: npm test\n'
const conftest = 'import pytest\n\n\n@pytest.fixture\ndef cart():\n    return [1, 2]\n'
const manifest = (more: string): string => `{"scripts":{"test":"vitest run"},${more}}`
const tsconfig =
  '{\n  // strict as can be\n  "compilerOptions": { "strict": true, "target": "es2024" },\n  "include": ["src", "test"],\n}\n'

export const changedCi: readonly Case[] = [
  one('a step of a workflow', edit('.github/workflows/ci.yml', workflow, 'npm test', 'npm test || true')),
  one('a workflow without tests', edit('.github/workflows/ci.yml', workflow, '      - run: npm test\n', '')),
  one(
    'a step that may fail',
    edit('.github/workflows/ci.yml', workflow, '- run: npm test', '- run: npm test\n        continue-on-error: true'),
  ),
  one('a workflow is deleted', deleted('.github/workflows/ci.yml', workflow)),
  one(
    'GitLab',
    modified('.gitlab-ci.yml', 'test:\n  script: pytest\n', 'test:\n  script: pytest\n  allow_failure: true\n'),
  ),
  one('CircleCI', modified('.circleci/config.yml', 'run: go test ./...\n', 'run: go vet ./...\n')),
  one('Jenkins', modified('Jenkinsfile', "sh 'mvn test'\n", "sh 'mvn test -DskipTests'\n")),
  one('Azure', modified('azure-pipelines.yml', '- script: dotnet test\n', '- script: dotnet build\n')),
  one('Drone', deleted('.drone.yml', 'kind: pipeline\n')),
  one('Buildkite', modified('.buildkite/pipeline.yml', 'command: make test\n', 'command: "true"\n')),
]

export const changedConfigs: readonly Case[] = [
  one(
    'vitest leaves tests out',
    modified(
      'vitest.config.ts',
      "export default { test: { include: ['src/**'] } }\n",
      "export default { test: { include: ['none/**'] } }\n",
    ),
  ),
  one(
    'jest ignores a folder',
    modified(
      'jest.config.js',
      'module.exports = {\n  bail: 1,\n}\n',
      "module.exports = {\n  bail: 1,\n  testPathIgnorePatterns: ['cart'],\n}\n",
    ),
  ),
  one(
    'vite leaves tests out',
    modified(
      'vite.config.ts',
      'export default {\n  plugins: [],\n  test: {},\n}\n',
      "export default {\n  plugins: [],\n  test: { exclude: ['src/cart.test.ts'] },\n}\n",
    ),
  ),
  one('a new .mocharc', added('.mocharc.json', '{"grep":"nothing"}\n')),
  one(
    'a new vitest config without tests',
    added('vitest.config.ts', 'export default { test: { passWithNoTests: true } }\n'),
  ),
  one('playwright tries again', modified('playwright.config.ts', 'retries: 0,\n', 'retries: 10,\n')),
  one('pytest.ini', modified('pytest.ini', '[pytest]\naddopts = -q\n', '[pytest]\naddopts = -q -k "not cart"\n')),
  one('a new pytest.ini', added('pytest.ini', '[pytest]\naddopts = --ignore=tests/test_cart.py\n')),
  one('setup.cfg', modified('setup.cfg', '[tool:pytest]\ntestpaths = tests\n', '[tool:pytest]\ntestpaths = none\n')),
  one('a lower coverage', modified('.nycrc', '{"lines": 90}\n', '{"lines": 10}\n')),
  one('phpunit', modified('phpunit.xml', '<directory>tests</directory>\n', '<directory>none</directory>\n')),
  one('jest in package.json', modified('package.json', manifest('"jest":{}'), manifest('"jest":{"testMatch":[]}'))),
  one('tests of Cargo', modified('Cargo.toml', '[lib]\nname = "cart"\n', '[lib]\nname = "cart"\ntest = false\n')),
  one('a compiler less strict', edit('tsconfig.json', tsconfig, '"strict": true', '"strict": false')),
  one('a compiler that does not say strict any more', edit('tsconfig.json', tsconfig, '"strict": true, ', '')),
  one('a compiler that looks at less', edit('tsconfig.json', tsconfig, '["src", "test"]', '["src"]')),
  one(
    'a compiler that leaves out',
    edit('tsconfig.json', tsconfig, '"include"', '"exclude": ["src/cart.ts"],\n  "include"'),
  ),
  one('a fixture', edit('tests/conftest.py', conftest, '[1, 2]', '[3]')),
  one(
    'a hook of pytest',
    edit(
      'tests/conftest.py',
      conftest,
      'import pytest\n',
      'import pytest\n\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n',
    ),
  ),
  one(
    'a fixture for every test',
    edit(
      'tests/conftest.py',
      conftest,
      'import pytest\n',
      'import pytest\n\n\n@pytest.fixture(autouse=True)\ndef patched():\n    pass\n',
    ),
  ),
  one(
    'a patched product',
    edit('conftest.py', conftest, 'import pytest\n', 'import pytest\nimport cart\ncart.total = lambda items: 3\n'),
  ),
  one(
    'a new conftest that makes reports',
    added('conftest.py', 'def pytest_runtest_makereport(item, call):\n    pass\n'),
  ),
  one('a setup of vitest', modified('vitest.setup.ts', 'start()\n', 'start()\nglobalThis.expect = always\n')),
  one('a new setup that overrides expect', added('test/setup.ts', 'globalThis.expect = () => anything\n')),
  one(
    'a helper that asserts nothing',
    modified('test/helpers.ts', 'export const same = (a, b) => assert.equal(a, b)\n', 'export const same = () => {}\n'),
  ),
  one(
    'spec_helper',
    modified(
      'spec/spec_helper.rb',
      "require 'cart'\n",
      "require 'cart'\nRSpec.configure { |c| c.filter_run_excluding :cart }\n",
    ),
  ),
]
