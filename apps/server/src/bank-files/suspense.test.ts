/** Money that found no debt: a person places it once, or it goes back, whatever happens beside. */
import { describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import type { CastPayment } from '../demo/cast-bgmax.ts'
import {
  balanceOf as balance,
  build as buildOver,
  context,
  fileOf,
  instance,
  OF_INSTANCE,
  one,
  server,
  stateOf,
  takeFiles,
  useBankFiles,
} from '../testing/files/bank-files.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, TODAY, type InvoiceWishes } from '../testing/build.ts'
import { placeSuspense, readSuspenseRows, type Placement } from './bank-files.ts'

useBankFiles()
let unknown = 700_000

const take = (payments: readonly CastPayment[], wishes: object = {}) => takeFiles(fileOf(payments, wishes))

/** A deposit in which the bank takes an amount back; another payment keeps its sum above zero. */
async function takeBack(reference: string, amountMinor: number): Promise<string | undefined> {
  const other = await build({ totalMinor: amountMinor + 500 })
  const [, back] = await take([
    { reference: other.reference, amountMinor: amountMinor + 500 },
    { reference, amountMinor, kind: 'deduction' },
  ])
  return back?.outcome
}

/** Money with a reference that is nobody's. */
async function lose(
  amountMinor: number,
  wishes: object = {},
): Promise<{ lineId: string; reference: string }> {
  const reference = String((unknown += 1))
  expect(await take([{ reference, amountMinor }], wishes)).toMatchObject([{ outcome: 'suspense' }])
  const rows = await readSuspenseRows(server.test.db)
  const row = rows.find(({ payment_references: references }) => references[0] === reference)
  expect(row).toMatchObject({ reason: 'unknown_reference', instance_name: 'nordklar AB' })
  return { lineId: row?.id ?? '', reference }
}

const build = (wishes: InvoiceWishes = {}) => buildOver(100_000, wishes)
const place = (lineId: string, to: Placement['to']) =>
  placeSuspense(context(), { instanceId: server.instanceId, by: 'person:anna', lineId, to })
const onInvoice = (lineId: string, name: string) => place(lineId, { kind: 'invoice', name })

const statusOf = async (lineId: string): Promise<string> =>
  (await one<{ status: string }>('select status from bank_line where id = $1', lineId)).status
const openTasks = async (lineId: string): Promise<string[]> =>
  (
    await server.test.owner.query(
      `select kind from task where about in ('bank-line:' || $1, 'payment:' || $1) and done_at is null order by kind`,
      [lineId],
    )
  ).rows.map(({ kind }) => kind as string)
const traces = (lineId: string) =>
  one<{ kinds: string[] }>(
    `select array_agg(kind || ' ' || actor) as kinds from audit_event where about = 'bank-line:' || $1`,
    lineId,
  )

describe('placed on an invoice', () => {
  test('it pays it like any other payment, once, and nobody has to place it any more', async () => {
    const invoice = await build()
    const suspended = await balance('suspense')
    const { lineId } = await lose(100_000)
    const atBank = await balance('clearing', 'BANK_FILE')
    expect(await balance('suspense')).toBe(suspended - 100_000)
    const on = { kind: 'invoice', number: invoice.number, owedBackMinor: 0 }
    for (const name of [invoice.number, invoice.reference, invoice.id])
      expect(await onInvoice(lineId, name)).toMatchObject({ on })
    expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
    expect([await balance('suspense'), await balance('clearing', 'BANK_FILE')]).toEqual([suspended, atBank])
    expect(await openTasks(lineId)).toEqual([])
    expect(await traces(lineId)).toEqual({ kinds: ['money_placed person:anna'] })
    expect((await readSuspenseRows(server.test.db)).map(({ id }) => id)).not.toContain(lineId)
    const mails = await one('select count(*)::int as sent from mail_outbox where invoice_id = $1', invoice.id)
    expect(mails).toEqual({ sent: 1 })
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/events`
    expect((await server.call('GET', path)).json).toContainEqual(
      expect.objectContaining({ type: 'PAYMENT', amount: -1000, balance: 0 }),
    )
  })

  test('what is too much is owed back, what is too little leaves the rest', async () => {
    const [small, large] = [await build(), await build({ totalMinor: 500_000 })]
    const much = await lose(100_300)
    const owedBack = { on: { owedBackMinor: 300 } }
    expect(await onInvoice(much.lineId, small.number)).toMatchObject(owedBack)
    expect(await onInvoice(much.lineId, small.number)).toMatchObject(owedBack)
    expect(await openTasks(much.lineId)).toEqual(['refund'])
    const little = await lose(100_000)
    await onInvoice(little.lineId, large.number)
    expect(await stateOf(large)).toMatchObject({ owed: 400_000 })
  })

  test('that is in a claim it pays the claim, by whichever name', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock, { invoices: [{}, {}] })
    const [first, second] = [
      await lose(1000, { bankgiro: OF_INSTANCE }),
      await lose(2000, { bankgiro: OF_INSTANCE }),
    ]
    const on = { kind: 'claim', number: claim.number, owedBackMinor: 0 }
    const owed = () =>
      one<{ minor: number }>('select balance_minor::int as minor from claim where id = $1', claim.id)
    const before = (await owed()).minor
    for (let again = 0; again < 2; again++) {
      expect(await onInvoice(first.lineId, claim.invoices[1]?.number ?? '')).toMatchObject({ on })
      expect(await place(second.lineId, { kind: 'claim', name: claim.number })).toMatchObject({ on })
      expect(await owed()).toEqual({ minor: before - 3000 })
    }
  })

  test('it can be taken back by the bank: the invoice is owed again', async () => {
    const invoice = await build()
    const { lineId, reference } = await lose(100_000)
    await onInvoice(lineId, invoice.number)
    expect(await takeBack(reference, 100_000)).toBe('reversed')
    expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 100_000 })
    await expect(onInvoice(lineId, invoice.number)).rejects.toMatchObject({ code: 'not_in_suspense' })
  })
})

test('sent back it leaves suspense once, a person is asked to return it, and it is placed nowhere any more', async () => {
  const invoice = await build()
  const { lineId } = await lose(7000)
  const [suspended, atBank, onItsWay] = [
    await balance('suspense'),
    await balance('clearing', 'BANK_FILE'),
    await balance('clearing', 'BANK_RETURN'),
  ]
  for (let again = 0; again < 2; again++) expect(await place(lineId, 'back')).toMatchObject({ on: null })
  expect([
    await balance('suspense'),
    await balance('clearing', 'BANK_FILE'),
    await balance('clearing', 'BANK_RETURN'),
  ]).toEqual([suspended + 7000, atBank, onItsWay - 7000])
  expect(await openTasks(lineId)).toEqual(['send_back'])
  expect(await traces(lineId)).toEqual({ kinds: ['money_sent_back person:anna'] })
  await expect(onInvoice(lineId, invoice.number)).rejects.toThrow('it goes back already')
})

test('what the bank takes back out of suspense is gone from it', async () => {
  const suspended = await balance('suspense')
  const { lineId, reference } = await lose(5000)
  expect(await takeBack(reference, 5000)).toBe('reversed')
  expect([await balance('suspense'), await statusOf(lineId), await openTasks(lineId)]).toEqual([
    suspended,
    'REVERSED',
    [],
  ])
  await expect(place(lineId, 'back')).rejects.toMatchObject({ code: 'not_in_suspense' })
})

describe('refused, and nothing has changed', () => {
  const refused = async (lineId: string, name: string, code: string, wishes: object = {}) => {
    const before = [await balance('suspense'), await statusOf(lineId)]
    await expect(place(lineId, { kind: 'invoice', name, ...wishes })).rejects.toMatchObject({
      name: 'PlacementRefused',
      code,
      message: expect.stringMatching(/^[A-Z0-9].*\.$/),
    })
    expect([await balance('suspense'), await statusOf(lineId)]).toEqual(before)
    expect(await openTasks(lineId)).toEqual(['bank_line'])
  }

  test('no such line or debt, another provider’s, more than one, a credit note', async () => {
    await expect(place('0198e1c0-5a1b-7c3d-8e4f-0123456789ab', 'back')).rejects.toMatchObject({
      code: 'no_such_line',
    })
    const { lineId } = await lose(1000)
    await refused(lineId, 'K-0', 'no_such_debt')
    await refused(lineId, '1', 'no_such_debt', { kind: 'claim' })
    const other = await buildInstance(server.test, { alias: 'other', isDefault: false })
    const theirs = await buildInvoice(server.test, other.id, server.clock, {})
    await refused(lineId, theirs.id, 'no_such_debt')
    const first = await build()
    const second = await build({ beside: first })
    await server.test.owner.query('update invoice set original_reference = $1 where id = any($2)', [
      'TWO',
      [first.id, second.id],
    ])
    await refused(lineId, 'TWO', 'several_debts')
    await server.test.owner.query('update invoice set original_reference = null where id = any($1)', [
      [first.id, second.id],
    ])
  })

  test('another currency, another creditor’s account, what owes nothing, what a plan pays', async () => {
    const invoice = await build({ totalMinor: 600_000 })
    const euros = await lose(1000, { currency: 'EUR' })
    await refused(euros.lineId, invoice.number, 'other_currency')
    const { lineId } = await lose(1000)
    await server.test.owner.query(`update bank_line set creditor_ids = $2 where id = $1`, [
      lineId,
      [server.instanceId],
    ])
    await refused(lineId, invoice.number, 'other_creditor')
    await server.test.owner.query(`update bank_line set creditor_ids = null where id = $1`, [lineId])
    const paid = await build()
    await take([{ reference: paid.reference, amountMinor: 100_000 }])
    await refused(lineId, paid.number, 'nothing_owed')
    const start = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/start`
    const started = await server.call('PUT', start, { body: { type: 'PLAN_6', agreementAccepted: true } })
    expect(started.status, started.text).toBeLessThan(300)
    await refused(lineId, invoice.number, 'in_a_plan')
  })

  test('money that the bank took back', async () => {
    const reference = String((unknown += 1))
    expect(await takeBack(reference, 400)).toBe('suspense')
    const row = (await readSuspenseRows(server.test.db)).find(({ kind }) => kind === 'DEDUCTION')
    await refused(row?.id ?? '', (await build()).number, 'is_deduction')
  })
})

describe('at the same moment', () => {
  test('many place it, on two invoices and back: it goes one way, and the others are told which', async () => {
    const invoices = [await build(), await build()]
    const { lineId } = await lose(100_000)
    const suspended = await balance('suspense')
    const ways: Placement['to'][] = [
      ...invoices.map(({ number: name }) => ({ kind: 'invoice' as const, name })),
      'back',
    ]
    const all = await Promise.allSettled([...ways, ...ways, ...ways].map((to) => place(lineId, to)))
    const placed = all.filter(({ status }) => status === 'fulfilled')
    expect(placed).toHaveLength(3)
    for (const one of all)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'not_in_suspense' })
    expect(await balance('suspense')).toBe(suspended + 100_000)
  })

  test('nights, imports of more money and placements: every amount is on its invoice once', async () => {
    const invoices = await Promise.all(
      Array.from({ length: 6 }, () => build({ dueDate: addDays(TODAY, -8) })),
    )
    const lost = []
    for (const _ of invoices) lost.push(await lose(50_000))
    const payments = invoices.map(({ reference }) => ({ reference, amountMinor: 30_000 }))
    const [, , ...settled] = await Promise.all([
      performDailyRun(context(), instance, TODAY),
      take(payments),
      ...lost.map(({ lineId }, n) => onInvoice(lineId, invoices[n]?.number ?? '')),
    ])
    expect(settled.map(({ on }) => on?.owedBackMinor)).toEqual(invoices.map(() => 0))
    const { minor } = await one<{ minor: number }>(
      `select sum(p.amount_minor)::int as minor from ledger_transaction t
       join posting p on p.transaction_id = t.id join ledger_account a on a.id = p.account_id
       where t.invoice_id = any($1) and t.kind = 'PAYMENT' and a.kind = 'clearing'`,
      invoices.map(({ id }) => id),
    )
    expect(minor).toBe(6 * 80_000)
  })
})
