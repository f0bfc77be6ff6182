import { StringDecoder } from 'node:string_decoder'
import type { CappedLog } from './log.ts'
import type { Mask } from './mask.ts'
import { createTail } from './tail.ts'

/** One stream of a process: masked once on the way in, then logged, kept as a tail and handed on. */
export type Output = {
  take(chunk: Buffer): void
  end(): void
  tail(): string
}

export function createOutput(mask: Mask, log: CappedLog, listener: ((text: string) => void) | undefined): Output {
  const tail = createTail(tailBytes)
  const decoder = new StringDecoder('utf8')

  function pass(masked: Buffer): void {
    if (masked.length === 0) return
    log.write(masked)
    tail.push(masked)
    if (listener) tell(listener, decoder.write(masked))
  }

  function end(): void {
    pass(mask.end())
    if (listener) tell(listener, decoder.end())
  }

  return { take: (chunk) => pass(mask.write(chunk)), end, tail: () => tail.text() }
}

const tailBytes = 64 * 1024

/** A listener is a surface: its bug must not end an attempt. */
function tell(listener: (text: string) => void, text: string): void {
  if (text === '') return
  try {
    listener(text)
  } catch {}
}
