import { emptyState, reduce } from '../../../src/kernel/state.ts'
import { eventsAt, type RunFolder } from '../../support/runs.ts'
import { contentOf, numberIn } from './content.ts'
import type { Served, Stage } from './stage.ts'

/** A call that is recorded is never made again, and each kill loses one at most. */
export async function problemsOfCalls(
  stage: Stage,
  run: RunFolder,
  served: readonly Served[],
  kills: number,
): Promise<string[]> {
  const { found, recorded, triedAgain, unanswered } = await readCalls(stage, run)
  const asked = new Map<string, number>()
  for (const { number, sha256, role } of served) {
    const earlier = asked.get(sha256)
    if (earlier !== undefined && recorded.has(earlier) && !(role === 'write' && triedAgain.has(earlier)))
      found.push(`${role} ${number} repeats ${earlier}, which is recorded`)
    asked.set(sha256, number)
  }
  const lost = served.filter(({ number }) => !recorded.has(number)).length
  if (lost > kills + unanswered) found.push(`${lost} calls are not recorded after ${kills} kills`)
  return found
}

/** By the numbers that answers carry. Calls that came to nothing are recorded too, without one. */
async function readCalls(stage: Stage, run: RunFolder) {
  const textOf = await contentOf(stage, run)
  const found: string[] = []
  const recorded = new Set<number>()
  // Whoever goes on with an ended run asks for more tries. If the last text was judged no better than the best so far, the next prompt to write is the same.
  const judged = new Set<number>()
  const triedAgain = new Set<number>()
  let unanswered = 0
  let state = emptyState
  for (const event of eventsAt(run.dir)) {
    if (event.type === 'call-ended') {
      const { key, status, output } = event.call
      const number = status === 'ok' && output ? numberIn(await textOf(output)) : undefined
      if (state.calls[key]) found.push(`event ${event.seq}: ${key} is recorded again`)
      if (number === undefined) unanswered += 1
      else if (recorded.has(number)) found.push(`event ${event.seq}: answer ${number} is recorded twice`)
      else recorded.add(number)
    }
    if (event.type === 'verdict-reached') for (const number of recorded) judged.add(number)
    if (event.type === 'run-reopened') for (const number of judged) triedAgain.add(number)
    state = reduce(state, event)
  }
  return { found, recorded, triedAgain, unanswered }
}
