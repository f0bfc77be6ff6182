import { structuredPatch } from 'diff'
import type { DiffLine } from '../../contract/show.ts'

export type Difference =
  | { readonly status: 'same' }
  | {
      readonly status: 'changed'
      readonly lines: readonly DiffLine[]
      readonly hunks: number
      readonly added: number
      readonly removed: number
    }
  /** A line-by-line diff would take too long. */
  | { readonly status: 'replaced'; readonly added: number; readonly removed: number }

const kinds = { '+': 'added', '-': 'removed' } as const
const context = 3

/** Returns a unified diff. The time is bounded, however long and different the texts are. */
export function diffTexts(name: string, before: string, after: string, limitMs = 1000): Difference {
  if (before === after) return { status: 'same' }
  const patch = structuredPatch(name, name, before, after, undefined, undefined, { context, timeout: limitMs })
  if (!patch) return { status: 'replaced', added: countLines(after), removed: countLines(before) }
  const body = patch.hunks.flatMap((hunk): DiffLine[] => [
    { kind: 'hunk', text: `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@` },
    ...hunk.lines.map((text) => ({ kind: kinds[text[0] as keyof typeof kinds] ?? ('same' as const), text })),
  ])
  const count = (kind: DiffLine['kind']): number => body.filter((line) => line.kind === kind).length
  return {
    status: 'changed',
    lines: [{ kind: 'name', text: `--- ${name}` }, { kind: 'name', text: `+++ ${name}` }, ...body],
    hunks: patch.hunks.length,
    added: count('added'),
    removed: count('removed'),
  }
}

/** An empty range names the line before it. */
const range = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`

const countLines = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length)
