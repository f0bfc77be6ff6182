/** Whether a file holds tests, or says what is tested and how: whoever changes one of those changes the judge. */
export function kindOf(path: string): 'test' | 'check' | 'other' {
  if (tests.some((pattern) => pattern.test(path))) return 'test'
  return checks.some((pattern) => pattern.test(path)) ? 'check' : 'other'
}

const tests = [
  /(?:^|\/)(?:tests?|__tests__|__snapshots__|e2e|testdata)\//i,
  // Specifications in prose lie in folders of the same name.
  /(?:^|\/)specs?\/.*(?<!\.(?:md|mdx|txt|rst|adoc))$/i,
  /[._-](?:test|tests|spec|specs)\.[^/]+$/i,
  /(?:^|\/)test_[^/]+\.py$/,
  /(?:^|\/)conftest\.py$/,
  /(?:Test|Tests|Spec)\.(?:java|kt|cs|swift|scala|groovy|php)$/,
]

const checks = [
  /^\.(?:github|gitlab|circleci|buildkite|husky|ci)\//,
  /^(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|\.pre-commit-config|lefthook|codecov|sonar-project)\.[^/]+$/,
  /^(?:Jenkinsfile|Makefile|justfile|Justfile|Taskfile\.ya?ml)$/,
  /(?:^|\/)\.(?:pawl|rooda)\/config\.ya?ml$/,
  /(?:^|\/)(?:package\.json|tsconfig[^/]*\.json|biome\.jsonc?|knip\.jsonc?|pyproject\.toml|setup\.cfg)$/,
  /(?:^|\/)(?:pytest|tox|mypy)\.ini$/,
  /(?:^|\/)(?:vitest|jest|playwright|cypress|karma|eslint|prettier|webpack|rollup|vite)\.config\.[^/]+$/,
  /(?:^|\/)\.(?:eslintrc|prettierrc|oxlintrc|mocharc|nycrc|rubocop|golangci|flake8|coveragerc)[^/]*$/,
]
