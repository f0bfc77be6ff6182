import { z } from 'zod'
import type { Level } from '../contract/project-type.ts'
import type { Scope } from './level/scope.ts'

/** A file that an attempt writes. */
export type Piece = {
  readonly name: string
  /** What has to be done in it. */
  readonly task: string
  /** The usual length, for a new file. */
  readonly words?: number | undefined
  /** Changed although the feedback does not name it. */
  readonly isRipple: boolean
}

export type RevisionPlan = { readonly pieces: readonly Piece[]; readonly removed: readonly string[] }

/** The reply to the question into which parts a level is divided. */
export const OutlineReply = z.strictObject({
  parts: z.array(z.strictObject({ title: z.string(), summary: z.string() })),
})

/** The reply to the question which files have to change. */
export const PlanReply = z.strictObject({
  understanding: z.string(),
  files: z.array(
    z.strictObject({
      name: z.string(),
      action: z.enum(['change', 'add', 'remove']),
      task: z.string(),
      ripple: z.boolean(),
    }),
  ),
})
export type PlanReply = z.infer<typeof PlanReply>

export type PlanLimits = {
  readonly names: readonly string[]
  /** Files that the feedback names; undefined if it names none. */
  readonly scope: Scope | undefined
  numberOf(name: string): number | undefined
  /** Whether this is a name that a file of the level may have. */
  isValid(name: string): boolean
}

/**
 * Turns a reply into the files to write. Of the files that the feedback names, those that the reply lists: a feedback may also name a
 * file as a reason. Other files change only with a reason of their own. A name that the level cannot have is dropped.
 */
export function readPlan(reply: PlanReply, level: Level, limits: PlanLimits): RevisionPlan {
  const { names, scope } = limits
  const listed = new Map(reply.files.map((file) => [cleanName(file.name, level), file] as const))
  const named = scope ? names.filter((name) => isInScope(name, level, scope, limits)) : []
  const pieces: Piece[] = []
  const removed: string[] = []
  for (const name of names) {
    const file = listed.get(name)
    if (!file) continue
    if (file.action === 'remove') removed.push(name)
    else {
      const isRipple = scope ? !named.includes(name) : file.ripple
      const task = file.task.trim()
      if (!isRipple || task !== '') pieces.push({ name, task, isRipple })
    }
  }
  for (const [name, file] of listed) {
    if (names.includes(name) || file.action === 'remove' || !limits.isValid(name)) continue
    pieces.push({ name, task: file.task.trim(), isRipple: false, words: level.words })
  }
  // A level never loses all of its files by a revision.
  const isEmptied = removed.length === names.length && pieces.length === 0
  return isEmptied ? { pieces: planWithoutReply(level, limits).pieces, removed: [] } : { pieces, removed }
}

/** If there is no usable plan: the files that the feedback names, or all of them. */
export function planWithoutReply(level: Level, limits: PlanLimits): RevisionPlan {
  const { names, scope } = limits
  const chosen = scope ? names.filter((name) => isInScope(name, level, scope, limits)) : names
  const pieces = (chosen.length > 0 ? chosen : names).map((name) => ({ name, task: '', isRipple: false }))
  return { pieces, removed: [] }
}

export function isInScope(
  name: string,
  { series }: Level,
  { numbers, lead }: Scope,
  { numberOf }: Pick<PlanLimits, 'numberOf'>,
): boolean {
  if (name === series?.lead) return lead
  const number = numberOf(name)
  return number !== undefined && numbers.has(number)
}

/** Models name a file with its folder, or without. */
const cleanName = (name: string, { folder }: Level): string => {
  const trimmed = name.trim()
  return trimmed.startsWith(`${folder}/`) ? trimmed.slice(folder.length + 1) : trimmed
}

/** Takes as many pieces from the front as fit into one reply, at least one. */
export function takeGroup(
  pieces: readonly Piece[],
  { tokens, tokensOf }: { readonly tokens: number; readonly tokensOf: (piece: Piece) => number },
): readonly Piece[] {
  let left = tokens
  const group: Piece[] = []
  for (const piece of pieces) {
    left -= tokensOf(piece)
    if (group.length > 0 && left < 0) break
    group.push(piece)
  }
  return group
}
