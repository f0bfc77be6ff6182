import { posix } from 'node:path'

/** The part that a file plays in verification. Files without one belong to the product. */
export type Role = 'test' | 'settings' | 'runner' | 'script' | 'ci'

/** Judged by the path alone. The first row that matches decides; null is for files that look like a role and have none. */
export function findRole(path: string, tests: readonly string[] = []): Role | undefined {
  if (tests.some((glob) => posix.matchesGlob(path, glob))) return 'test'
  return rows.find(([, pattern]) => pattern.test(path))?.[0] ?? undefined
}

/** Joins alternatives, each written on a line of its own or separated by blanks. */
const anyOf = (text: string): string => `(?:${text.trim().split(/\s+/).join('|')})`
const folder = (names: string): string => `(?:^|/)${anyOf(names)}/`
const file = (names: string): string => `(?:^|/)${anyOf(names)}$`
const code = String.raw`\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|scala|groovy|rb|php|cs|fs|vb|swift|exs?|sh|bash|c|cc|cpp|vue|svelte|dart|lua|pl)`

const checkName = String.raw`(?:run[_-]?)?(?:checks?|ci|lint|verify|validate|tests?|smoke|accept(?:ance)?)(?:[._-][\w.-]*)?`

const rows: readonly (readonly [Role | null, RegExp])[] = [
  [null, new RegExp(file(String.raw`\.gitkeep \.keep \.gitmodules`))],
  [
    'runner',
    new RegExp(
      folder(
        String.raw`node_modules vendor site-packages \.venv venv target bower_components [^/]+\.(?:dist|egg)-info`,
      ),
    ),
  ],
  [
    'runner',
    new RegExp(
      file(String.raw`sitecustomize\.py usercustomize\.py .*\.pth .*\.pyc \.pnp\..* gradlew(?:\.bat)? mvnw(?:\.cmd)?`),
    ),
  ],
  [
    'ci',
    new RegExp(
      `${folder(String.raw`\.github \.gitlab \.circleci \.buildkite \.forgejo \.gitea \.woodpecker \.husky \.githooks`)}|${file(
        String.raw`\.gitlab-ci\.yml azure-pipelines\.yml bitbucket-pipelines\.yml \.travis\.yml \.drone\.yml Jenkinsfile.* \.pre-commit-config\.yaml
        \.?lefthook\.ya?ml appveyor\.yml cloudbuild\.ya?ml codecov\.ya?ml`,
      )}`,
    ),
  ],
  // Runs before the tests, and may change how they run.
  ['settings', /(?:^|\/)conftest\.py$/],
  [
    'test',
    new RegExp(
      folder(
        String.raw`[Tt]ests? __tests__ specs? e2e cypress test-d __snapshots__ __mocks__ fixtures? testdata testing test[-_]?(?:utils?|helpers?|support|data)
        matchers stubs fakes goldens? expected baselines step_definitions integration[-_]tests? [\w.-]+Tests`,
      ),
    ),
  ],
  [
    'test',
    new RegExp(
      [
        String.raw`[._-](?:tests?|specs?|cy|e2e|test-d)\.[\w.]+$`,
        String.raw`(?:^|/)t/[^/]*\.t$`,
        `(?:^|/)(?:test[_-][^/]*|tests?|specs?)${code}$`,
        String.raw`[a-z0-9](?:Tests?|IT|Spec|TestCase)\.(?:java|kt|scala|groovy|php|cs|fs|vb|swift)$`,
        String.raw`(?:^|/)(?:(?:spec|rails|test)_helper\.\w+|(?:set-?up|jest|vitest|mocha|test)[._-]?(?:setup|teardown|tests?|env)[^/]*${code})$`,
        String.raw`\.(?:snap|ambr|golden|feature|bats|phpt|approved\.\w+|verified\.\w+)$`,
      ].join('|'),
    ),
  ],
  [
    'script',
    new RegExp(
      file(
        String.raw`(?:GNUm|[Mm])akefile .*\.mk \.?[Jj]ustfile [Tt]askfile\.ya?ml Rakefile build\.(?:rs|ninja) tasks\.py noxfile\.py
        ${checkName}\.(?:sh|bash|ps1) (?:scripts?|tools?|ci|hack)/(?:.*/)?${checkName}\.\w+`,
      ),
    ),
  ],
  ['settings', /(?:^|\/)\.[^/]/],
  ['settings', /\.(?:config|conf|setup|workspace)\.[\w.]+$/],
  [
    'settings',
    new RegExp(
      file(
        String.raw`pytest\.(?:ini|toml) tox\.(?:ini|toml) setup\.cfg mypy\.ini ruff\.toml pylintrc pyrightconfig\.json [tj]sconfig[^/]*\.json biome\.jsonc? rustfmt\.toml
        clippy\.toml deny\.toml nextest\.toml nx\.json turbo\.json lerna\.json angular\.json binding\.gyp knip\.jsonc? cypress\.json jasmine\.json
        deno\.jsonc? bunfig\.toml phpunit[^/]*\.xml[^/]* phpstan[^/]* psalm\.xml checkstyle\.xml pmd\.xml detekt\.yml sonar-project\.properties
        junit-platform\.properties [^/]+\.runsettings (?:babel|webpack|rollup|vite|esbuild|jest|karma)\.[\w.]+ [Gg]runtfile\.\w+ [Gg]ulpfile\.\w+
        rust-toolchain(?:\.toml)? go\.work(?:\.sum)? mise\.toml flake\.(?:nix|lock) pom\.xml build\.gradle(?:\.kts)? settings\.gradle(?:\.kts)?
        gradle\.properties CMakeLists\.txt meson\.build BUILD(?:\.bazel)? WORKSPACE MODULE\.bazel [^/]+\.bzl [^/]+\.csproj Directory\.Build\.\w+
        mix\.exs Package\.swift build\.sbt build\.zig`,
      ),
    ),
  ],
]

