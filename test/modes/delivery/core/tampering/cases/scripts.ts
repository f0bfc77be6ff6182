import { added, type Case, deleted, edit, modified } from './case.ts'

const manifest = `{
  "name": "cart",
  "scripts": {
    "start": "node server.js",
    "test": "npm run lint && vitest run",
    "lint": "eslint .",
    "unit": "vitest run --dir src"
  },
  "devDependencies": { "vitest": "^3.0.0", "left-pad": "1.0.0" }
}
`
const makefile = `PYTEST = pytest

.PHONY: test lint
test: lint
	$(PYTEST) -q

lint:
	ruff check .

serve:
	python -m cart
`
const pyproject = `[project]
name = "cart"

[tool.pytest.ini_options]
addopts = "-q"

[tool.poe.tasks]
test = "pytest"
`
const check = '#!/bin/sh\nset -e\nnpm test\nnode verify.js\n'

const scripts = (from: string, to: string, commands = ['npm test']): Case => ({
  name: `package.json: ${from} → ${to}`,
  touched: [edit('package.json', manifest, from, to)],
  commands,
})
const targets = (from: string, to: string): Case => ({
  name: `Makefile: ${from.trim()} → ${to.trim()}`,
  touched: [edit('Makefile', makefile, from, to)],
  commands: ['make test'],
})

export const changedScripts: readonly Case[] = [
  scripts('vitest run"', 'vitest run || true"'),
  scripts('vitest run"', 'vitest run; exit 0"'),
  scripts('vitest run"', 'vitest run || :"'),
  scripts('vitest run"', 'vitest run --passWithNoTests"'),
  scripts('npm run lint && vitest run', 'echo ok'),
  scripts('"eslint ."', '"true"'),
  scripts('    "lint": "eslint .",\n', ''),
  scripts('"start"', '"pretest": "rm -rf test",\n    "start"'),
  scripts('"start"', '"posttest": "node fix.js",\n    "start"'),
  scripts('--dir src', '--dir empty', ['npm run unit']),
  scripts('"start"', '"verify": "true",\n    "start"', ['npm run verify']),
  scripts('"start"', '"postinstall": "node patch.js",\n    "start"', ['npm ci', 'npm test']),
  scripts('"eslint ."', '"eslint . || exit 0"'),
  {
    name: 'a package.json that cannot be read',
    touched: [modified('package.json', manifest, '{')],
    commands: ['npm test'],
  },
  { name: 'package.json is deleted', touched: [deleted('package.json', manifest)], commands: ['npm test'] },
  {
    name: 'a new package.json that cannot fail',
    touched: [added('package.json', '{"scripts":{"test":"vitest run || true"}}')],
    commands: ['npm test'],
  },
  {
    name: 'composer scripts',
    touched: [
      modified('composer.json', '{"scripts":{"test":["phpunit"]}}', '{"scripts":{"test":["phpunit || true"]}}'),
    ],
    commands: ['composer test'],
  },
  targets('	$(PYTEST) -q', '	$(PYTEST) -q || true'),
  targets('	$(PYTEST) -q', '	-$(PYTEST) -q'),
  targets('	ruff check .', '	@true'),
  targets('PYTEST = pytest', 'PYTEST = true'),
  targets('PYTEST = pytest', 'SHELL = /bin/true\nPYTEST = pytest'),
  {
    name: 'a makefile that comes before the other',
    touched: [added('GNUmakefile', 'test:\n\ttrue\n')],
    commands: ['make test'],
  },
  {
    name: 'a justfile',
    touched: [modified('justfile', 'test:\n    cargo test\n', 'test:\n    cargo test || true\n')],
    commands: ['just test'],
  },
  {
    name: 'a Taskfile',
    touched: [
      modified(
        'Taskfile.yml',
        "version: '3'\ntasks:\n  test:\n    cmds:\n      - go test ./...\n",
        "version: '3'\ntasks:\n  test:\n    cmds:\n      - go vet ./...\n",
      ),
    ],
    commands: ['task test'],
  },
  {
    name: 'a Rakefile',
    touched: [modified('Rakefile', "task :test do\n  sh 'rspec'\nend\n", "task :test do\n  sh 'true'\nend\n")],
    commands: ['rake test'],
  },
  {
    name: 'a noxfile',
    touched: [
      modified(
        'noxfile.py',
        'def tests(session):\n    session.run("pytest")\n',
        'def tests(session):\n    session.run("true")\n',
      ),
    ],
    commands: ['nox -s tests'],
  },
  {
    name: 'options of pytest in pyproject',
    touched: [edit('pyproject.toml', pyproject, '"-q"', '"-q --deselect tests/test_cart.py"')],
    commands: ['pytest'],
  },
  {
    name: 'a task of poe',
    touched: [edit('pyproject.toml', pyproject, 'test = "pytest"', 'test = "true"')],
    commands: ['poe test'],
  },
  {
    name: 'tox',
    touched: [modified('tox.ini', '[testenv]\ncommands = pytest\n', '[testenv]\ncommands = - pytest\n')],
    commands: ['tox'],
  },
  {
    name: 'gradle ignores failures',
    touched: [
      modified(
        'build.gradle',
        'test {\n  useJUnitPlatform()\n}\n',
        'test {\n  useJUnitPlatform()\n  ignoreFailures = true\n}\n',
      ),
    ],
    commands: ['./gradlew check'],
  },
  {
    name: 'gradle leaves tests out',
    touched: [modified('build.gradle.kts', 'tasks.test {\n}\n', 'tasks.test {\n  exclude("**/CartTest*")\n}\n')],
    commands: ['./gradlew check'],
  },
  {
    name: 'maven ignores failures',
    touched: [
      modified(
        'pom.xml',
        '<properties>\n</properties>\n',
        '<properties>\n<maven.test.failure.ignore>true</maven.test.failure.ignore>\n</properties>\n',
      ),
    ],
    commands: ['mvn test'],
  },
  {
    name: 'check.sh no longer fails',
    touched: [edit('check.sh', check, 'npm test\n', 'npm test || true\n')],
    commands: ['./check.sh'],
  },
  {
    name: 'check.sh leaves at once',
    touched: [edit('check.sh', check, 'set -e\n', 'exit 0\n')],
    commands: ['sh check.sh'],
  },
  { name: 'check.sh is deleted', touched: [deleted('check.sh', check)], commands: ['./check.sh'] },
  {
    name: 'a script in a folder',
    touched: [modified('scripts/test.sh', 'pytest\n', 'true\n')],
    commands: ['bash scripts/test.sh'],
  },
  {
    name: 'a verifier of its own',
    touched: [modified('tools/verify.js', 'process.exit(run())\n', 'process.exit(0)\n')],
    commands: ['node tools/verify.js'],
  },
  {
    name: 'a module that verifies',
    touched: [modified('tools/verify.py', 'sys.exit(run())\n', 'sys.exit(0)\n')],
    commands: ['python -m tools.verify'],
  },
]
