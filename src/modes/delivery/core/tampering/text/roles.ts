/** The part a file plays in verification, judged by its name. */
export type Role =
  | 'test'
  | 'fixture'
  | 'helper'
  | 'setup'
  | 'hook'
  | 'ci'
  | 'manifest'
  | 'targets'
  | 'sections'
  | 'build'
  | 'tsconfig'
  | 'config'
  | 'lint'
  | 'runner'

export const findRole = (path: string): Role | undefined =>
  isCache.test(path) ? undefined : roles.find(([, ...all]) => all.every((pattern) => pattern.test(path)))?.[0]

/** The name of a package never begins with a dot, so tools keep their caches below one. */
const isCache = /(?:^|\/)node_modules\/\.(?!(?:bin|pnpm|store|bun|deno)\/)/

/** Whether runners find the file by its name alone, in any folder. */
export const isTestByName = (path: string): boolean => testNames.test(path)

const code = String.raw`\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|scala|groovy|rb|php|cs|fs|vb|swift|exs?|bats|sh|c|cc|cpp|vue|svelte|dart)$`
const testFolder = String.raw`(?:^|/)(?:[Tt]ests?|__tests__|e2e|cypress|integration[-_]tests?|[\w.-]+Tests)/`
// Folders named `spec` or `features` may also hold documents or product code.
const codeFolder = `(?:${testFolder}|(?:^|/)(?:specs?|features/step_definitions)/)`
const fixtureFolder = `(?:${testFolder}|(?:^|/)spec/(?:fixtures|cassettes|files)/)`
const testNames = new RegExp(
  [
    String.raw`[._-](?:tests?|specs?|cy|e2e)\.[cm]?[jt]sx?$`,
    String.raw`(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests)\.py$`,
    String.raw`_test\.(?:go|exs|rb|dart|cc?|cpp)$`,
    String.raw`_spec\.rb$`,
    String.raw`(?:Tests?|IT|Spec|TestCase)\.(?:java|kt|scala|groovy|php|cs|fs|vb|swift)$`,
    String.raw`(?:^|/)(?:Test|test_)[^/]*\.(?:java|kt|cs|rb|php|bats|sh)$`,
    String.raw`\.(?:bats|feature|phpt)$`,
    String.raw`(?:^|/)tests?\.rs$`,
    String.raw`(?:^|/)tests/[^/]+\.rs$`,
  ].join('|'),
)

const helperNames = /(?:helper|support|util|fixture|mock|stub|factor(?:y|ies)|common)[^/]*(?:\/[^/]*)?$/i

