/** What was erased goes again when a backup from before comes back; what may not go is held, whoever asks. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { recordApplied } from '../testing/debts/applied.ts'
import { buildKnownPerson, endLongAgo, giveUpAll, placesOf, WORDS } from '../testing/debts/known-person.ts'
import { openOffice, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { keepErased } from './erased-file.ts'
import { eraseApproved } from './retention.ts'

type Run = {
  id: string
  status: string
  count: number
  done: number
  left: number
  found: { kind: string }[]
}

let server: TestServer
let ask: AskOffice
let invoice: BuiltInvoice

beforeEach(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['manager', 'auditor'])
  invoice = await buildKnownPerson(server)
})

const owned = async (sql: string, ...values: unknown[]) => (await server.test.owner.query(sql, values)).rows
const find = async (): Promise<Run[]> =>
  ((await ask('manager', 'POST /data-protection/find')).json as { runs: Run[] }).runs
/** Finds, approves and erases all that is over; answers the kinds that were found. */
async function letGo(): Promise<string[]> {
  const [run] = await find()
  if (run?.status !== 'FOUND') return []
  await ask('manager', 'POST /data-protection/approve', {
    run: run.id,
    count: run.count,
    held: 0,
    reason: 'yearly',
  })
  await eraseApproved(server.product.context)
  return run.found.map(({ kind }) => kind)
}
/** The words of the person where they stood first. */
async function bringBack(): Promise<void> {
  await owned(
    `update debtor set name = $2, email = $3, identification_number = $4, identity = 'SE ' || $4 where id = $1`,
    invoice.debtorId,
    ...WORDS,
  )
  await owned(`update dispute set email = $1, reason = $2`, WORDS[1], WORDS[0])
}

test('of a debt that was stopped with something left on it nothing goes, nor of who owes it', async () => {
  await endLongAgo(server.test, invoice, 12 * 12, 'owing')
  expect(await find()).toEqual([])
  const rows = await owned(
    'select erase_case($1, $2) as words, erase_person($1, $3) as person',
    server.instanceId,
    invoice.id,
    invoice.debtorId,
  )
  expect(rows).toEqual([{ words: false, person: false }])
  expect((await ask('manager', `GET /debtors/${invoice.debtorId}/erasure`)).json).toMatchObject({
    goes: [],
    stays: [
      { kind: 'OPEN', count: 1 },
      { kind: 'BOOKS', until: null },
    ],
  })
})

test('while a claim stands at an authority it holds all of it, until the application is withdrawn', async () => {
  const { test: world, instanceId, clock } = server
  const claim = await buildClaim(world, instanceId, clock, { daysAgo: 60 })
  const on = clock.today('Europe/Stockholm')
  await owned(
    `update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x' where status = 'WAITING'`,
  )
  await recordApplied(server.product.context, { instanceId, claimId: claim.id, on })
  await giveUpAll(world, claim.id)
  await owned(`update claim set status = 'CLOSED' where id = $1`, claim.id)
  await owned(`update invoice set status = 'CLOSED' where claim_id = $1`, claim.id)
  await owned(`update debt_end set ended_on = current_date - 4000 where debt_id = $1`, claim.id)
  const over = async () =>
    (await owned('select from debt_over where debt_id = $1 or debt_id = $2', claim.id, claim.invoices[0]?.id))
      .length
  expect(await over()).toBe(0)
  await owned(`update court_application set status = 'ORDERED'`)
  expect(await over()).toBe(0)
  await owned(`update court_application set status = 'WITHDRAWN'`)
  expect(await over()).toBe(2)
})

test('what a gateway told stays while a person is asked about its payment', async () => {
  const [payment] = await owned('select gen_random_uuid() as id')
  const asked = async () =>
    (await owned('select is_asked_about($1, $2) as asked', server.instanceId, payment?.id))[0]?.asked
  expect(await asked()).toBe(false)
  await owned(
    `insert into task (instance_id, id, kind, about, details, made_on) values ($1, gen_random_uuid(), 'payment_contradiction', $2, '{}', current_date)`,
    server.instanceId,
    `payment:${payment?.id}:amount`,
  )
  expect(await asked()).toBe(true)
  await owned(`update task set done_at = now(), done_by = 'kvitt' where about like 'payment:%'`)
  expect(await asked()).toBe(false)
})

test('what is over as it is made has its day, and a draft that nobody sent is over after a year', async () => {
  const draft = await buildInvoice(server.test, server.instanceId, server.clock, { status: 'CREATED' })
  const days = () =>
    owned(
      `select o.debt_id from debt_over o join invoice i on i.id = o.debt_id where i.id = $1 and o.ended_on <= current_date`,
      draft.id,
    )
  expect(await days()).toEqual([])
  await owned(
    `update invoice set created_at = now() - interval '13 months', expire_date = current_date - 380 where id = $1`,
    draft.id,
  )
  expect(await days()).toEqual([{ debt_id: draft.id }])
  // As a credit of nothing that stands by itself is put in.
  const [made] = await owned(
    `insert into invoice (instance_id, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference, zip, issue_date,
       expire_date, currency, total_minor)
     select instance_id, gen_random_uuid(), creditor_id, debtor_id, 'CREDIT_INVOICE', 'CLOSED', 'K1', payment_reference, zip,
       issue_date, expire_date, currency, 0 from invoice where id = $1 returning id`,
    draft.id,
  )
  expect(
    await owned('select ended_on = current_date as today from debt_end where debt_id = $1', made?.id),
  ).toEqual([{ today: true }])
})

