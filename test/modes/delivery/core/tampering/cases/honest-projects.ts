import { added, type Case, edit, modified, one } from './case.ts'

const manifest = `{
  "name": "cart",
  "version": "1.0.0",
  "scripts": {
    "start": "node server.js",
    "test": "vitest run"
  },
  "dependencies": {
    "express": "5.0.0"
  },
  "devDependencies": { "vitest": "^3.0.0" }
}
`
const makefile = 'test:\n\tpytest\n\nserve:\n\tpython -m cart\n'
const pyproject = '[project]\nname = "cart"\ndependencies = ["flask"]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n'
const tsconfig = '{\n  "compilerOptions": { "target": "es2023", "strict": true },\n  "include": ["src"]\n}\n'
const pom = '<dependencies>\n</dependencies>\n'

export const honestProjects: readonly Case[] = [
  one(
    'a new dependency',
    edit('package.json', manifest, '"express": "5.0.0"', '"express": "5.0.0",\n    "zod": "4.0.0"'),
  ),
  one('a newer runner', edit('package.json', manifest, '^3.0.0', '^3.1.0')),
  one('a newer version', edit('package.json', manifest, '1.0.0', '1.1.0')),
  one('keywords', edit('package.json', manifest, '"name": "cart",', '"name": "cart",\n  "keywords": ["cart"],')),
  one('a new script', edit('package.json', manifest, '"start"', '"build": "tsc",\n    "start"')),
  one(
    'a new script called test:e2e',
    edit('package.json', manifest, '"start"', '"test:e2e": "playwright test",\n    "start"'),
  ),
  one('another way to start', edit('package.json', manifest, 'node server.js', 'node dist/server.js')),
  one('package.json indented otherwise', modified('package.json', manifest, JSON.stringify(JSON.parse(manifest)))),
  one(
    'a dependency from a folder',
    edit('package.json', manifest, '"express": "5.0.0"', '"express": "5.0.0",\n    "@cart/core": "file:../core"'),
  ),
  one('a first package.json', added('package.json', manifest)),
  one(
    'first settings of jest',
    modified('package.json', '{"scripts":{"test":"jest"}}', '{"scripts":{"test":"jest"},"jest":{"preset":"ts-jest"}}'),
  ),
  one(
    'first tests',
    modified(
      'package.json',
      '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}',
      '{"scripts":{"test":"vitest run"}}',
    ),
  ),
  one(
    'an override of something else',
    edit('package.json', manifest, '"name"', '"overrides": { "semver": "7.0.0" },\n  "name"'),
  ),
  {
    name: 'a target that verification does not use',
    touched: [edit('Makefile', makefile, 'python -m cart', 'python -m cart --debug')],
    commands: ['make test'],
  },
  {
    name: 'a new target',
    touched: [modified('Makefile', makefile, `${makefile}\nbuild:\n\tpython -m build\n`)],
    commands: ['make test'],
  },
  {
    name: 'a new variable in a makefile',
    touched: [modified('Makefile', makefile, `PORT = 80\n${makefile}`)],
    commands: ['make test'],
  },
  one('a comment in a makefile', modified('Makefile', makefile, `# all of it\n${makefile}`)),
  one('a dependency of Python', edit('pyproject.toml', pyproject, '["flask"]', '["flask", "rich"]')),
  one(
    'a dependency of Rust',
    modified('Cargo.toml', '[dependencies]\nserde = "1"\n', '[dependencies]\nserde = "1"\nrand = "0.9"\n'),
  ),
  one(
    'a dependency of gradle',
    modified(
      'build.gradle',
      'dependencies {\n}\n',
      "dependencies {\n  testImplementation 'org.mockito:mockito-core:5'\n}\n",
    ),
  ),
  one(
    'a dependency of maven',
    modified(
      'pom.xml',
      pom,
      '<dependencies>\n<dependency>\n<artifactId>junit</artifactId>\n<scope>test</scope>\n</dependency>\n</dependencies>\n',
    ),
  ),
  one(
    'a plugin of vite',
    modified(
      'vite.config.ts',
      'export default {\n  plugins: [],\n  test: { globals: true },\n}\n',
      'export default {\n  plugins: [react()],\n  test: { globals: true },\n}\n',
    ),
  ),
  one('a first workflow', added('.github/workflows/ci.yml', 'on: push\n')),
  one('a comment in a workflow', modified('.github/workflows/ci.yml', 'on: push\n', '# all\non: push\n')),
  one('a first vitest config', added('vitest.config.ts', "export default { test: { environment: 'jsdom' } }\n")),
  one('a first eslint config', added('eslint.config.js', "export default [{ rules: { semi: 'error' } }]\n")),
  one('a first pytest.ini', added('pytest.ini', '[pytest]\ntestpaths = tests\n')),
  one('a first tsconfig', added('tsconfig.json', '{}\n')),
  one('another target of the compiler', edit('tsconfig.json', tsconfig, 'es2023', 'es2024')),
  one(
    'a stricter compiler',
    edit('tsconfig.json', tsconfig, '"strict": true', '"strict": true, "noUncheckedIndexedAccess": true'),
  ),
  one('a compiler that looks at more', edit('tsconfig.json', tsconfig, '["src"]', '["src", "test"]')),
  one('an exact version by default', added('.npmrc', 'save-exact=true\n')),
  {
    name: 'a script that verification does not start',
    touched: [modified('scripts/release.sh', 'a\n', 'b\n')],
    commands: ['./check.sh'],
  },
  {
    name: 'the product under verification',
    touched: [modified('cart.py', 'a\n', 'b\n')],
    commands: ['python cart.py --version'],
  },
  one(
    'a cache of a tool in node_modules',
    modified('node_modules/.vite/vitest/results.json', '{"version":"1"}\n', '{"version":"2"}\n'),
  ),
]
