import { compareLines } from './text/compare.ts'
import { andMore, type Finding, type Touched, wasAdded } from './text/finding.ts'
import { linesOf } from './text/lines.ts'
import { roleOf } from './text/roles.ts'

/** Words in code by which a linter or type checker is told to look away, where they are new. */
export function newSuppressions({ path, before = '', after }: Touched): Finding[] {
  if (after === undefined || !canSuppress(path) || !suppression.test(after)) return []
  const [old, now] = [linesOf(before), linesOf(after)]
  const added = compareLines(old, now).hunks.flatMap((hunk) => {
    const known = hunk.removed.filter((i) => suppression.test(old.raw[i]!)).length
    return hunk.added
      .map((j) => now.raw[j]!)
      .filter((line) => suppression.test(line))
      .slice(known)
  })
  // Tests of types expect errors.
  const told = roleOf(path) === 'test' ? added.filter((line) => !line.includes('@ts-expect-error')) : added
  return told.length === 0 ? [] : [{ kind: 'lint-changed', says: andMore(told.map(wasAdded)) }]
}

export const canSuppress = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kt|kts|scala|rb|php|cs|swift|exs?|sh|bash|vue|svelte|astro|css|scss|html)$/.test(
    path,
  )

const suppression =
  /(?:\/\/|\/\*|<!--)\s?(?:eslint-disable|oxlint-disable|biome-ignore|@ts-(?:ignore|nocheck|expect-error)|prettier-ignore|stylelint-disable|tslint:disable|nolint|lint:ignore|deno-lint-ignore|phpcs:|@phpstan-ignore|@psalm-suppress|swiftlint:disable|ktlint-disable)|#\s?(?:type:\s?ignore|noqa|ruff:\s?noqa|flake8:\s?noqa|pylint:\s?disable|mypy:|pyright:|rubocop:disable|shellcheck disable|credo:disable)|#!?\[(?:allow|expect)\(|@SuppressWarnings|@Suppress\(|#pragma warning disable|^\/\/nolint/m
