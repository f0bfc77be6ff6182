import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser'
import { findUsedEntries, swallows } from './commands.ts'
import type { Finding } from './finding.ts'
import { formatLine } from './normalize-lines.ts'

/** Package scripts, make targets or recipes: commands by name. */
export type Entries = Readonly<Record<string, string>>

/** Reports changed entries that verification uses or whose name suggests a check, and new entries that a command now calls. */
export function checkEntries(before: Entries | undefined, after: Entries, commands: readonly string[]): Finding[] {
  const used = findUsedEntries({ ...after, ...before }, commands)
  for (const name of findUsedEntries(after, commands)) used.add(name)
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])].flatMap((name) => {
    const [was, now] = [meant(before?.[name]), after[name]]
    if (was === now || (was !== undefined && now !== undefined && bare(was) === bare(now))) return []
    if (!used.has(name) && !(was !== undefined && decisive.test(name))) return []
    // The first scripts of a new project are fine, as long as they can fail.
    const isFirst = was === undefined && (before === undefined || before[name] !== undefined)
    if (isFirst && !swallows(now ?? '')) return []
    const says =
      was === undefined
        ? `was added: "${show(now!)}"`
        : now === undefined
          ? `"${show(was)}" was removed`
          : pair(was, now)
    return [{ kind: 'script-changed' as const, says: `"${formatLine(name, 30)}": ${says}` }]
  })
}

const decisive =
  /^(?:pre|post)?(?:tests?|lint|check|verify|ci|validate|types?|typecheck|type-check|coverage|e2e|spec|qa)(?:$|[:_-])/
const meant = (text: string | undefined): string | undefined => (text?.includes('no test specified') ? undefined : text)
const bare = (text: string): string => text.replace(/\s+/g, ' ').trim()
const show = (text: string): string => formatLine(bare(text), 60)

/** Shows both texts from shortly before their first difference. */
function pair(was: string, now: string): string {
  const [a, b] = [bare(was), bare(now)]
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const from = Math.max(0, same - 30)
  const cut = (text: string): string => (from > 0 ? `…${show(text.slice(from))}` : show(text))
  return `"${cut(a)}" became "${cut(b)}"`
}

export type Json = Readonly<Record<string, unknown>>

/** Parses JSON with comments and trailing commas. Undefined if the text is not an object. */
export function readJson(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined
  const errors: ParseError[] = []
  try {
    const tree = parseTree(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
    return tree && errors.length === 0 ? toObject(getNodeValue(tree)) : undefined
  } catch {
    // Nested too deeply for the stack.
    return undefined
  }
}

export const toObject = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

export const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Returns the keys whose values differ, including keys present on only one side. */
export function findChangedKeys(before: Json = {}, after: Json = {}): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => toText(before[key]) !== toText(after[key]),
  )
}
