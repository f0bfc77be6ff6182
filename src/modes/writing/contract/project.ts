import { z } from 'zod'

/** Larger files are not read. */
export const mostFileBytes = 1 << 20

/** A project's name becomes a part of paths and of the names of its runs. */
export const projectName = /^[a-z0-9][a-z0-9-]{0,63}$/

/** `project.yaml` in a project's folder. */
export const Project = z
  .object({
    name: z.string().regex(projectName, 'a name has lower-case letters, digits and -, at most 64'),
    type: z.string(),
    created_at: z.string(),
    updated_at: z.string().optional(),
    genre: z.string().optional(),
    idea: z.string().optional(),
    audience: z.string().optional(),
    words: z.coerce.number().int().positive().optional(),
    parts: z.coerce.number().int().positive().optional(),
    title: z.string().optional(),
    author: z.string().optional(),
  })
  .readonly()
export type Project = z.infer<typeof Project>

const count = z.int().nonnegative()

/** One accepted iteration. The first nine fields are those of the seed; the others are additions. */
export const HistoryEntry = z
  .object({
    timestamp: z.string(),
    feedback: z.string(),
    judge_attempts: count,
    judge_verdict: z.enum(['approved', 'needs_revision', 'partial']),
    judge_reasoning: z.string(),
    semantic_summary: z.string(),
    /** null in the newest entry until the next commit: a commit cannot contain its own id. `iteration_id` finds it. */
    commit_sha: z.string().nullable(),
    files_changed: count,
    lines_changed: count,
    iteration_id: z.string().optional(),
    /** Changes that the person rejected, one sentence each. The next iteration is told. */
    rejected: z.array(z.string()).readonly().optional(),
  })
  .readonly()
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** `iteration_history.json` in a level's folder, newest entry first. */
export const History = z.object({ iterations: z.array(HistoryEntry).readonly() }).readonly()
export type History = z.infer<typeof History>

export const historyFile = 'iteration_history.json'

/** `sources.json` in a level's folder: for each file its own hash and those of the files that it was made from. */
export const Sources = z
  .object({
    version: z.literal(1),
    files: z.record(
      z.string(),
      z.object({ sha256: z.string(), made_from: z.record(z.string(), z.string()) }).readonly(),
    ),
  })
  .readonly()
export type Sources = z.infer<typeof Sources>

export const sourcesFile = 'sources.json'

/** What `/export` writes. */
export const exportsFolder = 'exports'

/** Files that the program itself keeps in a project, exports among them. They never count as a person's edits. */
export const isOwnFile = (path: string): boolean => {
  if (path.startsWith(`${exportsFolder}/`)) return true
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name === historyFile || name === sourcesFile || name === 'project.yaml'
}
