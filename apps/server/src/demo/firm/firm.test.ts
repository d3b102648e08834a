/** The firm of the demo, made by the product over 120 days of its past. What is expected stands in docs/demo.md, and here by hand. */
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { TODAY } from '../../testing/build.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { brokenInvariants } from '../../testing/test-database.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { readCast as readWrittenCast } from '../cast.ts'
import { loadCast } from '../load-cast.ts'
import { askOf, openFirmJob, type FirmJob } from './firm-job.ts'
import { growOneStep, readProgress } from './grow-firm.ts'
import { firmInvoices } from './recipe.ts'

const DEMO = fileURLToPath(new URL('../../../demo', import.meta.url))
/** A quarter of the firm: 18 runs of 15 invoices and 4 of 26. */
const SCALE = 0.25
const INVOICES = 18 * 15 + 4 * 26

let server: TestServer
let castBefore: unknown[]
let job: FirmJob
let wasUnderWay: boolean

const rows = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.test.owner.query(text, values)).rows as Row[]
const count = async (text: string, values: unknown[] = []): Promise<number> =>
  (await rows<{ n: number }>(`select count(*)::int as n from ${text}`, values))[0]?.n ?? -1

/** What a debtor of the cast sees: their invoices and claims, what was posted, and what they were told. */
const readCast = () =>
  rows(
    `select i.invoice_number as number, i.status, i.balance_minor::text as owed, i.expire_date::text as due, d.name,
       (select count(*)::int from ledger_transaction t where t.invoice_id = i.id) as entries,
       (select count(*)::int from collection_step s where s.invoice_id = i.id) as steps,
       (select string_agg(m.kind || m.status, ' ' order by m.created_at, m.id) from mail_outbox m where m.invoice_id = i.id) as told
     from invoice i join debtor d on d.id = i.debtor_id where i.invoice_number ~ '^26'
     union all
     select c.claim_number, c.status, c.balance_minor::text, c.expire_date::text, d.name,
       (select count(*)::int from ledger_transaction t where t.claim_id = c.id), 0, ''
     from claim c join debtor d on d.id = c.debtor_id where c.claim_number ~ '^702' order by 1`,
  )

/** Everything that must not be there twice. */
const readBooks = () =>
  rows(
    `select (select count(*)::int from invoice) as invoices, (select count(*)::int from posting) as postings,
       (select count(*)::int from claim) as claims, (select count(*)::int from bank_line) as lines,
       (select count(*)::int from dispute) as disputes, (select count(*)::int from conversation) as conversations,
       (select count(*)::int from collection_step) as steps, (select count(*)::int from mail_outbox) as mail,
       (select count(*)::int from task) as tasks, (select count(*)::int from settlement) as settlements,
       (select count(*)::int from webhook) as webhooks, (select count(*)::int from proposal) as proposals`,
  )

class Killed extends Error {}

/** A database whose process dies at its `at`-th transaction from now: before it, or after its commit when `at` is odd. */
function dying(db: Database, at: number): Database {
  let done = 0
  return {
    ...db,
    rows: (...asked) => db.rows(...asked),
    close: () => db.close(),
    async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
      done += 1
      if (done === at && at % 2 === 0) throw new Killed()
      const result = await db.transaction(work)
      if (done === at) throw new Killed()
      return result
    },
  }
}

beforeAll(async () => {
  server = await startTestServer({
    isDemo: true,
    settings: { WEBHOOK_INWARD_ORIGINS: 'http://localhost:1' },
    fill: ({ context }) => loadCast(context, DEMO, { withFirm: true }),
  })
  castBefore = await readCast()
  job = openFirmJob(server.product.context, { isDemo: true })
  wasUnderWay = await job.isUnderWay()
  const { context, app } = server.product
  const options = { folder: DEMO, scale: SCALE, ask: askOf(app) }
  // Every seventh step is cut off somewhere in its first transactions, and done again by the next.
  for (let step = 0, isMore = true; isMore; step++) {
    if (step % 7 === 0)
      await growOneStep({ ...context, db: dying(context.db, 1 + (step % 11)) }, options).catch(
        (error: unknown) => {
          if (!(error instanceof Killed)) throw error
        },
      )
    isMore = await growOneStep(context, options)
  }
}, 300_000)

test('the recipe makes 1,500 invoices of others than the cast, each with a reference of its own', () => {
  const invoices = firmInvoices(TODAY)
  const cast = readWrittenCast(DEMO)
  const customers = new Map(invoices.map(({ debtor }) => [debtor.key, debtor]))
  expect([invoices.length, customers.size]).toEqual([1_500, 345])
  expect(new Set(invoices.map(({ reference }) => reference)).size).toBe(1_500)
  const names = new Set([...customers.values()].map(({ name }) => name))
  expect(cast.debtors.filter(({ name }) => names.has(name))).toEqual([])
  expect(
    [...customers.values()].filter(
      ({ identificationNumber, email }) => identificationNumber !== null || !email?.endsWith('@example.com'),
    ),
  ).toEqual([])
})

