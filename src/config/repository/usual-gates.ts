import type { Gate, Purpose } from './gate.ts'
import type { Repository } from './repository.ts'

/** What is usual where a file of that kind lies, for what nobody has given a name. */
export const usualGates = (repository: Repository): readonly Gate[] => [
  ...kinds.flatMap(({ file, gates }) => {
    if (!repository.has(file)) return []
    return gates.flatMap(([purpose, command, needs]) =>
      needs === undefined || needs.some((name) => repository.has(name)) ? [{ command, purpose, from: file }] : [],
    )
  }),
  ...pythonGates(repository),
  ...javaGates(repository),
]

type Usual = readonly [Purpose, command: string, onlyWith?: readonly string[]]
const kinds: readonly { readonly file: string; readonly gates: readonly Usual[] }[] = [
  {
    file: 'Cargo.toml',
    gates: [
      ['lint', 'cargo clippy -- -D warnings', ['clippy.toml', '.clippy.toml']],
      ['test', 'cargo test'],
    ],
  },
  {
    file: 'go.mod',
    gates: [
      ['lint', 'golangci-lint run', ['.golangci.yml', '.golangci.yaml', '.golangci.toml']],
      ['types', 'go vet ./...'],
      ['test', 'go test ./...'],
    ],
  },
  {
    file: 'mix.exs',
    gates: [
      ['lint', 'mix format --check-formatted', ['.formatter.exs']],
      ['test', 'mix test'],
    ],
  },
]

function pythonGates({ has, text }: Repository): readonly Gate[] {
  const project = text('pyproject.toml')
  const mentions = (word: string, files: readonly string[]) => files.find((file) => text(file).includes(word))
  const runner = [
    ['uv.lock', 'uv run '],
    ['poetry.lock', 'poetry run '],
    ['pdm.lock', 'pdm run '],
    ['Pipfile.lock', 'pipenv run '],
  ].find(([lock]) => has(lock!))
  const run = (command: string): string => `${runner?.[1] ?? ''}${command}`
  const ruff = ['ruff.toml', '.ruff.toml'].find(has) ?? (project.includes('[tool.ruff') ? 'pyproject.toml' : undefined)
  const pytest =
    ['pytest.ini', 'conftest.py', 'tests/conftest.py'].find(has) ??
    mentions('pytest', ['pyproject.toml', 'setup.cfg', 'Pipfile', 'requirements-dev.txt', 'requirements.txt'])
  const tox = has('tox.ini') ? 'tox.ini' : project.includes('[tool.tox') ? 'pyproject.toml' : undefined
  const gates: Gate[] = []
  if (ruff) gates.push({ command: run('ruff check .'), purpose: 'lint', from: ruff })
  if (pytest) gates.push({ command: run('pytest'), purpose: 'test', from: pytest })
  // Tox builds environments of its own: slow, so only where nothing else is known.
  else if (tox) gates.push({ command: 'tox', purpose: 'test', from: tox })
  return gates
}

function javaGates({ has }: Repository): readonly Gate[] {
  const gradle = ['build.gradle.kts', 'build.gradle'].find(has)
  const gates: Gate[] = []
  if (gradle)
    gates.push({ command: has('gradlew') ? './gradlew check' : 'gradle check', purpose: 'test', from: gradle })
  if (has('pom.xml'))
    gates.push({ command: has('mvnw') ? './mvnw -B test' : 'mvn -B test', purpose: 'test', from: 'pom.xml' })
  return gates
}
