/**
 * A line to PostgreSQL that a test can cut at a named statement. It follows the frontend's messages (PostgreSQL manual
 * 54.7) just far enough to know which statement, begin or commit goes by.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'

/** A moment on the line: before a statement gets through, or after it was executed and before that is known. */
export type DatabaseMoment = {
  readonly when: 'before' | 'after'
  /** The name of a statement, or `commit`. */
  readonly what: string
  /** For a commit: a statement that was made in the same transaction. */
  readonly of?: string
}

export type DatabaseLine = {
  /** Calls `hit` at the moment, once. From then on nothing gets through either way until `reset`. */
  arm(moment: DatabaseMoment, hit: () => void): void
  /** Ends all connections, and lets new ones through. */
  reset(): void
  close(): void
}

const PORT = 5432
const READY_FOR_QUERY = 'Z'.charCodeAt(0)

/** One message of the frontend as a name: `commit`, `begin`, a statement's name, or nothing of interest. */
function nameOf(message: Buffer): string | undefined {
  const type = String.fromCharCode(message[0] ?? 0)
  const text = message.toString('latin1', 5)
  if (type === 'Q') return text.slice(0, text.indexOf('\0')).trim().toLowerCase()
  // Bind: the portal's name, then the statement's.
  if (type === 'B') return text.split('\0')[1]
  return undefined
}

/** True for what the database ends its answer to with ReadyForQuery: a simple query, and a sync. */
const isAsked = (message: Buffer): boolean => ['Q', 'S'].includes(String.fromCharCode(message[0] ?? 0))

/** Takes whole messages off a stream; `head` is how many bytes stand before a message's length. */
function takeMessages(
  pending: Buffer<ArrayBuffer>,
  headOf: () => number,
  take: (message: Buffer) => boolean,
): Buffer<ArrayBuffer> {
  let rest = pending
  for (;;) {
    const head = headOf()
    if (rest.length < head + 4) return rest
    const length = head + rest.readInt32BE(head)
    if (rest.length < length) return rest
    const message = rest.subarray(0, length)
    rest = rest.subarray(length)
    if (!take(message)) return rest
  }
}

class Watch {
  #armed: { moment: DatabaseMoment; hit: () => void } | undefined
  #isCut = false
  readonly #sockets = new Set<Socket>()

  arm(moment: DatabaseMoment, hit: () => void): void {
    this.#armed = { moment, hit }
  }

  reset(): void {
    this.#armed = undefined
    this.#isCut = false
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
  }

  #fire(): void {
    const hit = this.#armed?.hit
    this.#armed = undefined
    this.#isCut = true
    hit?.()
  }

  connect(program: Socket, database: Socket): void {
    for (const [socket, other] of [
      [program, database],
      [database, program],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
    let pending = Buffer.alloc(0)
    let answering = Buffer.alloc(0)
    let isStarted = false
    // Statements may be under way together: their answers are told apart by counting them.
    let asked = 1
    let answered = 0
    let awaited: number | undefined
    let made = new Set<string>()
    const matches = (name: string): boolean => {
      const moment = this.#armed?.moment
      return moment?.what === name && (moment.of === undefined || made.has(moment.of))
    }
    const pass = (message: Buffer): void => {
      const name = isStarted ? nameOf(message) : undefined
      isStarted = true
      if (name === 'begin') made = new Set()
      if (name !== undefined && matches(name)) {
        if (this.#armed?.moment.when === 'before') return this.#fire()
        awaited = asked + 1
      }
      if (name !== undefined) made.add(name)
      if (isAsked(message)) asked += 1
      database.write(message)
    }
    program.on('data', (chunk) => {
      if (this.#isCut) return
      pending = takeMessages(
        Buffer.concat([pending, chunk]),
        () => (isStarted ? 1 : 0),
        (message) => {
          pass(message)
          return !this.#isCut
        },
      )
    })
    database.on('data', (chunk) => {
      if (this.#isCut) return
      answering = takeMessages(
        Buffer.concat([answering, chunk]),
        () => 1,
        (message) => {
          if (message[0] === READY_FOR_QUERY) answered += 1
          return true
        },
      )
      if (awaited !== undefined && answered >= awaited) return this.#fire()
      program.write(chunk)
    })
  }
}

/** Listens in `folder` for programs, and passes on to the database in `databaseFolder`. */
export async function openDatabaseLine(folder: string, databaseFolder: string): Promise<DatabaseLine> {
  const watch = new Watch()
  const socketName = `.s.PGSQL.${PORT}`
  const server: Server = createServer((program) =>
    watch.connect(program, createConnection(join(databaseFolder, socketName))),
  )
  await new Promise<void>((settle) => server.listen(join(folder, socketName), settle))
  chmodSync(join(folder, socketName), 0o777)
  return {
    arm: (moment, hit) => watch.arm(moment, hit),
    reset: () => watch.reset(),
    close() {
      server.close()
      watch.reset()
    },
  }
}
