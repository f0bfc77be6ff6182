import { z } from 'zod'
import { toJsonSchema } from '../../../judging/scoring/question.ts'

/** A step on the way, in words: content. */
export type Phase = { readonly title: string; readonly aim: string }

/** Seed 000's own, for a model that cannot plan. */
export const fallbackPhases: readonly Phase[] = [
  { title: 'Outline', aim: 'The structure: every part that is needed, in order.' },
  { title: 'Draft', aim: 'The whole text, every part filled in.' },
  { title: 'Refine', aim: 'The finished text: exact, complete, without padding.' },
]

/** The plan that a model is asked for. The prompt says how many phases it may have. */
export const phasesSchema = toJsonSchema(
  z.object({ phases: z.array(z.object({ title: z.string(), aim: z.string() })) }),
)

/** What a model answered, if it is a plan: phases in the number that was asked for, each with a title. */
export function readPhases(reply: string, least: number, most: number): readonly Phase[] | undefined {
  const from = reply.indexOf('{')
  const to = reply.lastIndexOf('}')
  if (from < 0 || to < from || to - from > 100_000) return undefined
  try {
    const { phases } = JSON.parse(reply.slice(from, to + 1)) as { phases?: unknown }
    if (!Array.isArray(phases) || phases.length < least || phases.length > most) return undefined
    const read = phases.map(readPhase)
    return read.every((phase) => phase !== undefined) ? read : undefined
  } catch {
    return undefined
  }
}

function readPhase(value: unknown): Phase | undefined {
  const { title, aim } = (value ?? {}) as { title?: unknown; aim?: unknown }
  if (typeof title !== 'string' || plain(title, 60) === '') return undefined
  return { title: plain(title, 60), aim: typeof aim === 'string' ? plain(aim, 300) : '' }
}

const plain = (text: string, most: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
