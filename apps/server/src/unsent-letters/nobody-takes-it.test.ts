import { beforeAll, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { pauseInvoice, resumeInvoice } from '../collection/decisions/pause.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
})

const START = date('2026-03-02')
const DUE = addDays(START, 30)
const REMINDED = addDays(DUE, 7)

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const keyOf = (invoice: { id: string }) => ({ instanceId: server.instanceId, invoiceId: invoice.id })

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await performDailyRun(server.product.context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

const reach = (debtorId: string, address: { email?: string; street?: string } = {}) =>
  sql('update debtor set email = $2, address = $3, phone = null where id = $1', [
    debtorId,
    address.email ?? null,
    address.street ?? null,
  ])

/** A reminder was performed for a debtor whom no message reaches. */
async function remindNobody({ dueDate = DUE, ...wishes }: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(START)
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, {
    dueDate,
    totalMinor: 100_000,
    ...wishes,
  })
  await reach(invoice.debtorId)
  for (const after of [1, 2, 7]) await night(addDays(dueDate, after))
  return invoice
}

const owed = async ({ id }: { id: string }) =>
  (
    await sql(
      `select status, costs_minor::int as costs, interest_minor::int as interest from invoice where id = $1`,
      [id],
    )
  )[0]

const steps = async (debtId: string): Promise<string[]> =>
  (
    await sql(
      `select type || ' ' || status || ' ' || coalesce(performed_date, planned_date) as step from collection_step
       where debt_id = $1 and type not in ('INVOICE', 'EXPIRED', 'EXPIRED_NOTIFICATION') order by id`,
      [debtId],
    )
  ).map(({ step }: { step: string }) => step)

type Task = { id: string; mend: string; error: string; isOpen: boolean }
const tasks = (debtId: string): Promise<Task[]> =>
  sql(
    `select t.id, t.details ->> 'mend' as mend, t.details ->> 'error' as error, t.done_at is null as "isOpen"
     from task t join mail_outbox m on t.about = 'mail:' || m.id
     where t.kind = 'mail_undeliverable' and $1 in (m.invoice_id, m.claim_id) order by t.created_at, t.id`,
    [debtId],
  )
const finish = (task: Task | undefined) => sql('update task set done_at = now() where id = $1', [task?.id])
const mails = (debtId: string) =>
  sql(
    `select status from mail_outbox where $1 in (invoice_id, claim_id) and step_id is not null order by created_at`,
    [debtId],
  ).then((rows) => rows.map(({ status }) => status))

test('a reminder with no way to go costs nothing, and nothing follows until somebody has mended it', async () => {
  const invoice = await remindNobody()
  expect(await owed(invoice)).toMatchObject({ costs: 6_000, interest: 192 })
  await server.product.sendMail()
  expect(await owed(invoice)).toMatchObject({ status: 'ACTIVATED', costs: 0, interest: 0 })
  const held = [
    `REMINDER SKIPPED ${REMINDED}`,
    `COLLECTION_NOTIFICATION CANCELLED ${addDays(REMINDED, 13)}`,
    `REMINDER ON_HOLD ${REMINDED}`,
  ]
  expect(await steps(invoice.id)).toEqual(held)
  const [task] = await tasks(invoice.id)
  expect(task).toMatchObject({ error: 'no address', isOpen: true })
  expect(task?.mend).toContain('There is no address: enter an e-mail address, or a street and a city.')
  for (const after of [1, 13, 60]) await night(addDays(REMINDED, after))
  expect(await steps(invoice.id)).toEqual(held)
  expect(await owed(invoice)).toMatchObject({ costs: 0, interest: 0 })

  await reach(invoice.debtorId, { street: 'Storgatan 1' })
  await finish(task)
  const mended = addDays(REMINDED, 61)
  await night(mended)
  await night(mended)
  await server.product.sendMail()
  expect((await steps(invoice.id)).slice(2)).toEqual([
    `REMINDER PERFORMED ${mended}`,
    `COLLECTION_NOTIFICATION PLANNED ${addDays(mended, 13)}`,
  ])
  expect(await owed(invoice)).toMatchObject({ costs: 6_000 })
  expect(await mails(invoice.id)).toEqual(['DEAD', 'SENT'])
})

test('a task that is done too early comes again', async () => {
  const invoice = await remindNobody()
  await server.product.sendMail()
  await finish((await tasks(invoice.id))[0])
  await night(addDays(REMINDED, 3))
  await server.product.sendMail()
  expect((await tasks(invoice.id)).map(({ isOpen }) => isOpen)).toEqual([false, true])
  expect(await owed(invoice)).toMatchObject({ costs: 0, interest: 0 })
  expect((await steps(invoice.id)).filter((step) => step.includes('ON_HOLD'))).toHaveLength(1)
})

