import type { Model } from '../src/ports/model.ts'

/** What a draft and a judgement of it are in a loop of five steps: the same texts for whoever is measured. */
export const steps = 5
export const task = 'Explain to a new colleague how a run is resumed after a crash.'
const paragraph = 'The journal is read to its end, folded into a state, and the step that was open is made again. '

export const draftOf = (step: number): string => `# Draft ${step}\n\n${paragraph.repeat(20)}`

export const judgementOf = (step: number): string =>
  JSON.stringify({
    dimensions: { relevance: 4, accuracy: 4, completeness: step < steps ? 3 : 5 },
    issues: step < steps ? [{ quote: 'folded into a state', problem: `Says nothing of the lease (${step}).` }] : [],
  })

export type Judgement = {
  readonly dimensions: Readonly<Record<string, number>>
  readonly issues: readonly { readonly quote: string; readonly problem: string }[]
}

export function scoreOf({ dimensions }: Judgement): number {
  const levels = Object.values(dimensions)
  return (levels.reduce((sum, level) => sum + level, 0) / levels.length) * 20
}

/** Answers at once: what is left is what the engine takes. It tells the step from the prompt, as it remembers nothing. */
export const instantModel: Model = {
  name: 'instant',
  call: async ({ prompt, json }) => {
    const step = Number(/^Step (\d+)\n/.exec(prompt)?.[1])
    const text = json ? judgementOf(step) : draftOf(step)
    const usage = { tokens: Math.ceil((prompt.length + text.length) / 4), costUsd: 0 }
    return { status: 'ok', text, usage, providerMs: 0, sentBytes: prompt.length }
  },
}
