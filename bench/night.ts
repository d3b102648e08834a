/** Nightly runs over a million open invoices, all of them overdue but those that fall due in between. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../apps/server/src/collection/daily-run.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { openDatabase } from '../apps/server/src/platform/database/database.ts'
import { openLog } from '../apps/server/src/platform/log.ts'
import { fillInstance, fillInvoices, openBenchDatabase, type BenchDatabase } from './bench-database.ts'
import type { Result } from './run.ts'

const TIME_ZONE = 'Europe/Stockholm'
/** Seconds that looking at all invoices, and performing what is due, may take on two cores. */
const MOST_SECONDS_LOOKED = 120
const MOST_SECONDS_PERFORMED = 30
const HAND_OVERS_A_SECOND = 2_000

/**
 * How many invoices; the first of them wait for a reminder, then come those to be handed over, those falling due, and
 * those that plans pay.
 */
type Sizes = {
  readonly invoices: number
  readonly reminded: number
  readonly handedOver: number
  readonly fallingDue: number
  readonly planned: number
}
const SIZES: Sizes = {
  invoices: 1_000_000,
  reminded: 100_000,
  handedOver: 20_000,
  fallingDue: 100_000,
  planned: 20_000,
}

/** Steps of invoices by what they wait for: type, number of days ago (less than 0: to come), and its last day to pay. */
export type Story = readonly (readonly [type: string, ago: number, lastPayAgo?: number])[]
const REMINDED: Story = [
  ['EXPIRED', 7],
  ['EXPIRED_NOTIFICATION', 6],
  ['REMINDER', 0],
]
const HANDED_OVER: Story = [
  ['EXPIRED', 30],
  ['EXPIRED_NOTIFICATION', 29],
  ['REMINDER', 24, 14],
  ['COLLECTION_NOTIFICATION', 11],
  ['COLLECTION', -1],
]
const WAITING: Story = [
  ['EXPIRED', 3],
  ['REMINDER', -30],
]

export type Range = { readonly from: number; readonly to: number }

export function numbered({ from, to }: Range): string {
  return `between (100000000000 + ${from})::text and (100000000000 + ${to})::text`
}

/** Invoices `from` to `to` were due `ago` days ago, and have come as far as `story` tells. */
export async function tell(
  { owner }: BenchDatabase,
  { from, to, ago }: Range & { ago: number },
  story: Story,
): Promise<void> {
  const between = numbered({ from, to })
  await owner.query(
    `update invoice set expire_date = current_date - ${ago} where payment_reference ${between}`,
  )
  const steps = story.map(
    ([type, days, lastPay]) => `('${type}', ${days}, ${lastPay === undefined ? 'null::int' : lastPay})`,
  )
  if (steps.length === 0) return
  await owner.query(
    `insert into collection_step (instance_id, id, invoice_id, type, number, planned_date, performed_date, last_pay_date, status)
     select i.instance_id, gen_random_uuid(), i.id, s.type, 1, current_date - s.ago,
       case when s.ago > 0 then current_date - s.ago end, current_date - s.last_pay,
       case when s.ago > 0 then 'PERFORMED' else 'PLANNED' end
     from invoice i cross join (values ${steps.join(', ')}) s (type, ago, last_pay)
     where i.payment_reference ${between}`,
  )
}

