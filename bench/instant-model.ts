import type { Model } from '../src/ports/model.ts'

/** Drafts and judgements for a loop of five steps, the same for every program that is measured. */
export const steps = 5
export const task = 'Explain to a new colleague how a run is resumed after a crash.'

const title = '# Draft'
const sentence = 'The journal is read to its end, folded into a state, and the step that was open is made again. '

let written = 0
/** About 2 KB, and different every time, so that no loop can reuse the work of another. */
function draftOf(step: number): string {
  written++
  const paragraph = (number: number): string => `Copy ${written}, part ${number}. ${sentence.repeat(4)}`
  return [`${title} ${step}`, ...[1, 2, 3, 4, 5].map(paragraph)].join('\n\n')
}

const plan = JSON.stringify({ phases: [{ title: 'Explanation', aim: 'A colleague can follow every step of it.' }] })

const complaints = [
  { quote: 'read to its end', problem: 'Torn last lines stay unmentioned.' },
  { quote: 'folded into a state', problem: 'Snapshots would shorten this, as readers might expect.' },
  { quote: 'the step that was open', problem: 'Who owns the lease meanwhile?' },
  { quote: 'is made again', problem: 'Calls already paid for are never repeated.' },
]

/** Every step but the last has one new problem; the problem of the step before is fixed. */
const judgements = Array.from({ length: steps }, (_, before) => {
  const step = before + 1
  const score = step < steps ? 70 + 2 * step : 84
  return JSON.stringify({
    evidence: [{ dimension: 'relevance', quote: sentence.slice(0, 30) }],
    findings: complaints.slice(step - 1, step).map((complaint) => ({ ...complaint, severity: 'minor' })),
    issues: Object.fromEntries(complaints.slice(0, step - 1).map((_, index) => [`I${index + 1}`, 'fixed'])),
    scores: { relevance: score, accuracy: score, completeness: score },
    confidence: 0.8,
  })
})

export type Judgement = { readonly scores: Readonly<Record<string, number>> }

export function scoreOf({ scores }: Judgement): number {
  const each = Object.values(scores)
  return each.reduce((sum, score) => sum + score, 0) / each.length
}

/** Answers at once, so that only the engine's time remains. It is stateless and reads the draft from the prompt. */
export const instantModel: Model = {
  name: 'instant',
  call: async ({ prompt, schema }) => {
    const at = prompt.indexOf(title)
    const step = at < 0 ? 0 : Number(prompt.slice(at + title.length, prompt.indexOf('\n', at)))
    const text = schema ? (step === 0 ? plan : judgements[step - 1]!) : draftOf(step + 1)
    const usage = { tokens: Math.ceil((prompt.length + text.length) / 4), costUsd: 0 }
    return { status: 'ok', text, usage, providerMs: 0, sentBytes: prompt.length }
  },
}
