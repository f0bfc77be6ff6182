import type { Readable, Writable } from 'node:stream'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'

type Child = { readonly stdin: Writable; readonly stdout: Readable }

/** The messages of an agent on its standard streams. `ready` holds back the reading until what came is passed on. */
export function openWire({ stdin, stdout }: Child, ready: () => Promise<void>): Stream {
  // Each failed write is told where it was made.
  stdin.on('error', () => {})
  const write = (message: AnyMessage) =>
    new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  return { readable: ReadableStream.from(messagesOf(stdout, ready)), writable: new WritableStream({ write }) }
}

async function* messagesOf(stdout: Readable, ready: () => Promise<void>): AsyncGenerator<AnyMessage> {
  let strays = 0
  for await (const line of linesOf(stdout)) {
    const message = parse(line)
    if (message) yield message
    else if (line.trim() !== '') {
      process.stderr.write(`${line.slice(0, 1000)}\n`)
      if (++strays > mostStrays) throw new Error('the agent does not speak the Agent Client Protocol')
    }
    await ready()
  }
}

/** A few lines that greet or warn are forgiven. */
const mostStrays = 100

function parse(line: string): AnyMessage | undefined {
  try {
    const value = JSON.parse(line) as AnyMessage | null
    return value?.jsonrpc === '2.0' ? value : undefined
  } catch {
    return undefined
  }
}

async function* linesOf(stdout: Readable): AsyncGenerator<string> {
  let open = ''
  for await (const chunk of stdout.setEncoding('utf8') as AsyncIterable<string>) {
    const parts = chunk.split('\n')
    parts[0] = open + parts[0]
    open = parts.pop() ?? ''
    yield* parts
    if (open.length > longestLine) throw new Error('the agent prints a line without end')
  }
  if (open !== '') yield open
}

const longestLine = 32 << 20
