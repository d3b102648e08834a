/** A plan whose debtor is flagged: its instalments are neither stopped nor said with days that are over, and each word comes once (M-34). */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, addMonths, date, daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { deliverMail } from '../mail/mail.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { openOffice, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'

let server: TestServer
let ask: AskOffice
let debt: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['handler', 'support', 'manager'])
  await buildPlanSettings(server.test, server.instanceId)
})
beforeEach(async () => {
  server.clock.moveTo(TODAY)
  const dueDate = addDays(TODAY, -1)
  debt = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate, totalMinor: 600_000 })
  const path = `/api/public/invoices/${debt.reference}/${debt.zip}/part-payment/start`
  const plan = await server.call('PUT', path, { body: { type: 'PLAN_6', agreementAccepted: true } })
  expect(plan.status).toBe(200)
})

/** The day on which the first instalment is billed. */
const BILLED = addDays(addMonths(TODAY, 1), -14)
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const night = (day: CalendarDate) => {
  server.clock.moveTo(day)
  return performDailyRun(server.product.context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}
const setFlag = async (): Promise<string> => {
  const body = { kind: 'BANKRUPT', from: TODAY, source: 'x' }
  expect((await ask('support', `POST /debtors/${debt.debtorId}/flags`, body)).status).toBe(200)
  const [flag] = await sql('select id from debtor_flag where debtor_id = $1 and ended_on is null', [
    debt.debtorId,
  ])
  return flag?.id
}
const endFlag = async (id: string) =>
  expect((await ask('handler', `POST /debtor-flags/${id}/end`, { reason: 'Fel person' })).status).toBe(200)
type Instalment = { id: string; status: string; stop_reason: string | null; due: CalendarDate; plan: string }
const instalment = async (): Promise<Instalment> => {
  const [row] = await sql(
    `select i.id, i.status, i.stop_reason, i.expire_date::text as due, p.status as plan from part_payment_instalment n
     join invoice i on i.id = n.invoice_id join part_payment p on p.id = n.part_payment_id
     where p.debtor_id = $1 order by n.number limit 1`,
    [debt.debtorId],
  )
  return { ...row, due: row?.due && date(row.due) }
}
const messages = (invoiceId: string, kind: string) =>
  sql(
    `select id, status, text_body as text from mail_outbox where invoice_id = $1 and kind = $2 order by created_at, id`,
    [invoiceId, kind],
  )
/** What leaves now by e-mail, with what it says. */
const leaving = async () => {
  const sent = new Map<string, string>()
  const drawLetter = async () => ({ name: 'a.pdf', title: 'Faktura', bytes: Buffer.from('%PDF-') })
  await sql(`update mail_outbox set next_at = now() where status = 'WAITING'`)
  const context = { ...server.product.context, drawLetter, writeBill: async () => undefined }
  const EMAIL = async ({ id, text }: { id: string; text: string }) => void sent.set(id, text)
  for (let round = 0; round < 3; round++) await deliverMail(context as never, { EMAIL })
  return sent
}

test('stopped: an instalment of a running plan is left, as the plan is', async () => {
  await night(BILLED)
  const before = await instalment()
  const id = await setFlag()
  const answer = await ask('manager', `POST /debtor-flags/${id}/answer`, { answer: 'STOP' })
  expect(answer.status).toBe(200)
  expect(await instalment()).toEqual(before)
  expect(before).toMatchObject({ status: 'ACTIVATED', plan: 'ACTIVE' })
  const [deed] = await sql(
    `select after from audit_event where about = $1 and kind = 'debtor_flag_answered'`,
    [`debtor:${debt.debtorId}`],
  )
  expect(deed?.after).toMatchObject({ stopped: 0, left: 2 })
})

test('word of a missed instalment that waited comes again after the rest, and the plan does not end before it', async () => {
  await night(BILLED)
  await leaving()
  const { id: bill, due } = await instalment()
  let day = BILLED
  for (; (await messages(bill, 'plan_missed')).length === 0 && day < addDays(due, 40); day = addDays(day, 1))
    await night(day)
  expect(await messages(bill, 'plan_missed')).toMatchObject([{ status: 'WAITING' }])
  const id = await setFlag()
  expect(await messages(bill, 'plan_missed')).toMatchObject([{ status: 'DROPPED' }])
  await endFlag(id)
  for (let later = 0; later < 12; later++) {
    await night(addDays(day, later))
    if ((await messages(bill, 'plan_missed')).length > 1) break
    expect((await instalment()).plan, 'nothing ends unsaid').toBe('ACTIVE')
  }
  const told = await messages(bill, 'plan_missed')
  expect(told.map(({ status }) => status)).toEqual(['DROPPED', 'WAITING'])
  expect([...(await leaving()).keys()]).toContain(told[1]?.id)
  for (let later = 0; later < 40; later++) await night(addDays(server.clock.today('Europe/Stockholm'), 1))
  expect((await instalment()).plan).toBe('DEFAULTED')
  expect(await messages(bill, 'plan_missed'), 'once').toHaveLength(2)
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('the setter locks instalments before what their plan pays, as whoever ends the plan does', async () => {
  await night(BILLED)
  const { id: bill } = await instalment()
  const client = await server.test.owner.connect()
  await client.query('begin')
  await client.query('select from invoice where id = $1 for no key update', [bill])
  const setting = setFlag()
  const letGo = async () => {
    await client.query('rollback')
    client.release()
  }
  await expect
    .poll(async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await sql(waiting)).length
    })
    .toBeGreaterThan(0)
  try {
    await client.query('select from invoice where id = $1 for no key update nowait', [debt.id])
  } finally {
    await letGo()
  }
  await setting
})

test('a bill that waited leaves after the rest with its whole time to pay, and nobody is told that it was missed', async () => {
  await night(BILLED)
  const before = await instalment()
  const [bill] = await messages(before.id, 'plan_instalment')
  expect(bill).toMatchObject({ status: 'WAITING' })
  const terms = daysBetween(BILLED, before.due)
  const id = await setFlag()
  for (let day = 1; day <= 40; day += 3) await night(addDays(BILLED, day))
  expect([...(await leaving()).keys()]).not.toContain(bill?.id)
  await endFlag(id)
  const over = server.clock.today('Europe/Stockholm')
  expect(over > before.due, 'its own day is over').toBe(true)
  const due = addDays(over, terms)
  expect(await instalment()).toEqual({ ...before, due })
  const text = (await leaving()).get(bill?.id) ?? ''
  expect(text).toContain(due)
  expect(text).not.toContain(before.due)
  for (let day = 1; day <= terms; day++) await night(addDays(over, day))
  expect(await messages(before.id, 'plan_missed')).toEqual([])
  const [next] = await sql(
    `select n.due_date::text as due from part_payment_instalment n join part_payment p on p.id = n.part_payment_id
     where p.debtor_id = $1 and n.number = 2`,
    [debt.debtorId],
  )
  expect(daysBetween(due, date(next?.due)), 'the next one is a month later').toBeGreaterThan(27)
})

test('a bill that waited and is signed for when the rest is over has its whole time too, should nothing come of that', async () => {
  await night(BILLED)
  const before = await instalment()
  const terms = daysBetween(BILLED, before.due)
  const id = await setFlag()
  for (let day = 1; day <= 40; day += 3) await night(addDays(BILLED, day))
  await sql(
    `update invoice set status = 'PENDING_AUTHORIZATION', status_before_authorization = 'ACTIVATED' where id = $1`,
    [before.id],
  )
  await endFlag(id)
  await sql(`update invoice set status = 'ACTIVATED', status_before_authorization = null where id = $1`, [
    before.id,
  ])
  const over = server.clock.today('Europe/Stockholm')
  expect(await instalment()).toEqual({ ...before, due: addDays(over, terms) })
  for (let day = 1; day <= terms; day++) await night(addDays(over, day))
  expect(await messages(before.id, 'plan_missed')).toEqual([])
})

test('word that a plan has ended says a last day counted from the end of the rest, and dunning waits for it', async () => {
  let day = BILLED
  const ended = () => messages(debt.id, 'plan_ended')
  for (; (await ended()).length === 0 && day < addDays(BILLED, 80); day = addDays(day, 1)) {
    await night(day)
    if ((await ended()).length === 0) await leaving()
  }
  const [first] = await ended()
  expect(first).toMatchObject({ status: 'WAITING' })
  const id = await setFlag()
  for (let later = 1; later <= 40; later += 3) await night(addDays(day, later))
  await endFlag(id)
  const over = server.clock.today('Europe/Stockholm')
  const told = await ended()
  expect(told.map(({ status }) => status)).toEqual(['DROPPED', 'WAITING'])
  const due = addDays(over, 10)
  expect(told[1]?.text).toContain(due)
  expect([...(await leaving()).keys()]).toContain(told[1]?.id)
  const standing = async () =>
    (
      await sql(`select expire_date::text as due, costs_minor::int as costs from invoice where id = $1`, [
        debt.id,
      ])
    )[0]
  const { costs } = await standing()
  for (let later = 1; later <= 10; later++) await night(addDays(over, later))
  expect(await standing()).toEqual({ due, costs })
  expect(
    await sql(
      `select from collection_step where debt_id = $1 and status = 'PERFORMED' and performed_date > $2
    and type in ('EXPIRED', 'EXPIRED_NOTIFICATION', 'REMINDER')`,
      [debt.id, over],
    ),
  ).toEqual([])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('what a plan charged and wrote since the day of the flag is shown', async () => {
  await night(BILLED)
  const { id: bill } = await instalment()
  await leaving()
  const [charged] = await sql('select costs_minor::int as costs from invoice where id = $1', [bill])
  expect(charged?.costs).toBeGreaterThan(0)
  // Its day is the clock's of the database, which is that of nobody else here.
  await sql(`update mail_outbox set sent_at = $2 where invoice_id = $1 and status = 'SENT'`, [bill, BILLED])
  const id = await setFlag()
  const shown = (await ask('support', `GET /debtor-flags/${id}`)).json as { since: object[] }
  expect(shown.since).toMatchObject([{ id: bill, charged: charged?.costs / 100, letters: 1 }])
})
