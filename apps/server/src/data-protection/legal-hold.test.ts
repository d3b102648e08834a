/** A legal hold: while it stands nothing of the person goes, whenever it was set; lifted, it goes as before. */
import { beforeEach, expect, test } from 'vitest'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { buildKnownPerson, endLongAgo, placesOf, WORDS } from '../testing/debts/known-person.ts'
import { buildRefundFile } from '../testing/debts/refund-file.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { eraseApproved } from './retention.ts'

type Run = {
  id: string
  status: string
  count: number
  done: number
  left: number
  held: number
  found: { kind: string; count: number; held: number; holds: string[] }[]
}
type Hold = { id: string; debtor: string; state: string; keeps: object[]; liftReason: string | null }

let server: TestServer
let ask: AskOffice
let invoice: BuiltInvoice
let other: BuiltInvoice

/** Two persons whose time is over: the one who will be held, and one beside. */
beforeEach(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['manager', 'handler', 'auditor'])
  invoice = await buildKnownPerson(server)
  other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  await endLongAgo(server.test, invoice, 12 * 9)
  await endLongAgo(server.test, other, 12 * 9)
})

const HOLD = { from: '2026-01-01', reason: 'Tvist i domstol', source: 'Tingsrätten, T 1234-26' }
const owned = async (sql: string, ...values: unknown[]) => (await server.test.owner.query(sql, values)).rows
const holdsOf = ({ json }: { json: unknown }): Hold[] => (json as { holds: Hold[] }).holds
const hold = (more: object = {}, key?: string) =>
  ask('manager', 'POST /data-protection/holds', { debtor: invoice.debtorId, ...HOLD, ...more }, key)
const lift = (id: string, reason = 'Domen har vunnit laga kraft') =>
  ask('manager', `POST /data-protection/holds/${id}/lift`, { reason })
const runsOf = ({ json }: { json: unknown }): Run[] => (json as { runs: Run[] }).runs
const find = async (): Promise<Run[]> => runsOf(await ask('manager', 'POST /data-protection/find'))
const approve = (run: Run | undefined) =>
  ask('manager', 'POST /data-protection/approve', {
    run: run?.id,
    count: run?.count,
    held: run?.held,
    reason: 'yearly',
  })
const erase = async (): Promise<Run | undefined> => {
  await eraseApproved(server.product.context)
  return runsOf(await ask('auditor', 'GET /data-protection'))[0]
}
const isGone = async ({ debtorId }: BuiltInvoice) =>
  (await owned('select name = $2 as gone from debtor where id = $1', debtorId, '[erased]'))[0]?.gone

test('held before it is looked for, a person is not found, and the list says what is kept', async () => {
  const [set] = holdsOf(await hold())
  expect(set).toMatchObject({
    debtor: invoice.debtorId,
    state: 'STANDING',
    keeps: [
      { kind: 'ARCHIVE', count: 1 },
      { kind: 'BOOKS', count: 1 },
      { kind: 'CASE', count: 1 },
    ],
  })
  const [run] = await find()
  const ids = await owned('select distinct subject_id from retention_item')
  expect(new Set(ids.map(({ subject_id: id }) => id))).toEqual(new Set([other.id, other.debtorId]))
  await approve(run)
  await erase()
  expect([await isGone(invoice), await isGone(other)]).toEqual([false, true])
  expect(await placesOf(server.test, WORDS)).toEqual(
    expect.arrayContaining(['debtor.name', 'dispute.reason']),
  )
  expect((await ask('handler', `GET /debtors/${invoice.debtorId}/erasure`)).json).toEqual({
    goes: [],
    stays: [{ kind: 'HOLD', ground: HOLD.source, until: null, count: 1 }],
  })
  const asked = await ask('manager', `POST /debtors/${invoice.debtorId}/erasure`, { reason: 'asked' })
  expect(told(asked)).toEqual([400, 'nothing_over_time'])
})

