import type { AfterTurn, Turn } from '../../ports/queue.ts'
import type { TurnOptions } from '../queue/take-turn.ts'
import type { Collector } from './collector.ts'
import { beginTurn, endTurn, traceEvent } from './spans.ts'

/** Takes a turn and sends its spans as they end. Without a collector it only takes the turn. */
export async function traceTurn(
  collector: Collector | undefined,
  { run, mode, job }: Turn,
  take: (onEvent: TurnOptions['onEvent']) => Promise<AfterTurn>,
): Promise<AfterTurn> {
  if (!collector) return take(undefined)
  let open = beginTurn({ run, mode, job, start: Date.now() })
  const end = (status: string): void => collector.send(endTurn(open, Date.now(), status))
  try {
    const after = await take((event, state) => {
      const step = traceEvent(open, event, state)
      open = step.open
      collector.send(step.spans)
    })
    end(after.is)
    return after
  } catch (error) {
    end('failed')
    throw error
  }
}