/** Whether a file of the start is a test by its content, wherever it lies. */
export const usesTestFramework = (text: string): boolean => frameworks.test(text)
const frameworks = new RegExp(
  [
    String.raw`(?:from|require\(|import\()\s*['"](?:node:test|vitest|@jest/globals|bun:test|ava|tape|mocha|uvu|@playwright/test|cypress)['"]`,
    String.raw`^(?:import|from) (?:pytest|unittest|hypothesis)\b`,
    String.raw`^[ \t]*(?:describe|it|test)\(['"\x60]`,
    String.raw`\bfunc Test[A-Z]\w*\(\w+ \*testing\.T\)`,
    String.raw`^use Test::More\b|\bPHPUnit\\Framework\b|^require ['"](?:minitest|rspec)`,
  ].join('|'),
  'm',
)

/** Whether a command runs this file as a check, not as the product under test. */
export const isNamedCheck = (path: string, commands: readonly string[]): boolean =>
  /(?:^|\/)(?:scripts?|tools?|ci|hack)\/|(?:test|check|verif|lint|spec|valid|assert|accept|gate)[^/]*$/i.test(path) &&
  isCalled(path, commands)

/** Whether commands name a file, and lines of it that were about tests are gone. */
export function isCalledForTests(path: string, before: string, after: string, commands: readonly string[]): boolean {
  const lines = new Set(after.split('\n').map((line) => line.trim()))
  const asking = before.split('\n').filter((line) => isAsking.test(line))
  return asking.some((line) => !lines.has(line.trim())) && isCalled(path, commands)
}

/** By its path, with or without its ending, as a module, by a pattern, or by its name after a change of the folder. */
export function isCalled(path: string, commands: readonly string[]): boolean {
  const stem = path.replace(/\.\w+$/, '')
  const module = path.replace(/\.py$/, '').replaceAll('/', '.')
  return commands.some((text) => {
    const command = text.slice(0, 65_536).replaceAll('%', '*')
    const isElsewhere = /\b(?:cd|pushd|-C)\s/.test(command)
    return (command.match(/[\w@./+*?{}-]+/g) ?? []).some((word) => {
      const name = word.replace(/^(?:\.\/)+/, '')
      if (name === module || (name.includes('*') && posix.matchesGlob(path, name))) return true
      return [path, stem].some((one) => one === name || (isElsewhere && one.endsWith(`/${name}`)))
    })
  })
}

/** Whether a file that is named nowhere as a test may be one. */
export const hasAssertions = (text: string): boolean => /\b(?:assert|expect)\b/.test(text)

/** Whether a source loads assertions, as tests and their helpers do. */
export const loadsAssertions = (text: string): boolean =>
  /(?:from|require\(|import\()\s*['"](?:node:assert|assert|chai|expect|should)(?:\/strict)?['"]/.test(text)

const isAsking = /\b(?:assert|expect|tests?|check|pytest|unittest)\b|^\s*\[ |[=!]=/i

/** Not documents, which may be the product themselves. */
const data = /\.(?:json|ya?ml|toml|csv|tsv|txt|xml|svg|sql|ndjson|jsonl|ini|properties|bin|dat|out|tmpl)$/i

/** Data that only tests name, by its path or its name. `texts` are those of the start. */
export function isTestData(path: string, tests: Texts, product: Texts): boolean {
  if (!data.test(path)) return false
  const name = path.slice(path.lastIndexOf('/') + 1)
  return isNamedIn(tests, name) && !isNamedIn(product, name)
}

const isNamedIn = (texts: Texts, name: string): boolean => [...texts.values()].some((text) => text.includes(name))

/** Whether the product of the start uses a file that looks like a check: by its name, or by a folder and a name. */
export function isUsed(path: string, product: Texts): boolean {
  const [folder = '', name = path] = path.split('/').slice(-2)
  const stem = name.replace(/\.\w+$/, '')
  const isCommon = /^(?:index|main|mod|__init__)$/.test(stem)
  return (
    (!isCommon && isNamedIn(product, name)) ||
    isNamedIn(product, `${folder}/${stem}`) ||
    isNamedIn(product, `${folder}.${stem}`)
  )
}

export type Texts = ReadonlyMap<string, string>
