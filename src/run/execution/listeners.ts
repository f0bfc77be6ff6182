type Told = (() => void | Promise<void>) | false

/** Calls in the order in which they came, each after what it waits for. What a listener throws never stops a run. */
export function inTurn(): ((before: Told, call: () => void) => void) & { done(): Promise<void> } {
  let waiting = 0
  let queue: Promise<void> = Promise.resolve()
  const inPeace = async (call: Told): Promise<void> => {
    try {
      if (call) await call()
    } catch {}
  }
  const tell = (before: Told, call: () => void): void => {
    if (!before && waiting === 0) {
      quietly(call)
      return
    }
    waiting++
    queue = queue
      .then(() => inPeace(before))
      .then(() => inPeace(call))
      .finally(() => waiting--)
  }
  return Object.assign(tell, { done: () => queue })
}

/** What a listener or a projection throws never stops a run. */
export function quietly(call: () => void): void {
  try {
    call()
  } catch {}
}
