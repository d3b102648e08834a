/** What it costs a night that half of what is due waits for the files of accounts, beside a night with the other half alone. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../apps/server/src/collection/daily-run.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { openDatabase } from '../apps/server/src/platform/database/database.ts'
import { openLog } from '../apps/server/src/platform/log.ts'
import { fillInstance, fillInvoices, openBenchDatabase, type BenchDatabase } from './bench-database.ts'
import { numbered, tell, type Range } from './night.ts'
import type { Result } from './run.ts'

const TIME_ZONE = 'Europe/Stockholm'
/** Due in one night, every second of them on an account that is not told of. */
const DUE = Number(process.env['BENCH_DUE'] ?? 1_000_000)
/** Nights of each kind, in turns: what the machine does meanwhile hits both. */
const ROUNDS = 2
const MOST_RATIO = 1.1

/** Every second creditor has an account of its own. */
async function addAccounts({ owner }: BenchDatabase): Promise<void> {
  await owner.query(
    `insert into payment_account (instance_id, id, creditor_id, scheme, account_number, receiver_name, is_usable, number_key, holder)
     select instance_id, ('e' || substr(id::text, 2))::uuid, id, 'BANKGIRO', '9990-0227', name, true, identity, 'CREDITOR'
     from creditor where substr(identity, 2)::int % 2 = 0`,
  )
  await owner.query(
    `update invoice i set payment_account_id = a.id from payment_account a
     where a.instance_id = i.instance_id and a.creditor_id = i.creditor_id`,
  )
}

async function setFiles({ owner }: BenchDatabase, isAwaited: boolean): Promise<void> {
  await owner.query('update instance set bank_file_wait_days = 20')
  await owner.query(
    isAwaited
      ? `update payment_account set files = 'daily_statement', files_since = current_date - 10`
      : `update payment_account set files = 'none', files_since = null`,
  )
}

/** Takes what is due of the invoices with an account out of the way, or leaves it out of a night that has none that wait. */
async function postpone({ owner }: BenchDatabase, range: Range): Promise<void> {
  await owner.query(
    `update collection_step s set planned_date = current_date + 100 from invoice i
     where i.instance_id = s.instance_id and i.id = s.invoice_id and i.payment_account_id is not null
       and s.status = 'PLANNED' and i.payment_reference ${numbered(range)}`,
  )
}

export async function* benchWaitingNight(due = DUE): AsyncGenerator<Result> {
  const database = await openBenchDatabase()
  const address = { host: database.host, port: database.port, user: 'kvitt_app', database: database.database }
  const db = openDatabase(address, 4)
  try {
    const clock = systemClock(() => 0)
    const instance = { id: await fillInstance(database.owner), timeZone: TIME_ZONE }
    await fillInvoices(database.owner, instance.id, due * ROUNDS * 2)
    await addAccounts(database)
    const today = date(clock.today(TIME_ZONE))
    const seconds = { alone: 0, waiting: 0 }
    for (let round = 0; round < ROUNDS * 2; round++) {
      const isAwaited = round % 2 === 1
      const range = { from: round * due + 1, to: (round + 1) * due }
      await tell(database, { ...range, ago: 8 }, [
        ['EXPIRED', 7],
        ['EXPIRED_NOTIFICATION', 6],
        ['REMINDER', -round],
      ])
      if (!isAwaited) await postpone(database, range)
      await setFiles(database, isAwaited)
      await database.owner.query('vacuum analyze')
      await database.owner.query('checkpoint')
      const day: CalendarDate = addDays(today, round)
      const start = performance.now()
      const performed = await performDailyRun({ db, clock, log: openLog('error') }, instance, day)
      seconds[isAwaited ? 'waiting' : 'alone'] += (performance.now() - start) / 1000
      if (performed !== due / 2) throw new Error(`${performed} steps were performed, not ${due / 2}`)
      await postpone(database, range)
    }
    yield {
      name: `night: ${due} due, half of them waiting for files`,
      value: seconds.waiting / ROUNDS,
      unit: 's',
      floor: (seconds.alone / ROUNDS) * MOST_RATIO,
      ratio: seconds.waiting / seconds.alone,
    }
  } finally {
    await db.close()
    await database.stop()
  }
}
