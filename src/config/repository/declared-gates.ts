import type { Repository } from './repository.ts'

const files = ['AGENTS.md', 'CLAUDE.md'] as const
const maxLines = 2000

/**
 * Finds commands in code blocks under a heading about testing. These files are written for readers, so only plain calls
 * of well-known tools are accepted: no pipes, no variables, nothing that downloads, serves or deploys.
 */
export const findDeclaredGates = (repository: Repository): readonly Gate[] =>
  files.flatMap((from) =>
    parseCommands(repository.text(from)).flatMap((command) => {
      const purpose = findPurpose(command)
      return purpose === undefined ? [] : [{ command, purpose, from }]
    }),
  )

const aboutTesting = /test|verif|check|lint|quality|valid|gate/i
const heading = /^ {0,3}#{1,6}\s/
const fence = /^\s*(?:```|~~~)/

function parseCommands(markdown: string): readonly string[] {
  const found: string[] = []
  let relevant = false
  let inBlock = false
  for (const line of markdown.split('\n').slice(0, maxLines)) {
    if (fence.test(line)) inBlock = !inBlock
    else if (inBlock && relevant) found.push(...line.replace(/\s#.*$/, '').split('&&'))
    else if (!inBlock && heading.test(line)) relevant = aboutTesting.test(line)
  }
  return found.map((command) => command.trim().replace(/^\$\s+/, '')).filter(isCheck)
}

/** Commands that change files or never exit prove nothing. */
const isCheck = (command: string): boolean => !/ (?:--fix|--write|--watch|-w)\b/.test(command)

// Each pattern matches the entire command, so that nothing can be appended to it.
const tools: readonly (readonly [RegExp, Purpose])[] = [
  [/^(?:npm|pnpm|yarn|bun)(?: run)? (?:lint|format:check)[\w:-]*$/, 'lint'],
  [/^(?:npm|pnpm|yarn|bun)(?: run)? (?:typecheck|type-check|check-types|tsc)[\w:-]*$/, 'types'],
  [/^(?:npm|pnpm|yarn|bun)(?: run)? (?:check|verify|validate|ci)$/, 'check'],
  [/^(?:npm|pnpm|yarn|bun)(?: run)? build$/, 'build'],
  [/^(?:npm|pnpm|yarn|bun)(?: run)? test(?:[:-](?:unit|all|ci))?$/, 'test'],
  [/^(?:npx|pnpm exec|bunx) (?:eslint|biome (?:check|ci)|oxlint|prettier --check)(?: [\w./-]+)*$/, 'lint'],
  [/^(?:npx |pnpm exec |bunx )?tsc --noEmit$/, 'types'],
  [/^(?:npx|pnpm exec|bunx) (?:vitest run|jest)$/, 'test'],
  [/^(?:make|just) lint$/, 'lint'],
  [/^(?:make|just) (?:check|verify|ci)$/, 'check'],
  [/^(?:make|just) test$/, 'test'],
  [/^cargo clippy(?: [\w-]+)*$/, 'lint'],
  [/^cargo fmt(?: --all)?(?: --)? --check$/, 'lint'],
  [/^cargo (?:check|build)$/, 'build'],
  [/^cargo (?:test|nextest run)(?: --[\w-]+)*$/, 'test'],
  [/^golangci-lint run$/, 'lint'],
  [/^go vet \.\/\.\.\.$/, 'types'],
  [/^go test(?: -\w+)* \.\/\.\.\.$/, 'test'],
  [/^(?:(?:uv|poetry|pdm|pipenv) run )?ruff check(?: \.)?$/, 'lint'],
  [/^(?:(?:uv|poetry|pdm|pipenv) run )?mypy(?: [\w./-]+)*$/, 'types'],
  [/^(?:(?:uv|poetry|pdm|pipenv) run )?(?:python3? -m )?pytest(?: -\w+)*$/, 'test'],
  [/^(?:(?:uv|poetry|pdm|pipenv) run )?python3? -m unittest(?: discover)?(?: -[a-z](?: [\w.][\w./-]*)?)*$/, 'test'],
  [/^tox$/, 'test'],
  [/^(?:\.\/gradlew|gradle) (?:check|test)$/, 'test'],
  [/^(?:\.\/mvnw|mvn)(?: -\w+)* (?:test|verify)$/, 'test'],
  [/^deno lint$/, 'lint'],
  [/^deno test(?: --[\w-]+)*$/, 'test'],
  [/^composer(?: run)? (?:lint|stan|analyse)$/, 'lint'],
  [/^(?:composer(?: run)? test|vendor\/bin\/phpunit)$/, 'test'],
  [/^mix format --check-formatted$/, 'lint'],
  [/^mix test$/, 'test'],
  [/^bundle exec (?:rspec|rake test)$/, 'test'],
  [/^(?:dotnet|swift) test$/, 'test'],
]

const findPurpose = (command: string): Purpose | undefined => tools.find(([pattern]) => pattern.test(command))?.[1]

/** Purposes of gates, cheapest first, so that a typo is reported before the long tests run. */
const purposes = ['lint', 'types', 'check', 'build', 'test'] as const
export type Purpose = (typeof purposes)[number]

/** A command suggested by a file of the repository. */
export type Gate = { readonly command: string; readonly purpose: Purpose; readonly from: string }

/** Common names of scripts, tasks and targets; the first match wins. */
const names: readonly (readonly [Purpose, readonly string[]])[] = [
  ['lint', ['lint']],
  ['types', ['typecheck', 'type-check', 'check-types', 'check:types', 'types']],
  ['build', ['build']],
  ['test', ['test', 'tests', 'test:all', 'test:ci', 'test:run', 'test:unit', 'unit']],
]

/** Picks the scripts worth proposing. `check` often runs everything, so it is used if there is no lint or type check. */
export function pickNames(known: readonly string[]): readonly (readonly [Purpose, string])[] {
  const picked = names.flatMap(([purpose, wanted]) => {
    const name = wanted.find((one) => known.includes(one))
    return name === undefined ? [] : [[purpose, name] as const]
  })
  const covered = picked.some(([purpose]) => purpose === 'lint' || purpose === 'types')
  return known.includes('check') && !covered ? [...picked, ['check', 'check']] : picked
}

export const sortGates = (gates: readonly Gate[]): readonly Gate[] =>
  purposes.flatMap((purpose) => gates.filter((gate) => gate.purpose === purpose))
