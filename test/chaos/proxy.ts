import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type Proxy = {
  readonly port: number
  /** Ends all connections at once. Returns how many there were. */
  cut(): number
  /** Passes the next event to the server and ends the connection before its acknowledgement. */
  loseNextAcknowledgement(): void
  readonly lost: () => number
  close(): Promise<void>
}

/** Stands between workers and their database, and breaks connections in ways that a test cannot ask a server for. */
export async function startProxy(to: number): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let armed = 0
  let lost = 0
  const server = createServer((client) => {
    const database = connect(to, '127.0.0.1')
    const pair = [client, database] as const
    let isLosing = false
    const end = (): void => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    pairs.add(pair)
    client.on('data', (bytes) => {
      if (armed > 0 && bytes.includes('insert into pawl.event')) {
        armed--
        isLosing = true
      }
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      if (!isLosing) {
        client.write(bytes)
        return
      }
      lost++
      end()
    })
    for (const socket of pair) socket.on('error', end).on('close', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      const { size } = pairs
      for (const [client, database] of pairs) {
        client.destroy()
        database.destroy()
      }
      return size
    },
    loseNextAcknowledgement: () => armed++,
    lost: () => lost,
    async close() {
      server.close()
      for (const [client, database] of pairs) {
        client.destroy()
        database.destroy()
      }
    },
  }
}
