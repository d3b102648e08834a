import { beforeAll, describe, expect, test } from 'vitest'
import { bookInvoice, bookPayment } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import { newId } from '../platform/identity.ts'
import { buildInstance, buildInvoice, testClock, TODAY, type BuiltInvoice } from '../testing/build.ts'
import {
  brokenInvariants,
  INVARIANTS,
  OF_BANK_FILES,
  testDatabase,
  type TestDatabase,
} from '../testing/test-database.ts'
import { postBookings, type Booking } from './ledger.ts'

let db: TestDatabase
let instanceId: string
const clock = testClock()

beforeAll(async () => {
  db = await testDatabase()
  instanceId = (await buildInstance(db)).id
})

const kr = (minor: number) => money(minor, 'SEK')

function payment(invoice: BuiltInvoice, minor: number, overrides: Partial<Booking> = {}): Booking {
  const owed = { principal: kr(84_200), costs: kr(0), interest: kr(0) }
  return {
    id: newId(Date.now()),
    kind: 'PAYMENT',
    bookedOn: TODAY,
    cause: `test:${newId(Date.now())}`,
    invoiceId: invoice.id,
    paymentId: null,
    lines: bookPayment(partiesOf(invoice), { gateway: 'TEST', amount: kr(minor), owed }),
    ...overrides,
  }
}

function partiesOf(invoice: BuiltInvoice) {
  return { invoiceId: invoice.id, creditorId: invoice.creditorId, debtorId: invoice.debtorId }
}

const post = (...bookings: Booking[]) =>
  db.db.transaction((tx) => postBookings(tx, instanceId, bookings, clock))

const balanceOf = async (invoice: BuiltInvoice): Promise<number> =>
  Number(
    (await db.owner.query('select balance_minor from invoice where id = $1', [invoice.id])).rows[0]
      .balance_minor,
  )

describe('posting', () => {
  test('a part payment moves the balance in the same transaction', async () => {
    const invoice = await buildInvoice(db, instanceId, clock)
    await post(payment(invoice, 50_000))
    expect(await balanceOf(invoice)).toBe(34_200)
  })

  test('the same cause posts once', async () => {
    const invoice = await buildInvoice(db, instanceId, clock)
    const once = payment(invoice, 10_000, { cause: 'test:once' })
    await post(once)
    await expect(post({ ...once, id: newId(Date.now()) })).rejects.toThrow(/unique/)
    expect(await balanceOf(invoice)).toBe(74_200)
  })

  test('T-LEDGER: a hundred at once against shared accounts: nothing lost, no deadlock', async () => {
    const invoices = await Promise.all(Array.from({ length: 100 }, () => buildInvoice(db, instanceId, clock)))
    await Promise.all(invoices.map((invoice) => post(payment(invoice, 84_100))))
    const balances = await Promise.all(invoices.map(balanceOf))
    expect(new Set(balances)).toEqual(new Set([100]))
  })
})

describe('the database refuses', () => {
  test('postings that do not sum to zero', async () => {
    const invoice = await buildInvoice(db, instanceId, clock)
    const [first] = bookInvoice(partiesOf(invoice), kr(100))
    await expect(post(payment(invoice, 1, { lines: first ? [first] : [] }))).rejects.toThrow(/sum to zero/)
    expect(await balanceOf(invoice)).toBe(84_200)
  })

  test('postings whose currencies only cancel together', async () => {
    const invoice = await buildInvoice(db, instanceId, clock)
    const lines = [
      { account: { kind: 'clearing', gateway: 'TEST' }, amount: kr(100) },
      { account: { kind: 'clearing', gateway: 'TEST' }, amount: money(-100, 'NOK') },
    ] as const
    await expect(post(payment(invoice, 1, { lines }))).rejects.toThrow(/sum to zero/)
  })

  test('money.currency: a posting on an account that is not there, or of another currency', async () => {
    const invoice = await buildInvoice(db, instanceId, clock)
    await post(payment(invoice, 100))
    const insert = (currency: string, account: string) =>
      db.db.rows(
        {
          name: '',
          text: `with a as (select * from ledger_account where invoice_id = $1),
            t as (select transaction_id from posting p join a on a.id = p.account_id limit 1)
          insert into posting (instance_id, transaction_id, line, account_id, currency, amount_minor)
          select a.instance_id, t.transaction_id, l.line, ${account}, $2, l.sign
          from a, t, (values (90, 1), (91, -1)) l (line, sign)`,
        },
        [invoice.id, currency],
      )
    await expect(insert('NOK', 'a.id')).rejects.toThrow(/account of its own currency/)
    await expect(insert('SEK', 'gen_random_uuid()')).rejects.toThrow(/account of its own currency/)
  })

  test.each([
    ['update posting set amount_minor = 1'],
    ['delete from posting'],
    ['truncate posting'],
    ['update ledger_transaction set booked_on = current_date'],
    ['delete from ledger_transaction'],
    ['update ledger_account set balance_minor = 0'],
    ['update invoice set principal_minor = 0'],
    ['delete from invoice'],
    ['create table mine (a int)'],
    ['alter table posting disable trigger all'],
    ['drop view inv_i1_postings_sum_to_zero'],
    ['set session authorization postgres'],
  ])('the running program: %s', async (text) => {
    await buildInvoice(db, instanceId, clock)
    await expect(db.db.rows({ name: '', text })).rejects.toThrow(/permission denied|must be owner|cannot set/)
  })

  test.each([
    ['update posting set amount_minor = 1'],
    ['delete from ledger_transaction'],
    ['truncate payment_move'],
  ])('even the owner: %s', async (text) => {
    await buildInvoice(db, instanceId, clock)
    await expect(db.owner.query(text)).rejects.toThrow(/append-only|cannot truncate/)
  })
})

