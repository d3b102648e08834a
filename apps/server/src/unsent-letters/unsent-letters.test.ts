/** Reminders that were dropped before they were sent: they have not happened, and cost nothing. */
import { describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { bookPayment } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import {
  denyTaxReduction,
  pauseInvoice,
  rejectDispute,
  stopInvoice,
  upholdDispute,
} from '../collection/collection.ts'
import { postBookings } from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { type BuiltInvoice } from '../testing/build.ts'
import {
  REMINDED,
  sql,
  context,
  keyOf,
  night,
  remind,
  owed,
  steps,
  call,
  letters,
  dispute,
  server,
  useReminders,
} from '../testing/debts/reminded.ts'
import { signAndSettle } from '../testing/debts/settle.ts'

useReminders()

describe('a reminder that was not sent before the invoice was disputed', () => {
  test('costs nothing, and is sent after all when the creditor was right', async () => {
    const invoice = await remind()
    expect(await letters(invoice)).toEqual(['REMINDER'])
    await dispute(invoice)
    expect(await owed(invoice)).toEqual({
      status: 'DISPUTED',
      principal: 100_000,
      costs: 0,
      interest: 0,
      interest_to: null,
    })
    expect(await steps(invoice.id)).toEqual([
      `REMINDER SKIPPED ${REMINDED}`,
      `COLLECTION_NOTIFICATION SKIPPED ${addDays(REMINDED, 13)}`,
    ])
    expect(await letters(invoice)).toEqual([])
    await server.product.sendMail()

    await rejectDispute(context(), keyOf(invoice), { on: REMINDED, answer: 'Fakturan står fast.' })
    await night(addDays(REMINDED, 14))
    // Interest of all days since the due date: 21 days at 10 %.
    expect(await owed(invoice)).toMatchObject({ status: 'ACTIVATED', costs: 6_000, interest: 575 })
    expect((await steps(invoice.id)).slice(1)).toContain(`REMINDER PERFORMED ${addDays(REMINDED, 14)}`)
    await server.product.sendMail()
    const mails = await sql(
      `select kind, status from mail_outbox where invoice_id = $1 and kind = 'reminder' order by created_at`,
      [invoice.id],
    )
    expect(mails.map(({ status }) => status)).toEqual(['DROPPED', 'SENT'])
  })

  test('is not taken back again when the debtor was right', async () => {
    const invoice = await remind()
    await dispute(invoice)
    await upholdDispute(context(), keyOf(invoice), { on: REMINDED, decision: 'Fel.', creditMinor: 40_000 })
    expect(await owed(invoice)).toMatchObject({ principal: 60_000, costs: 0, interest: 0 })
    const credit = await sql(
      `select balance_minor::int as balance from ledger_account where kind = 'credit'
      and debtor_id = $1`,
      [invoice.debtorId],
    )
    expect(credit).toEqual([])
  })

  test('one that was sent keeps its fee until the decision', async () => {
    const invoice = await remind()
    await server.product.sendMail()
    await dispute(invoice)
    expect(await owed(invoice)).toMatchObject({ costs: 6_000, interest: 192, interest_to: REMINDED })
    expect((await steps(invoice.id))[0]).toBe(`REMINDER PERFORMED ${REMINDED}`)
  })
})

test('however many senders and objections meet, it is taken back once', async () => {
  const invoice = await remind()
  const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
  await Promise.all([
    ...Array.from({ length: 3 }, () => call(invoice, '/dispute', body)),
    ...Array.from({ length: 4 }, () => server.product.sendMail()),
  ])
  const [row] = await sql(`select status from mail_outbox where invoice_id = $1 and kind = 'reminder'`, [
    invoice.id,
  ])
  const back = await sql(`select from ledger_transaction where invoice_id = $1 and cause like 'unsent:%'`, [
    invoice.id,
  ])
  expect(back).toHaveLength(row?.status === 'DROPPED' ? 1 : 0)
  expect((await owed(invoice)).costs).toBe(row?.status === 'DROPPED' ? 0 : 6_000)
})

test('a pause drops the letter; when it is over the reminder comes first', async () => {
  const invoice = await remind()
  const until = addDays(REMINDED, 20)
  await pauseInvoice(context(), keyOf(invoice), { on: REMINDED, reason: 'respite', resumeDate: until })
  await server.product.sendMail()
  expect(await owed(invoice)).toMatchObject({ costs: 0, interest: 0, interest_to: null })
  expect(await steps(invoice.id)).toEqual([
    `REMINDER SKIPPED ${REMINDED}`,
    `REMINDER ON_HOLD ${REMINDED}`,
    `COLLECTION_NOTIFICATION CANCELLED ${addDays(REMINDED, 13)}`,
  ])
  await night(until)
  await night(addDays(until, 6))
  expect(await owed(invoice)).toMatchObject({ costs: 6_000, interest: 904 })
  expect((await steps(invoice.id)).filter((step) => step.includes('PERFORMED'))).toEqual([
    `REMINDER PERFORMED ${addDays(until, 6)}`,
  ])
})

describe('what was paid of it', () => {
  async function pay(invoice: BuiltInvoice, amount: number): Promise<void> {
    const paymentDate = server.clock.today('Europe/Stockholm')
    const body = { paymentDate, amount, redirectUri: `${server.origin}/` }
    expect((await call(invoice, '/payment-requests', body)).status).toBe(201)
    await signAndSettle(server, invoice.reference)
  }

  test('is sent back when the invoice was paid before the letter went', async () => {
    const invoice = await remind()
    await pay(invoice, 1061.92)
    await server.product.sendMail()
    expect(await owed(invoice)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    const tasks = await sql(
      `select details ->> 'amountMinor' as minor from task where kind = 'refund' and about like 'unsent:%'
       and about in (select cause from ledger_transaction where invoice_id = $1)`,
      [invoice.id],
    )
    expect(tasks).toEqual([{ minor: '6192' }])
  })

  test('pays what is owed besides when the invoice is still open', async () => {
    const invoice = await remind()
    const kr = (minor: number) => money(minor, 'SEK')
    const parties = { invoiceId: invoice.id, creditorId: invoice.creditorId, debtorId: invoice.debtorId }
    const debt = { principal: kr(100_000), costs: kr(6_000), interest: kr(192) }
    const booking = {
      id: newId(Date.now()),
      kind: 'PAYMENT',
      bookedOn: REMINDED,
      cause: `payment:${invoice.id}`,
      invoiceId: invoice.id,
      paymentId: null,
      lines: bookPayment(parties, { gateway: 'TEST', amount: kr(5_000), owed: debt }),
    }
    await server.test.db.transaction((tx) => postBookings(tx, server.instanceId, [booking], server.clock))
    await dispute(invoice)
    expect(await owed(invoice)).toMatchObject({ principal: 95_000, costs: 0, interest: 0 })
  })
})

test('a tax reduction that is denied gives thirty days, and no reminder of before comes into them', async () => {
  const invoice = await remind()
  const denial = { on: REMINDED, decision: 'RUT-9', amountMinor: 50_000 }
  expect(await denyTaxReduction(context(), keyOf(invoice), denial)).toBe(true)
  expect(await owed(invoice)).toMatchObject({
    status: 'ACTIVATED',
    principal: 150_000,
    costs: 0,
    interest: 0,
  })
  await server.product.sendMail()
  expect(await letters(invoice)).toEqual([])
  const planned = (await steps(invoice.id)).filter((step) => step.includes('PLANNED'))
  expect(planned).toEqual([`REMINDER PLANNED ${addDays(REMINDED, 30 + 7)}`])
})

test('a stopped invoice owes no fee for a letter that will not be sent', async () => {
  const invoice = await remind()
  await stopInvoice(context(), keyOf(invoice), { on: REMINDED, reason: 'withdrawn' })
  await server.product.sendMail()
  expect(await owed(invoice)).toMatchObject({ status: 'STOPPED', principal: 100_000, costs: 0, interest: 0 })
})