/** Invoices `from` to `to` are paid in six months each; the first instalment is billed the day after tomorrow. */
async function plan({ owner }: BenchDatabase, range: Range): Promise<void> {
  await owner.query(
    `insert into part_payment_setting (instance_id, id, code, variant, currency, months, start_fee_minor, monthly_fee_minor,
       percent, terms_days, legal_visible, terms_visible, smallest_balance_minor, valid_from)
     select id, gen_random_uuid(), 'PLAN_6', 'PART_PAYMENT', 'SEK', 6, 9500, 2900, 0, 14, true, true, 100, '2020-01-01'
     from instance`,
  )
  const plans = `(select i.*, ('9' || substr(i.id::text, 2))::uuid as plan_id from invoice i
    where i.payment_reference ${numbered(range)}) i`
  await owner.query(
    `insert into part_payment (instance_id, id, setting_id, creditor_id, debtor_id, currency, status, number, amount_minor,
       started_on, withdraw_until, agreement, idempotency_key, request_hash)
     select i.instance_id, i.plan_id, s.id, i.creditor_id, i.debtor_id, 'SEK', 'ACTIVE', 'P' || i.invoice_number, i.balance_minor,
       current_date - 14, current_date, '{}', '', '' from ${plans} cross join part_payment_setting s`,
  )
  await owner.query(
    `insert into part_payment_member (instance_id, invoice_id, part_payment_id, added_on, amount_minor)
     select i.instance_id, i.id, i.plan_id, current_date - 14, i.balance_minor from ${plans}`,
  )
  await owner.query(
    `insert into part_payment_instalment (instance_id, id, part_payment_id, number, send_date, due_date, principal_minor,
       interest_minor, fee_minor, start_fee_minor)
     select i.instance_id, gen_random_uuid(), i.plan_id, n, current_date + 2 + 30 * (n - 1), current_date + 16 + 30 * (n - 1),
       i.balance_minor / 6 + case when n = 6 then i.balance_minor % 6 else 0 end, 0, 2900, case when n = 1 then 9500 else 0 end
     from ${plans} cross join generate_series(1, 6) n`,
  )
  await owner.query(
    `update invoice set is_part_payment = true, part_payment_variant = 'PART_PAYMENT'
     where payment_reference ${numbered(range)}`,
  )
}

async function prepare(database: BenchDatabase, sizes: Sizes): Promise<string> {
  const instanceId = await fillInstance(database.owner)
  await fillInvoices(database.owner, instanceId, sizes.invoices)
  const reminded = sizes.reminded
  const handedOver = reminded + sizes.handedOver
  const fallingDue = handedOver + sizes.fallingDue
  await tell(database, { from: 1, to: reminded, ago: 8 }, REMINDED)
  await tell(database, { from: reminded + 1, to: handedOver, ago: 31 }, HANDED_OVER)
  await tell(database, { from: handedOver + 1, to: fallingDue, ago: -5 }, [])
  const planned = fallingDue + sizes.planned
  await tell(database, { from: planned + 1, to: sizes.invoices, ago: 4 }, WAITING)
  await plan(database, { from: fallingDue + 1, to: planned })
  await database.owner.query('vacuum analyze')
  return instanceId
}

export async function* benchNight(sizes = SIZES): AsyncGenerator<Result> {
  const database = await openBenchDatabase()
  const db = openDatabase(
    { host: database.host, port: database.port, user: 'kvitt_app', database: database.database },
    4,
  )
  try {
    const clock = systemClock(() => 0)
    const instance = { id: await prepare(database, sizes), timeZone: TIME_ZONE }
    const today = clock.today(TIME_ZONE)
    const run = async (day: CalendarDate, steps: number): Promise<number> => {
      const start = performance.now()
      const performed = await performDailyRun({ db, clock, log: openLog('error') }, instance, day)
      if (performed !== steps) throw new Error(`${performed} steps were performed on ${day}, not ${steps}`)
      return (performance.now() - start) / 1000
    }
    const { invoices, reminded, handedOver, fallingDue, planned } = sizes
    yield seconds(
      `night: ${reminded} reminders with fee and interest`,
      await run(today, reminded),
      MOST_SECONDS_PERFORMED,
    )
    yield seconds(
      `night: ${invoices} open invoices looked at again`,
      await run(today, 0),
      MOST_SECONDS_LOOKED,
    )
    // Each has a claim of its own, which sends its demand the same night.
    const tomorrow = addDays(date(today), 1)
    const handing = await run(tomorrow, handedOver * 2)
    yield rate('night: hand-overs to claims, each with its demand', handedOver / handing, HAND_OVERS_A_SECOND)
    const billing = await run(addDays(tomorrow, 1), planned)
    yield rate('night: instalments of plans billed', planned / billing, null)
    const falling = await run(addDays(tomorrow, 5), fallingDue)
    yield rate(`night: first steps when ${fallingDue} fall due`, fallingDue / falling, null)
  } finally {
    await db.close()
    await database.stop()
  }
}

function seconds(name: string, value: number, most: number): Result {
  return { name, value, unit: 's', floor: most, ratio: value / most }
}

function rate(name: string, value: number, wanted: number | null): Result {
  return { name, value, unit: '/s', floor: wanted, ratio: wanted && value / wanted }
}