/** What the invariants are worth: each finds the harm it is there for, done behind the triggers' back. */
describe('an invariant finds', () => {
  const harms: [string, (invoice: BuiltInvoice) => string][] = [
    [
      'inv_i1_postings_sum_to_zero',
      () => `update posting set amount_minor = amount_minor + 1 where line = 0`,
    ],
    [
      'inv_i2_balances_equal_postings',
      (i) => `update ledger_account set balance_minor = balance_minor + 1 where invoice_id = '${i.id}'`,
    ],
    ['inv_i3_ledger_is_append_only', () => `grant update on posting to kvitt_app`],
    ['inv_i6_balances_follow_events', (i) => `update invoice set status = 'PENDING' where id = '${i.id}'`],
    [
      'inv_i15_status_agrees_with_balance',
      (i) => `update invoice set status = 'CLOSED' where id = '${i.id}'`,
    ],
    [
      'inv_i38_credits_are_owed_to_debtors',
      (i) =>
        `insert into ledger_account (instance_id, id, kind, currency, debtor_id, balance_minor)
         values ('${instanceId}', gen_random_uuid(), 'credit', 'SEK', '${i.debtorId}', 1)`,
    ],
    ['inv_i20_list_lengths_are_true', () => 'update list_length set closed = closed + 1'],
  ]
  test.each(harms)('%s', async (view, harm) => {
    const invoice = await buildInvoice(db, instanceId, clock)
    const client = await db.owner.connect()
    try {
      await client.query('begin')
      await client.query(`set local session_replication_role = 'replica'`)
      await client.query(harm(invoice))
      expect((await client.query(`select * from ${view}`)).rows.length).toBeGreaterThan(0)
    } finally {
      await client.query('rollback')
      client.release()
    }
    expect(await brokenInvariants(db.owner)).toEqual({})
    expect(INVARIANTS).toContain(view)
  })

  test('all of them are asked for after each test, but for one', async () => {
    const { rows } = await db.owner.query(
      `select viewname as name from pg_views where viewname like 'inv\\_%' order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual([...INVARIANTS, ...OF_BANK_FILES].toSorted())
  })

  test('inv_i4_settled_payments_are_booked_once and inv_i5_events_end_once', async () => {
    const invoice = await buildInvoice(db, instanceId, clock)
    const client = await db.owner.connect()
    try {
      await client.query('begin')
      await client.query(
        `insert into payment (instance_id, id, invoice_id, gateway, option, amount_minor, currency, execution_date, payee_name,
           payee_account, payee_scheme, payment_reference, status, redirect_uri, callback_secret, idempotency_key, request_hash)
         values ($1, $2, $3, 'TEST', 'pay-now', 84200, 'SEK', current_date, 'n', 'a', 'BANKGIRO', '1', 'COMPLETED', 'x', $4, 'k', '')`,
        [instanceId, newId(Date.now()), invoice.id, newId(Date.now())],
      )
      await client.query(
        `insert into gateway_event (gateway, event_id, body, applied_at) values ('TEST', 'e', '{}', now())`,
      )
      expect((await client.query('select * from inv_i4_settled_payments_are_booked_once')).rows).toHaveLength(
        1,
      )
      expect((await client.query('select * from inv_i5_events_end_once')).rows).toHaveLength(1)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
