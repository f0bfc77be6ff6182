import { loosens } from './scripts.ts'
import type { Reach } from './text/commands.ts'
import type { About, Finding, Touched } from './text/finding.ts'
import { formatLine } from './text/normalize-lines.ts'
import {
  checkEntries,
  type Entries,
  findChangedKeys,
  type Json,
  readJson,
  toObject,
  toText,
} from './text/scripts-diff.ts'

/** package.json, composer.json and deno.json: scripts, test and lint settings, and the origin of runners. */
export function checkManifest({ before, after, status }: Touched, about: About, reach: Reach): Finding[] {
  if (status === 'deleted') return [{ kind: 'script-changed', says: 'the file that defines the scripts was deleted' }]
  const [was, now] = [status === 'added' ? {} : readJson(before), readJson(after)]
  if (!was || !now) return [{ kind: 'script-changed', says: 'it is not valid JSON, before or after the change' }]
  return [
    ...checkEntries(status === 'added' ? undefined : listScripts(was), listScripts(now), about.commands),
    ...findReplacedRunners(was, now, reach),
    ...(status === 'added' ? [] : checkSettings(was, now)),
  ]
}

const listScripts = (manifest: Json): Entries =>
  Object.fromEntries(
    Object.entries({ ...toObject(manifest.scripts), ...toObject(manifest.tasks) }).map(([name, value]) => [
      name,
      toText(value),
    ]),
  )

const settings: Readonly<Record<string, Finding['kind']>> = {
  jest: 'config-changed',
  vitest: 'config-changed',
  mocha: 'config-changed',
  ava: 'config-changed',
  tap: 'config-changed',
  nyc: 'config-changed',
  c8: 'config-changed',
  eslintConfig: 'lint-changed',
  eslintIgnore: 'lint-changed',
  prettier: 'lint-changed',
  stylelint: 'lint-changed',
  xo: 'lint-changed',
  standard: 'lint-changed',
  knip: 'lint-changed',
  lint: 'lint-changed',
}

const checkSettings = (was: Json, now: Json): Finding[] =>
  findChangedKeys(was, now).flatMap((key) => {
    const kind = Object.hasOwn(settings, key) ? settings[key] : undefined
    // Adding settings to a project that had none is fine.
    if (!kind || (was[key] === undefined && !loosens.test(toText(now[key])))) return []
    return [{ kind, says: `"${key}": \`${show(was[key])}\` became \`${show(now[key])}\`` }]
  })

/** Finds runners that now come from elsewhere: another package under the same name, or a local folder. */
function findReplacedRunners(was: Json, now: Json, reach: Reach): Finding[] {
  const isRunner = (name: string): boolean => runners.test(name) || reach.words.has(name)
  const plain = groups.flatMap((group) => {
    const [before, after] = [toObject(at(was, group)), toObject(at(now, group))]
    return findChangedKeys(before, after)
      .filter((name) => isRunner(name) && elsewhere.test(toText(after?.[name])))
      .map((name) => replaced(name, before?.[name], after?.[name]))
  })
  const forced = overrides.flatMap((group) => {
    const [before, after] = [toObject(at(was, group)), toObject(at(now, group))]
    return findChangedKeys(before, after)
      .filter((name) => after?.[name] !== undefined && isRunner(readName(name)))
      .map((name) => replaced(`${group}: ${name}`, before?.[name], after?.[name]))
  })
  return [...plain, ...forced]
}

const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'require-dev', 'imports']
const overrides = ['overrides', 'resolutions', 'pnpm.overrides', 'pnpm.patchedDependencies', 'patchedDependencies']
const runners =
  /^(?:vitest|jest|mocha|ava|tap|jasmine|karma|cypress|uvu|tape|chai|sinon|nyc|c8|typescript|tsx|ts-node|ts-jest|eslint|oxlint|stylelint|prettier|expect|@(?:vitest|jest|playwright|biomejs|types\/jest|testing-library|typescript-eslint|eslint)(?:\/.*)?|playwright|phpunit\/phpunit|pestphp\/pest|phpstan\/phpstan)$/
const elsewhere =
  /^(?:file|link|portal|patch|git|git\+\w+|github|gitlab|https?|npm|workspace):|^[\w.-]+\/[\w.-]+(?:#|$)|^\.{0,2}\//
const at = (json: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => toObject(value)?.[key], json)
const readName = (key: string): string =>
  key
    .split(/>|\*\*\//)
    .at(-1)!
    .trim()
    .replace(/(?<=.)@.*$/, '')
const show = (value: unknown): string => formatLine(toText(value) || 'nothing', 60)
const replaced = (name: string, was: unknown, now: unknown): Finding => ({
  kind: 'runner-replaced',
  says: `${formatLine(name, 50)}: \`${show(was)}\` became \`${show(now)}\``,
})