test('what works as of today rests until it is made', async () => {
  await job.untilMade()
  expect([wasUnderWay, await job.isUnderWay()]).toEqual([true, false])
})

test('it is whole, and the books are right', async () => {
  expect(await readProgress(server.test.db)).toEqual({ days: 120, of: 120, isMade: true })
  expect(await count(`invoice where invoice_number ~ '^[EG]-[0-9]{5}$'`)).toBe(INVOICES)
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('nobody of the cast sees anything else than without it', async () => {
  expect(await readCast()).toEqual(castBefore)
})

test('of a hundred invoices as many are paid, late, in claims and in plans as the page says', async () => {
  // The first hundred of the energy company were due at least 40 days ago: each story has happened.
  const of = `invoice i where i.invoice_number between 'E-10001' and 'E-10100' and i.type = 'INVOICE'`
  const told = (kind: string) =>
    `exists (select from collection_step s where s.invoice_id = i.id and s.type = '${kind}' and s.status = 'PERFORMED')`
  const inClaim = (status: string) =>
    `exists (select from claim c where c.id = i.claim_id and c.status = '${status}')`
  const inPlan = 'exists (select from part_payment_member m where m.invoice_id = i.id)'
  const credited = 'exists (select from credit_note n where n.invoice_id = i.id)'
  const disputed = 'exists (select from dispute d where d.invoice_id = i.id)'
  expect({
    paidWithoutReminder: await count(
      `${of} and i.status = 'CLOSED' and not (${told('REMINDER')} or ${credited} or ${disputed} or ${inPlan})`,
    ),
    paidAfterReminder: await count(
      `${of} and i.status = 'CLOSED' and i.claim_id is null and ${told('REMINDER')}`,
    ),
    claimPaid: await count(`${of} and ${inClaim('CLOSED')}`),
    claimOpen: await count(`${of} and ${inClaim('OPEN')}`),
    disputed: await count(`${of} and ${disputed}`),
    planned: await count(`${of} and ${inPlan}`),
    credited: await count(`${of} and ${credited} and not ${disputed}`),
  }).toEqual({
    paidWithoutReminder: 82,
    paidAfterReminder: 8,
    claimPaid: 3,
    claimOpen: 3,
    disputed: 1,
    planned: 2,
    credited: 1,
  })
})

test('each thing of a normal day waits for somebody, and nothing that no firm wants', async () => {
  const open = await rows<{ kind: string; n: number }>(
    'select kind, count(*)::int as n from task where done_at is null group by 1 order by 1',
  )
  expect(open.map(({ kind }) => kind)).toEqual([
    'bank_line',
    'court_to_file',
    'data_request',
    'debtor_flagged',
    'dispute_to_answer',
    'import_with_errors',
    'more_time_asked',
    'plan_proposed',
    'proposal',
    'question_asked',
    'refund',
    'said_paid',
    'schedule_ended',
    'settlement_to_approve',
  ])
  expect(open.find(({ kind }) => kind === 'bank_line')?.n).toBe(5)
})

test('five payments of one file are nobody’s, and three rows of an import are wrong', async () => {
  expect(
    await rows(
      `select count(*)::int as lines, count(distinct file_id)::int as files from bank_line where status = 'SUSPENSE'`,
    ),
  ).toEqual([{ lines: 5, files: 1 }])
})

test('the energy company has three settlements of three months, one of them to approve', async () => {
  const months = await rows(
    `select s.period_from::text as from, s.status, s.paid_out_minor > 0 as "isMoney" from settlement s
     join creditor c on c.id = s.creditor_id where c.name like 'Fjällström%' and s.period_from >= '2026-08-01' order by 1`,
  )
  expect(months).toEqual([
    { from: '2026-08-01', status: 'APPROVED', isMoney: true },
    { from: '2026-09-01', status: 'APPROVED', isMoney: true },
    { from: '2026-10-01', status: 'TO_APPROVE', isMoney: true },
  ])
})

test('nobody of the firm hears today of what happened then', async () => {
  expect(
    await count(
      `mail_outbox m join invoice i on i.id = m.invoice_id where i.invoice_number ~ '^[EG]-' and m.status <> 'SENT' and m.created_at < (select made_at from demo_firm)`,
    ),
  ).toBe(0)
})

test('made again, it is what it was', async () => {
  const before = await readBooks()
  const { context, app } = server.product
  const options = { folder: DEMO, scale: SCALE, ask: askOf(app) }
  await server.test.owner.query(`update demo_firm set made_at = null, next_day = $1`, [addDays(TODAY, -20)])
  while (await growOneStep(context, options)) {
    // A day at a time.
  }
  expect(await readBooks()).toEqual(before)
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})
