/** Two moves of one payment from the same status: one of them is refused by the database, though nobody reads its answer. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { PaymentStatus } from '@kvitt/domain/payments/payment.ts'
import type { Transaction } from '../platform/database/database.ts'
import { buildInstance, buildInvoice, testClock } from '../testing/build.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { markArrivedRow, movePaymentRow } from './payments.queries.ts'

let db: TestDatabase
let instanceId: string
beforeAll(async () => {
  db = await testDatabase()
  instanceId = (await buildInstance(db)).id
})

type Key = { readonly instance_id: string; readonly id: string }

async function buildPayment(status: PaymentStatus): Promise<Key> {
  const invoice = await buildInvoice(db, instanceId, testClock())
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into payment (instance_id, id, invoice_id, gateway, option, amount_minor, currency, execution_date, payee_name,
       payee_account, payee_scheme, payment_reference, status, redirect_uri, callback_secret, idempotency_key, request_hash)
     values ($1, gen_random_uuid(), $2, 'DIRECT_BANK', 'pay-now', 84200, 'SEK', '2026-11-20', 'x', '1', 'BANKGIRO', $3, $4, 'x',
       gen_random_uuid()::text, gen_random_uuid()::text, 'x') returning id`,
    [instanceId, invoice.id, invoice.reference, status],
  )
  return { instance_id: instanceId, id: rows[0]?.id ?? '' }
}

async function movesOf({ id }: Key): Promise<string[]> {
  const { rows } = await db.owner.query<{ move: string }>(
    `select number || ' ' || from_status || ' ' || to_status || ' ' || door as move from payment_move
     where payment_id = $1 order by number`,
    [id],
  )
  return rows.map(({ move }) => move)
}

const PID = { name: 'test.pid', text: 'select pg_backend_pid() as pid' }

/** Waits until the connection `pid` stands before the other's lock. */
async function untilItWaits(pid: number): Promise<void> {
  for (;;) {
    const { rows } = await db.owner.query(
      `select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`,
      [pid],
    )
    if (rows.length > 0) return
    await new Promise((looked) => setTimeout(looked, 5))
  }
}

/** `first` has written and not committed when `second` writes, which looks at nothing before. */
async function race(
  first: (tx: Transaction) => void,
  second: (tx: Transaction) => void,
): Promise<PromiseSettledResult<void>[]> {
  let late: Promise<void> | undefined
  const early = db.db.transaction(async (tx) => {
    first(tx)
    // It is written before the other one begins.
    await tx.rows(PID)
    const waiting = new Promise<void>((known, failed) => {
      late = db.db.transaction(async (other) => {
        const [mine] = await other.rows<{ pid: number }>(PID)
        second(other)
        untilItWaits(mine?.pid ?? 0).then(known, failed)
      })
      late.catch(() => {})
    })
    await waiting
  })
  return Promise.allSettled([early.then(() => {}), early.then(() => late)])
}

/** The row that keeps a move names its payment, and there is none. */
const REFUSED = { status: 'rejected', reason: { code: '23502', table: 'payment_move', column: 'payment_id' } }

describe('a payment that has moved meanwhile', () => {
  test('two moves from one status: the second is refused, and takes its transaction with it', async () => {
    const payment = await buildPayment('IN_PROGRESS')
    const [early, late] = await race(
      (tx) => movePaymentRow(tx, payment, { from: 'IN_PROGRESS', to: 'AUTHORIZED', door: 'callback' }),
      (tx) => movePaymentRow(tx, payment, { from: 'IN_PROGRESS', to: 'FAILED', door: 'sweep' }),
    )
    expect(early?.status).toBe('fulfilled')
    expect(late).toMatchObject(REFUSED)
    expect(await movesOf(payment)).toEqual(['1 IN_PROGRESS AUTHORIZED callback'])
  })

  test('the same money that arrives twice after its payment was given up is refused the second time', async () => {
    const payment = await buildPayment('FAILED')
    const arrival = { on: '2026-11-20', gatewayPaymentId: null }
    const [early, late] = await race(
      (tx) => markArrivedRow(tx, payment, { ...arrival, door: 'callback' }),
      (tx) => markArrivedRow(tx, payment, { ...arrival, door: 'file' }),
    )
    expect(early?.status).toBe('fulfilled')
    expect(late).toMatchObject(REFUSED)
    expect(await movesOf(payment)).toEqual(['1 FAILED ARRIVED callback'])
    // Its money is in no books here.
    await db.owner.query('update payment set arrived_on = null where id = $1', [payment.id])
  })

  test('a move from a status that it has not is refused', async () => {
    const payment = await buildPayment('FAILED')
    const moving = db.db.transaction(async (tx) => {
      movePaymentRow(tx, payment, { from: 'CREATED', to: 'IN_PROGRESS', door: 'start' })
    })
    await expect(moving).rejects.toMatchObject(REFUSED.reason)
    expect(await movesOf(payment)).toEqual([])
  })
})
