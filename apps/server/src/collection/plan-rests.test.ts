/** A plan whose invoice was disputed or paused: what the debtor is told and given before the plan goes on. */
import { expect, test } from 'vitest'
import { addBankDays } from '@kvitt/domain/collection/bank-days.ts'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { disputeInvoice } from '../disputes/disputes.ts'
import { publicViewer } from '../sign-in/viewer.ts'
import { build, context, instance, one, rows, server, useBankFiles } from '../testing/files/bank-files.ts'
import { TODAY, type BuiltInvoice } from '../testing/build.ts'
import { Chance } from '../testing/simulation/chance.ts'
import { openFakeBank } from '../testing/simulation/fake-bank.ts'
import { openWatch } from '../testing/simulation/watch.ts'
import { pauseInvoice, performDailyRun } from './collection.ts'
import { decideDispute, type Decision } from './decisions/decide-dispute.ts'
import { resumeInvoice } from './decisions/pause.ts'

useBankFiles()

const DUE = addMonths(TODAY, 1)
/** The first instalment was noticed as late two weeks before: the plan would end in this night. */
const ENDS = addDays(DUE, 31)

async function nights(...days: readonly CalendarDate[]): Promise<void> {
  for (const day of days) {
    server.clock.moveTo(day)
    await performDailyRun(context(), instance, day)
  }
}

/** An invoice of 900.00 in a plan of three months, and its first instalment, billed and not paid. */
async function billed(): Promise<{ mother: BuiltInvoice; bill: string; plan: string }> {
  server.clock.moveTo(TODAY)
  const mother = await build(90_000)
  const path = `/api/public/invoices/${mother.reference}/${mother.zip}/part-payment/start`
  expect((await server.call('PUT', path, { body: { type: 'PLAN_3' } })).status).toBe(200)
  await nights(addDays(DUE, -14))
  const { bill, plan } = await one<{ bill: string; plan: string }>(
    `select n.invoice_id as bill, n.part_payment_id as plan from part_payment_member m
     join part_payment_instalment n on n.part_payment_id = m.part_payment_id
     where m.invoice_id = $1 and n.invoice_id is not null`,
    mother.id,
  )
  return { mother, bill, plan }
}
const statusOf = async (plan: string) =>
  (await one<{ status: string }>('select status from part_payment where id = $1', plan)).status
const noticesOf = (bill: string) =>
  rows(
    `select 1 from collection_step where invoice_id = $1 and type = 'PART_PAYMENT_NOTIFICATION' and status = 'PERFORMED'`,
    bill,
  )
const expireDateOf = async ({ id }: BuiltInvoice) =>
  (await one<{ day: string }>('select expire_date::text as day from invoice where id = $1', id)).day

/** The simulation, which looks for what was forgotten on the last day of all, finds nothing: so the earlier days come first. */
const expectNothingLeftLying = () =>
  openWatch(server.test, openFakeBank(new Chance(1))).afterNights(new Map())

async function dispute(mother: BuiltInvoice): Promise<string> {
  const viewer = publicViewer(instance, mother.reference, mother.zip)
  const wanted = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
  await disputeInvoice(server.product.context, viewer, mother.number, wanted)
  return (
    await one<{ id: string }>(`select id from dispute where invoice_id = $1 and status = 'OPEN'`, mother.id)
  ).id
}
async function decide(disputeId: string, decision: Decision, amount?: string): Promise<string> {
  const { instanceId } = server
  await decideDispute(server.product.context, {
    instanceId,
    disputeId,
    decision,
    amount,
    answer: 'Mätaren är avläst.',
    by: 'Eva',
  })
  const mail = await one<{ body: string }>(
    'select text_body as body from mail_outbox where cause = $1 order by created_at desc limit 1',
    `dispute:${disputeId}`,
  )
  return mail.body
}

const AFTER = addBankDays('SE', ENDS, 3)

test.each([
  ['by itself', ENDS],
  ['when a person says so', addDays(ENDS, 60)],
  ['when a person says so, of no day', null],
])('a late plan ends three bank days after a respite of its invoice has ended, %s', async (_, resumeDate) => {
  const { mother, plan } = await billed()
  await nights(addDays(DUE, 1), addDays(DUE, 2), addDays(DUE, 17))
  const key = { instanceId: server.instanceId, invoiceId: mother.id }
  await pauseInvoice(context(), key, { on: addDays(DUE, 17), reason: 'respite', resumeDate })
  await nights(addDays(ENDS, -1))
  server.clock.moveTo(ENDS)
  if (resumeDate !== ENDS) await resumeInvoice(context(), key, ENDS)
  await nights(ENDS, addDays(AFTER, -1))
  expect(await statusOf(plan)).toBe('ACTIVE')
  await expectNothingLeftLying()
  await nights(AFTER)
  expect(await statusOf(plan)).toBe('DEFAULTED')
})

test.each<[Decision, string | undefined]>([
  ['REJECT', undefined],
  ['UPHOLD_PART', '10.00'],
])('a late plan ends two weeks after a dispute of its invoice is decided: %s', async (decision, amount) => {
  const { mother, plan } = await billed()
  await nights(addDays(DUE, 1), addDays(DUE, 2), addDays(DUE, 17))
  const id = await dispute(mother)
  await nights(ENDS)
  expect(await statusOf(plan)).toBe('ACTIVE')
  const on = addDays(ENDS, 4)
  server.clock.moveTo(on)
  await decide(id, decision, amount)
  await nights(addDays(on, 1), addDays(on, 13))
  expect(await statusOf(plan)).toBe('ACTIVE')
  await expectNothingLeftLying()
  await nights(addDays(on, 14))
  expect(await statusOf(plan)).toBe('DEFAULTED')
})

test('nobody is told that an instalment is missed within two weeks after a dispute is decided', async () => {
  const { mother, bill } = await billed()
  await nights(addDays(DUE, 1))
  const id = await dispute(mother)
  const on = addDays(DUE, 20)
  server.clock.moveTo(on)
  await decide(id, 'REJECT')
  await nights(addDays(on, 1), addDays(on, 13))
  expect(await noticesOf(bill)).toHaveLength(0)
  await nights(addDays(on, 14))
  expect(await noticesOf(bill)).toHaveLength(1)
})

test('upheld in part, what is left is left to the plan: no other day to pay it is told or set', async () => {
  const { mother, plan } = await billed()
  const before = await expireDateOf(mother)
  const body = await decide(await dispute(mother), 'UPHOLD_PART', '100.00')
  expect(body).toMatch(/100,00\s*SEK krediteras/)
  expect(body).not.toMatch(/Kvar att betala/)
  expect([await expireDateOf(mother), await statusOf(plan)]).toEqual([before, 'ACTIVE'])
})

test('nobody is told that an instalment is missed within three bank days after a respite; then they are', async () => {
  const { mother, bill } = await billed()
  const key = { instanceId: server.instanceId, invoiceId: mother.id }
  await pauseInvoice(context(), key, { on: addDays(DUE, -1), reason: 'respite', resumeDate: null })
  await nights(addDays(DUE, 1), addDays(DUE, 2), addDays(DUE, 19))
  expect(await noticesOf(bill)).toHaveLength(0)
  const over = addDays(DUE, 20)
  server.clock.moveTo(over)
  await resumeInvoice(context(), key, over)
  const after = addBankDays('SE', over, 3)
  await nights(over, addDays(after, -1))
  expect(await noticesOf(bill)).toHaveLength(0)
  await nights(after)
  expect(await noticesOf(bill)).toHaveLength(1)
})
