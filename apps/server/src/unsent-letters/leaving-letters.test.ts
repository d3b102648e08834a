/** Letters that leave late: an outage of the outbox, of the product, and a process that dies in between. */
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { pauseInvoice, performAllRuns, performDailyRun } from '../collection/collection.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { dateLetter } from './unsent-letters.ts'

let server: TestServer
/** A Tuesday; the reminder is due seven days later and gives ten days. */
const DUE = date('2026-03-10')
const REMINDED = addDays(DUE, 7)
/** Whose instance a test is about: no other's nights have run. */
let instance: { id: string; timeZone: string }
const instances: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  // All before the product looks which there are: the tests go back in time, where it does not look again.
  for (let serial = 0; serial < 15; serial++) {
    const named = { alias: `late${serial}`, domain: 'localhost', isDefault: false }
    instances.push((await buildInstance(server.test, named)).id)
  }
})

const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows

async function build(reach: { email?: string | null; address?: string | null } = {}): Promise<BuiltInvoice> {
  instance = { id: instances.pop() ?? '', timeZone: 'Europe/Stockholm' }
  server.clock.moveTo(addDays(DUE, -30))
  const invoice = await buildInvoice(server.test, instance.id, server.clock, {
    dueDate: DUE,
    totalMinor: 100_000,
  })
  await sql(
    'update debtor set email = $2, address = $3 where id = $1',
    invoice.debtorId,
    reach.email ?? null,
    reach.address ?? null,
  )
  return invoice
}

/** What the product does on a day: the nights that are due, and what is sent after them unless nothing can leave. */
async function live(day: CalendarDate, sends = true): Promise<void> {
  server.clock.moveTo(day)
  await performAllRuns(server.product.context, [instance])
  if (sends) await send()
}
async function send(): Promise<void> {
  await sql('update mail_outbox set next_at = now()')
  await server.product.sendMail()
}
async function liveDays(from: CalendarDate, to: CalendarDate, sends = true): Promise<void> {
  for (let day = from; day <= to; day = addDays(day, 1)) await live(day, sends)
}

const steps = async ({ id }: BuiltInvoice) =>
  (
    await sql(
      `select type, status, coalesce(performed_date, planned_date)::text as day, last_pay_date::text as last
       from collection_step where debt_id = $1 and type not in ('INVOICE', 'EXPIRED', 'EXPIRED_NOTIFICATION')
       order by 3, 1`,
      id,
    )
  ).map(({ type, status, day, last }) => `${type} ${status} ${day}${last ? ` until ${last}` : ''}`)
const letters = async ({ id }: BuiltInvoice) =>
  (
    await sql(
      `select kind, status, channel from mail_outbox where invoice_id = $1 and kind <> 'expired_notice' order by created_at`,
      id,
    )
  ).map(({ kind, status, channel }) => `${kind} ${status} ${channel}`)
const costs = async ({ id }: BuiltInvoice) =>
  (await sql('select costs_minor::int as costs from invoice where id = $1', id))[0]?.costs

describe.each([
  ['an e-mail', { email: 'alva@example.com' }, 'EMAIL'],
  ['a printed letter', { address: 'Storgatan 1' }, 'LETTER'],
] as const)('%s', (_name, reach, channel) => {
  test.each([1, 5, 20])(
    'that leaves %i days late gives its full time, and what follows comes as much later',
    async (late) => {
      const invoice = await build(reach)
      await liveDays(addDays(DUE, 1), addDays(REMINDED, -1))
      await liveDays(REMINDED, addDays(REMINDED, late - 1), false)
      const left = addDays(REMINDED, late)
      await live(left)
      const until = addDays(left, 10)
      expect(await steps(invoice)).toEqual([
        `REMINDER PERFORMED ${REMINDED} until ${until}`,
        `COLLECTION_NOTIFICATION PLANNED ${addDays(until, 3)}`,
      ])
      expect(await letters(invoice)).toEqual([`reminder SENT ${channel}`])
      expect(await costs(invoice)).toBe(6_000)
      // Its one fee, and nothing within the time that it gave.
      await liveDays(addDays(left, 1), addDays(until, 2))
      expect(await letters(invoice)).toHaveLength(1)
      expect(await costs(invoice)).toBe(6_000)
      await live(addDays(until, 3))
      expect((await letters(invoice)).at(-1)).toMatch(/^collection_notice SENT/)
    },
  )
})

test('that leaves on its day is as it was written', async () => {
  const invoice = await build({ email: 'alva@example.com' })
  await liveDays(addDays(DUE, 1), REMINDED)
  expect(await steps(invoice)).toEqual([
    `REMINDER PERFORMED ${REMINDED} until ${addDays(REMINDED, 10)}`,
    `COLLECTION_NOTIFICATION PLANNED ${addDays(REMINDED, 13)}`,
  ])
})

