export type Interrupts = {
  /** Decides what a press of Ctrl-C means. */
  press(hasText: boolean): 'nothing' | 'clear' | 'hint' | 'leave'
}

export const interruptHint = 'Press Ctrl-C again within 2 s to exit, or type /exit'
const repeatMs = 250
const leaveMs = 2000

/** Counts presses of Ctrl-C. A key that is held counts once. */
export function createInterrupts(now: () => number): Interrupts {
  let pressedAt = Number.NEGATIVE_INFINITY
  let hintedAt = Number.NEGATIVE_INFINITY
  return {
    press: (hasText) => {
      const at = now()
      const isRepeat = at - pressedAt < repeatMs
      pressedAt = at
      if (isRepeat) return 'nothing'
      const isHinted = at - hintedAt <= leaveMs
      hintedAt = hasText || isHinted ? Number.NEGATIVE_INFINITY : at
      if (hasText) return 'clear'
      return isHinted ? 'leave' : 'hint'
    },
  }
}
