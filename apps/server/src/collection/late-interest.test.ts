/** Interest is one sum, rounded once, whatever posts it and whatever of that is taken back (decision 020). */
import { expect, test } from 'vitest'
import { addDays, date, daysBetween } from '@kvitt/domain/calendar.ts'
import { interestOn } from '@kvitt/domain/collection/interest-posting.ts'
import { setDueDateRow as setPlansDueDateRow } from '../part-payments/endings/endings.queries.ts'
import { setDueDateRow } from './decisions/decisions.queries.ts'
import {
  applyFor,
  bills,
  build,
  daysOf,
  DUE,
  HANDED_OVER,
  handOver,
  night,
  nights,
  owed,
  pay,
  posted,
  REMINDED,
  server,
  sql,
  useOverdue,
} from '../testing/debts/paid-late.ts'
import { signInStaff } from '../testing/staff.ts'

useOverdue()

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
      fellDueOn: date(DUE),
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
  await applyFor(first.id, addDays(DUE, HANDED_OVER + 28))
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
  server.clock.moveTo(addDays(DUE, 30))
  await server.product.sendMail()
  await applyFor(bill.id, addDays(DUE, 60))
  const [claim] = await sql(
    `select c.interest_minor::int as interest, c.interest_free_minor::int as free,
       (select count(*)::int from collection_step s where s.claim_id = c.id and s.type = 'BAILIFF_PAYMENT_INJUCTION'
         and s.status = 'PERFORMED') as court
     from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
    [bill.id],
  )
  expect(claim).toEqual({ interest: 0, free: 500_000, court: 1 })
})

/**
 * Renteloven § 5: 1.75 + 8 on the days of 2026, and 1.75 + 7 of what had fallen due before 1 March 2013. The invoice fell due on that
 * day, and has got a later one since: from its creditor, or because a plan ended.
 */
async function buildDanish(
  { fellDueOn, later }: { fellDueOn: string; later: 'creditor' | 'plan' },
  wishes: Parameters<typeof build>[0] = {},
) {
  const invoice = await build({ totalMinor: 1_000_000, currency: 'DKK', ...wishes })
  await sql(`update creditor set country = 'DK' where id = $1`, [invoice.creditorId])
  await sql('update invoice set expire_date = $2 where id = $1', [invoice.id, fellDueOn])
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  for (const day of [addDays(DUE, -10), DUE])
    await server.test.db.transaction((tx) =>
      later === 'creditor'
        ? setDueDateRow(tx, key, day)
        : setPlansDueDateRow(tx, { instanceId: server.instanceId, debt: { invoiceId: invoice.id } }, day),
    )
  return invoice
}

test.each<[string, number, 'creditor' | 'plan']>([
  ['2013-02-28', 875, 'creditor'],
  ['2013-03-01', 975, 'creditor'],
  ['2013-02-28', 875, 'plan'],
])(
  'an invoice that first fell due on %s bears %i hundredths in Denmark, posted and billed, whatever day its %s has set',
  async (fellDueOn, hundredths, later) => {
    const invoice = await buildDanish({ fellDueOn, later })
    await nights(...Array.from({ length: 20 }, (_, n) => n + 1))
    const [told] = await sql('select interest_posted_to - $2::date as days from invoice where id = $1', [
      invoice.id,
      DUE,
    ])
    expect(told.days).toBeGreaterThan(0)
    expect(await posted(invoice)).toBe(Math.round((1_000_000 * hundredths * told.days) / 3_650_000))

    const late = await buildDanish({ fellDueOn, later }, { totalMinor: 50_000_000 })
    server.clock.moveTo(addDays(DUE, 5))
    const at = { instanceId: server.instanceId, creditorId: late.creditorId, role: 'manager' } as const
    const { authorization } = await signInStaff(server.product.context, at)
    const body = { amount: 500_000, date: addDays(DUE, 5) }
    const call = server.call('POST', `/api/client/invoices/${late.id}/direct-payment`, {
      body,
      headers: { authorization },
    })
    expect((await call).status).toBe(200)
    await nights(6)
    expect((await bills(late)).map(({ total }) => total)).toEqual([
      Math.round((50_000_000 * hundredths * 5) / 3_650_000),
    ])
  },
)

// Korkolaki 4 a §: 2.5 + 8 between companies in 2026, and 2.5 + 7 of what had fallen due before 16 March 2013.
test.each([
  ['2013-03-15', 950],
  ['2013-03-16', 1050],
])(
  'a Finnish claim whose oldest invoice first fell due on %s bears %i hundredths',
  async (fellDueOn, hundredths) => {
    const first = await build({ totalMinor: 1_000_000, currency: 'EUR' })
    const old = await build({ totalMinor: 1_000_000, currency: 'EUR', beside: first })
    await sql(`update creditor set country = 'FI' where id = $1`, [first.creditorId])
    await sql(`update debtor set kind = 'COMPANY' where id = any ($1)`, [[first.debtorId, old.debtorId]])
    await sql('update invoice set first_expire_date = $2 where id = $1', [old.id, fellDueOn])
    const claims = async () =>
      await sql(
        `select c.id, c.interest_minor::int as interest, c.interest_posted_to::text as "to", c.interest_rest::int as rest
       from claim c join invoice i on i.claim_id = c.id where i.id = any ($1)`,
        [[first.id, old.id]],
      )
    const posts = new Map<string, { interest: number; rest: number }>()
    for (let day = 1; day <= 75; day++) {
      await night(addDays(DUE, day))
      await server.product.sendMail()
      for (const claim of await claims()) posts.set(claim.to, claim)
    }
    const both = await claims()
    expect(new Set(both.map(({ id }) => id)).size).toBe(1)
    expect(both).toHaveLength(2)
    const [[from, before], [to, after], ...others] = [...posts] as [
      [string, (typeof both)[0]],
      [string, (typeof both)[0]],
    ]
    expect(others).toEqual([])
    const days = daysBetween(date(from), date(to))
    expect(days).toBeGreaterThan(5)
    const parts = 2_000_000 * hundredths * days * 100 + before.rest
    expect(after.interest - before.interest).toBe(Math.round(parts / 365_000_000))
  },
)
