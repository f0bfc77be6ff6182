import { toJsonSchema } from '../../../../judging/scoring/question.ts'
import { findJsonObjects } from '../../../../judging/text/find-json.ts'
import { type ChangeLabel, DiffLabels } from '../../contract/diff-labels.ts'
import { restId } from './apply.ts'
import type { ComputedDiff } from './compute.ts'

/** Schema of the reply. */
export const diffReplySchema = toJsonSchema(DiffLabels)

type Reading = { readonly labels: DiffLabels } | { readonly unreadable: string }

const maxCharacters = 1024 * 1024
const mostChanges = 500
/** Per change; the rest is dropped. */
const mostQuotes = 20

/** Parses a model's labels. A reply with a missing field or an unknown word is unreadable as a whole: half a diff would mislead. */
export function readLabels(reply: string, computed: Pick<ComputedDiff, 'hunks'>): Reading {
  if (reply.length > maxCharacters) return { unreadable: 'the reply is longer than 1 MiB' }
  const objects = findJsonObjects(reply)
  if (!objects) return { unreadable: 'the JSON is broken, repeats a key or nests too deep' }
  const found = objects.filter(({ value }) => Object.hasOwn(value, 'changes'))
  if (found.length !== 1) return { unreadable: `there are ${found.length} JSON objects with "changes", not one` }
  const parsed = DiffLabels.safeParse(found[0]!.value)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    return { unreadable: `${path.join('.')}: ${message}` }
  }
  const why = refuseChanges(parsed.data.changes, computed.hunks.length)
  if (why !== undefined) return { unreadable: why }
  const changes = parsed.data.changes.map((change) => ({ ...change, evidence: change.evidence.slice(0, mostQuotes) }))
  return { labels: { ...parsed.data, changes } }
}

function refuseChanges(changes: readonly ChangeLabel[], hunks: number): string | undefined {
  if (changes.length > mostChanges) return `there are ${changes.length} changes, more than ${mostChanges}`
  if (hunks > 0 && changes.length === 0) return `there are ${hunks} hunks and no change`
  const seen = new Set<string>([restId])
  for (const { id, title } of changes) {
    if (id.trim() === '' || seen.has(id)) return `the id "${id}" is empty, reserved or there twice`
    if (title.trim() === '') return `the change ${id} has no title`
    seen.add(id)
  }
  return undefined
}