test('however many senders give it up, it is taken back once', async () => {
  const invoice = await remindNobody()
  await Promise.all(Array.from({ length: 4 }, () => server.product.sendMail()))
  expect(await owed(invoice)).toMatchObject({ costs: 0, interest: 0 })
  expect(
    await sql(`select from ledger_transaction where invoice_id = $1 and cause like 'unsent:%'`, [invoice.id]),
  ).toHaveLength(1)
  expect(await tasks(invoice.id)).toHaveLength(1)
})

test('one that was given up and is made to wait again is written anew by its step only', async () => {
  const invoice = await remindNobody()
  await server.product.sendMail()
  await reach(invoice.debtorId, { street: 'Storgatan 1' })
  await sql(`update mail_outbox set status = 'WAITING', tries = 0, next_at = now() where invoice_id = $1`, [
    invoice.id,
  ])
  await server.product.sendMail()
  expect(await mails(invoice.id)).toEqual(['DROPPED'])
  expect(await owed(invoice)).toMatchObject({ costs: 0 })
})

test('a company’s compensation is owed without a letter', async () => {
  const invoice = await remindNobody({ debtorKind: 'COMPANY' })
  const before = await steps(invoice.id)
  await server.product.sendMail()
  const after = await steps(invoice.id)
  const compensation = (list: string[]) => list.filter((step) => step.startsWith('DELAYED_PENALTY_FEE'))
  expect(compensation(after)).toEqual(compensation(before))
  expect(after).toContain(`REMINDER ON_HOLD ${REMINDED}`)
})

test('a reminder that comes again on the night of the compensation is followed by its notice', async () => {
  const invoice = await remindNobody({ debtorKind: 'COMPANY', dueDate: addDays(START, 10) })
  await server.product.sendMail()
  await finish((await tasks(invoice.id))[0])
  const both = addDays(START, 30)
  expect(await steps(invoice.id)).toContain(`DELAYED_PENALTY_FEE PLANNED ${both}`)
  await night(both)
  expect((await steps(invoice.id)).filter((step) => !/SKIPPED|CANCELLED/.test(step))).toEqual([
    `DELAYED_PENALTY_FEE PERFORMED ${both}`,
    `REMINDER PERFORMED ${both}`,
    `COLLECTION_NOTIFICATION PLANNED ${addDays(both, 13)}`,
  ])
})

test('who pauses the invoice and lets it go on asks for the letter again', async () => {
  const invoice = await remindNobody()
  await server.product.sendMail()
  await pauseInvoice(server.product.context, keyOf(invoice), {
    on: REMINDED,
    reason: 'respite',
    resumeDate: null,
  })
  await finish((await tasks(invoice.id))[0])
  await night(addDays(REMINDED, 1))
  expect(await steps(invoice.id)).toContain(`REMINDER ON_HOLD ${REMINDED}`)
  await resumeInvoice(server.product.context, keyOf(invoice), addDays(REMINDED, 1))
  expect((await steps(invoice.id)).filter((step) => step.startsWith('REMINDER PLANNED'))).toHaveLength(1)
})

test('a demand with no way to go: its fee is not owed, and nobody is asked to go on', async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock, { daysAgo: 0 })
  const today = server.clock.today('Europe/Stockholm')
  await reach(claim.invoices[0]?.debtorId ?? '')
  await server.product.sendMail()
  const costs = async () =>
    (await sql('select costs_minor::int as costs from claim where id = $1', [claim.id]))[0]?.costs
  expect(await costs()).toBe(0)
  const kinds = (await steps(claim.id)).map((step) => step.split(' ').slice(0, 2).join(' '))
  expect(kinds).toEqual(['COLLECTION_CLAIM SKIPPED', 'SCHEDULE_END CANCELLED', 'COLLECTION_CLAIM ON_HOLD'])
  await night(addDays(today, 40))
  expect(await costs()).toBe(0)
  await reach(claim.invoices[0]?.debtorId ?? '', { email: 'alva.provlund@example.com' })
  for (const task of await tasks(claim.id)) await finish(task)
  await night(addDays(today, 41))
  await server.product.sendMail()
  expect(await costs()).toBe(18_000)
  expect((await steps(claim.id)).at(-1)).toMatch(/^SCHEDULE_END PLANNED/)
})

