import { z } from 'zod'
import { Rung } from '../../../contract/models.ts'
import { Ref } from '../../../contract/values.ts'
import { HistoryEntry, Project } from './project.ts'
import { ProjectType } from './project-type.ts'

const count = z.int().nonnegative()

/** What a person would answer, for a run without one. `judge` is used up to `maxAttempts`. */
export const Answers = z
  .strictObject({
    cull: z.enum(['cull-all', 'keep-all', 'cancel']),
    judge: z.enum(['yes', 'no', 'abort']),
    accept: z.enum(['yes', 'no']),
    provider: z.enum(['retry', 'wait', 'skip', 'abort']),
    replace: z.enum(['yes', 'no']),
  })
  .partial()
  .readonly()
export type Answers = z.infer<typeof Answers>

/** The shortest reply that is worth asking for. */
export const leastOutputTokens = 256

export const WritingRules = z
  .strictObject({
    /** The judge may reject this many attempts in a row before the person is asked. 1: ask each time. */
    askAfter: count.min(1),
    /** From this attempt on, the person is always asked. */
    softLimit: count.min(1),
    /** Without a person: the most attempts. */
    maxAttempts: count.min(1),
    /** The longest reply to ask for. A longer level is written file by file. */
    outputTokens: count.min(leastOutputTokens),
    /** The most of the iteration history in a prompt. Beyond that it is shortened to a digest. */
    historyTokens: count,
    limitMs: count.min(1),
    silenceMs: count.min(1),
  })
  .readonly()
export type WritingRules = z.infer<typeof WritingRules>

/** The request of one iteration, generation or analysis. Texts are stored beside the journal. */
export const WritingRequest = z
  .object({
    kind: z.enum(['iterate', 'generate', 'analyze']),
    /** The name of the project, and its folder from the workspace. */
    project: z.string(),
    folder: z.string(),
    /** A level of the project's type. */
    target: z.string(),
    /** All runs of one sitting have the same session. */
    session: z.string(),
    /** A Brief and a Base, as JSON. */
    brief: Ref,
    base: Ref,
    /** What happens to the levels made from this one when the changes are accepted. */
    cull: z.enum(['all', 'keep', 'none']),
    ladder: z.array(Rung).readonly(),
    writer: z.string(),
    judge: z.string(),
    /** Asked if the judge contradicts itself. */
    secondJudge: z.string(),
    describer: z.string(),
    rules: WritingRules,
    /** Given by `--answers`: nobody is asked. */
    answers: Answers.optional(),
    view: z.enum(['full', 'compact']),
    /** The folder for every attempt, verdict and decision, from the workspace. */
    debug: z.string(),
  })
  .readonly()
export type WritingRequest = z.infer<typeof WritingRequest>

/** A file of the project as it was when the run began. */
export const BaseFile = z.object({ path: z.string(), sha256: z.string(), text: z.string() }).readonly()
export type BaseFile = z.infer<typeof BaseFile>

const LevelFiles = z.object({ level: z.string(), files: z.array(BaseFile).readonly() }).readonly()

/** The request in the person's words. */
export const Brief = z
  .object({
    feedback: z.string(),
    /** The analysis that was asked for. */
    analysis: z.object({ name: z.string(), asks: z.string() }).readonly().optional(),
  })
  .readonly()
export type Brief = z.infer<typeof Brief>

/** Everything that the run reads, frozen at its start: a resumed run works on the same texts. Paths are from the project's folder. */
export const Base = z
  .object({
    project: Project,
    type: ProjectType,
    templates: z.record(z.string(), z.string()),
    /** The taxonomy as text for a prompt; empty if the type has none. */
    taxonomy: z.string(),
    files: z.array(BaseFile).readonly(),
    /** Levels given to the model, in order. */
    context: z.array(LevelFiles).readonly(),
    /** For a level that is generated from what exists below it, such as the treatment of an imported draft. */
    below: z.array(BaseFile).readonly(),
    /** Existing files of levels made from this one. */
    downstream: z
      .array(
        z
          .object({
            level: z.string(),
            files: z.array(z.object({ path: z.string(), sha256: z.string() }).readonly()).readonly(),
          })
          .readonly(),
      )
      .readonly(),
    /** The history of the level, newest first. */
    history: z.array(HistoryEntry).readonly(),
  })
  .readonly()
export type Base = z.infer<typeof Base>

/** The files that an attempt made: the new text, or null for a file to remove. Files that are not listed stay as they are. */
export const Draft = z
  .object({
    files: z.record(z.string(), z.string().nullable()),
    /** Files changed although the feedback does not name them, and why. */
    ripples: z.array(z.object({ path: z.string(), why: z.string() }).readonly()).readonly(),
    /** Problems that code found, such as a lost heading. */
    problems: z.array(z.string()).readonly(),
  })
  .readonly()
export type Draft = z.infer<typeof Draft>
