import { createInterface, type Interface } from 'node:readline'
import type { Io } from '../terminal/io.ts'
import { plainText } from '../terminal/plain-text.ts'
import type { Look, Text } from '../terminal/styled.ts'
import type { Interrupts } from './interrupts.ts'
import type { Input, Reading } from './reading.ts'

type Place = {
  readonly io: Pick<Io, 'err' | 'flush'>
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly interrupts: Interrupts
}

export type PlainLines = {
  read(prompt: string, hint: string): Reading
  close(): void
}

/** At a terminal, lines that come faster than this are one text: someone pasted them. */
const quietMs = 50

/** Reads whole lines, from a pipe or from a terminal that edits them itself. No line is lost, and none is read before it is asked for. */
export function openPlainLines({ io, input, output, interrupts }: Place): PlainLines {
  const queue: string[] = []
  const isTerminal = input.isTTY && output.isTTY
  let lines: Interface | undefined
  let hasEnded = false
  let isReading = false
  let onChange = (): void => {}

  function open(): Interface {
    const opened = createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY })
    opened.on('line', (line) => {
      queue.push(line)
      onChange()
    })
    opened.on('error', () => opened.close())
    opened.on('close', () => {
      hasEnded = true
      onChange()
    })
    return opened
  }

  // What has been read is queued; the rest stays where it is. Not at once: a stream that is paused while it emits data reads on,
  // and keeps the process alive.
  function pauseSoon(): void {
    setImmediate(() => {
      if (!isReading && !hasEnded) lines?.pause()
    })
  }

  function read(words: string, hint: string): Reading {
    const { promise, resolve } = Promise.withResolvers<Input>()
    const prompt = plainText(words)
    let quiet: NodeJS.Timeout | undefined

    function finish(result: Input): void {
      clearTimeout(quiet)
      process.off('SIGINT', interrupt)
      onChange = () => {}
      isReading = false
      pauseSoon()
      resolve(result)
    }

    function check(): void {
      clearTimeout(quiet)
      if (queue.length > 0 && isTerminal) quiet = setTimeout(() => finish(text(queue.splice(0).join('\n'))), quietMs)
      else if (queue.length > 0) finish(text(queue.shift()!))
      else if (hasEnded) finish({ is: 'ended' })
    }

    // The terminal has already dropped the line that was being typed.
    function interrupt(): void {
      const decision = interrupts.press(false)
      if (decision === 'leave') finish({ is: 'interrupted' })
      else if (decision === 'hint') notify(hint)
    }

    function notify(line: Text, look?: Look): void {
      io.err(line, look)
      if (isTerminal) void io.flush().then(() => output.write(prompt))
    }

    if (isTerminal) process.on('SIGINT', interrupt)
    if (isTerminal) output.write(prompt)
    onChange = check
    isReading = true
    if (queue.length === 0 && !hasEnded) {
      lines ??= open()
      lines.resume()
    }
    check()
    return { input: promise, notify, close: () => finish({ is: 'ended' }) }
  }

  return {
    read,
    close: () => {
      hasEnded = true
      lines?.close()
    },
  }
}

const text = (text: string): Input => ({ is: 'text', text })