test('a product that stood still for a month catches up: one letter, with its full time', async () => {
  const invoice = await build({ email: 'alva@example.com' })
  await live(DUE)
  const back = addDays(DUE, 40)
  await live(back)
  expect(await letters(invoice)).toEqual(['reminder SENT EMAIL'])
  const until = addDays(back, 10)
  expect(await steps(invoice)).toEqual([
    `REMINDER PERFORMED ${REMINDED} until ${until}`,
    `COLLECTION_NOTIFICATION PLANNED ${addDays(until, 3)}`,
  ])
  expect((await sql('select claim_id from invoice where id = $1', invoice.id))[0]).toEqual({ claim_id: null })
})

test('a demand that leaves late: its claim is due later, and the question what comes next is put later', async () => {
  const invoice = await build({ email: 'alva@example.com' })
  await liveDays(addDays(DUE, 1), addDays(DUE, 21))
  await liveDays(addDays(DUE, 22), addDays(DUE, 26), false)
  await live(addDays(DUE, 27))
  const [claim] = await sql(
    `select c.id, c.expire_date::text as until from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
    invoice.id,
  )
  // Handed over on 1 April, sent on Monday 6 April (Easter Monday): six bank days are over on the 14th, ten days on the 16th.
  expect(claim.until).toBe('2026-04-16')
  expect(await steps({ ...invoice, id: claim.id })).toEqual([
    'COLLECTION_CLAIM PERFORMED 2026-04-01 until 2026-04-16',
    'SCHEDULE_END PLANNED 2026-04-30',
  ])
})

test('killed after it was dated, before it was sent: dated again on the day on which it leaves', async () => {
  const invoice = await build({ email: 'alva@example.com' })
  await liveDays(addDays(DUE, 1), addDays(REMINDED, -1))
  await live(REMINDED, false)
  const [step] = await sql(
    `select id from collection_step where debt_id = $1 and type = 'REMINDER'`,
    invoice.id,
  )
  const of = { instanceId: instance.id, stepId: step.id }
  const on = addDays(REMINDED, 3)
  const dated = await Promise.all([1, 2, 3].map(() => dateLetter(server.product.context, { ...of, on })))
  expect(dated).toEqual([1, 2, 3].map(() => addDays(on, 10)))
  await live(addDays(REMINDED, 5))
  expect((await steps(invoice))[0]).toBe(`REMINDER PERFORMED ${REMINDED} until ${addDays(REMINDED, 15)}`)
  expect(await letters(invoice)).toEqual(['reminder SENT EMAIL'])
})

test('what was opened before it left is drawn anew, with the day and the last day that it really has', async () => {
  const invoice = await build({ email: 'alva@example.com' })
  await liveDays(addDays(DUE, 1), addDays(REMINDED, -1))
  await live(REMINDED, false)
  const [step] = await sql(
    `select id from collection_step where debt_id = $1 and type = 'REMINDER'`,
    invoice.id,
  )
  await sql(
    `with f as (insert into file (instance_id, id, mime_type, content) values ($1, gen_random_uuid(), 'application/pdf', 'old') returning id)
     insert into document (instance_id, id, invoice_id, type, topic, name_raw, file_id)
     select $1, $2, $3, 'REMINDER', 'REMINDER', 'old.pdf', f.id from f`,
    instance.id,
    step.id,
    invoice.id,
  )
  await live(addDays(REMINDED, 4))
  const kept = await sql(
    `select f.content from document d join file f on f.id = d.file_id where d.id = $1`,
    step.id,
  )
  expect(kept.map(({ content }) => String(content).slice(0, 4))).toEqual(['%PDF'])
  expect(await letters(invoice)).toEqual(['reminder SENT EMAIL'])
})

test('a respite that ends on a Sunday is followed by nothing sooner than in three bank days', async () => {
  const sunday = date('2026-03-29')
  // Paused before it fell due, and after its first steps.
  for (const pausedOn of [addDays(DUE, -1), addDays(DUE, 3)]) {
    const invoice = await build({ email: 'alva@example.com' })
    await liveDays(addDays(DUE, -2), addDays(pausedOn, -1))
    const key = { instanceId: instance.id, invoiceId: invoice.id }
    await pauseInvoice(server.product.context, key, { on: pausedOn, reason: 'respite', resumeDate: sunday })
    await liveDays(pausedOn, addDays(sunday, 2))
    const done = await sql(
      `select type from collection_step where debt_id = $1 and type <> 'INVOICE' and performed_date >= $2`,
      invoice.id,
      sunday,
    )
    expect(done).toEqual([])
    expect(await letters(invoice)).toEqual([])
    // Monday, Tuesday, Wednesday.
    const [next] = await sql(
      `select min(planned_date)::text as day from collection_step where debt_id = $1 and status = 'PLANNED'`,
      invoice.id,
    )
    expect(next.day >= addDays(sunday, 3)).toBe(true)
  }
})

test('nights whose letters are known to have left wait for none', async () => {
  const invoice = await build({ email: 'alva@example.com' })
  for (const after of [1, 2, 7, 20]) {
    server.clock.moveTo(addDays(DUE, after))
    await performDailyRun(server.product.context, instance, addDays(DUE, after))
  }
  expect((await steps(invoice)).slice(0, 2)).toEqual([
    `REMINDER PERFORMED ${REMINDED} until ${addDays(REMINDED, 10)}`,
    `COLLECTION_NOTIFICATION PERFORMED ${addDays(DUE, 20)}`,
  ])
})
