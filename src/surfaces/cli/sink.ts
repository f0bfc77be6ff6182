import { write } from 'node:fs'

export type Sink = { write(line: string): void; closed(): boolean; flush(): Promise<void> }

const patienceMs = 20

/**
 * Lines to a file descriptor, in order and without ever blocking the engine: a reader that does not read delays only
 * what it would read, and one that went away is no error.
 */
export function createSink(fd: 1 | 2): Sink {
  const lines: string[] = []
  let gone = false
  let writing: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (lines.length > 0 && !gone) {
      let bytes = Buffer.from(`${lines.splice(0).join('\n')}\n`)
      while (bytes.length > 0 && !gone) bytes = bytes.subarray(await writeSome(bytes))
    }
    writing = undefined
  }

  const writeSome = (bytes: Buffer): Promise<number> =>
    new Promise((resolve) => {
      write(fd, bytes, (error, written) => {
        if (!error) return resolve(written)
        if (error.code === 'EAGAIN') return void setTimeout(resolve, patienceMs, 0)
        gone = true
        resolve(0)
      })
    })

  return {
    write: (line) => {
      if (gone) return
      lines.push(line)
      writing ??= drain()
    },
    closed: () => gone,
    flush: async () => {
      while (writing) await writing
    },
  }
}
