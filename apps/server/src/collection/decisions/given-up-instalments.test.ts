/** What an instalment has left is given up, and then what its plan paid is credited: nobody is owed what nobody paid. */
import { describe, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { buildClaim } from '../../testing/build-claim.ts'
import { buildInvoice } from '../../testing/build.ts'
import { context, DUE, night, server, sql, START, useReminders } from '../../testing/debts/reminded.ts'
import { brokenInvariants } from '../../testing/test-database.ts'
import { transfer } from '../../testing/debts/transfer.ts'
import { decideDebt, upholdClaimDispute, upholdDispute } from '../collection.ts'

useReminders()

type Debt = { readonly id: string; readonly debtorId: string }
type Door = { readonly id: string; readonly reference: string; readonly zip: string }
type Act = 'stop' | 'write-off'

const giveUp = ({ id }: Door, act: Act) =>
  decideDebt(context(), {
    instanceId: server.instanceId,
    debt: { kind: 'invoice', name: id },
    decision: act === 'stop' ? { act } : { act, amount: null },
    reason: 'Goodwill',
    by: 'person:Eva Berg',
  })

const instalmentOf = async ({ id }: Pick<Debt, 'id'>): Promise<Door> =>
  (
    await sql(
      `select i.id, i.payment_reference as reference, i.zip from invoice i
       join part_payment_instalment n on n.invoice_id = i.id
       join part_payment_member m on m.part_payment_id = n.part_payment_id where m.debt_id = $1 order by n.number limit 1`,
      [id],
    )
  )[0]

/** What the debtor owes in all, and what they are owed back. */
async function netOf({ debtorId }: Pick<Debt, 'debtorId'>) {
  expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({})
  const [row] = await sql(
    `select (select sum(balance_minor) from invoice where debtor_id = $1)::int
         + (select coalesce(sum(balance_minor), 0) from claim where debtor_id = $1)::int as owed,
       (select coalesce(-sum(balance_minor), 0) from ledger_account where debtor_id = $1 and kind = 'credit')::int as back`,
    [debtorId],
  )
  return row
}

/** 6 000.00 in six parts: 1 000.00 is billed, with 124.00 in fees. */
async function planned(): Promise<{ mother: Debt & Door; instalment: Door }> {
  server.clock.moveTo(START)
  const mother = await buildInvoice(server.test, server.instanceId, server.clock, {
    dueDate: DUE,
    totalMinor: 600_000,
  })
  const url = `/api/public/invoices/${mother.reference}/${mother.zip}`
  const choice = { type: 'PLAN_6', agreementAccepted: true }
  expect((await server.call('PUT', `${url}/part-payment/start`, { body: choice })).status).toBe(200)
  for (let day = addDays(START, 15); day <= addDays(START, 18); day = addDays(day, 1)) await night(day)
  return { mother, instalment: await instalmentOf(mother) }
}

const BILLED = addDays(START, 18)

async function uphold({ id, reference, zip }: Door, creditMinor: number | 'all', on: CalendarDate) {
  const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
  const url = `/api/public/invoices/${reference}/${zip}/dispute`
  expect((await server.call('POST', url, { body })).status).toBe(201)
  const key = { instanceId: server.instanceId, invoiceId: id }
  expect(await upholdDispute(context(), key, { on, decision: 'Ja.', creditMinor })).toBe(true)
}

describe.each<Act>(['write-off', 'stop'])('an instalment, by %s', (act) => {
  test('and all of the invoice is credited: nothing had been paid', async () => {
    const { mother, instalment } = await planned()
    await giveUp(instalment, act)
    await uphold(mother, 'all', BILLED)
    expect(await netOf(mother)).toEqual({ owed: 0, back: 0 })
  })

  test('of which 500.00 had been paid: that is owed back', async () => {
    const { mother, instalment } = await planned()
    await transfer(server, instalment, 50_000)
    await giveUp(instalment, act)
    await uphold(mother, 'all', BILLED)
    expect(await netOf(mother)).toEqual({ owed: 0, back: 50_000 })
  })

  test('and more is credited than the plan had to bill: the rest comes off what was given up, once', async () => {
    const { mother, instalment } = await planned()
    await giveUp(instalment, act)
    // 5 000.00 were to be billed.
    await uphold(mother, 550_000, BILLED)
    // Nobody asks for the other 500.00, which stay on what was stopped.
    expect(await netOf(mother)).toEqual({ owed: act === 'stop' ? 50_000 : 0, back: 0 })
  })

  test('of a claim, and its dispute is upheld: what was paid is owed back', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock)
    const url = `/api/public/collection-batches/${claim.reference}/${claim.zip}`
    const choice = { type: 'PLAN_3', agreementAccepted: true }
    expect((await server.call('POST', `${url}/part-payment/start`, { body: choice })).status).toBe(200)
    const on = server.clock.today('Europe/Stockholm')
    for (let after = 1; after <= 20; after++) await night(addDays(on, after))
    const instalment = await instalmentOf(claim)
    await transfer(server, instalment, 10_000)
    await giveUp(instalment, act)
    const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
    expect((await server.call('POST', `${url}/dispute`, { body })).status).toBe(201)
    const key = { instanceId: server.instanceId, claimId: claim.id }
    const upheld = { on: addDays(on, 20), answer: 'Ja.', creditMinor: 'all' as const }
    expect(await upholdClaimDispute(context(), key, upheld)).toBe(true)
    const [{ debtor_id: debtorId }] = await sql('select debtor_id from claim where id = $1', [claim.id])
    expect(await netOf({ debtorId })).toEqual({ owed: 0, back: 10_000 })
  })
})
