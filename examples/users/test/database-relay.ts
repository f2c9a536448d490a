// A relay between the service and a database server, which changes what it passes on as proxies do.
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

export const commands = { prepare: 0x16, execute: 0x17 }

/** Returns a command's packet for the server, or an error for the client in place of the server's answer. */
export type Relaying = (command: number, packet: Buffer) => Buffer | { errno: number; text: string }

export interface Relay {
  /** The database's URL, through the relay. */
  readonly url: string
  relaying: Relaying
  stop(): void
}

const headerSize = 4

/** Starts a relay that passes everything on until it's told otherwise. */
export async function startRelay(databaseUrl: string): Promise<Relay> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(Number(new URL(databaseUrl).port), '127.0.0.1')
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
    }
    target.on('data', (bytes) => client.write(bytes))
    let waiting = Buffer.alloc(0)
    client.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
      while (waiting.length >= headerSize) {
        const size = headerSize + waiting.readUIntLE(0, 3)
        if (waiting.length < size) return
        const packet = waiting.subarray(0, size)
        waiting = waiting.subarray(size)
        // A command is a conversation's first packet. A login's packets aren't.
        const isCommand = packet[3] === 0
        const passed = isCommand ? relay.relaying(packet[headerSize]!, packet) : packet
        if ('errno' in passed) client.write(errorPacket(passed))
        else target.write(passed)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const relay: Relay = {
    url: Object.assign(new URL(databaseUrl), { port }).href,
    relaying: (_command, packet) => packet,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return relay
}

function errorPacket({ errno, text }: { errno: number; text: string }): Buffer {
  const payload = Buffer.concat([Buffer.from([0xff, 0, 0]), Buffer.from(`#HY000${text}`)])
  payload.writeUInt16LE(errno, 1)
  const header = Buffer.alloc(headerSize)
  header.writeUIntLE(payload.length, 0, 3)
  header[3] = 1
  return Buffer.concat([header, payload])
}
