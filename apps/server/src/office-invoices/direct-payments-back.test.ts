/** What staff had entered as paid to the creditor is taken back; what is signed leaves no room for it. */
import { expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { TODAY } from '../testing/build.ts'
import {
  act,
  ask,
  billed,
  books,
  build,
  codeOf,
  direct,
  entered,
  lastBilled,
  night,
  one,
  server,
  sign,
  sql,
  startPlan,
  stateOf,
  takeBack,
  useDirectPayments,
} from '../testing/debts/paid-direct.ts'
import { transfer } from '../testing/debts/transfer.ts'

useDirectPayments()

test('taken back: it is owed again, once, and the debtor and the deeds say so', async () => {
  await build(84_200)
  await direct(84_200)
  const payment = await entered()
  expect(await stateOf()).toMatchObject({ status: 'CLOSED', principal: 0 })
  expect(codeOf(await takeBack(payment.id, { reason: ' ' }))).toEqual([400, 'why_required'])
  const both = await Promise.all([1, 2].map(() => takeBack(payment.id, undefined, 'undo-1')))
  for (const { status, json, text } of both) {
    expect(status, text).toBe(200)
    expect(json).toMatchObject({ id: payment.id, status: 'REVERSED' })
  }
  expect(await stateOf()).toEqual({ status: 'ACTIVATED', principal: 84_200, costs: 0, interest: 0 })
  expect(await books()).toEqual({ ours: [0, 0], theirs: [0, 0] })
  expect(codeOf(await takeBack(payment.id))).toEqual([400, 'act_not_open'])
  expect(
    await sql(
      `select kind, reason, before ->> 'status' as was, after ->> 'status' as is from audit_event
       where about = 'invoice:' || $1 and is_deed order by seq`,
      [one.id],
    ),
  ).toMatchObject([
    { kind: 'direct_payment_entered' },
    { kind: 'direct_payment_reversed', reason: 'Wrong customer', was: 'CLOSED', is: 'ACTIVATED' },
  ])
  const mails = await sql(
    'select kind, text_body as text from mail_outbox where invoice_id = $1 order by id',
    [one.id],
  )
  expect(mails.map(({ kind }) => kind)).toEqual(['direct_payment', 'direct_payment_reversed'])
  expect(mails[0].text).toMatch(/har rapporterat att 842,00.SEK/)
  expect(mails[0].text).not.toMatch(/Vi har tagit emot/)
  expect(mails[1].text).toMatch(/misstag[^]*Kvar att betala är 842,00.SEK/)
})

test('two who take it back at once, without a key: one does', async () => {
  await build(84_200)
  await direct(40_000)
  const { id } = await entered()
  const both = await Promise.all([1, 2].map(() => takeBack(id)))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect(await stateOf()).toMatchObject({ status: 'ACTIVATED', principal: 84_200 })
})

test('what it had taken the ground from is not charged again, and its days cost nothing', async () => {
  await build(84_200)
  for (const after of [1, 2, 7]) await night(addDays(TODAY, 14 + after))
  await server.product.sendMail()
  await act('direct-payment', { amount: 842, date: addDays(TODAY, 10) })
  expect(await stateOf()).toEqual({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
  await takeBack((await entered()).id)
  expect(await stateOf()).toEqual({ status: 'ACTIVATED', principal: 84_200, costs: 0, interest: 0 })
})

test('of an invoice that has joined a claim, it is owed on the claim', async () => {
  await build(84_200)
  await direct(20_000)
  const payment = await entered()
  for (const after of NIGHTS_TO_CLAIM) {
    await night(addDays(TODAY, 14 + after))
    await server.product.sendMail()
  }
  const claim = `select c.principal_minor::int as principal from claim c join invoice i on i.claim_id = c.id where i.id = $1`
  expect(await sql(claim, [one.id])).toEqual([{ principal: 64_200 }])
  expect((await takeBack(payment.id)).status).toBe(200)
  expect(await sql(claim, [one.id])).toEqual([{ principal: 84_200 }])
  expect(await books()).toEqual({ ours: [0, 0], theirs: [0, 0] })
})

test('of an instalment whose whole invoice has been credited since: nothing is owed either way', async () => {
  await build()
  const plan = await startPlan()
  const first = await lastBilled(plan, 1)
  await direct(first.balance, first.id)
  const payment = await entered(first.id)
  await act('credit', { reason: 'Fel kund' })
  expect((await takeBack(payment.id)).status).toBe(200)
  expect(await stateOf(first.id)).toMatchObject({ principal: 0, costs: 0, interest: 0 })
  expect(await books()).toEqual({ ours: [0, 0], theirs: [0, 0] })
})

test('what a plan pays by now, what the bank brought, and another creditor’s are not taken back', async () => {
  await build()
  await direct(50_000)
  const inPlan = await entered()
  await startPlan()
  expect(codeOf(await takeBack(inPlan.id))).toEqual([400, 'owed_in_plan'])
  await build(84_200)
  expect(codeOf(await takeBack(inPlan.id))).toEqual([404, 'not_found'])
  await transfer(server, one, 10_000)
  const [{ id }] = (await sql(
    `select id from ledger_transaction where invoice_id = $1 and kind = 'PAYMENT'`,
    [one.id],
  )) as [{ id: string }]
  expect(codeOf(await takeBack(id))).toEqual([400, 'act_not_open'])
})

test('signed for its due date: no direct payment takes its place, nothing is stopped, and the acts say so', async () => {
  await build(84_200)
  await sign()
  const acts = `invoices/${one.id}`
  expect(codeOf(await ask(`${acts}/direct-payment`, { amount: 842, date: TODAY }))).toEqual([
    400,
    'payment_signed',
  ])
  expect(codeOf(await ask(`${acts}/direct-payment`, { amount: 1, date: TODAY }))).toEqual([
    400,
    'payment_signed',
  ])
  expect(codeOf(await ask(`${acts}/stop`, { reason: 'OTHER' }))).toEqual([400, 'payment_signed'])
  const offered = await ask(`${acts}/acts`)
  const reasons = (offered.json as { act: string; reason: string | null; message: string | null }[]).filter(
    ({ reason }) => reason === 'payment_signed',
  )
  expect(reasons.map((one) => one.act)).toEqual(['direct-payment', 'stop'])
  for (const { message } of reasons) expect(message).toMatch(/avbryta den i sin bank|cancel it at their bank/)
  expect(await stateOf()).toMatchObject({ status: 'ACTIVATED', principal: 84_200 })
})

test('an amount that is none is called that', async () => {
  await build(84_200)
  const tried = async (name: string, body: object) => codeOf(await ask(`invoices/${one.id}/${name}`, body))
  const malformed = [400, 'amount_malformed']
  expect(await tried('direct-payment', { amount: '1.005', date: TODAY })).toEqual(malformed)
  expect(await tried('credit', { amount: 'all', reason: 'Fel' })).toEqual(malformed)
  expect(await tried('write-off', { amount: '12,5,0', reason: 'Litet' })).toEqual(malformed)
})

test('a credit of an invoice in a plan says what is left of what the plan has billed', async () => {
  await build()
  const plan = await startPlan()
  const first = await lastBilled(plan, 1)
  await sign(first, { amount: first.balance / 100, paymentDate: server.clock.today('Europe/Stockholm') })
  await act('credit', { reason: 'Fel kund' })
  const [left] = await billed(plan)
  expect(left?.balance).toBeGreaterThan(0)
  const [mail] = await sql(
    `select text_body as text from mail_outbox where kind = 'credited' and invoice_id = $1`,
    [one.id],
  )
  expect(mail.text).toMatch(/Kvar att betala är (2.0\d\d,00.SEK), varav \1 är fakturerat i din delbetalning/)
})
