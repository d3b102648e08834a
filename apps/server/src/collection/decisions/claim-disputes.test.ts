/** A dispute of a claim is upheld: what was not owed is taken back, and what was paid of that goes back. */
import { describe, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import type { EventAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import {
  context,
  creditOf,
  fileOf,
  instance,
  OF_INSTANCE,
  one,
  rows,
  server,
  stateOf,
  takeFiles,
  useBankFiles,
} from '../../testing/files/bank-files.ts'
import { NIGHTS_TO_CLAIM, type BuiltClaim } from '../../testing/build-claim.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { rejectClaimDispute, performDailyRun, upholdClaimDispute } from '../collection.ts'

useBankFiles()

const keyOf = ({ id: claimId }: BuiltClaim) => ({ instanceId: server.instanceId, claimId })

/** A claim of 1 000.00 and 500.00, with 60.00 for each reminder and 180.00 for the demand, all letters sent. */
async function build(): Promise<BuiltClaim> {
  const dueDate = addDays(TODAY, -27)
  server.clock.moveTo(addDays(dueDate, -30))
  const first = await buildInvoice(server.test, server.instanceId, server.clock, {
    totalMinor: 100_000,
    dueDate,
  })
  const wishes = { totalMinor: 50_000, dueDate, beside: first }
  const second = await buildInvoice(server.test, server.instanceId, server.clock, wishes)
  for (const after of NIGHTS_TO_CLAIM) {
    server.clock.moveTo(addDays(dueDate, after))
    await performDailyRun(context(), instance, addDays(dueDate, after))
    await server.product.sendMail()
  }
  server.clock.moveTo(TODAY)
  const row = await one<Omit<BuiltClaim, 'instanceId' | 'invoices'>>(
    `select c.id, c.claim_number as number, c.payment_reference as reference, c.zip
     from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
    first.id,
  )
  const claim = { instanceId: server.instanceId, invoices: [first, second], ...row }
  expect(await claimRow(claim)).toMatchObject({ status: 'OPEN', principal: 150_000, costs: 30_000 })
  return claim
}

type Row = { status: string; principal: number; costs: number; interest: number; due: string }
const claimRow = ({ id }: BuiltClaim) =>
  one<Row>(
    `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest,
       expire_date::text as due from claim where id = $1`,
    id,
  )

const first = ({ invoices }: BuiltClaim): BuiltInvoice => invoices[0] as BuiltInvoice

async function dispute({ reference, zip }: BuiltClaim): Promise<void> {
  const path = `/api/public/collection-batches/${reference}/${zip}/dispute`
  const body = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
  expect((await server.call('POST', path, { body })).status).toBe(201)
}

async function pay({ reference }: BuiltClaim, amountMinor: number): Promise<void> {
  const file = fileOf([{ reference, amountMinor }], { bankgiro: OF_INSTANCE })
  expect(await takeFiles(file)).toMatchObject([{ outcome: 'booked' }])
}

/** What a person is asked to send back, in öre. */
async function owedBack(claim: BuiltClaim): Promise<number> {
  const tasks = await rows<{ minor: number }>(
    `select (k.details ->> 'amountMinor')::int as minor from task k
     where k.kind = 'refund' and k.done_at is null and exists (select from ledger_transaction t
       where t.cause in (k.about, 'refund:' || k.about)
         and (t.claim_id = $1 or t.invoice_id in (select id from invoice where claim_id = $1)))`,
    claim.id,
  )
  return tasks.reduce((sum, { minor }) => sum + minor, 0)
}

const all = { on: TODAY, answer: 'Mätaren var fel.', creditMinor: 'all' } as const
const part = (creditMinor: number) => ({ on: TODAY, answer: 'En avläsning var fel.', creditMinor })

test.each([
  [
    'rejected',
    (claim: BuiltClaim) =>
      rejectClaimDispute(server.product.context, keyOf(claim), { on: TODAY, answer: 'Nej, läst.' }),
    [`före ${addDays(TODAY, 14)}`, 'Nej, läst.'],
  ],
  [
    'upheld',
    (claim: BuiltClaim) => upholdClaimDispute(server.product.context, keyOf(claim), all),
    [all.answer],
  ],
  [
    'upheld_in_part',
    (claim: BuiltClaim) => upholdClaimDispute(server.product.context, keyOf(claim), part(60_000)),
    ['600,00\u00a0SEK krediteras', `senast ${addDays(TODAY, 14)}`, part(1).answer],
  ],
] as const)('%s: the debtor is told, once', async (outcome, decide, words) => {
  const claim = await build()
  await dispute(claim)
  expect([await decide(claim), await decide(claim)]).toEqual([true, false])
  const told = await rows<{ recipient: string; text: string }>(
    `select recipient, text_body as text from mail_outbox where claim_id = $1 and kind = 'dispute_' || $2`,
    claim.id,
    outcome,
  )
  expect(told).toMatchObject([{ recipient: 'alva@example.com' }])
  for (const said of [`ärende ${claim.number}`, ...words]) expect(told[0]?.text).toContain(said)
  const ending = outcome === 'upheld_in_part' ? 'UPHELD_PART' : outcome.toUpperCase()
  expect(await answersTo(claim)).toEqual([{ type: `DISPUTE_${ending}`, date: TODAY, status: 'PERFORMED' }])
})

/** What its timeline tells of answers to disputes. */
async function answersTo({ reference, zip }: BuiltClaim) {
  const { json } = await server.call('GET', `/api/public/collection-batches/${reference}/${zip}/events`)
  return (json as EventAnswer[])
    .filter(({ type }) => type.startsWith('DISPUTE'))
    .map(({ type, date: on, status }) => ({ type, date: on, status }))
}

describe('wholly', () => {
  test('all that was paid is owed back, fees too', async () => {
    const claim = await build()
    await pay(claim, 40_000)
    await dispute(claim)
    const answers = await Promise.all([1, 2].map(() => upholdClaimDispute(context(), keyOf(claim), all)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await claimRow(claim)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    expect([await creditOf(first(claim)), await owedBack(claim)]).toEqual([40_000, 40_000])
    for (const invoice of claim.invoices)
      expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  })

  test('unpaid: nothing is owed to anybody', async () => {
    const claim = await build()
    await dispute(claim)
    await upholdClaimDispute(context(), keyOf(claim), all)
    expect(await claimRow(claim)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    expect([await creditOf(first(claim)), await owedBack(claim)]).toEqual([0, 0])
  })
})

describe('in part', () => {
  test('fees and interest are gone, and the rest is due in fourteen days', async () => {
    const claim = await build()
    await dispute(claim)
    expect(await upholdClaimDispute(context(), keyOf(claim), part(60_000))).toBe(true)
    expect(await claimRow(claim)).toEqual({
      status: 'RESUME',
      principal: 90_000,
      costs: 0,
      interest: 0,
      due: addDays(TODAY, 14),
    })
    const planned = await rows<{ day: string }>(
      `select planned_date::text as day from collection_step where claim_id = $1 and status = 'PLANNED'`,
      claim.id,
    )
    for (const { day } of planned) expect(date(day) > addDays(TODAY, 14)).toBe(true)
    // The rest is paid in time: no interest since.
    server.clock.moveTo(addDays(TODAY, 14))
    await pay(claim, 90_000)
    expect(await claimRow(claim)).toMatchObject({ status: 'CLOSED', principal: 0 })
    expect(await creditOf(first(claim))).toBe(0)
  })

  test('what was paid of fees and interest settles principal', async () => {
    const claim = await build()
    const { costs, interest } = await claimRow(claim)
    await pay(claim, costs + interest + 10_000)
    await dispute(claim)
    await upholdClaimDispute(context(), keyOf(claim), part(60_000))
    // 1 500.00 less 600.00, and less all that was paid.
    expect(await claimRow(claim)).toMatchObject({ principal: 90_000 - costs - interest - 10_000, costs: 0 })
    expect([await creditOf(first(claim)), await owedBack(claim)]).toEqual([0, 0])
  })

  test('what was paid beyond what is left is owed back', async () => {
    const claim = await build()
    const { costs, interest } = await claimRow(claim)
    await pay(claim, costs + interest + 40_000)
    await dispute(claim)
    // 1 100.00 is open. Of the 100.00 that are left, what was paid for fees and interest pays.
    await upholdClaimDispute(context(), keyOf(claim), part(100_000))
    expect(await claimRow(claim)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    const back = costs + interest - 10_000
    expect([await creditOf(first(claim)), await owedBack(claim)]).toEqual([back, back])
  })

  test('a second dispute takes no fee back twice', async () => {
    const claim = await build()
    await dispute(claim)
    await upholdClaimDispute(context(), keyOf(claim), part(60_000))
    await dispute(claim)
    await upholdClaimDispute(context(), keyOf(claim), part(30_000))
    expect(await claimRow(claim)).toMatchObject({
      status: 'RESUME',
      principal: 60_000,
      costs: 0,
      interest: 0,
    })
    expect(await creditOf(first(claim))).toBe(0)
  })

  test.each([0, -1, 150_000, 150_001])('not by %i', async (creditMinor) => {
    const claim = await build()
    await dispute(claim)
    await expect(upholdClaimDispute(context(), keyOf(claim), part(creditMinor))).rejects.toThrow(
      /credited in part/,
    )
    expect(await claimRow(claim)).toMatchObject({ status: 'DISPUTED', principal: 150_000 })
  })
})

test('rejected and upheld at once: one of them; and each needs words', async () => {
  const claim = await build()
  await dispute(claim)
  const answers = await Promise.all([
    rejectClaimDispute(context(), keyOf(claim), { on: TODAY, answer: 'Nej.' }),
    upholdClaimDispute(context(), keyOf(claim), all),
    rejectClaimDispute(context(), keyOf(claim), { on: TODAY, answer: 'Nej.' }),
  ])
  expect(answers.filter(Boolean)).toHaveLength(1)
  const empty = { on: TODAY, answer: ' - ' }
  expect(() => rejectClaimDispute(context(), keyOf(claim), empty)).toThrow(/empty/)
  expect(() => upholdClaimDispute(context(), keyOf(claim), { ...all, ...empty })).toThrow(/empty/)
})
