import { expect, test } from 'vitest'
import { openLog } from '../platform/log.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, testClock, TODAY } from '../testing/build.ts'
import { testDatabase } from '../testing/test-database.ts'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from './collection.ts'

const base = await testDatabase()
const clock = testClock()
const { id: instanceId } = await buildInstance(base)
const instance = { id: instanceId, timeZone: 'Europe/Stockholm' }
const context = { db: base.db, clock, log: openLog('silent') }

async function stepsOf(invoiceId: string): Promise<string[]> {
  const { rows } = await base.owner.query<{ type: string }>(
    `select type from collection_step where invoice_id = $1 and status = 'PERFORMED' and type <> 'INVOICE' order by type`,
    [invoiceId],
  )
  return rows.map(({ type }) => type)
}

async function dueDateOf(invoiceId: string): Promise<CalendarDate> {
  const { rows } = await base.owner.query<{ due: string }>(
    'select expire_date::text as due from invoice where id = $1',
    [invoiceId],
  )
  return date(rows[0]?.due ?? '')
}

test('an invoice that cannot be gone on with holds up no other, and a person is asked', async () => {
  const [first, broken, last] = [
    await buildInvoice(base, instanceId, clock),
    await buildInvoice(base, instanceId, clock),
    await buildInvoice(base, instanceId, clock),
  ]
  await base.owner.query(`create function refuse_broken() returns trigger language plpgsql as $$
    begin
      if new.invoice_id = '${broken.id}' and new.status = 'PERFORMED' then raise exception 'broken on purpose'; end if;
      return new;
    end $$`)
  await base.owner.query(
    'create trigger refuse_broken before update on collection_step for each row execute function refuse_broken()',
  )
  const day = addDays(await dueDateOf(broken.id), 1)
  await performDailyRun(context, instance, day)
  expect(await Promise.all([first, broken, last].map(({ id }) => stepsOf(id)))).toEqual([
    ['EXPIRED'],
    [],
    ['EXPIRED'],
  ])
  const tasks = await base.owner.query(`select kind from task where kind = 'work_stuck' and done_at is null`)
  expect(tasks.rows).toEqual([{ kind: 'work_stuck' }])

  await base.owner.query('drop trigger refuse_broken on collection_step')
  await performDailyRun(context, instance, day)
  expect(await stepsOf(broken.id)).toEqual(['EXPIRED'])
})

test('invoices that cannot be handed over hold up no other', async () => {
  clock.moveTo(TODAY)
  const [first, broken, last] = [
    await buildInvoice(base, instanceId, clock),
    await buildInvoice(base, instanceId, clock),
    await buildInvoice(base, instanceId, clock),
  ]
  const due = await dueDateOf(broken.id)
  await base.owner.query(`create function refuse_joining() returns trigger language plpgsql as $$
    begin
      if new.id = '${broken.id}' then raise exception 'broken on purpose'; end if;
      return new;
    end $$`)
  await base.owner.query(
    'create trigger refuse_joining before update of claim_id on invoice for each row execute function refuse_joining()',
  )
  for (const after of NIGHTS_TO_CLAIM) {
    clock.moveTo(addDays(due, after))
    await performDailyRun(context, instance, addDays(due, after))
  }
  const inClaim = async () =>
    Promise.all(
      [first, broken, last].map(async ({ id }) => {
        const { rows } = await base.owner.query('select claim_id from invoice where id = $1', [id])
        return rows[0].claim_id !== null
      }),
    )
  expect(await inClaim()).toEqual([true, false, true])
  await base.owner.query('drop trigger refuse_joining on invoice')
  await performDailyRun(context, instance, addDays(due, NIGHTS_TO_CLAIM.at(-1) ?? 0))
  expect(await inClaim()).toEqual([true, true, true])
})
