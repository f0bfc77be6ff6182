import type { Bench, Line } from '../line.ts'
import { compare, type Pair } from '../pairs.ts'
import { runProgram } from '../program.ts'
import { round } from '../table.ts'

const iterations = 100_000
const times = 5
const mostHeapMb = 2

type Measured = { readonly pairs: Pair[]; readonly eventsPerLoop: number; readonly heap: readonly [number, number] }

/** The cost of a step when nothing is stored, and whether a long run needs more memory than a short one. */
export async function kernel({ signal }: Bench): Promise<Line[]> {
  const args = [String(iterations), String(times)]
  const { pairs, eventsPerLoop, heap } = await runProgram<Measured>('kernel', args, { signal, flags: ['--expose-gc'] })
  const { ratio, spread, subject } = compare(pairs)
  const grown = (heap[1] - heap[0]) / 1e6
  const perIteration = `${round((subject * 1000) / iterations)} us/iteration`
  return [
    {
      row: 'kernel',
      subject: `runLoop, ${iterations} iterations in memory`,
      anchor: 'a bare loop with the same 8 awaits',
      ratio,
      spread,
      bound: null,
      durability: 'nothing kept',
      figures: `${perIteration}, ${round((subject * 1000) / eventsPerLoop)} us/event (${eventsPerLoop} events)`,
    },
    {
      row: 'kernel heap',
      subject: `heap after ${iterations} iterations`,
      anchor: `heap after ${iterations / 5}`,
      ratio: heap[1] / heap[0],
      spread: null,
      bound: { value: grown, most: mostHeapMb, unit: 'MB' },
      durability: 'nothing kept',
      figures: `${round(heap[0] / 1e6)} MB, then ${round(heap[1] / 1e6)} MB`,
    },
  ]
}
