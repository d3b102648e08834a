/** Decides who goes on: every call to the database or a gateway waits until a seeded choice falls on it. */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { Gateway } from '../payments/gateways/gateway.ts'
import type { PaymentJournal } from '../payments/payments.ts'
import type { Connection, Database, Transaction } from '../platform/database/database.ts'

/** A small generator with a seed, so that a failing order of things can be had again (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A step that takes longer than this waits for a lock that somebody else holds: the next one is let go. */
const BLOCKED_MS = 4
/** Between two calls of one program there is at most this much of a pause. */
const QUIET_TURNS = 5

export class Schedule {
  #isOpen = true
  #underWay = 0
  /** Transactions from before their begin until after their commit: neither of these is a step. */
  #transactions = 0
  #waiting: (() => void)[] = []
  /** How many choices were made so far. */
  steps = 0

  /** Waits for its turn. While nothing is scheduled it is always everybody's turn. */
  point(): Promise<void> {
    return this.#isOpen ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** One call to the outside, made when its turn comes. */
  async step<Result>(act: () => Promise<Result>): Promise<Result> {
    await this.point()
    this.#underWay += 1
    try {
      return await act()
    } finally {
      this.#underWay -= 1
    }
  }

  /** Lets the actors run together, one step of one of them at a time, until all have ended; then whatever they left. */
  async run(random: () => number, actors: readonly (() => Promise<void>)[]): Promise<void> {
    this.#isOpen = false
    const acting = new Set(actors.keys())
    const all = Promise.allSettled(
      actors.map(async (act, number) => {
        try {
          await this.point()
          await act()
        } finally {
          acting.delete(number)
        }
      }),
    )
    while (acting.size > 0) {
      await this.#calm()
      const [chosen] = this.#waiting.splice(Math.floor(random() * this.#waiting.length), 1)
      if (chosen) this.steps += 1
      else await sleep(1)
      chosen?.()
    }
    this.#isOpen = true
    for (const go of this.#waiting.splice(0)) go()
    const failed = (await all).find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    await this.#quiet()
  }

  /** Until what the actors left to itself has ended too, to its last commit. */
  async #quiet(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS; turns++) {
      while (this.#underWay + this.#transactions > 0) {
        turns = 0
        await sleep(1)
      }
      await turn()
    }
  }

  async #calm(): Promise<void> {
    const until = performance.now() + BLOCKED_MS
    while (this.#underWay > 0 && performance.now() < until) await turn()
    for (let i = 0; i < 3; i++) await turn()
  }

  /** The same database, each statement, begin and commit a step of its own. */
  database(db: Database): Database {
    const rowsOf =
      (connection: Connection): Connection['rows'] =>
      (text, values) =>
        this.step(() => connection.rows(text, values))
    return {
      rows: rowsOf(db),
      close: () => db.close(),
      transaction: async (work) => {
        await this.point()
        this.#transactions += 1
        try {
          const result = await db.transaction(async (tx) => {
            const held: Transaction = { ...tx, rows: rowsOf(tx) }
            const answer = await work(held)
            await this.point()
            return answer
          })
          await this.point()
          return result
        } finally {
          this.#transactions -= 1
        }
      },
    }
  }

  /** The same gateway, each call a step, and its way back another. `made` hears of each order, before its maker does. */
  gateway(gateway: Gateway, made: (gatewayPaymentId: string) => void): Gateway {
    const there = async <Result>(act: () => Promise<Result>): Promise<Result> => {
      try {
        return await this.step(act)
      } finally {
        await this.point()
      }
    }
    return {
      ...gateway,
      createPayment: (order) =>
        there(async () => {
          const created = await gateway.createPayment(order)
          made(created.gatewayPaymentId)
          return created
        }),
      readPayment: (reference) => there(() => gateway.readPayment(reference)),
      cancelPayment: (reference) => there(() => gateway.cancelPayment(reference)),
    }
  }

  /** A journal each of whose lines is a step. It keeps none: the time that a disk takes would be a choice that no seed makes. */
  journal(journal: PaymentJournal): PaymentJournal {
    return { ...journal, note: () => this.step(async () => {}) }
  }
}
