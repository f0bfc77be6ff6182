import { write } from 'node:fs'

export type BufferedWriter = {
  line(text: string): void
  /** Writes without a line break, for example cursor movements. */
  raw(text: string): void
  /** Number of characters not written yet, because the reader is slow. */
  unread(): number
  closed(): boolean
  flush(): Promise<void>
}

const stallMs = 20

/**
 * Writes text to a file descriptor, in order and without blocking the engine. A slow reader delays only its own output;
 * a closed reader is no error.
 */
export function createBufferedWriter(fd: 1 | 2): BufferedWriter {
  const texts: string[] = []
  let unread = 0
  let gone = false
  let writing: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (texts.length > 0 && !gone) {
      const text = texts.splice(0).join('')
      let bytes = Buffer.from(text)
      while (bytes.length > 0 && !gone) bytes = bytes.subarray(await writeSome(bytes))
      unread -= text.length
    }
    writing = undefined
  }

  const writeSome = (bytes: Buffer): Promise<number> =>
    new Promise((resolve) => {
      write(fd, bytes, (error, written) => {
        if (!error) return resolve(written)
        if (error.code === 'EAGAIN') return void setTimeout(resolve, stallMs, 0)
        gone = true
        resolve(0)
      })
    })

  const raw = (text: string): void => {
    if (gone) return
    texts.push(text)
    unread += text.length
    writing ??= drain()
  }

  return {
    line: (text) => raw(`${text}\n`),
    raw,
    unread: () => unread,
    closed: () => gone,
    flush: async () => {
      while (writing) await writing
    },
  }
}
