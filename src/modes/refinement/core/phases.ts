import { z } from 'zod'
import { toJsonSchema } from '../../../judging/scoring/question.ts'

/** A phase in words. Stored encrypted. */
export type Phase = { readonly title: string; readonly aim: string }

/** The phases of seed 000, used if the model's plan cannot be parsed. */
export const fallbackPhases: readonly Phase[] = [
  { title: 'Outline', aim: 'The structure: every part that is needed, in order.' },
  { title: 'Draft', aim: 'The whole text, every part filled in.' },
  { title: 'Refine', aim: 'The finished text: exact, complete, without padding.' },
]

/** Schema of the plan. The prompt sets the number of phases. */
export const phasesSchema = toJsonSchema(
  z.object({ phases: z.array(z.object({ title: z.string(), aim: z.string() })) }),
)

/** Parses a model's plan. Undefined unless it has the right number of phases, each with a title. */
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
  if (typeof title !== 'string' || toPlainLine(title, 60) === '') return undefined
  return { title: toPlainLine(title, 60), aim: typeof aim === 'string' ? toPlainLine(aim, 300) : '' }
}

const toPlainLine = (text: string, maxLength: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxLength)
