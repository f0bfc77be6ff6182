import type { Repository } from './repository.ts'

const files = ['AGENTS.md', 'CLAUDE.md'] as const
const mostLines = 2000

/**
 * Commands in code blocks below a heading about testing. Prose is written for readers, so of it only plain calls of
 * well-known tools count: no pipes, no variables, nothing that is fetched, started or deployed.
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
  for (const line of markdown.split('\n').slice(0, mostLines)) {
    if (fence.test(line)) inBlock = !inBlock
    else if (inBlock && relevant) found.push(...line.replace(/\s#.*$/, '').split('&&'))
    else if (!inBlock && heading.test(line)) relevant = aboutTesting.test(line)
  }
  return found.map((command) => command.trim().replace(/^\$\s+/, '')).filter(isCheck)
}

/** What changes files or does not end proves nothing. */
const isCheck = (command: string): boolean => !/ (?:--fix|--write|--watch|-w)\b/.test(command)

// Whole commands, so that nothing can hang behind them.
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

/** What a gate is for. Cheap ones come first, so that a slip is told before the long tests run. */
const purposes = ['lint', 'types', 'check', 'build', 'test'] as const
export type Purpose = (typeof purposes)[number]

/** A command that the repository itself suggests, and the file that does. */
export type Gate = { readonly command: string; readonly purpose: Purpose; readonly from: string }

/** Names that people give to scripts, tasks and targets; the first one that is there counts. */
const names: readonly (readonly [Purpose, readonly string[]])[] = [
  ['lint', ['lint']],
  ['types', ['typecheck', 'type-check', 'check-types', 'check:types', 'types']],
  ['build', ['build']],
  ['test', ['test']],
]

/** The scripts worth proposing, by purpose. `check` is often all of them in one, so it stands in for what is missing. */
export function pickNames(known: readonly string[]): readonly (readonly [Purpose, string])[] {
  const picked = names.flatMap(([purpose, wanted]) => {
    const name = wanted.find((one) => known.includes(one))
    return name === undefined ? [] : [[purpose, name] as const]
  })
  const covered = picked.some(([purpose]) => purpose === 'lint' || purpose === 'types')
  return known.includes('check') && !covered ? [...picked, ['check', 'check']] : picked
}

export const sorted = (gates: readonly Gate[]): readonly Gate[] =>
  purposes.flatMap((purpose) => gates.filter((gate) => gate.purpose === purpose))
