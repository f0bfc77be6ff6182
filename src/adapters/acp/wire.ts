import type { Readable, Writable } from 'node:stream'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'

type Child = { readonly stdin: Writable; readonly stdout: Readable }

/** Opens the message stream over an agent's stdin and stdout. Reads on only when `ready` resolves. */
export function openWire({ stdin, stdout }: Child, ready: () => Promise<void>): Stream {
  // Each failed write rejects where it was made.
  stdin.on('error', () => {})
  const write = (message: AnyMessage) =>
    new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  return { readable: ReadableStream.from(readMessages(stdout, ready)), writable: new WritableStream({ write }) }
}

async function* readMessages(stdout: Readable, ready: () => Promise<void>): AsyncGenerator<AnyMessage> {
  let strays = 0
  for await (const line of readLines(stdout)) {
    const message = parse(line)
    if (message) yield message
    else if (line.trim() !== '') {
      process.stderr.write(`${line.slice(0, 1000)}\n`)
      if (++strays > maxStrays) throw new Error('the agent does not speak the Agent Client Protocol')
    }
    await ready()
  }
}

/** Tolerates some greeting and warning lines. */
const maxStrays = 100

function parse(line: string): AnyMessage | undefined {
  try {
    const value = JSON.parse(line) as AnyMessage | null
    return value?.jsonrpc === '2.0' ? value : undefined
  } catch {
    return undefined
  }
}

async function* readLines(stdout: Readable): AsyncGenerator<string> {
  let open = ''
  for await (const chunk of stdout.setEncoding('utf8') as AsyncIterable<string>) {
    const parts = chunk.split('\n')
    parts[0] = open + parts[0]
    open = parts.pop() ?? ''
    yield* parts
    if (open.length > maxLineLength) throw new Error('the agent printed a line longer than 32 MiB')
  }
  if (open !== '') yield open
}

const maxLineLength = 32 << 20