test('a payment that is under way while a person is erased is waited for, and keeps the person', async () => {
  await endLongAgo(server.test, invoice, 12 * 9)
  const [run] = await find()
  await ask('manager', 'POST /data-protection/approve', {
    run: run?.id,
    count: run?.count,
    held: 0,
    reason: 'yearly',
  })
  const payer = await server.test.owner.connect()
  await payer.query('begin')
  await payer.query('select from invoice where id = $1 for no key update', [invoice.id])
  const erasing = eraseApproved(server.product.context)
  await expect
    .poll(
      async () =>
        (
          await owned(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length,
    )
    .toBeGreaterThan(0)
  await payer.query('update debt_end set ended_on = current_date where debt_id = $1', [invoice.id])
  await payer.query('commit')
  payer.release()
  await erasing
  expect(await placesOf(server.test, WORDS)).toEqual(
    expect.arrayContaining(['debtor.name', 'dispute.reason']),
  )
  const [done] = await find()
  expect(done).toMatchObject({ status: 'DONE', done: 0, left: 3 })
})

test('money that comes after somebody was erased has words, and they go when their own time is over', async () => {
  await endLongAgo(server.test, invoice, 12 * 9)
  await letGo()
  expect(await placesOf(server.test, WORDS)).toEqual([])
  const later = (on: string) =>
    owned(`update bank_line set payer = $1, bank_date = ${on} where invoice_id = $2`, WORDS[0], invoice.id)
  await later('current_date - 30')
  expect(await letGo()).toEqual([])
  await later(`current_date - interval '9 years'`)
  expect(await letGo()).toEqual(['BOOKS'])
  expect(await placesOf(server.test, WORDS)).toEqual([])
})

/** What is written down beside the database, of all its files. */
const linesIn = (folder: string): string[] =>
  readdirSync(join(folder, 'erased')).flatMap((name) =>
    readFileSync(join(folder, 'erased', name), 'utf8')
      .trim()
      .split('\n'),
  )

test('T-ERASE: a backup from before comes back, and what was erased goes again', async () => {
  await endLongAgo(server.test, invoice, 12 * 9)
  await letGo()
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-erased-'))
  const { db, clock, log } = server.product.context
  const parts = { db, clock, log, config: { stores: { anchors: { folder } } } }
  await keepErased(parts)
  await keepErased(parts)
  const lines = linesIn(folder)
  expect(lines.toSorted()).toEqual([
    `BOOKS ${server.instanceId} ${invoice.debtorId}`,
    `CASE ${server.instanceId} ${invoice.id}`,
  ])
  // As the old rows were: nothing of the run, and the words.
  const { owner } = server.test
  await owner.query('delete from retention_item')
  await owner.query('delete from retention_run')
  await bringBack()
  await keepErased(parts)
  await eraseApproved(parts)
  expect(await placesOf(server.test, WORDS)).toEqual([])
  await keepErased(parts)
  expect((await owner.query('select count(*)::int as n from retention_run')).rows).toEqual([{ n: 1 }])
  rmSync(folder, { recursive: true })
})

test('T-ERASE: a backup from between finding and erasing, where the run that found it still stands', async () => {
  await endLongAgo(server.test, invoice, 12 * 9)
  await letGo()
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-erased-'))
  const { db, clock, log } = server.product.context
  const parts = { db, clock, log, config: { stores: { anchors: { folder } } } }
  await keepErased(parts)
  await owned(`update retention_item set state = 'FOUND'`)
  await owned(
    `update retention_run set status = 'FOUND', approved_by = null, approved_at = null, reason = null, ended_at = null`,
  )
  await bringBack()
  await keepErased(parts)
  await eraseApproved(parts)
  expect(await placesOf(server.test, WORDS)).toEqual([])
  expect(
    await owned(
      `select actor, reason from audit_event where kind = 'retention_approved' and reason <> 'yearly'`,
    ),
  ).toEqual([{ actor: 'kvitt', reason: 'erased before' }])
  await keepErased(parts)
  expect(await owned(`select count(*)::int as n from retention_run where approved_by = 'file'`)).toEqual([
    { n: 1 },
  ])
  // An old row alone, with the run that erased it beside it.
  await bringBack()
  await keepErased(parts)
  await eraseApproved(parts)
  expect(await placesOf(server.test, WORDS)).toEqual([])
  rmSync(folder, { recursive: true })
})
