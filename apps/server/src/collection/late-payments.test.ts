/** What is paid late bears its interest once: in the next posting, or billed when nothing is owed any more (D-28). */
import { describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import type { BuiltInvoice } from '../testing/build.ts'
import {
  applyFor,
  bill,
  bills,
  build,
  context,
  daysOf,
  DUE,
  HANDED_OVER,
  handOver,
  nights,
  owed,
  pay,
  posted,
  REMINDED,
  server,
  sql,
  useOverdue,
} from '../testing/debts/paid-late.ts'
import { reversePayment, upholdClaimDispute, upholdDispute } from './collection.ts'

useOverdue()

const claimOf = async ({ id }: BuiltInvoice) =>
  (
    await sql(
      `select c.id, c.status, c.balance_minor::int as balance, c.principal_minor::int as principal
       from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
      [id],
    )
  )[0]

describe('a part of an invoice that is paid late', () => {
  test('is counted to its day by the next posting', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    await pay(invoice, 40_000_000, addDays(DUE, 6))
    await Promise.all([1, 2, 3].map(() => nights(7)))
    // 100 000 for seven days at 10 %, and 400 000 for six.
    expect(await posted(invoice)).toBe(84_932)
    await nights(8, 9)
    expect(await bills(invoice)).toEqual([])
    await pay(invoice, 10_000_000 + 84_932 + 6_000, addDays(DUE, 9))
    await nights(10, 11)
    // The rest was paid two days after the reminder: 54,79 is too little.
    expect((await owed(invoice)).status).toBe('CLOSED')
    expect(await bills(invoice)).toEqual([])
    expect(await daysOf(invoice)).toEqual(['POSTED', 'SMALL'])
  })

  test('on the day of the posting itself counts nothing twice', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    await pay(invoice, 40_000_000, REMINDED)
    await nights(7, 8)
    expect(await posted(invoice)).toBe(95_890)
    await pay(invoice, 10_000_000 + 95_890 + 6_000, REMINDED)
    await nights(8, 9)
    expect(await bills(invoice)).toEqual([])
  })

  test('is billed with the rest when that closes the invoice, each sum for its days', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    await pay(invoice, 4_000_000, addDays(DUE, 4))
    await nights(5)
    await pay(invoice, 46_000_000, addDays(DUE, 6))
    await Promise.all([1, 2, 3].map(() => nights(7)))
    // 500 000 for four days, 460 000 for two: 54794.52 and 25205.48 öre.
    expect(await bills(invoice)).toEqual([bill(80_000, { lines: 2 })])
    const [{ rows }] = await sql(
      `select rows from invoice where type = 'INTEREST_INVOICE' and debtor_id = $1`,
      [invoice.debtorId],
    )
    expect(rows.map((row: { amountMinor: number }) => row.amountMinor)).toEqual([54_795, 25_205])
    expect(rows[1].description).toBe(
      'Dröjsmålsränta 10,00 % från 2026-03-15 till 2026-03-16 på 460\u00a0000,00\u00a0SEK',
    )
    expect(await daysOf(invoice)).toEqual(['BILLED', 'BILLED'])
  })

  test('two that are too little each are billed together', async () => {
    const invoice = await build({ totalMinor: 8_000_000 })
    await nights(1, 2)
    await pay(invoice, 4_000_000, addDays(DUE, 4))
    await pay(invoice, 4_000_000, addDays(DUE, 6))
    await nights(7)
    expect(await bills(invoice)).toEqual([bill(4_384 + 6_575, { lines: 2 })])
  })

  test('bears none for what was too much, and none in time', async () => {
    const invoice = await build({ totalMinor: 1_000_000 })
    await pay(invoice, 500_000, DUE)
    await nights(1)
    await pay(invoice, 90_000_000, addDays(DUE, 5))
    await nights(6)
    expect((await owed(invoice)).status).toBe('CLOSED')
    expect(await bills(invoice)).toEqual([])
  })

  test('is dropped when a dispute was right', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    await pay(invoice, 40_000_000, addDays(DUE, 6))
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/dispute`
    const body = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
    expect((await server.call('POST', path, { body })).status).toBe(201)
    await nights(7, 8)
    const on = addDays(DUE, 8)
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    await upholdDispute(context(), key, { on, decision: 'x', creditMinor: 1_000_000 })
    expect(await daysOf(invoice)).toEqual(['DROPPED'])
    await pay(invoice, 9_000_000, addDays(DUE, 9))
    await nights(9, 10)
    expect(await bills(invoice)).toEqual([])
  })
})

