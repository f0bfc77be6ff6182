/** What the order is made from: for each of n things, in their own order, which others come before it. */
export type Before = readonly (readonly number[])[]

export type Ordered =
  | { readonly ok: true; readonly order: readonly number[] }
  | { readonly ok: false; readonly cycle: readonly number[] }

/** Among what is ready, the smallest comes first. */
export function orderOf(before: Before): Ordered {
  const open = before.map((all) => all.length)
  const after: number[][] = before.map(() => [])
  before.forEach((all, index) => {
    for (const one of all) after[one]!.push(index)
  })
  const ready = createHeap()
  open.forEach((count, index) => {
    if (count === 0) ready.push(index)
  })
  const order: number[] = []
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    order.push(next)
    for (const one of after[next]!) if (--open[one]! === 0) ready.push(one)
  }
  return order.length === before.length ? { ok: true, order } : { ok: false, cycle: cycleIn(before, open) }
}

/** Whatever is still open waits for something that is still open: going back often enough ends in a circle. */
function cycleIn(before: Before, open: readonly number[]): number[] {
  const met = new Map<number, number>()
  const path: number[] = []
  let at = open.findIndex((count) => count > 0)
  while (!met.has(at)) {
    met.set(at, path.length)
    path.push(at)
    at = before[at]!.find((one) => open[one]! > 0)!
  }
  const circle = path.slice(met.get(at))
  const first = circle.indexOf(circle.reduce((least, one) => Math.min(least, one)))
  return [...circle.slice(first), ...circle.slice(0, first)]
}

/** A binary heap of numbers, the smallest on top. */
function createHeap() {
  const heap: number[] = []
  const swap = (a: number, b: number): void => {
    const kept = heap[a]!
    heap[a] = heap[b]!
    heap[b] = kept
  }
  const push = (value: number): void => {
    heap.push(value)
    for (let at = heap.length - 1; at > 0 && heap[at]! < heap[(at - 1) >> 1]!; at = (at - 1) >> 1)
      swap(at, (at - 1) >> 1)
  }
  const pop = (): number | undefined => {
    const top = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return top
    heap[0] = last
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (left < heap.length && heap[left]! < heap[least]!) least = left
      if (right < heap.length && heap[right]! < heap[least]!) least = right
      if (least === at) return top
      swap(at, least)
      at = least
    }
  }
  return { push, pop }
}
