/** Demands that were not sent, and what goes into a plan while letters wait. */
import { describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { bookChargesBack } from '@kvitt/domain/ledger/correction.ts'
import { money } from '@kvitt/domain/money.ts'
import { pauseClaim, pauseInvoice } from '../collection/collection.ts'
import { postBookings } from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { buildClaim } from '../testing/build-claim.ts'
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
  server,
  useReminders,
} from '../testing/debts/reminded.ts'
import { chargesOfWaitingLetters } from './unsent-letters.ts'

useReminders()

describe('a demand', () => {
  const ofClaim = async (id: string) =>
    (
      await sql(
        `select status, costs_minor::int as costs, interest_posted_to::text as interest_to, balance_minor::int as balance
         from claim where id = $1`,
        [id],
      )
    )[0]

  test('of a disputed claim is taken back with its fee', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock, { daysAgo: 0 })
    const before = await ofClaim(claim.id)
    expect(await steps(claim.id)).toHaveLength(2)
    const path = `/api/public/collection-batches/${claim.reference}/${claim.zip}/dispute`
    const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
    expect((await server.call('POST', path, { body })).status).toBe(201)
    // The fee of the demand, and of the reminder whose letter was never sent either.
    expect(await ofClaim(claim.id)).toMatchObject({
      status: 'DISPUTED',
      costs: before.costs - 18_000 - 6_000,
    })
    expect((await steps(claim.id)).map((step) => step.split(' ').slice(0, 2))).toEqual([
      ['COLLECTION_CLAIM', 'SKIPPED'],
      ['SCHEDULE_END', 'SKIPPED'],
    ])
  })

  test('gives no interest back that a credit about one invoice has taken back before', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock, {
      daysAgo: 0,
      invoices: [{}, {}],
    })
    const today = server.clock.today('Europe/Stockholm')
    const key = { instanceId: server.instanceId, claimId: claim.id }
    // The demand comes again some days later, with the interest of these days.
    await pauseClaim(context(), key, { on: today, reason: 'respite', resumeDate: addDays(today, 20) })
    await server.product.sendMail()
    for (let n = 20; n < 30; n++) await night(addDays(today, n))
    const [charge] = await sql(
      `select s.id, t.amount::int as minor from collection_step s join lateral (
         select sum(p.amount_minor) filter (where p.amount_minor > 0) as amount from ledger_transaction x
         join posting p on p.transaction_id = x.id where x.cause = 'interest:' || s.id) t on true
       where s.claim_id = $1 and s.type = 'COLLECTION_CLAIM' and s.status = 'PERFORMED'`,
      [claim.id],
    )
    expect(charge.minor).toBeGreaterThan(100)
    const [row] = await sql(
      'select creditor_id, debtor_id, interest_minor::int as interest from claim where id = $1',
      [claim.id],
    )
    const kr = (minor: number) => money(minor, 'SEK')
    const parties = { claimId: claim.id, creditorId: row.creditor_id, debtorId: row.debtor_id }
    const charged = { costs: kr(0), interest: kr(100), writtenOff: kr(0) }
    const owing = { principal: kr(0), costs: kr(0), interest: kr(row.interest) }
    const booking = {
      id: newId(Date.now()),
      kind: 'REVERSAL',
      bookedOn: today,
      cause: `credited:interest:${charge.id}:${claim.invoices[0]?.id}`,
      invoiceId: null,
      claimId: claim.id,
      paymentId: null,
      lines: bookChargesBack(parties, charged, owing).reversal,
    }
    await server.test.db.transaction((tx) => postBookings(tx, server.instanceId, [booking], server.clock))
    const path = `/api/public/collection-batches/${claim.reference}/${claim.zip}/dispute`
    const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
    const waiting = await chargesOfWaitingLetters(server.test.db, {
      instanceId: server.instanceId,
      debt: { claimId: claim.id },
    })
    expect(waiting).toBe(18_000 + charge.minor - 100)
    expect((await server.call('POST', path, { body })).status).toBe(201)
    const [after] = await sql('select interest_minor::int as interest from claim where id = $1', [claim.id])
    expect(after.interest).toBe(row.interest - charge.minor)
  })

  test('of a paused claim comes again', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock, { daysAgo: 0 })
    const today = server.clock.today('Europe/Stockholm')
    const key = { instanceId: server.instanceId, claimId: claim.id }
    await pauseClaim(context(), key, { on: today, reason: 'respite', resumeDate: addDays(today, 5) })
    await server.product.sendMail()
    expect((await ofClaim(claim.id)).costs).toBe(0)
    expect(await steps(claim.id)).toContain(`COLLECTION_CLAIM ON_HOLD ${today}`)
    await night(addDays(today, 5))
    for (let n = 6; n < 12; n++) await night(addDays(today, n))
    expect((await ofClaim(claim.id)).costs).toBe(18_000)
  })
})

