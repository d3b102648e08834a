/** A database of its own for a test file, and the invariants that must hold after every test. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, inject, vi } from 'vitest'
import { openDatabase, type Database, type DatabaseAddress } from '../platform/database/database.ts'
import { closeAfterwards } from './close-afterwards.ts'
import { cloneAs } from './global-setup.ts'

export type TestDatabase = {
  /** As the running program sees it: the application role. */
  readonly db: Database
  readonly address: DatabaseAddress
  /** As the owner, for what a test must look at or break on purpose. */
  readonly owner: pg.Pool
  readonly ownerAddress: DatabaseAddress
}

export const INVARIANTS = [
  'inv_i1_postings_sum_to_zero',
  'inv_i2_balances_equal_postings',
  'inv_i3_ledger_is_append_only',
  'inv_i4_settled_payments_are_booked_once',
  'inv_i5_events_end_once',
  'inv_i6_balances_follow_events',
  'inv_i10_plans_add_up',
  'inv_i11_disputes_pause',
  'inv_i15_status_agrees_with_balance',
  'inv_i16_fees_have_steps',
  'inv_i17_claims_hold_the_balance',
  'inv_i18_plan_money_counts_once',
  'inv_i19_bank_lines_are_booked_once',
  'inv_i20_list_lengths_are_true',
  'inv_i21_audit_events_are_chained',
  'inv_i22_unsent_letters_cost_nothing',
  'inv_i23_refunds_are_booked_once',
  'inv_i24_suspense_is_lines',
  'inv_i25_late_interest_is_billed_once',
  'inv_i26_creditor_money_is_never_held',
  'inv_i27_money_out_is_expected',
  'inv_i28_court_costs_have_applications',
  'inv_i29_lines_and_payments_pair',
  'inv_i30_restated_at_most_once',
  'inv_i31_bank_lines_have_their_keys',
  'inv_i32_direct_payments_are_booked',
  'inv_i33_settlements_are_of_the_books',
  'inv_i34_payouts_are_posted',
  'inv_i35_days_are_of_the_books',
  'inv_i42_debts_have_their_counterweight',
  'inv_i43_closed_months_stay',
  'inv_i37_below_zero_is_asked_about',
  'inv_i38_credits_are_owed_to_debtors',
  'inv_i45_vat_invoices_are_whole',
  'inv_i51_hands_keep_the_limit',
  'inv_i46_figures_were_agreed',
  'inv_i61_settings_were_agreed',
  'inv_i48_refund_files_are_posted',
  'inv_i52_not_executed_by_two',
  'inv_i53_paid_twice_is_owed_back',
  'inv_i49_advances_cover',
  'inv_i50_only_fees_are_drawn',
  'inv_i55_erased_is_erased',
  'inv_i39_held_is_kept',
  'inv_i40_wards_are_represented',
  'inv_i57_asked_is_kept',
  'inv_i58_requests_are_asked_about',
  'inv_i59_figures_kept_are_counted',
] as const

/** Not asked for after each test: many write a bank's line without the file that it came in. Those of client funds ask for it. */
export const OF_BANK_FILES = ['inv_i36_bank_days_are_of_lines'] as const

/** These say nothing of an instance. */
const OF_ALL: readonly string[] = [
  'inv_i3_ledger_is_append_only',
  'inv_i5_events_end_once',
  'inv_i21_audit_events_are_chained',
]

/**
 * Every invariant that is broken, with its rows; empty when the books are right. Of one instance, or of all. All are asked in
 * one statement, and only what is broken is read: after every test, a statement each cost three times as much.
 */
export async function brokenInvariants(
  owner: pg.Pool,
  instanceId?: string,
): Promise<Record<string, unknown[]>> {
  const values = instanceId === undefined ? [] : [instanceId]
  const rowsOf = (view: string): string =>
    `from ${view}${instanceId === undefined || OF_ALL.includes(view) ? '' : ' where instance_id = $1'}`
  // Named, so that a connection plans it once: planning is most of what it costs.
  const asked = await owner.query<{ view: string }>({
    name: `broken invariants of ${instanceId === undefined ? 'all' : 'one'}`,
    text: INVARIANTS.map((view) => `select '${view}' as view where exists (select ${rowsOf(view)})`).join(
      ' union all ',
    ),
    values,
  })
  const broken: Record<string, unknown[]> = {}
  for (const { view } of asked.rows) {
    const text = rowsOf(view)
    const { rows } = await owner.query(`select * ${text} limit 5`, text.includes('$1') ? values : [])
    broken[view] = rows
  }
  return broken
}

/** Of each database of this test file one connection that asks for its invariants alone: each connection plans them anew. */
const books = new Set<pg.Pool>()

let areAskedAtEnd = false

/** For a file of some hundred tests that write next to nothing: its invariants are asked for after the last of them alone. */
export function askForBooksAtEnd(): void {
  areAskedAtEnd = true
}

/** Expects every invariant to hold in each database of this test file. */
async function expectBooks(): Promise<void> {
  for (const book of books) expect(await brokenInvariants(book)).toEqual({})
}

/** After each test. */
export async function expectRightBooks(): Promise<void> {
  if (!areAskedAtEnd) await expectBooks()
}

/** After the last test of a file. */
export async function expectRightBooksAtEnd(): Promise<void> {
  const wasPutOff = areAskedAtEnd
  areAskedAtEnd = false
  if (wasPutOff) await expectBooks()
}

/** The owner's connections. They stay open, and keep the plan of a named statement whatever its values are. */
export function openOwner(ownerAddress: DatabaseAddress, max = 4): pg.Pool {
  const options = '-c plan_cache_mode=force_generic_plan'
  const owner = new pg.Pool({ ...ownerAddress, max, idleTimeoutMillis: 0, options })
  owner.on('error', () => {})
  return owner
}

/** A program that a test has started and not stopped is still connected. The database's own sweepers go when it does. */
async function expectClosed(admin: pg.Client, database: string): Promise<void> {
  const connected = `select application_name, query from pg_stat_activity
    where datname = $1 and backend_type = 'client backend'`
  await vi.waitFor(async () => expect((await admin.query(connected, [database])).rows).toEqual([]), 5_000)
}

/**
 * Clones the migrated template for this test file, drops it afterwards, and after each test expects every
 * invariant to hold.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { host, port, ownerUser, pooler } = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ host, port, user: ownerUser, database: 'postgres' })
  await admin.connect()
  await admin.query(cloneAs(database))
  const ownerAddress = { host, port, user: ownerUser, database }
  const address = { ...(pooler ?? { host, port }), user: 'kvitt_app', database }
  const owner = openOwner(ownerAddress)
  const book = openOwner(ownerAddress, 1)
  const db = openDatabase(address, 10)
  books.add(book)
  closeAfterwards(async () => {
    books.delete(book)
    await db.close()
    await Promise.all([owner.end(), book.end()])
    // A pooler keeps its connections for whoever comes next.
    if (pooler) await admin.query(`drop database ${database} with (force)`)
    else {
      await expectClosed(admin, database)
      await admin.query(`drop database ${database}`)
    }
    await admin.end()
  })
  return { db, address, owner, ownerAddress }
}
