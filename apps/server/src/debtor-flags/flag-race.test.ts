/**
 * The setter of a flag beside what dunns the debtor at that moment, whoever comes first: after its answer nothing new is charged, written,
 * handed over or billed, and what came before it stands as it would have (M-34).
 */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { deliverMail } from '../mail/mail.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { openOffice, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'

let server: TestServer
let ask: AskOffice
let debt: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['handler', 'support'])
  await buildPlanSettings(server.test, server.instanceId)
})
beforeEach(async () => {
  server.clock.moveTo(TODAY)
  debt = await late()
  await sql(`update debtor set email = 'nagon@example.com' where id = $1`, [debt.debtorId])
})

const late = (totalMinor = 84_200) =>
  buildInvoice(server.test, server.instanceId, server.clock, { dueDate: addDays(TODAY, -1), totalMinor })
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const night = (day: CalendarDate) => {
  server.clock.moveTo(day)
  return performDailyRun(server.product.context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}
const nights = async (from: number, to: number) => {
  for (let day = from; day <= to; day++) await night(addDays(TODAY, day))
}
const flag = (): Promise<Answer> =>
  ask('support', `POST /debtors/${debt.debtorId}/flags`, { kind: 'DECEASED', from: TODAY, source: 'Dödsbo' })
/** Everything that somebody could call dunning, of one debtor: charges, steps, claims, instalments, letters that may still leave. */
const done = async () =>
  (
    await sql(
      `select (select coalesce(sum(costs_minor), 0)::int from invoice where debtor_id = $1)
           + (select coalesce(sum(costs_minor), 0)::int from claim where debtor_id = $1) as costs,
         (select count(*)::int from claim where debtor_id = $1) as claims,
         (select count(*)::int from invoice where debtor_id = $1) as invoices,
         (select count(*)::int from collection_step s where s.status = 'PERFORMED' and s.type <> 'EXPIRED' and (
           s.invoice_id in (select id from invoice where debtor_id = $1) or s.claim_id in (select id from claim where debtor_id = $1))) as steps,
         (select count(*)::int from mail_outbox m where m.status in ('WAITING', 'SENT') and m.step_id is not null and (
           m.invoice_id in (select id from invoice where debtor_id = $1) or m.claim_id in (select id from claim where debtor_id = $1))) as letters`,
      [debt.debtorId],
    )
  )[0] as { costs: number; claims: number; invoices: number; steps: number; letters: number }

/** What takes up messages and hands them to `EMAIL`, letters drawn: each that waits goes there. */
async function deliver(EMAIL: (mail: { readonly id: string }) => Promise<void>): Promise<void> {
  await sql(`update mail_outbox set channel = 'EMAIL' where status = 'WAITING'`)
  const drawLetter = async () => ({ name: 'a.pdf', title: 'Påminnelse', bytes: Buffer.from('%PDF-') })
  const context = { ...server.product.context, drawLetter, dateLetter: async () => '2099-12-31' }
  await deliverMail(context as never, { EMAIL })
}

/** Whoever waits for a lock of another. */
const somebodyWaits = () =>
  expect
    .poll(
      async () =>
        (
          await sql(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length,
    )
    .toBeGreaterThan(0)

/** Somebody who has the debt, as a night that dunns it has; `let go` ends that. */
async function holdDebt(id: string): Promise<{
  letGo: (how?: 'commit' | 'rollback') => Promise<void>
  query: (text: string, values?: unknown[]) => Promise<unknown>
}> {
  const client = await server.test.owner.connect()
  await client.query('begin')
  await client.query('select from invoice where id = $1 for no key update', [id])
  return {
    query: (text, values = []) => client.query(text, values),
    letGo: async (how = 'commit') => {
      await client.query(how)
      client.release()
    },
  }
}

test('the night has the debt: the setter waits for it, and takes back what it wrote', async () => {
  await nights(0, 6)
  const holder = await holdDebt(debt.id)
  const setting = flag()
  await somebodyWaits()
  await holder.letGo()
  expect((await setting).status).toBe(200)
  const after = await done()
  await nights(7, 40)
  expect(await done()).toEqual(after)
  expect(after).toMatchObject({ costs: 0, claims: 0, letters: 0 })
})

test('the setter is in the middle: the night passes the debt by, and afterwards too', async () => {
  await nights(0, 6)
  const before = await done()
  // The setter waits for another debt of the debtor's, and has this one.
  const beside = await buildInvoice(server.test, server.instanceId, server.clock, {
    beside: debt,
    dueDate: addDays(TODAY, -1),
  })
  const [first, last] = [debt.id, beside.id].toSorted()
  expect(first).toBe(debt.id)
  const holder = await holdDebt(last ?? '')
  const setting = flag()
  await somebodyWaits()
  await night(addDays(TODAY, 12))
  expect((await done()).costs, 'nothing is charged of what the setter has').toBe(before.costs)
  await holder.letGo()
  expect((await setting).status).toBe(200)
  await nights(13, 40)
  expect(await done()).toMatchObject({ costs: 0, claims: 0, letters: 0 })
})

test.each([7, 8, 12, 15, 27, 29, 31, 41])(
  'both at once on day %i: whoever was first, nothing new comes after the answer',
  async (day) => {
    await nights(0, day - 1)
    server.clock.moveTo(addDays(TODAY, day))
    const [, answer] = await Promise.all([night(addDays(TODAY, day)), flag()])
    expect(answer.status).toBe(200)
    const after = await done()
    await nights(day + 1, day + 30)
    expect(await done()).toEqual(after)
    const sent: string[] = []
    await deliver(async ({ id }) => void sent.push(id))
    const own = await sql(
      `select m.id from mail_outbox m where m.step_id is not null and (m.invoice_id in (select id from invoice where debtor_id = $1)
         or m.claim_id in (select id from claim where debtor_id = $1))`,
      [debt.debtorId],
    )
    expect(own.filter(({ id }) => sent.includes(id))).toEqual([])
    expect(await brokenInvariants(server.test.owner)).toEqual({})
  },
)

test('a hand-over that was read before the flag and has its lock after it does not happen', async () => {
  let day = 0
  const due = async () =>
    (
      await sql(
        `select from collection_step where debt_id = $1 and type = 'COLLECTION' and status = 'PLANNED' and planned_date <= $2`,
        [debt.id, addDays(TODAY, day)],
      )
    ).length > 0
  for (; day < 60 && !(await due()); day++) await night(addDays(TODAY, day))
  expect(await due()).toBe(true)
  const before = await done()
  const setter = await holdDebt(debt.id)
  const running = night(addDays(TODAY, day))
  await somebodyWaits()
  await setter.query(
    `insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, set_by, set_on)
     values ($1, gen_random_uuid(), $2, 'DECEASED', $3, 'x', 'person:x', $3)`,
    [server.instanceId, debt.debtorId, TODAY],
  )
  await setter.letGo()
  await running
  expect(await done()).toEqual(before)
})

test.each([
  ['is not sent after it', true],
  ['is sent where nobody flags', false],
])('a letter that was taken up to be sent before the flag %s', async (_, isFlagged) => {
  await nights(0, 12)
  const [mail] = await sql(
    `select id from mail_outbox where invoice_id = $1 and status = 'WAITING' and step_id is not null`,
    [debt.id],
  )
  const sent: string[] = []
  const others = await late()
  await sql(
    `update mail_outbox set next_at = now() + interval '1 day' where status = 'WAITING' and id <> $1`,
    [mail?.id],
  )
  // Another message that goes first sets the flag while this one is taken up with it.
  await sql(
    `insert into mail_outbox (instance_id, id, channel, kind, cause, recipient, language, subject, text_body, invoice_id, next_at)
     values ($1, gen_random_uuid(), 'EMAIL', 'question_answered', gen_random_uuid()::text, 'a@example.com', 'sv', 'x', 'x', $2, now() - interval '1 day')`,
    [server.instanceId, others.id],
  )
  await sql(`update mail_outbox set created_at = now() + interval '1 minute' where id = $1`, [mail?.id])
  await deliver(async ({ id }) => {
    sent.push(id)
    if (isFlagged && sent.length === 1) expect((await flag()).status).toBe(200)
  })
  expect(sent).toHaveLength(isFlagged ? 1 : 2)
  expect(sent.includes(mail?.id)).toBe(!isFlagged)
})

test('an instalment: billed before the flag or not at all, and the plan goes on when it is over', async () => {
  debt = await late(600_000)
  const path = `/api/public/invoices/${debt.reference}/${debt.zip}/part-payment/start`
  const plan = await server.call('PUT', path, { body: { type: 'PLAN_6', agreementAccepted: true } })
  expect(plan.status).toBe(200)
  const billed = addDays(addMonths(TODAY, 1), -14)
  server.clock.moveTo(billed)
  // The plan was read to be billed; the flag stands before its locks are had.
  const holder = await holdDebt(debt.id)
  const running = night(billed)
  await somebodyWaits()
  await holder.query(
    `insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, set_by, set_on)
     values ($1, gen_random_uuid(), $2, 'BANKRUPT', $3, 'x', 'person:x', $3)`,
    [server.instanceId, debt.debtorId, billed],
  )
  await holder.letGo()
  await running
  expect((await done()).invoices).toBe(1)
  for (let day = 1; day < 40; day += 3) await night(addDays(billed, day))
  expect((await done()).invoices).toBe(1)
  const [standing] = await sql('select id from debtor_flag where debtor_id = $1', [debt.debtorId])
  expect(
    (await ask('handler', `POST /debtor-flags/${standing?.id}/end`, { reason: 'Fel person' })).status,
  ).toBe(200)
  await night(addDays(billed, 41))
  const [bill] = await sql(
    `select i.expire_date::text as due from part_payment_instalment n join invoice i on i.id = n.invoice_id
     join part_payment p on p.id = n.part_payment_id where p.debtor_id = $1`,
    [debt.debtorId],
  )
  // One, not two, with its whole time to pay.
  expect((await done()).invoices).toBe(2)
  expect(bill?.due > addDays(billed, 41)).toBe(true)
})
