/** A line between a program and its database that goes silent, as a lost network does: nobody hears that it is gone. */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type { DatabaseAddress } from '../platform/database/database.ts'
import { closeAfterwards } from './close-afterwards.ts'

export type DatabaseLine = {
  /** The database at the other end of the line. */
  readonly address: DatabaseAddress
  /** What is connected now hears nothing any more, and neither does the database hear it. */
  silence(): void
  /** So it is with whoever connects from now on, until `heal`. */
  silenceNew(): void
  /** Who connects from now on is let through. What has been silenced stays so. */
  heal(): void
  /** From the next message with this text on, its connection is silent: the database gets it, the answer is lost. */
  loseAnswerTo(text: string): void
  /** How many connections are open. */
  count(): number
}

export async function openDatabaseLine(address: DatabaseAddress): Promise<DatabaseLine> {
  const pairs = new Set<{ isSilent: boolean }>()
  const sockets = new Set<Socket>()
  let isDead = false
  let lost: string | undefined
  const server = createServer((program) => {
    const database = createConnection(join(address.host ?? '', `.s.PGSQL.${address.port}`))
    const pair = { isSilent: isDead }
    pairs.add(pair)
    for (const [from, to] of [
      [program, database],
      [database, program],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk: Buffer) => {
        if (!pair.isSilent) to.write(chunk)
        if (from === program && lost !== undefined && chunk.includes(lost)) {
          lost = undefined
          pair.isSilent = true
        }
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        pairs.delete(pair)
        to.destroy()
      })
    }
  })
  await new Promise<void>((settled) => server.listen(0, '127.0.0.1', settled))
  closeAfterwards(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    address: { ...address, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    silence() {
      for (const pair of pairs) pair.isSilent = true
    },
    silenceNew() {
      isDead = true
    },
    heal() {
      isDead = false
    },
    loseAnswerTo(text) {
      lost = text
    },
    count: () => pairs.size,
  }
}