test('held after it was found, the run says how much and by which hold, and leaves it', async () => {
  const [found] = await find()
  expect(found?.found.every(({ held, holds }) => held === 0 && holds.length === 0)).toBe(true)
  const [set] = holdsOf(await hold())
  const [run] = runsOf(await ask('auditor', 'GET /data-protection'))
  expect(run?.found.find(({ kind }) => kind === 'BOOKS')).toMatchObject({
    count: 2,
    held: 1,
    holds: [set?.id],
  })
  await approve(run)
  const done = await erase()
  expect(done).toMatchObject({ status: 'DONE', left: 3, done: (run?.count ?? 0) - 3 })
  expect([await isGone(invoice), await isGone(other)]).toEqual([false, true])
  expect(await owned('select status from invoice where id = $1', invoice.id)).toEqual([{ status: 'STOPPED' }])
})

test('held after it was approved, it is left; lifted again it goes, with the words of the hold', async () => {
  const [run] = await find()
  await approve(run)
  const [set] = holdsOf(await hold())
  expect(await erase()).toMatchObject({ status: 'DONE', left: 3 })
  expect(await isGone(invoice)).toBe(false)
  expect((await lift(set?.id ?? '')).status).toBe(200)
  await approve((await find())[0])
  expect(await erase()).toMatchObject({ left: 0, done: 3 })
  expect(await placesOf(server.test, [...WORDS, 'Tingsrätten', 'laga kraft'])).not.toContain(
    'legal_hold.source',
  )
  expect(await owned('select reason, source, lift_reason from legal_hold')).toEqual([
    { reason: '[erased]', source: '[erased]', lift_reason: '[erased]' },
  ])
  expect(await isGone(invoice)).toBe(true)
})

