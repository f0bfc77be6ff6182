import type { LoopEvent } from '../../../contract/event.ts'
import { emptyState, reduce } from '../../../kernel/state.ts'
import { type SapAbout, type SapLine, sapLine } from './sap-line.ts'
import { addUp, noSums } from './sap-sums.ts'

/** Follows a run from its first event and says of each what the log says of it, sampling aside. */
export function followRun(about: SapAbout): (event: LoopEvent) => SapLine | undefined {
  let state = emptyState
  let sums = noSums
  return (event) => {
    state = reduce(state, event)
    sums = addUp(sums, event)
    const line = sapLine(event, { state, sums }, about)
    if (line) sums = { ...sums, lines: line.line, sends: [] }
    return line
  }
}