test('a letter that waited until nobody could pay by its last day leaves with another', async () => {
  const invoice = await remindNobody()
  await reach(invoice.debtorId, { street: 'Storgatan 1' })
  const [first] = await sql(
    `select last_pay_date::text from collection_step where debt_id = $1 and type = 'REMINDER'`,
    [invoice.id],
  )
  const late = addDays(date(first.last_pay_date), 1)
  server.clock.moveTo(late)
  await server.product.sendMail()
  expect((await steps(invoice.id)).slice(-2)).toEqual([
    `REMINDER PERFORMED ${REMINDED}`,
    `COLLECTION_NOTIFICATION PLANNED ${addDays(late, 13)}`,
  ])
  expect(await owed(invoice)).toMatchObject({ status: 'ACTIVATED', costs: 6_000 })
  expect(await mails(invoice.id)).toEqual(['SENT'])
})

test('on that day itself it still goes', async () => {
  const invoice = await remindNobody()
  await reach(invoice.debtorId, { street: 'Storgatan 1' })
  const [first] = await sql(
    `select last_pay_date::text from collection_step where debt_id = $1 and type = 'REMINDER'`,
    [invoice.id],
  )
  server.clock.moveTo(date(first.last_pay_date))
  await server.product.sendMail()
  expect(await mails(invoice.id)).toEqual(['SENT'])
})

/** Of another country's debtor: all nights up to `until` days after the due date were, and every letter is still here. */
async function withLettersHere(country: string, currency: string, until: number): Promise<BuiltInvoice> {
  server.clock.moveTo(START)
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate: DUE, currency })
  await sql('update creditor set country = $2 where id = $1', [invoice.creditorId, country])
  for (let after = 1; after <= until; after++) await night(addDays(DUE, after))
  return invoice
}

/** Days between each letter that stands and the step that came next. */
const daysToPay = async (debtId: string): Promise<number[]> =>
  (
    await sql(
      `select lead(performed_date) over (order by performed_date, id) - performed_date as days, last_pay_date
       from collection_step where debt_id = $1 and status = 'PERFORMED' and type <> 'DELAYED_PENALTY_FEE'`,
      [debtId],
    )
  ).flatMap(({ days, last_pay_date: last }) => (last && days !== null ? [days] : []))

test('a Norwegian reminder that was not sent before its notice is not sent after it, whoever mends what', async () => {
  // The post stands still for seventeen days: the notice goes, and the reminder’s last day is over.
  const invoice = await withLettersHere('NO', 'NOK', 30)
  await server.product.sendMail()
  await reach(invoice.debtorId)
  await night(addDays(DUE, 31))
  await server.product.sendMail()
  for (let after = 32; after <= 90; after++) await night(addDays(DUE, after))
  for (const task of await tasks(invoice.id)) await finish(task)
  for (let after = 91; after <= 130; after++) await night(addDays(DUE, after))
  expect(await steps(invoice.id)).toEqual([
    `REMINDER SKIPPED ${addDays(DUE, 14)}`,
    `COLLECTION_NOTIFICATION PERFORMED ${addDays(DUE, 30)}`,
    `COLLECTION PERFORMED ${addDays(DUE, 49)}`,
  ])
})

test('a Danish reminder that comes again leaves the time that the one after it gave', async () => {
  const invoice = await withLettersHere('DK', 'DKK', 16)
  await server.product.sendMail()
  for (let after = 17; after <= 80; after++) {
    await night(addDays(DUE, after))
    await server.product.sendMail()
  }
  expect((await steps(invoice.id)).at(-1)).toMatch(/^COLLECTION PERFORMED/)
  const days = await daysToPay(invoice.id)
  expect(days).toHaveLength(3)
  expect(Math.min(...days)).toBeGreaterThan(10)
})

test('both are written again when nobody took either', async () => {
  const invoice = await withLettersHere('NO', 'NOK', 30)
  await reach(invoice.debtorId)
  await server.product.sendMail()
  for (const task of await tasks(invoice.id)) await finish(task)
  await reach(invoice.debtorId, { email: 'alva.provlund@example.com' })
  for (let after = 60; after <= 120; after++) {
    await night(addDays(DUE, after))
    await server.product.sendMail()
  }
  expect((await steps(invoice.id)).filter((step) => step.includes('PERFORMED'))).toEqual([
    `REMINDER PERFORMED ${addDays(DUE, 60)}`,
    `COLLECTION_NOTIFICATION PERFORMED ${addDays(DUE, 76)}`,
    `COLLECTION PERFORMED ${addDays(DUE, 95)}`,
  ])
  expect(await daysToPay(invoice.id)).toEqual([16, 19])
})