/** The first row whose patterns all match decides. */
const roles: readonly (readonly [Role, ...RegExp[]])[] = [
  ['runner', /(?:^|\/)(?:node_modules|\.venv)\/|^(?:gradlew|mvnw|sbtw?)(?:\.bat|\.cmd)?$|^gradle\/wrapper\//],
  ['runner', /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|bunfig\.toml|\.cargo\/config(?:\.toml)?)$/],
  ['runner', /(?:^|\/)(?:sitecustomize|usercustomize)\.py$/],
  ['runner', /^(?:(?:src\/|lib\/)?(?:pytest|_pytest|unittest)|nose2?|tox|nox|coverage|pluggy)(?:\.py|\/__init__\.py)$/],
  [
    'runner',
    /^(?:bin\/)?(?:jest|vitest|mocha|ava|tap|jasmine|karma|playwright|cypress|tsc|eslint|biome)(?:\.[cm]?js|\/index\.[cm]?js)?$/,
  ],
  [
    'runner',
    /^(?:bin\/)?(?:npm|npx|node|pnpm|yarn|bun|go|cargo|make|python3?|pytest|tox|ruff|mypy|ruby|rspec|rake|phpunit|dotnet|mix|bats)$/,
  ],
  ['hook', /^(?:\.husky|\.githooks|githooks)\/|(?:^|\/)\.gitattributes$/],
  ['ci', /^\.(?:github\/(?:workflows|actions)|gitlab|circleci|buildkite|forgejo|gitea|woodpecker|semaphore|ci)\//],
  ['ci', /^(?:ci|\.azure-pipelines|azure-pipelines)\/[^/]+\.ya?ml$/],
  [
    'ci',
    /^(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|\.drone|\.woodpecker|appveyor|\.appveyor|\.cirrus|cloudbuild|buildspec|codecov|\.codecov)\.ya?ml$/,
  ],
  [
    'ci',
    /^(?:Jenkinsfile[^/]*|\.pre-commit-config\.yaml|\.?lefthook\.ya?ml|\.pawl\/config\.ya?ml|sonar-project\.properties)$/,
  ],
  ['manifest', /(?:^|\/)(?:package|composer|deno)\.jsonc?$/],
  [
    'targets',
    /(?:^|\/)(?:(?:GNUm|[Mm])akefile|\.?[Jj]ustfile|Taskfile\.ya?ml|Rakefile|noxfile\.py|[\w-]+\.mk)$|^tasks\.py$/,
  ],
  ['sections', /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini|Cargo\.toml|Pipfile)$/],
  [
    'build',
    /(?:^|\/)(?:build\.gradle(?:\.kts)?|pom\.xml|build\.sbt|mix\.exs|Package\.swift|CMakeLists\.txt|[^/]+\.csproj|Directory\.Build\.props)$/,
  ],
  ['tsconfig', /(?:^|\/)(?:ts|js)config[^/]*\.json$/],
  [
    'config',
    /(?:^|\/)(?:vitest|jest|ava|playwright|cypress|karma|wdio|nightwatch|stryker|web-test-runner)\.(?:config|conf|workspace)\.[^/]+$/,
  ],
  [
    'config',
    /(?:^|\/)(?:vite\.config\.[^/]+|cypress\.json|\.mocharc[^/]*|\.nycrc[^/]*|\.c8rc[^/]*|\.env\.test|\.taprc|\.jasmine\.json|jasmine\.json|nx\.json|turbo\.json)$/,
  ],
  [
    'config',
    /(?:^|\/)(?:\.?pytest\.ini|\.coveragerc|phpunit(?:\.dist)?\.xml(?:\.dist)?|Pest\.php|\.rspec|nextest\.toml|[^/]+\.runsettings|\.xctestplan|coveralls\.json|junit-platform\.properties)$/,
  ],
  ['lint', /(?:^|\/)\.?(?:eslint|prettier|stylelint|xo|tslint)(?:rc(?:\.[^/]+)?|\.config\.[^/]+|ignore|\.json)$/],
  [
    'lint',
    /(?:^|\/)(?:biome\.jsonc?|\.?oxlintrc\.jsonc?|knip\.jsonc?|\.?ruff\.toml|\.flake8|\.?pylintrc|\.?mypy\.ini|pyrightconfig\.json)$/,
  ],
  [
    'lint',
    /(?:^|\/)(?:\.golangci\.[^/]+|\.?clippy\.toml|\.?rustfmt\.toml|\.rubocop[^/]*\.yml|phpcs\.xml[^/]*|phpstan[^/]*\.neon[^/]*|psalm\.xml|\.php-cs-fixer[^/]*|\.credo\.exs|\.swiftlint\.yml|detekt\.yml|checkstyle\.xml|pmd\.xml|\.shellcheckrc|\.yamllint|\.markdownlint[^/]*|deny\.toml)$/,
  ],
  ['setup', /(?:^|\/)conftest\.py$/],
  [
    'setup',
    /(?:^|\/)(?:(?:vitest|jest|mocha|tests?|global|cypress)[._-]?(?:setup|teardown)|set-?up[._-]?(?:tests?|vitest|jest|files|globals))[^/]*\.[cm]?[jt]sx?$/i,
  ],
  [
    'setup',
    /(?:^|\/)(?:(?:spec|rails|test)_helper\.(?:rb|exs)|(?:tests?|spec)\/(?:bootstrap\.php|__init__\.py|TestCase\.php))$|(?:^|\/)cypress\/support\//,
  ],
  ['setup', /(?:^|\/)(?:setup|teardown|global)[^/]*$/i, new RegExp(testFolder), new RegExp(code)],
  [
    'fixture',
    /(?:^|\/)__snapshots__\/|\.(?:snap|ambr|approved\.\w+|verified\.\w+|golden)$|(?:^|\/)(?:testdata|goldens?)\//,
  ],
  ['test', testNames],
  ['helper', helperNames, new RegExp(testFolder), new RegExp(code)],
  ['helper', /(?:^|\/)__mocks__\//],
  ['test', new RegExp(codeFolder), new RegExp(code)],
  ['fixture', new RegExp(fixtureFolder), /(?<!\.(?:md|mdx|txt|rst|adoc))$/],
]
