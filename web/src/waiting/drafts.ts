/** What somebody has begun to answer. Kept while the page is open, so that looking at another question loses nothing. */
export type Draft = { readonly choice: string | null; readonly text: string }

const empty: Draft = { choice: null, text: '' }
const drafts = new Map<string, Draft>()

const keyOf = (run: string, question: string): string => `${run} ${question}`

export const readDraft = (run: string, question: string): Draft => drafts.get(keyOf(run, question)) ?? empty
export const keepDraft = (run: string, question: string, draft: Draft): void => {
  drafts.set(keyOf(run, question), draft)
}

/** Runs that were answered on this page. */
const answered = new Set<string>()

export const markAnswered = (run: string): void => {
  answered.add(run)
}
export const wasAnsweredHere = (run: string): boolean => answered.has(run)
/** It asks something new, or the same again. */
export const forgetAnswer = (run: string): void => {
  answered.delete(run)
}
