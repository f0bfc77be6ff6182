import { useState } from 'react'
import type { QuestionShown } from '../../../src/contract/show.ts'
import type { RunRow } from '../../../src/contract/web.ts'
import { announce } from '../shell/announce.tsx'
import { sendAnswer } from './answer.ts'
import { type ChangesBlock, type Decision, type Decisions, decide, toAnswer } from './changes.ts'

/** Decisions that are not sent yet, by question. Kept while the page is open. */
const kept = new Map<string, Decisions>()

/** What was decided about each change, which one is looked at, and the answer that follows. */
export function useApproval(row: RunRow, question: QuestionShown, { changes }: ChangesBlock) {
  const key = `${row.id} ${question.id}`
  const [decisions, setDecisions] = useState<Decisions>(() => kept.get(key) ?? {})
  const [current, setCurrent] = useState(() => changes.find(({ id }) => !kept.get(key)?.[id])?.id ?? changes[0]!.id)
  const [isSent, setSent] = useState(false)
  const answer = toAnswer(changes, decisions)
  const set = (next: Decisions): void => {
    kept.set(key, next)
    setDecisions(next)
  }
  const choose = (id: string, decision: Decision): void => {
    if (isSent) return
    const { decisions: next, also } = decide(changes, decisions, id, decision)
    set(next)
    announce([`${id} ${decision}`, ...(also.length > 0 ? [`with it ${also.join(', ')}`] : [])].join(', '))
  }
  /** Decides about the current one and goes on to the next that is open. Returns the new current one. */
  const chooseCurrent = (decision: Decision): string => {
    choose(current, decision)
    const { decisions: next } = decide(changes, decisions, current, decision)
    const place = changes.findIndex(({ id }) => id === current)
    const after = [...changes.slice(place + 1), ...changes.slice(0, place)].find(({ id }) => next[id] === undefined)
    if (after) setCurrent(after.id)
    return after?.id ?? current
  }
  const chooseAll = (decision: Decision, onlyOpen: boolean): void =>
    set(Object.fromEntries(changes.map(({ id }) => [id, (onlyOpen ? decisions[id] : undefined) ?? decision])))
  const move = (by: number): string => {
    const place = changes.findIndex(({ id }) => id === current) + by
    const next = changes[Math.max(0, Math.min(changes.length - 1, place))]?.id ?? current
    setCurrent(next)
    return next
  }
  const finish = async (text: string): Promise<void> => {
    if (!answer || isSent) return
    setSent(true)
    if (await sendAnswer(row, { ...answer, ...(text.trim() !== '' && { text }) })) kept.delete(key)
    else setSent(false)
  }
  return { decisions, current, setCurrent, choose, chooseCurrent, chooseAll, move, finish, answer, isSent }
}

export type ApprovalState = ReturnType<typeof useApproval>
