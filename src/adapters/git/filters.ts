import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * A filter of the repository's own configuration is a program that git would start to compare a file. All of them are
 * switched off: a file may then look changed that is not, and nothing runs. Asked of git only where the configuration
 * could name one.
 */
export async function silencedFilters(
  root: string,
  ask: (...args: readonly string[]) => Promise<Buffer | undefined>,
): Promise<Record<string, string>> {
  if (!configTexts(root).some((text) => text === undefined || /filter|include/i.test(text))) return {}
  const found = (await ask('config', '--null', '--name-only', '--get-regexp', '^filter\\.'))?.toString('utf8')
  const names = new Set((found ?? '').split('\0').flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []))
  const pairs = [...names].flatMap((name) => [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ])
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(pairs.length)],
    ...pairs.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]) as Record<string, string>
}

/** undefined for a file that is there and is not a small plain one. */
function configTexts(root: string): (string | undefined)[] {
  const own = gitFolder(root)
  const shared = resolve(own, smallText(join(own, 'commondir'))?.trim() || '.')
  return [join(shared, 'config'), join(shared, 'config.worktree'), join(own, 'config.worktree')].map(smallText)
}

/** In a linked work tree and in a submodule `.git` is a file that tells where the rest lies. */
function gitFolder(root: string): string {
  const path = join(root, '.git')
  const told = statSync(path, { throwIfNoEntry: false })?.isFile() ? smallText(path) : ''
  return resolve(root, /^gitdir: (.*)/.exec(told ?? '')?.[1]?.trim() ?? '.git')
}

function smallText(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return ''
  return found.isFile() && found.size < 1 << 20 ? readFileSync(path, 'utf8') : undefined
}
