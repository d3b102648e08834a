/** What is paid late bears its interest once: in the next posting, or billed when nothing is owed any more (D-28). */
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { interestOn } from '@kvitt/domain/collection/interest-posting.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/transfer.ts'
import { reversePayment, upholdClaimDispute, upholdDispute } from './collection.ts'
import { runNight } from './night.ts'

let server: TestServer
const DUE = date('2026-03-10')
const REMINDED = addDays(DUE, 7)

beforeAll(async () => {
  server = await startTestServer()
})

const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })
const sql = async (text: string, values: unknown[]) => (await server.test.owner.query(text, values)).rows

async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(date('2026-02-10'))
  return buildInvoice(server.test, server.instanceId, server.clock, { dueDate: DUE, ...wishes })
}

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await runNight(context(), { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

async function nights(...after: number[]): Promise<void> {
  for (const days of after) await night(addDays(DUE, days))
}

/** Nights until the invoice is in a claim, which has sent its demand. */
async function handOver(): Promise<void> {
  await nights(...NIGHTS_TO_CLAIM)
  await server.product.sendMail()
}
const HANDED_OVER = NIGHTS_TO_CLAIM.at(-1) ?? 0

async function pay(invoice: BuiltInvoice, amountMinor: number, on: CalendarDate): Promise<string> {
  server.clock.moveTo(on)
  await transfer(server, invoice, amountMinor)
  const [line] = await sql(
    `select l.id from bank_line l where l.status = 'BOOKED' order by l.id desc limit 1`,
    [],
  )
  return line.id
}

const bills = async (invoice: BuiltInvoice) =>
  (
    await sql(
      `select status, total_minor::int as total, balance_minor::int as balance, payment_reference as reference,
         jsonb_array_length(rows) as lines from invoice where type = 'INTEREST_INVOICE' and debtor_id = $1 order by id`,
      [invoice.debtorId],
    )
  ).map(({ reference, ...bill }) => ({ ...bill, isSameReference: reference === invoice.reference }))
const bill = (total: number, more: object = {}) => ({
  status: 'ACTIVATED',
  total,
  balance: total,
  lines: 1,
  isSameReference: true,
  ...more,
})

const owed = async ({ id }: BuiltInvoice) =>
  (
    await sql(
      `select status, principal_minor::int as principal, interest_minor::int as interest from invoice where id = $1`,
      [id],
    )
  )[0]
const posted = async ({ id }: BuiltInvoice): Promise<number> =>
  (
    await sql(
      `select coalesce(sum(p.amount_minor), 0)::int as minor from ledger_transaction t
       join posting p on p.transaction_id = t.id and p.amount_minor > 0 where t.kind = 'INTEREST' and t.invoice_id = $1`,
      [id],
    )
  )[0].minor

const daysOf = async ({ id }: BuiltInvoice) =>
  (
    await sql(`select status from late_days where debt_id = $1 order by to_day, payment_id, is_back`, [id])
  ).map(({ status }) => status)

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

test('what a letter counted that was never sent is counted again', async () => {
  const invoice = await build({ totalMinor: 50_000_000 })
  await sql('update debtor set email = null, address = null, phone = null where id = $1', [invoice.debtorId])
  await nights(1, 2)
  await pay(invoice, 40_000_000, addDays(DUE, 6))
  await nights(7)
  expect(await posted(invoice)).toBe(84_932)
  await pay(invoice, 5_000_000 + 84_932 + 6_000, REMINDED)
  await server.product.sendMail()
  // Fee and interest have come back, and what was paid of them is principal.
  expect(await owed(invoice)).toMatchObject({ principal: 5_000_000 - 84_932 - 6_000, interest: 0 })
  expect(await daysOf(invoice)).toEqual(['WAITING', 'WAITING'])
  await pay(invoice, 5_000_000 - 84_932 - 6_000, addDays(DUE, 9))
  await nights(10)
  expect((await owed(invoice)).status).toBe('CLOSED')
  const bornOn = 40_000_000 * 6 + 5_000_000 * 7 + (5_000_000 - 84_932 - 6_000) * 9
  const [made] = await bills(invoice)
  // What was taken off the principal by the correction itself was paid by nobody.
  expect(made?.total).toBe(Math.round(bornOn / 3650))
})

test('letters that are dropped in any order leave the days of a later posting alone', async () => {
  const invoice = await build({ totalMinor: 1_000_000, currency: 'DKK' })
  await sql(`update creditor set country = 'DK' where id = $1`, [invoice.creditorId])
  const state = async () =>
    (
      await sql(
        `select coalesce(c.interest_minor, i.interest_minor)::int as interest,
           coalesce(c.interest_posted_to, i.interest_posted_to)::text as day,
           (select count(*)::int from ledger_transaction t where t.cause like 'unsent:%'
             and (t.invoice_id = i.id or t.claim_id = c.id)) as dropped
         from invoice i left join claim c on c.id = i.claim_id where i.id = $1`,
        [invoice.id],
      )
    )[0]
  // Nothing is sent for a month and a half; then everything whose last day has passed is dropped, the oldest first.
  for (let day = 1; day <= 45; day++) await night(addDays(DUE, day))
  await server.product.sendMail()
  const sumTo = (day: string) =>
    interestOn({
      owed: [{ principalMinor: 1_000_000, from: addDays(DUE, 1), to: date(day) }],
      country: 'DK',
      debtorKind: 'consumer',
    })?.amountMinor
  for (let day = 46; day <= 75; day++) {
    await night(addDays(DUE, day))
    await server.product.sendMail()
    const { interest, day: postedTo } = await state()
    if (postedTo !== null) expect([postedTo, interest]).toEqual([postedTo, sumTo(postedTo)])
  }
  expect((await state()).dropped).toBeGreaterThan(1)
})

test('interest that is posted in parts is the law’s sum, rounded once', async () => {
  // 231 750 öre at 10 %: 63.49 a day. Rounded by itself each of the two postings would be an öre off.
  const invoice = await build({ totalMinor: 231_750 })
  await handOver()
  const sum = Math.round((231_750 * HANDED_OVER) / 3650)
  expect(await posted(invoice)).toBe(sum)
})

test('what was too little to post on each invoice is posted once on their claim', async () => {
  const first = await build({ totalMinor: 7_000 })
  await build({ totalMinor: 12_000, beside: first })
  await handOver()
  for (let day = HANDED_OVER + 1; day <= HANDED_OVER + 28; day++) await night(addDays(DUE, day))
  const [claim] = await sql(
    `select c.interest_minor::int as interest, c.interest_posted_to - $2::date as days from claim c
     join invoice i on i.claim_id = c.id where i.id = $1`,
    [first.id, DUE],
  )
  expect(claim.days).toBeGreaterThan(HANDED_OVER)
  expect(claim.interest).toBe(Math.round((19_000 * claim.days) / 3650))
})

test('interest that is collected bears none itself', async () => {
  const bill = await build({ totalMinor: 500_000, type: 'INTEREST_INVOICE' })
  for (let day = 1; day <= 60; day++) await night(addDays(DUE, day))
  const [claim] = await sql(
    `select c.interest_minor::int as interest, c.interest_free_minor::int as free,
       (select count(*)::int from collection_step s where s.claim_id = c.id and s.type = 'BAILIFF_PAYMENT_INJUCTION'
         and s.status = 'PERFORMED') as court
     from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
    [bill.id],
  )
  expect(claim).toEqual({ interest: 0, free: 500_000, court: 1 })
})

describe('a late payment that is taken back', () => {
  const back = async (paymentId: string, on: CalendarDate) => {
    server.clock.moveTo(on)
    return reversePayment(context(), { instanceId: server.instanceId, paymentId }, on)
  }
  const partly = async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    return { invoice, paymentId: await pay(invoice, 40_000_000, addDays(DUE, 3)) }
  }

  test('costs nothing for the days on which it looked paid', async () => {
    const { invoice, paymentId } = await partly()
    await nights(4, 5)
    expect(await back(paymentId, addDays(DUE, 5))).toBe(true)
    expect(await back(paymentId, addDays(DUE, 5))).toBe(false)
    await nights(5, 6, 7)
    // 500 000 for three days, 100 000 for two, and 500 000 for two more.
    expect(await posted(invoice)).toBe(Math.round((50_000_000 * 5 + 10_000_000 * 2) / 3650))
    expect(await bills(invoice)).toEqual([])
  })

  test('the same after the posting had counted the days before it', async () => {
    const { invoice, paymentId } = await partly()
    await nights(4, 5, 6, 7)
    const reminded = Math.round((10_000_000 * 7 + 40_000_000 * 3) / 3650)
    expect(await posted(invoice)).toBe(reminded)
    await back(paymentId, addDays(DUE, 9))
    const now = await owed(invoice)
    expect(now).toMatchObject({ status: 'ACTIVATED', principal: 50_000_000, interest: reminded })
    await pay(invoice, now.principal + now.interest + 6_000, addDays(DUE, 10))
    await nights(10, 11)
    // 100 000 for three days after the reminder, and 400 000 for the last of them.
    expect(await bills(invoice)).toEqual([
      bill(Math.round((10_000_000 * 3 + 40_000_000) / 3650), { lines: 2 }),
    ])
  })

  test('that had closed the invoice: what was billed stands, and the rest is owed from then on', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    const paymentId = await pay(invoice, 50_000_000, addDays(DUE, 3))
    await nights(4)
    await back(paymentId, addDays(DUE, 6))
    expect(await bills(invoice)).toEqual([bill(41_096)])
    const day = addDays(DUE, 8)
    await pay(invoice, 50_000_000, day)
    await night(addDays(day, 1))
    // Two days more.
    expect(await bills(invoice)).toEqual([bill(41_096), bill(27_397)])
  })

  test('before the night that would have billed it', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    const paymentId = await pay(invoice, 50_000_000, addDays(DUE, 3))
    await back(paymentId, addDays(DUE, 3))
    await nights(4, 5, 6)
    expect(await bills(invoice)).toEqual([])
    await pay(invoice, 50_000_000, addDays(DUE, 6))
    await nights(7)
    expect(await bills(invoice)).toEqual([bill(82_192)])
  })

  test('brings back what had been too little to bill', async () => {
    const invoice = await build({ totalMinor: 9_000_000 })
    await nights(1, 2)
    const paymentId = await pay(invoice, 9_000_000, addDays(DUE, 3))
    await nights(4)
    expect(await daysOf(invoice)).toEqual(['SMALL'])
    await back(paymentId, addDays(DUE, 4))
    await pay(invoice, 9_000_000, addDays(DUE, 6))
    await nights(7)
    // Three days, and two more.
    expect(await bills(invoice)).toEqual([bill(12_329, { lines: 2 })])
  })
})

describe('a claim that is paid late', () => {
  const claimOf = async ({ id }: BuiltInvoice) =>
    (
      await sql(
        `select c.id, c.status, c.balance_minor::int as balance, c.principal_minor::int as principal
         from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
        [id],
      )
    )[0]

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
      { on: addDays(DUE, HANDED_OVER + 16), answer: 'x' },
    )
    await nights(HANDED_OVER + 17)
    expect(await bills(invoice)).toEqual([])
  })
})
