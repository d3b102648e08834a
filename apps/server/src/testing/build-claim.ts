/** Builds a claim as the product makes it: invoices that nobody paid, and the nights until they are handed over. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import type { Clock } from '../platform/clock.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from './build.ts'
import { newId } from '../platform/identity.ts'
import type { TestDatabase } from './test-database.ts'

type MovingClock = Clock & { moveTo(day: CalendarDate): void }

export type BuiltClaim = {
  readonly instanceId: string
  readonly id: string
  readonly number: string
  readonly reference: string
  readonly zip: string
  readonly invoices: readonly BuiltInvoice[]
}

/** The nights on which something happens to a Swedish person's unpaid invoice, as days after its due date. */
export const NIGHTS_TO_CLAIM = [1, 2, 7, 20, 22]

/** The instance's own account, where claims are paid to (D-27). */
export async function buildInstanceAccount({ db }: TestDatabase, instanceId: string): Promise<void> {
  await db.rows(
    {
      name: 'build.instanceAccount',
      text: `with made as (
          insert into payment_account (instance_id, id, scheme, account_number, receiver_name, bank_name, is_usable, number_key)
          values ($1, $2, 'BANKGIRO', '9990-0110', 'Nordklar AB', 'Demobanken', true, 'BANKGIRO99900110') returning id)
        insert into account_address (instance_id, account_id, address) select $1, id, 'SE BANKGIRO 99900110' from made`,
    },
    [instanceId, newId(Date.now())],
  )
}

/** A claim that was opened `daysAgo`; one wish for each of its invoices. The clock is back on today afterwards. */
export async function buildClaim(
  test: TestDatabase,
  instanceId: string,
  clock: MovingClock,
  { daysAgo = 5, invoices = [{}] }: { daysAgo?: number; invoices?: readonly InvoiceWishes[] } = {},
): Promise<BuiltClaim> {
  const today = clock.today('Europe/Stockholm')
  const dueDate = addDays(today, -daysAgo - 22)
  clock.moveTo(addDays(dueDate, -30))
  const built: BuiltInvoice[] = []
  for (const wishes of invoices) {
    const beside = built[0] ? { beside: built[0] } : {}
    built.push(await buildInvoice(test, instanceId, clock, { dueDate, ...beside, ...wishes }))
  }
  for (const after of NIGHTS_TO_CLAIM) {
    const day = addDays(dueDate, after)
    clock.moveTo(day)
    await performDailyRun(
      { db: test.db, clock, log: openLog('silent') },
      { id: instanceId, timeZone: 'Europe/Stockholm' },
      day,
    )
  }
  clock.moveTo(today)
  const { rows } = await test.owner.query(
    `select c.id, c.claim_number as number, c.payment_reference as reference, c.zip
     from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
    [built[0]?.id],
  )
  return { instanceId, invoices: built, ...(rows[0] as Omit<BuiltClaim, 'instanceId' | 'invoices'>) }
}
