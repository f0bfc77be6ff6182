import type { Fault } from '../../ports/agent.ts'

/** Agents in trouble with their provider may try again for hours, unseen. After a while the loop waits better itself. */
export type Patience = {
  /** Called after every sign of life, with the trouble it tells of. */
  heard(trouble: Fault | undefined): void
  /** What it was given up for. */
  lost(): Fault | undefined
  close(): void
}

export function createPatience(ms: number, giveUp: () => void): Patience {
  let timer: NodeJS.Timeout | undefined
  let now: Fault | undefined
  let lost: Fault | undefined
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    heard: (trouble) => {
      now = trouble
      if (trouble === undefined) return stop()
      timer ??= setTimeout(() => {
        lost = now
        giveUp()
      }, ms)
    },
    lost: () => lost,
    close: stop,
  }
}
