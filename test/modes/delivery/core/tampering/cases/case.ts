import type { Touched } from '../../../../../../src/modes/delivery/core/tampering/find-tampering.ts'

/** A change as an agent could make it, with what verification runs. */
export type Case = {
  readonly name: string
  readonly touched: readonly Touched[]
  readonly commands?: readonly string[]
  readonly focus?: readonly string[]
}

export const modified = (path: string, before: string, after: string): Touched => ({
  path,
  status: 'modified',
  before,
  after,
})
export const added = (path: string, after: string): Touched => ({ path, status: 'added', before: undefined, after })
export const deleted = (path: string, before: string): Touched => ({
  path,
  status: 'deleted',
  before,
  after: undefined,
})

/** One place of a text made into something else. */
export function edit(path: string, text: string, from: string, to: string): Touched {
  if (!text.includes(from)) throw new Error(`${path} does not have: ${from}`)
  return modified(
    path,
    text,
    text.replace(from, () => to),
  )
}

/** Verified by `npm test`. */
export const one = (name: string, ...touched: Case['touched']): Case => ({ name, touched })
