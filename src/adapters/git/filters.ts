import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A filter of the repository's own configuration is a program that git would start to compare a file. All of them are
 * switched off: a file may then look changed that is not, and nothing runs. Asked of git only where the configuration
 * could name one, or where those that a person has set up for all repositories count too.
 */
export async function filterNames(
  root: string,
  ask: (...args: readonly string[]) => Promise<Buffer | undefined>,
  everywhere = false,
): Promise<readonly string[]> {
  if (!everywhere && !configTexts(root).some((text) => text === undefined || /filter|include/i.test(text))) return []
  const found = (await ask('config', '--null', '--name-only', '--get-regexp', '^filter\\.'))?.toString('utf8')
  return [...new Set((found ?? '').split('\0').flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []))]
}

/** The environment in which these filters are none. */
export function silencing(names: readonly string[]): Record<string, string> {
  const pairs = names.flatMap((name) => [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
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

/**
 * undefined where git has to be asked: for a file that is not a small plain one, and wherever `.git` only tells where
 * the rest lies, since nobody but git reads that exactly as git does.
 */
function configTexts(root: string): (string | undefined)[] {
  const own = join(root, '.git')
  const plain = statSync(own, { throwIfNoEntry: false })?.isDirectory() && !existsSync(join(own, 'commondir'))
  return plain ? ['config', 'config.worktree'].map((name) => smallText(join(own, name))) : [undefined]
}

function smallText(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return ''
  return found.isFile() && found.size < 1 << 20 ? readFileSync(path, 'utf8') : undefined
}
