// Myers' search for the middle of a shortest list of changes ("An O(ND) Difference Algorithm", 1986), from both ends at once. Where
// that takes long, it settles for a good place, by the same rules as `git diff`: only so are the counts of both the same.

/** Steps that a comparison may still take. They are counted instead of timed, so that the same texts always give the same result. */
export type Budget = { left: number }

/** A part of both sides. `exact`: its shortest list is wanted. */
export type Box = {
  readonly a: number
  readonly aEnd: number
  readonly b: number
  readonly bEnd: number
  readonly exact: boolean
}

type Place = { readonly a: number; readonly b: number; readonly exactBefore: boolean; readonly exactAfter: boolean }

/** Above this number of changes, a place that is good enough is taken. */
const mostPatience = 256
/** So many equal items in a row are a sign of a good place. */
const longRun = 20
/** A good place is this many times as far as the number of changes on the way. */
const goodRatio = 4

/** A power of two near the square root. */
export function roughRoot(count: number): number {
  let root = 1
  for (let left = count; left > 0; left = Math.floor(left / 4)) root *= 2
  return root
}

/** Returns a function that finds where to divide a box whose first and last items differ. */
export function createSplitter(one: Int32Array, other: Int32Array, budget: Budget): (box: Box) => Place {
  const size = one.length + other.length + 3
  // A diagonal is `a - b`. For each, the position `a` that was reached from the start, and from the end.
  const zero = other.length + 1
  const ahead = new Int32Array(size)
  const back = new Int32Array(size)
  const mostCost = Math.max(mostPatience, roughRoot(size))

  return (box) => {
    const { a, aEnd, b, bEnd } = box
    const front = startAt(a - b)
    const rear = startAt(aEnd - bEnd)
    const isOdd = ((front.middle - rear.middle) & 1) !== 0
    ahead[zero + front.middle] = a
    back[zero + rear.middle] = aEnd
    for (let cost = 1; ; cost++) {
      let sawLongRun = false
      widen(front, box, ahead, zero, -1)
      for (let at = front.high; at >= front.low; at -= 2) {
        let x = Math.max(ahead[zero + at - 1]! + 1, ahead[zero + at + 1]!)
        const from = x
        while (x < aEnd && x - at < bEnd && one[x] === other[x - at]) x++
        if (x - from > longRun) sawLongRun = true
        budget.left -= x - from + 1
        ahead[zero + at] = x
        if (isOdd && rear.low <= at && at <= rear.high && back[zero + at]! <= x) return middle(x, x - at)
      }
      widen(rear, box, back, zero, beyond)
      for (let at = rear.high; at >= rear.low; at -= 2) {
        let x = Math.min(back[zero + at - 1]!, back[zero + at + 1]! - 1)
        const from = x
        while (x > a && x - at > b && one[x - 1] === other[x - at - 1]) x--
        if (from - x > longRun) sawLongRun = true
        budget.left -= from - x + 1
        back[zero + at] = x
        if (!isOdd && front.low <= at && at <= front.high && x <= ahead[zero + at]!) return middle(x, x - at)
      }
      if (budget.left < 0) return middle(a, b)
      if (box.exact) continue
      const good = sawLongRun && cost > mostPatience ? findGoodPlace(box, front, rear, cost) : undefined
      if (good) return good
      if (cost >= mostCost) return findFurthest(box, front, rear)
    }
  }

  /** Finds the furthest place behind a long run of equal items, from the start or else from the end. */
  function findGoodPlace(box: Box, front: Reach, rear: Reach, cost: number): Place | undefined {
    let [best, x, y] = [0, 0, 0]
    for (let at = front.high; at >= front.low; at -= 2) {
      const [here, there] = [ahead[zero + at]!, ahead[zero + at]! - at]
      const way = here - box.a + (there - box.b) - Math.abs(at - front.middle)
      if (way <= goodRatio * cost || way <= best) continue
      if (here < box.a + longRun || here >= box.aEnd || there < box.b + longRun || there >= box.bEnd) continue
      if (isRun(here - longRun, there - longRun)) [best, x, y] = [way, here, there]
    }
    if (best > 0) return { a: x, b: y, exactBefore: true, exactAfter: false }
    for (let at = rear.high; at >= rear.low; at -= 2) {
      const [here, there] = [back[zero + at]!, back[zero + at]! - at]
      const way = box.aEnd - here + (box.bEnd - there) - Math.abs(at - rear.middle)
      if (way <= goodRatio * cost || way <= best) continue
      if (here <= box.a || here > box.aEnd - longRun || there <= box.b || there > box.bEnd - longRun) continue
      if (isRun(here, there)) [best, x, y] = [way, here, there]
    }
    return best > 0 ? { a: x, b: y, exactBefore: false, exactAfter: true } : undefined
  }

  function isRun(a: number, b: number): boolean {
    for (let at = 0; at < longRun; at++) if (one[a + at] !== other[b + at]) return false
    return true
  }

  /** Takes the place that is furthest from its end, however bad. */
  function findFurthest(box: Box, front: Reach, rear: Reach): Place {
    let fromStart = { a: -1, sum: -1 }
    for (let at = front.high; at >= front.low; at -= 2) {
      const here = Math.min(ahead[zero + at]!, box.aEnd, box.bEnd + at)
      if (here + here - at > fromStart.sum) fromStart = { a: here, sum: here + here - at }
    }
    let fromEnd = { a: beyond, sum: beyond }
    for (let at = rear.high; at >= rear.low; at -= 2) {
      const here = Math.max(back[zero + at]!, box.a, box.b + at)
      if (here + here - at < fromEnd.sum) fromEnd = { a: here, sum: here + here - at }
    }
    const isStartFurther = box.aEnd + box.bEnd - fromEnd.sum < fromStart.sum - (box.a + box.b)
    const { a, sum } = isStartFurther ? fromStart : fromEnd
    return { a, b: sum - a, exactBefore: isStartFurther, exactAfter: !isStartFurther }
  }
}

const beyond = 0x7fffffff

const middle = (a: number, b: number): Place => ({ a, b, exactBefore: true, exactAfter: true })

/** The diagonals reached so far. */
type Reach = { readonly middle: number; low: number; high: number }

const startAt = (diagonal: number): Reach => ({ middle: diagonal, low: diagonal, high: diagonal })

/** Adds a diagonal on either side, unless it would leave the box. `outside` is the value of those not reached. */
function widen(reach: Reach, { a, aEnd, b, bEnd }: Box, reached: Int32Array, zero: number, outside: number): void {
  if (reach.low > a - bEnd) {
    reach.low -= 1
    reached[zero + reach.low - 1] = outside
  } else reach.low += 1
  if (reach.high < aEnd - b) {
    reach.high += 1
    reached[zero + reach.high + 1] = outside
  } else reach.high -= 1
}