describe('what goes into a plan', () => {
  type Options = { plans: { code: string; creditAmount: number }[]; offerVersion: string }
  const options = async (invoice: BuiltInvoice): Promise<Options> =>
    (await call(invoice, '/part-payment/options')).json
  const start = (invoice: BuiltInvoice, offerVersion: string) =>
    server.call('PUT', `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/start`, {
      body: { type: 'PLAN_3', agreementAccepted: true, offerVersion },
    })
  const creditOf = ({ plans }: Options) => plans.find(({ code }) => code === 'PLAN_3')?.creditAmount
  const planOf = async (debtId: string) =>
    (
      await sql(
        `select p.amount_minor::int as amount, m.amount_minor::int as member from part_payment_member m
         join part_payment p on p.id = m.part_payment_id where m.debt_id = $1`,
        [debtId],
      )
    )[0]

  test('is offered and agreed without a reminder that was not sent, and it never is', async () => {
    const invoice = await remind()
    const offered = await options(invoice)
    expect(creditOf(offered)).toBe(1000)
    expect((await start(invoice, offered.offerVersion)).status).toBe(200)
    expect(await owed(invoice)).toMatchObject({
      principal: 100_000,
      costs: 0,
      interest: 0,
      interest_to: null,
    })
    expect(await planOf(invoice.id)).toEqual({ amount: 100_000, member: 100_000 })
    expect(await letters(invoice)).toEqual([])
    await server.product.sendMail()
    const mails = await sql(
      `select status, last_error from mail_outbox where invoice_id = $1 and kind = 'reminder'`,
      [invoice.id],
    )
    expect(mails).toEqual([{ status: 'DROPPED', last_error: 'planned' }])
    expect(await steps(invoice.id)).toContain(`REMINDER SKIPPED ${REMINDED}`)
  })

  test('bears the fee of one that was; figures from before it went are refused', async () => {
    const invoice = await remind()
    const before = await options(invoice)
    await server.product.sendMail()
    expect((await start(invoice, before.offerVersion)).json).toMatchObject({ code: 'plan_changed' })
    const offered = await options(invoice)
    expect(creditOf(offered)).toBe(1061.92)
    expect((await start(invoice, offered.offerVersion)).status).toBe(200)
    expect(await planOf(invoice.id)).toEqual({ amount: 106_192, member: 106_192 })
  })

  test('a start that is refused drops nothing', async () => {
    const invoice = await remind()
    expect((await start(invoice, 'x')).json).toMatchObject({ code: 'plan_changed' })
    expect(await owed(invoice)).toMatchObject({ costs: 6_000, interest: 192 })
  })

  test('of a paused invoice too', async () => {
    const invoice = await remind()
    await pauseInvoice(context(), keyOf(invoice), { on: REMINDED, reason: 'respite', resumeDate: null })
    expect((await start(invoice, (await options(invoice)).offerVersion)).status).toBe(200)
    expect(await planOf(invoice.id)).toEqual({ amount: 100_000, member: 100_000 })
    const held = await sql(`select from collection_step where debt_id = $1 and status = 'ON_HOLD'`, [
      invoice.id,
    ])
    expect(held).toEqual([])
  })

  test('of a claim without the demand and the reminders of its invoices', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock, { daysAgo: 0 })
    const path = `/api/public/collection-batches/${claim.reference}/${claim.zip}/part-payment`
    const [before] = await sql('select balance_minor::int as balance from claim where id = $1', [claim.id])
    const offered: Options = (await server.call('GET', `${path}/options`)).json
    const credit = Math.round((creditOf(offered) ?? 0) * 100)
    const body = { type: 'PLAN_3', agreementAccepted: true, offerVersion: offered.offerVersion }
    expect((await server.call('POST', `${path}/start`, { body })).status).toBe(200)
    const [after] = await sql(
      'select balance_minor::int as balance, costs_minor::int as costs from claim where id = $1',
      [claim.id],
    )
    // The demand's own interest comes back as well; that of the hand-over stays.
    expect(after?.costs).toBe(0)
    expect(after?.balance).toBe(credit)
    expect(before?.balance - credit).toBeGreaterThanOrEqual(18_000 + 6_000)
    expect(await planOf(claim.id)).toEqual({ amount: credit, member: credit })
  })

  test('starts once, whoever sends letters at the same moment', async () => {
    const invoice = await remind()
    const { offerVersion } = await options(invoice)
    const [started] = await Promise.all([
      start(invoice, offerVersion),
      start(invoice, offerVersion),
      ...Array.from({ length: 3 }, () => server.product.sendMail()),
    ])
    const [mail] = await sql(`select status from mail_outbox where invoice_id = $1 and kind = 'reminder'`, [
      invoice.id,
    ])
    // Either the letter went and the figures are others, or the plan came first and the letter costs nothing.
    expect([started?.status, mail?.status, (await owed(invoice)).costs]).toEqual(
      mail?.status === 'SENT' ? [400, 'SENT', 6_000] : [200, 'DROPPED', 0],
    )
  })
})
