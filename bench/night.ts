/** The nightly run over a million open invoices, a tenth of which are to be reminded that night. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { runNight } from '../apps/server/src/collection/night.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { openDatabase } from '../apps/server/src/platform/database.ts'
import { openLog } from '../apps/server/src/platform/log.ts'
import { fillInstance, fillInvoices, openBenchDatabase, type BenchDatabase } from './bench-database.ts'
import type { Result } from './run.ts'

const INVOICES = 1_000_000
const DUE = 100_000
/** Seconds that looking at all of them, and performing what is due, may take on two cores. */
const MOST_SECONDS_EVALUATED = 120
const MOST_SECONDS_PERFORMED = 30
const TIME_ZONE = 'Europe/Stockholm'

/** The first `count` invoices were due eight days ago, had their two notices, and wait for the reminder. */
async function makeDue(database: BenchDatabase, count: number): Promise<void> {
  const { owner } = database
  await owner.query(
    'update invoice set expire_date = current_date - 8 where payment_reference <= (100000000000 + $1::bigint)::text',
    [count],
  )
  await owner.query(
    `insert into collection_step (instance_id, id, invoice_id, type, number, planned_date, performed_date, status)
     select i.instance_id, gen_random_uuid(), i.id, s.type, 1, current_date - s.ago,
       case when s.ago > 0 then current_date - s.ago end, case when s.ago > 0 then 'PERFORMED' else 'PLANNED' end
     from invoice i cross join (values ('EXPIRED', 7), ('EXPIRED_NOTIFICATION', 6), ('REMINDER', 0)) s (type, ago)
     where i.expire_date < current_date`,
  )
  await owner.query('vacuum analyze')
}

export async function benchNight(invoices = INVOICES, due = DUE): Promise<Result[]> {
  const database = await openBenchDatabase()
  const db = openDatabase(
    { host: database.host, port: database.port, user: 'kvitt_app', database: database.database },
    4,
  )
  try {
    const clock = systemClock(() => 0)
    const instance = { id: await fillInstance(database.owner), timeZone: TIME_ZONE }
    await fillInvoices(database.owner, instance.id, invoices)
    await makeDue(database, due)
    const today = clock.today(TIME_ZONE)
    const run = async (day: CalendarDate): Promise<{ seconds: number; performed: number }> => {
      const start = performance.now()
      const performed = await runNight({ db, clock, log: openLog('error') }, instance, day)
      return { seconds: (performance.now() - start) / 1000, performed }
    }
    const busy = await run(today)
    if (busy.performed !== due) throw new Error(`${busy.performed} steps were performed, not ${due}`)
    const again = await run(today)
    if (again.performed !== 0) throw new Error(`${again.performed} steps were performed a second time`)
    // The day after the last due date every other invoice becomes overdue at once.
    const all = await run(addDays(date(today), 12))
    return [
      seconds(`night: ${due} reminders with fee and interest`, busy.seconds, MOST_SECONDS_PERFORMED),
      seconds(
        `night: ${invoices} open invoices looked at, nothing due`,
        again.seconds,
        MOST_SECONDS_EVALUATED,
      ),
      {
        name: 'night: first steps a second when all fall due',
        value: all.performed / all.seconds,
        unit: 'steps/s',
        floor: null,
        ratio: null,
      },
    ]
  } finally {
    await db.close()
    await database.stop()
  }
}

function seconds(name: string, value: number, most: number): Result {
  return { name, value, unit: 's', floor: most, ratio: value / most }
}