const waits = () =>
  expect
    .poll(
      async () =>
        (
          await owned(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length,
    )
    .toBeGreaterThan(0)

test('a hold that is being set while the run erases is waited for, and keeps the person', async () => {
  await approve((await find())[0])
  const setter = await server.test.owner.connect()
  await setter.query('begin')
  await setter.query(
    `insert into legal_hold (instance_id, id, debtor_id, from_on, reason, source, set_by)
     values ($1, gen_random_uuid(), $2, current_date, 'x', 'y', 'person:z')`,
    [server.instanceId, invoice.debtorId],
  )
  const erasing = eraseApproved(server.product.context)
  await waits()
  await setter.query('commit')
  setter.release()
  await erasing
  expect([await isGone(invoice), await isGone(other)]).toEqual([false, true])
})

test('who erases first is done first: the hold waits, and says that it came after', async () => {
  const eraser = await server.test.owner.connect()
  await eraser.query('begin')
  const { rows } = await eraser.query('select erase_case($1, $2) as done', [server.instanceId, invoice.id])
  expect(rows).toEqual([{ done: true }])
  const setting = hold()
  await waits()
  const [before] = (await eraser.query('select clock_timestamp() as at')).rows
  await eraser.query('commit')
  eraser.release()
  expect((await setting).status).toBe(200)
  expect(await owned('select set_at > $1 as after from legal_hold', before.at)).toEqual([{ after: true }])
})

test('files for the bank that name a held person stay by the statement that erases them', async () => {
  await buildRefundFile(server, { executionOn: '2015-03-01' })
  const [file] = await owned('select id from payout_file')
  await owned('alter table payout disable trigger all')
  await owned(
    `insert into payout (instance_id, id, file_id, amount_minor, about, task_id, scheme, number, receiver_name, cause)
     values ($1, gen_random_uuid(), $2, 100, $3, gen_random_uuid(), 'BANKGIRO', '1', 'x', null)`,
    server.instanceId,
    file?.id,
    `credit:${invoice.debtorId}`,
  )
  await owned('alter table payout enable trigger all')
  const [set] = holdsOf(await hold())
  const erased = async () =>
    (await owned('select erase_file($1, $2) as done', server.instanceId, file?.id))[0]?.done
  expect(await erased()).toBe(false)
  await lift(set?.id ?? '')
  expect(await erased()).toBe(true)
  // No transfer was made: the books say so of a row that stands by itself.
  await owned('alter table payout disable trigger all')
  await owned('delete from payout')
  await owned('alter table payout enable trigger all')
})

test('a hold of days that are over, or not come yet, holds nothing', async () => {
  await hold({ from: '2020-01-01', until: '2020-12-31' })
  const [set] = holdsOf(await hold({ from: '2999-01-01' }))
  expect(set?.state).toBe('AHEAD')
  await approve((await find())[0])
  expect(await erase()).toMatchObject({ left: 0 })
  expect(await isGone(invoice)).toBe(true)
  expect(await owned('select source from legal_hold order by from_on')).toEqual([
    { source: '[erased]' },
    { source: HOLD.source },
  ])
})

test('a manager sets and lifts it, once each, with deeds; an auditor may look; another provider’s person does not exist', async () => {
  expect(
    told(await ask('auditor', 'POST /data-protection/holds', { debtor: invoice.debtorId, ...HOLD })),
  ).toEqual([403, 'not_allowed'])
  expect(told(await hold({ debtor: invoice.id }))).toEqual([404, 'not_found'])
  const { id: foreignId } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const foreign = await buildInvoice(server.test, foreignId, server.clock, { zip: '0150' })
  expect(told(await hold({ debtor: foreign.debtorId }))).toEqual([404, 'not_found'])
  expect(told(await hold({ until: '2025-12-31' }))).toEqual([400, 'hold_ends_too_early', 'until'])
  expect(told(await hold({ from: '2026-02-31' }))).toEqual([400, 'invalid_request', 'from'])
  await hold({}, 'once')
  const [set, ...more] = holdsOf(await hold({}, 'once'))
  expect(more).toEqual([])
  const { id = '' } = set ?? {}
  expect(told(await ask('auditor', `POST /data-protection/holds/${id}/lift`, { reason: 'x' }))).toEqual([
    403,
    'not_allowed',
  ])
  await lift(id)
  const [lifted] = holdsOf(await lift(id, 'en gång till'))
  expect(lifted).toMatchObject({ state: 'LIFTED', liftReason: 'Domen har vunnit laga kraft', keeps: [] })
  expect(holdsOf(await ask('auditor', 'GET /data-protection/holds'))).toEqual([lifted])
  expect(
    await owned(`select kind, reason, about from audit_event where kind like 'hold%' order by seq`),
  ).toEqual([
    { kind: 'hold_set', reason: HOLD.reason, about: `debtor:${invoice.debtorId}` },
    { kind: 'hold_lifted', reason: 'Domen har vunnit laga kraft', about: `debtor:${invoice.debtorId}` },
  ])
  await owned(`update staff_session set signed_in_at = now() - interval '11 minutes'`)
  expect(told(await lift(id))).toEqual([403, 'sign_in_again'])
})

test('it is never deleted or changed, and its words are handed out with the person', async () => {
  await hold()
  await expect(owned('delete from legal_hold')).rejects.toThrow(/append-only/)
  await expect(owned(`update legal_hold set reason = 'x'`)).rejects.toThrow(/append-only/)
  await expect(owned('update legal_hold set until_on = current_date')).rejects.toThrow(/append-only/)
  const out = await ask('handler', `POST /debtors/${invoice.debtorId}/personal-data`, { reason: 'asked' })
  expect(out.json).toMatchObject({
    rows: { legal_hold: [{ reason: HOLD.reason, source: HOLD.source, set_by: 'staff' }] },
  })
})

test('I39: what went while it was held is told', async () => {
  await approve((await find())[0])
  await erase()
  expect(await isGone(invoice)).toBe(true)
  await owned('alter table legal_hold disable trigger all')
  await owned(
    `insert into legal_hold (instance_id, id, debtor_id, from_on, reason, source, set_by, set_at)
     values ($1, gen_random_uuid(), $2, current_date - 9, 'x', 'y', 'person:z', now() - interval '8 days')`,
    server.instanceId,
    invoice.debtorId,
  )
  const broken = await owned('select distinct violation from inv_i39_held_is_kept order by 1')
  await owned('delete from legal_hold')
  await owned('alter table legal_hold enable trigger all')
  expect(broken).toEqual([{ violation: 'erased while held' }, { violation: 'gone without a run' }])
})

const dayOf = async (ahead: number): Promise<string> =>
  (await owned('select (current_date + $1::int)::text as day', ahead))[0]?.day

test('a hold from the day that has begun where the provider is stands at once, though the database’s day is one behind', async () => {
  const [set] = holdsOf(await hold({ from: await dayOf(1) }))
  expect(set?.state).toBe('STANDING')
  await approve((await find())[0])
  await erase()
  expect([await isGone(invoice), await isGone(other)]).toEqual([false, true])
  const [later] = holdsOf(await hold({ from: await dayOf(2) })).filter(({ state }) => state === 'AHEAD')
  expect(later?.debtor).toBe(invoice.debtorId)
})

test('every debtor that a number proves to be the person is held, with a deed each; who has a placeholder stays alone', async () => {
  const numbered = (one: BuiltInvoice, number: string) =>
    owned('update debtor set identification_number = $2 where id = $1', one.debtorId, number)
  await numbered(invoice, '19900729-2387')
  await numbered(other, '900729-2387')
  const set = holdsOf(await hold({}, 'both'))
  const both = [invoice.debtorId, other.debtorId].toSorted()
  expect(set.map(({ debtor }) => debtor).toSorted()).toEqual(both)
  expect(holdsOf(await hold({}, 'both'))).toHaveLength(2)
  const deeds = await owned(`select about from audit_event where kind = 'hold_set' order by about`)
  expect(deeds).toEqual(both.map((id) => ({ about: `debtor:${id}` })))
  expect(await find()).toEqual([])
  for (const { id } of set) await lift(id)
  await numbered(invoice, 'saknas')
  await numbered(other, 'saknas')
  const standing = holdsOf(await hold()).filter(({ state }) => state === 'STANDING')
  expect(standing.map(({ debtor }) => debtor)).toEqual([invoice.debtorId])
})

test('a run is not approved when holds keep less of it, or more, than was shown', async () => {
  const [shown] = await find()
  const [set] = holdsOf(await hold())
  expect(told(await approve(shown))).toEqual([409, 'selection_changed'])
  const [held] = runsOf(await ask('auditor', 'GET /data-protection'))
  expect([shown?.held, held?.held]).toEqual([0, 3])
  await lift(set?.id ?? '')
  expect(told(await approve(held))).toEqual([409, 'selection_changed'])
  expect(await isGone(invoice)).toBe(false)
  expect(told(await approve(shown))).toEqual([200, undefined])
  expect(await erase()).toMatchObject({ left: 0, held: 0 })
  const deeds = await owned(`select after from audit_event where kind = 'retention_approved'`)
  expect(deeds).toEqual([{ after: { count: shown?.count, held: 0 } }])
})

test('I39: what went before the first day of a hold that was set before is no fault', async () => {
  await hold({ from: await dayOf(5) })
  await approve((await find())[0])
  await erase()
  expect(await isGone(invoice)).toBe(true)
  // Six days go by.
  await owned('alter table legal_hold disable trigger all')
  await owned('alter table retention_item disable trigger all')
  await owned('update legal_hold set from_on = from_on - 6')
  await owned(`update retention_item set erased_on = erased_on - 6 where state = 'DONE'`)
  const broken = await owned('select violation from inv_i39_held_is_kept')
  const stands = await owned('select is_standing(h) as stands from legal_hold h')
  await owned('alter table legal_hold enable trigger all')
  await owned('alter table retention_item enable trigger all')
  expect([broken, stands]).toEqual([[], [{ stands: true }]])
})

test('a hold whose days are over is not lifted, and words that were put there go with the person', async () => {
  const [set] = holdsOf(await hold({ from: '2020-01-01', until: '2020-12-31' }))
  expect(set?.state).toBe('OVER')
  expect(told(await lift(set?.id ?? ''))).toEqual([400, 'hold_over'])
  await approve((await find())[0])
  await erase()
  expect(await isGone(invoice)).toBe(true)
  expect(await find()).toHaveLength(1)
  await owned(
    `update legal_hold set lifted_by = 'person:z', lift_reason = 'Ottilia Kanariefågel har betalat'`,
  )
  const [again] = await find()
  expect(again).toMatchObject({ status: 'FOUND', count: 1 })
  await approve(again)
  await erase()
  expect(await owned('select lift_reason from legal_hold')).toEqual([{ lift_reason: '[erased]' }])
})

test('what stands is told first, however many are over', async () => {
  const [set] = holdsOf(await hold())
  await owned(
    `insert into legal_hold (instance_id, id, debtor_id, from_on, until_on, reason, source, set_by)
     select $1, gen_random_uuid(), $2, '2020-01-01', '2020-01-02', 'a', 'b', 'person:z' from generate_series(1, 200)`,
    server.instanceId,
    invoice.debtorId,
  )
  const holds = holdsOf(await ask('auditor', 'GET /data-protection/holds'))
  expect([holds.length, holds[0]?.id, holds[1]?.state]).toEqual([200, set?.id, 'OVER'])
  await owned(
    `insert into legal_hold (instance_id, id, debtor_id, from_on, reason, source, set_by)
     select $1, gen_random_uuid(), $2, '2020-01-01', 'a', 'b', 'person:z' from generate_series(1, 200)`,
    server.instanceId,
    invoice.debtorId,
  )
  const all = holdsOf(await ask('auditor', 'GET /data-protection/holds'))
  expect([all.length, new Set(all.map(({ state }) => state))]).toEqual([201, new Set(['STANDING'])])
})

test('until when a hold keeps a person is told by the first day after it', async () => {
  await hold({ until: '2999-12-31' })
  expect((await ask('handler', `GET /debtors/${invoice.debtorId}/erasure`)).json).toMatchObject({
    stays: [{ kind: 'HOLD', until: '3000-01-01' }],
  })
})

test('money that was moved between a held person and one who is erased keeps its words until the hold is lifted', async () => {
  await owned(
    `insert into moved_payment (instance_id, line_id, number, from_invoice_id, to_invoice_id, moved_by, reason)
     select instance_id, id, 1, $1, $2, 'person:z', 'Ottilia betalade på fel faktura' from bank_line`,
    invoice.id,
    other.id,
  )
  // It lies at the one who is erased.
  await owned('update bank_line set invoice_id = $1', other.id)
  const [set] = holdsOf(await hold())
  await approve((await find())[0])
  await erase()
  expect([await isGone(invoice), await isGone(other)]).toEqual([false, true])
  const words = () =>
    owned('select m.reason, l.payer from moved_payment m join bank_line l on l.id = m.line_id')
  expect(await words()).toEqual([
    { reason: 'Ottilia betalade på fel faktura', payer: 'Ottilia Kanariefågel' },
  ])
  expect((await find()).filter(({ status }) => status === 'FOUND')).toEqual([])
  await lift(set?.id ?? '')
  await approve((await find())[0])
  expect(await erase()).toMatchObject({ left: 0 })
  expect([await isGone(invoice), await words()]).toEqual([true, [{ reason: '[erased]', payer: null }]])
})