describe('a claim that is paid late', () => {
  test('wholly, is billed under a reference of its own', async () => {
    const invoice = await build({ totalMinor: 15_000_000 })
    await handOver()
    await pay(invoice, (await claimOf(invoice)).balance, addDays(DUE, HANDED_OVER + 16))
    await nights(HANDED_OVER + 17, HANDED_OVER + 18)
    expect((await claimOf(invoice)).status).toBe('CLOSED')
    expect(await bills(invoice)).toEqual([bill(65_753, { isSameReference: false })])
    const [made] = await sql(
      `select payment_reference as reference, zip, rows->0->>'name' as name from invoice
       where type = 'INTEREST_INVOICE' and debtor_id = $1`,
      [invoice.debtorId],
    )
    expect(made.name).toMatch(/^Dröjsmålsränta på inkassoärende \d+$/)
    const seen = await server.call('GET', `/api/public/invoices/${made.reference}/${made.zip}`)
    expect(seen.json).toMatchObject({ type: 'INTEREST_INVOICE', balances: { total: 657.53 } })
  })

  test('in part, and the court step counts the rest', async () => {
    const invoice = await build({ totalMinor: 15_000_000 })
    await handOver()
    const { balance } = await claimOf(invoice)
    await pay(invoice, balance - 5_000_000, addDays(DUE, HANDED_OVER + 16))
    for (let day = HANDED_OVER + 17; day <= HANDED_OVER + 28; day++) await nights(day)
    await applyFor(invoice.id, addDays(DUE, HANDED_OVER + 26))
    expect(await claimOf(invoice)).toMatchObject({ status: 'OPEN', principal: 5_000_000 })
    expect(await bills(invoice)).toEqual([])
    const [interest] = await sql(
      `select sum(p.amount_minor)::int as minor from ledger_transaction t
       join posting p on p.transaction_id = t.id and p.amount_minor > 0
       where t.kind = 'INTEREST' and t.claim_id = $1`,
      [(await claimOf(invoice)).id],
    )
    // 100 000 for 16 days, and 50 000 for 26: the court is applied to on a Monday.
    expect(interest.minor).toBe(79_452)
  })

  test('is not billed for what was disputed with right', async () => {
    const invoice = await build({ totalMinor: 15_000_000 })
    await handOver()
    const { id, balance } = await claimOf(invoice)
    await pay(invoice, balance - 5_000_000, addDays(DUE, HANDED_OVER + 16))
    const [{ reference, zip }] = await sql(
      'select payment_reference as reference, zip from claim where id = $1',
      [id],
    )
    const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
    const path = `/api/public/collection-batches/${reference}/${zip}/dispute`
    expect((await server.call('POST', path, { body })).status).toBe(201)
    await upholdClaimDispute(
      context(),
      { instanceId: server.instanceId, claimId: id },
      { on: addDays(DUE, HANDED_OVER + 16), answer: 'x', creditMinor: 'all' },
    )
    await nights(HANDED_OVER + 17)
    expect(await bills(invoice)).toEqual([])
  })
})

describe('interest that was billed for what a claim is over', () => {
  const dispute = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
  const owedBack = async ({ debtorId }: BuiltInvoice): Promise<number> =>
    (
      await sql(
        `select coalesce(sum(-balance_minor), 0)::int as minor from ledger_account where kind = 'credit' and debtor_id = $1`,
        [debtorId],
      )
    )[0].minor

  /** Billed when it was paid; then the payment is taken back on a day, and all goes on for so many days. */
  async function billed(backAfter: number, days: number, isPaid = false): Promise<BuiltInvoice> {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    const paymentId = await pay(invoice, 50_000_000, addDays(DUE, 3))
    await nights(4)
    expect(await bills(invoice)).toEqual([bill(41_096)])
    if (isPaid) await pay(invoice, 41_096, addDays(DUE, 5))
    server.clock.moveTo(addDays(DUE, backAfter))
    const payment = { instanceId: server.instanceId, paymentId }
    expect(await reversePayment(context(), payment, addDays(DUE, backAfter))).toBe(true)
    for (let after = backAfter; after <= days; after++) {
      await nights(after)
      await server.product.sendMail()
    }
    return invoice
  }

  async function uphold(invoice: BuiltInvoice, after: number): Promise<void> {
    const { id } = await claimOf(invoice)
    const [{ reference, zip }] = await sql(
      'select payment_reference as reference, zip from claim where id = $1',
      [id],
    )
    const path = `/api/public/collection-batches/${reference}/${zip}/dispute`
    expect((await server.call('POST', path, { body: dispute })).status).toBe(201)
    const key = { instanceId: server.instanceId, claimId: id }
    await upholdClaimDispute(context(), key, { on: addDays(DUE, after), answer: 'x', creditMinor: 'all' })
    expect(await claimOf(invoice)).toMatchObject({ status: 'CLOSED', balance: 0 })
  }

  test.each([false, true])('goes with it when the debtor was right; paid: %s', async (isPaid) => {
    const invoice = await billed(6, 32, isPaid)
    await uphold(invoice, 33)
    expect(await bills(invoice)).toEqual([bill(41_096, { status: 'CLOSED', balance: 0 })])
    expect(await owedBack(invoice)).toBe(isPaid ? 41_096 : 0)
  })

  test('when that is in the same claim it is credited there, once', async () => {
    const invoice = await billed(15, 41)
    const members = await sql(
      'select type from invoice where claim_id = (select claim_id from invoice where id = $1) order by type',
      [invoice.id],
    )
    expect(members.map(({ type }) => type)).toEqual(['INTEREST_INVOICE', 'INVOICE'])
    await uphold(invoice, 41)
    expect(await bills(invoice)).toEqual([bill(41_096, { status: 'CLOSED', balance: 0 })])
    expect(await owedBack(invoice)).toBe(0)
  })
})
