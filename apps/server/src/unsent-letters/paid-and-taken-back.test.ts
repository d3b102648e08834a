/** A letter that was not sent had been paid for, and then that payment is taken back: no bucket holds what nobody charges. */
import { describe, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { rejectDispute, reversePayment, upholdDispute } from '../collection/collection.ts'
import { buildClaim } from '../testing/build-claim.ts'
import type { BuiltInvoice } from '../testing/build.ts'
import {
  REMINDED,
  context,
  dispute,
  keyOf,
  night,
  owed,
  remind,
  server,
  sql,
  useReminders,
} from '../testing/debts/reminded.ts'
import { transfer } from '../testing/debts/transfer.ts'

useReminders()

async function pay(invoice: Pick<BuiltInvoice, 'reference'>, amountMinor: number): Promise<string> {
  await transfer(server, invoice, amountMinor)
  return (await sql(`select id from bank_line where status = 'BOOKED' order by id desc limit 1`))[0].id
}

/** The letters that wait are dropped: the demand's, and the reminder's of the invoice. */
async function disputeClaim(id: string): Promise<void> {
  const [{ reference, zip }] = await sql(
    'select payment_reference as reference, zip from claim where id = $1',
    [id],
  )
  const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
  const path = `/api/public/collection-batches/${reference}/${zip}/dispute`
  expect((await server.call('POST', path, { body })).status).toBe(201)
}

const takeBack = (paymentId: string, on: CalendarDate = REMINDED) =>
  reversePayment(context(), { instanceId: server.instanceId, paymentId }, on)

const SETTLED = { costs: 0, interest: 0 }

describe('an invoice whose reminder was not sent', () => {
  test.each([
    ['the fee', 5_000],
    ['fee and interest', 6_192],
    ['all of that and more', 46_192],
    ['everything', 106_192],
  ])('after %s was paid: when the payment is taken back all of it is principal', async (_, amountMinor) => {
    const invoice = await remind()
    const payment = await pay(invoice, amountMinor)
    if ((await owed(invoice)).status === 'CLOSED') await server.product.sendMail()
    else await dispute(invoice)
    expect(await owed(invoice)).toMatchObject({ principal: Math.max(0, 100_000 - amountMinor), ...SETTLED })
    expect(await takeBack(payment)).toBe(true)
    expect(await takeBack(payment)).toBe(false)
    expect(await owed(invoice)).toMatchObject({ principal: 100_000, ...SETTLED })
  })

  test('a later decision for the debtor leaves no fee', async () => {
    const invoice = await remind()
    const payment = await pay(invoice, 5_000)
    await dispute(invoice)
    await takeBack(payment)
    await upholdDispute(context(), keyOf(invoice), { on: REMINDED, decision: 'Fel.', creditMinor: 50 })
    expect(await owed(invoice)).toMatchObject({ principal: 99_950, ...SETTLED })
  })

  test('two payments had paid it', async () => {
    const invoice = await remind()
    const one = await pay(invoice, 4_000)
    const two = await pay(invoice, 4_000)
    await dispute(invoice)
    expect(await owed(invoice)).toMatchObject({ principal: 92_000, ...SETTLED })
    await takeBack(two)
    expect(await owed(invoice)).toMatchObject({ principal: 96_000, ...SETTLED })
    await takeBack(one)
    expect(await owed(invoice)).toMatchObject({ principal: 100_000, ...SETTLED })
  })

  test('and came again, with a fee that stands: who paid which is told apart', async () => {
    const invoice = await remind()
    const first = await pay(invoice, 5_000)
    await dispute(invoice)
    await rejectDispute(context(), keyOf(invoice), { on: REMINDED, answer: 'Fakturan står fast.' })
    await night(addDays(REMINDED, 14))
    await server.product.sendMail()
    const before = await owed(invoice)
    expect(before).toMatchObject({ principal: 95_000, costs: 6_000 })
    const second = await pay(invoice, 10_000)
    const on = addDays(REMINDED, 14)
    await takeBack(second, on)
    expect(await owed(invoice)).toMatchObject(before)
    await takeBack(first, on)
    expect(await owed(invoice)).toMatchObject({ ...before, principal: 100_000 })
  })
})

describe('an invoice that joined a claim before its letter was dropped', () => {
  test('interest that was due without the letter stands, and is owed as that again', async () => {
    const invoice = await remind()
    // The claim takes over what the invoice owes before the letter is dropped.
    for (const after of [13, 15]) await night(addDays(REMINDED, after))
    const [claim] = await sql(
      `select c.id, c.payment_reference as reference, c.costs_minor::int as costs, c.interest_minor::int as interest
       from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
      [invoice.id],
    )
    const payment = await pay(claim, claim.costs + claim.interest)
    const on = addDays(REMINDED, 15)
    await disputeClaim(claim.id)
    expect(await owedOn(claim.id)).toEqual({ principal: 76_000, ...SETTLED })
    await takeBack(payment, on)
    expect(await owedOn(claim.id)).toEqual({ principal: 100_000, costs: 0, interest: claim.interest })
  })
})

test('a fee that stands is owed again as a fee', async () => {
  const invoice = await remind()
  await server.product.sendMail()
  const payment = await pay(invoice, 6_100)
  await takeBack(payment)
  expect(await owed(invoice)).toMatchObject({ principal: 100_000, costs: 6_000, interest: 192 })
})

test('what an invoice had paid of its fee before it joined a claim is principal of the claim', async () => {
  const invoice = await remind()
  const payment = await pay(invoice, 6_192)
  for (const after of [13, 15]) await night(addDays(REMINDED, after))
  const [{ id }] = await sql('select claim_id as id from invoice where id = $1', [invoice.id])
  const on = addDays(REMINDED, 15)
  await disputeClaim(id)
  // What had paid the fee has paid the interest of the days since, and principal.
  expect(await owedOn(id)).toEqual({ principal: 94_411, ...SETTLED })
  await takeBack(payment, on)
  // Its interest was due without the letter when it joined the claim; its fee never was.
  expect(await owedOn(id)).toEqual({ principal: 100_000, costs: 0, interest: 603 })
})

test('the demand of a claim that was paid and not sent', async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock, { daysAgo: 0 })
  const today = server.clock.today('Europe/Stockholm')
  const full = await owedOn(claim.id)
  const payment = await pay(claim, full.costs + full.interest + 1_000)
  await disputeClaim(claim.id)
  expect(await owedOn(claim.id)).toEqual({ principal: full.principal - full.costs - 1_000, ...SETTLED })
  await takeBack(payment, today)
  // The interest was due without the letters: the claim began with it.
  expect(await owedOn(claim.id)).toEqual({ ...full, costs: 0 })
})

const owedOn = async (claimId: string) =>
  (
    await sql(
      `select principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest
       from claim where id = $1`,
      [claimId],
    )
  )[0]
