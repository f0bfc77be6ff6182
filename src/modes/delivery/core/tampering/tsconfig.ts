import type { Finding, Touched } from './text/finding.ts'
import { changedKeys, type Json, objectOf, readJson, textOf } from './text/json.ts'
import { shown } from './text/lines.ts'

/** Of a tsconfig only what makes it look at less, or less strictly. */
export function changedTsconfig({ before, after, status }: Touched): Finding[] {
  if (status === 'added') return []
  if (status === 'deleted') return [{ kind: 'config-changed', says: 'the configuration of the compiler was deleted' }]
  const [was, now] = [readJson(before), readJson(after)]
  if (!was || !now) return [{ kind: 'config-changed', says: 'it cannot be read as JSON, before or after' }]
  const [old, current] = [objectOf(was.compilerOptions) ?? {}, objectOf(now.compilerOptions) ?? {}]
  return [
    ...changedKeys(old, current)
      .filter((key) => isLooser(key, current[key]))
      .map((key) => told(key, old, current)),
    ...['include', 'files']
      .filter((key) => was[key] !== undefined && !holds(now[key], was[key]))
      .map((key) => told(key, was, now)),
    ...['include', 'files']
      .filter((key) => was[key] === undefined && now[key] !== undefined)
      .map((key) => told(key, was, now)),
    ...['exclude'].filter((key) => !holds(was[key], now[key])).map((key) => told(key, was, now)),
    ...['extends']
      .filter((key) => was[key] !== undefined && textOf(was[key]) !== textOf(now[key]))
      .map((key) => told(key, was, now)),
  ]
}

const isLooser = (key: string, value: unknown): boolean =>
  strict.test(key) ? value !== true : loose.test(key) && value === true
const strict =
  /^(?:strict\w*|alwaysStrict|no(?!Emit|Resolve|Lib|ErrorTruncation|CheckJs)[A-Z]\w*|exactOptional\w*|useUnknown\w*|checkJs)$/
const loose = /^(?:allowUn\w*|skipLibCheck|skipDefaultLibCheck|suppress\w*|noCheck)$/

/** Whether one list has everything that the other has. */
const holds = (more: unknown, less: unknown): boolean =>
  less === undefined || (Array.isArray(more) && Array.isArray(less) && less.every((each) => more.includes(each)))

const told = (key: string, was: Json, now: Json): Finding => ({
  kind: 'config-changed',
  says: `"${shown(key, 40)}": \`${show(was[key])}\` became \`${show(now[key])}\``,
})
const show = (value: unknown): string => shown(textOf(value) || 'nothing', 60)
