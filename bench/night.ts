/** Nightly runs over a million open invoices, all of them overdue but those that fall due in between. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { runNight } from '../apps/server/src/collection/night.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { openDatabase } from '../apps/server/src/platform/database.ts'
import { openLog } from '../apps/server/src/platform/log.ts'
import { fillInstance, fillInvoices, openBenchDatabase, type BenchDatabase } from './bench-database.ts'
import type { Result } from './run.ts'

const TIME_ZONE = 'Europe/Stockholm'
/** Seconds that looking at all invoices, and performing what is due, may take on two cores. */
const MOST_SECONDS_LOOKED = 120
const MOST_SECONDS_PERFORMED = 30
const HAND_OVERS_A_SECOND = 2_000

/** How many invoices; the first of them wait for a reminder, then come those to be handed over, then those falling due. */
type Sizes = {
  readonly invoices: number
  readonly reminded: number
  readonly handedOver: number
  readonly fallingDue: number
}
const SIZES: Sizes = { invoices: 1_000_000, reminded: 100_000, handedOver: 20_000, fallingDue: 100_000 }

/** Steps of invoices by what they wait for: type, number of days ago (less than 0: to come), and its last day to pay. */
type Story = readonly (readonly [type: string, ago: number, lastPayAgo?: number])[]
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

/** Invoices `from` to `to` were due `ago` days ago, and have come as far as `story` tells. */
async function tell(
  { owner }: BenchDatabase,
  { from, to, ago }: { from: number; to: number; ago: number },
  story: Story,
): Promise<void> {
  const between = `between (100000000000 + ${from})::text and (100000000000 + ${to})::text`
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

async function prepare(database: BenchDatabase, sizes: Sizes): Promise<string> {
  const instanceId = await fillInstance(database.owner)
  await fillInvoices(database.owner, instanceId, sizes.invoices)
  const reminded = sizes.reminded
  const handedOver = reminded + sizes.handedOver
  const fallingDue = handedOver + sizes.fallingDue
  await tell(database, { from: 1, to: reminded, ago: 8 }, REMINDED)
  await tell(database, { from: reminded + 1, to: handedOver, ago: 31 }, HANDED_OVER)
  await tell(database, { from: handedOver + 1, to: fallingDue, ago: -1 }, [])
  await tell(database, { from: fallingDue + 1, to: sizes.invoices, ago: 4 }, WAITING)
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
      const performed = await runNight({ db, clock, log: openLog('error') }, instance, day)
      if (performed !== steps) throw new Error(`${performed} steps were performed on ${day}, not ${steps}`)
      return (performance.now() - start) / 1000
    }
    const { invoices, reminded, handedOver, fallingDue } = sizes
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
    const falling = await run(addDays(tomorrow, 1), fallingDue)
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
