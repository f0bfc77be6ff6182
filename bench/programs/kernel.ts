// Compares steps in memory with the same awaits without a kernel, in turns; then checks that the heap stays flat.
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../../src/adapters/clock/system.ts'
import type { Draft, LoopEvent } from '../../src/contract/event.ts'
import { runLoop, type Work } from '../../src/kernel/run.ts'
import type { Journal } from '../../src/ports/journal.ts'
import { takeTurns } from '../pairs.ts'
import { neverStop, silentInbox, trivialPolicy, trivialWork } from '../trivial.ts'

const [iterations, times] = process.argv.slice(2).map(Number) as [number, number]
let events = 0

const forgetful: Journal = {
  load: async () => ({ snapshot: undefined, events: (async function* () {})() }),
  append: async (draft: Draft): Promise<LoopEvent> => {
    events++
    return { ...draft, epoch: 1 }
  },
  sync: async () => {},
  keep: async () => {},
}

const pairs = await takeTurns(
  times,
  () => timed(() => loop()),
  () => timed(sameAwaits),
)
const eventsPerLoop = await countEvents()
const heap = await heapAt([iterations / 5, iterations])
console.log(JSON.stringify({ pairs, eventsPerLoop, heap }))

async function loop(work: Work<null> = trivialWork, onSettled?: (tasks: number) => void): Promise<void> {
  const { ended } = (
    await runLoop<null>({
      run: 'bench',
      policy: trivialPolicy(iterations),
      work,
      journal: forgetful,
      inbox: silentInbox,
      clock: systemClock,
      stop: neverStop,
      start: { pins: {} },
      attended: false,
      holdMs: 0,
      ...(onSettled ? { onEvent: (event, { state }) => event.type === 'decision-made' && onSettled(state.tasks) } : {}),
    })
  ).view.state
  if (ended?.ending !== 'completed') throw new Error(`the loop ended as ${JSON.stringify(ended)}`)
}

/** The awaits of an iteration outside the kernel: five appends, a sync, the attempt and its evaluation. */
async function sameAwaits(): Promise<void> {
  const draft = { seq: 1, at: 0, ms: 0, task: null, attempt: null, type: 'run-resumed' } as const
  for (let done = 0; done < iterations; done++) {
    await forgetful.append(draft)
    await forgetful.append(draft)
    await forgetful.sync()
    await trivialWork.attempt()
    await forgetful.append(draft)
    await trivialWork.evaluate()
    await forgetful.append(draft)
    await forgetful.append(draft)
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function countEvents(): Promise<number> {
  events = 0
  await loop()
  return events
}

/**
 * Returns the bytes in use after a garbage collection, in the middle of a run. Every real attempt turns the event loop; here one in
 * a thousand does, because Node frees the memory of `AbortSignal.any` only between turns.
 */
async function heapAt(tasks: readonly number[]): Promise<number[]> {
  const found: number[] = []
  let attempts = 0
  const turning: Work<null> = {
    ...trivialWork,
    attempt: async () => {
      attempts++
      if (attempts % 1000 === 0) await setImmediate()
      return { status: 'ok' }
    },
  }
  await loop(turning, (done) => {
    if (tasks[found.length] !== done) return
    globalThis.gc?.()
    found.push(process.memoryUsage().heapUsed)
  })
  return found
}
