import { z } from 'zod'

const storyId = 'a story id: S and a number, such as S1'
const StoryId = z.string(storyId).regex(/^S[1-9][0-9]{0,5}$/, storyId)
const line = z.int('a line number').min(1, 'a line number')
const sha256 = z.string('a SHA-256 in hex').regex(/^[0-9a-f]{64}$/, 'a SHA-256 in hex')
const text = (most: number) => z.string('text').min(1, 'text').max(most, `text of at most ${most} characters`)

/** One requirement line of the PRD. `id` is the PRD's own id, such as AC-01. */
export const Criterion = z.object({ id: text(200).nullable(), text: text(20_000), line }).readonly()
export type Criterion = z.infer<typeof Criterion>

/** The kind of line that became the stories: the first of these found in the PRD. */
export const granularities = ['task', 'user-story', 'requirement', 'criterion', 'phase'] as const
export type Granularity = (typeof granularities)[number]

/** Most characters of the PRD that a plan quotes in one place. */
export const maxQuote = 20_000

/** The sections of a PRD that concern every story. */
export const contextTopics = ['goals', 'constraints', 'non-goals'] as const
export type ContextTopic = (typeof contextTopics)[number]

export const Story = z
  .object({
    id: StoryId,
    title: text(1000),
    /** Ids of stories, in plan order. */
    depends_on: z.array(StoryId).readonly(),
    acceptance_criteria: z.array(Criterion).readonly(),
    /** Paths that the PRD mentions for this story. Hints only. */
    file_focus: z.array(text(4096)).readonly(),
    /** Commands that prove the story, in order. */
    verification: z.array(text(40_000)).readonly(),
    /** The story's origin in the PRD: its own id, if any, and its first and last line. */
    source: z.object({ kind: z.enum(granularities), id: text(200).nullable(), line, end_line: line }).readonly(),
    /** The story's own lines of the PRD, as they stand there. Cut if they are very long. Absent in older plans. */
    text: text(maxQuote).optional(),
    /** Hash of the work: title, criteria, code, files, commands and origin, without line numbers. The same hash is the same work. */
    sha256,
  })
  .readonly()
export type Story = z.infer<typeof Story>

/** `plan.json`. The same PRD and planning fields always give the same bytes. */
export const Plan = z
  .object({
    contract_version: z.literal(1, '1'),
    planner_version: z.int('a whole number').min(1, 'a whole number'),
    /** The format of the PRD, such as `markdown`, `spec-kit`, `kiro`, `prd-json`, `task-master`. */
    format: text(64),
    prd_sha256: sha256,
    /** In execution order. */
    stories: z.array(Story).min(1, 'at least one story').max(100_000, 'at most 100000 stories').readonly(),
    /** Requirement lines that belong to no story. */
    unmapped: z.array(Criterion).readonly(),
    /** Lines of the PRD that apply to every story, word for word. Absent in older plans. */
    context: z
      .array(z.object({ topic: z.enum(contextTopics), text: text(maxQuote), line, end_line: line }).readonly())
      .readonly()
      .optional(),
    /** Lines of the PRD that the plan makes no use of, and why. Absent in older plans. */
    ignored: z
      .array(z.object({ line, end_line: line, because: text(1000) }).readonly())
      .readonly()
      .optional(),
    /** Hash of all fields above. */
    sha256,
  })
  .readonly()
export type Plan = z.infer<typeof Plan>
