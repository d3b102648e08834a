/** What it costs everybody else that a day of 35,000 entries is read, kept and placed: the bookings of a gateway beside it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookPayment } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import { importBankFiles } from '../apps/server/src/bank-files/bank-files.ts'
import { postBookings } from '../apps/server/src/ledger/ledger.ts'
import { holdBankLines } from '../apps/server/src/payments/told-by-bank/told-by-bank.queries.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { openDatabase, type Database } from '../apps/server/src/platform/database/database.ts'
import { newId } from '../apps/server/src/platform/identity.ts'
import { openLog } from '../apps/server/src/platform/log.ts'
import { readConfig } from '../apps/server/config/config.ts'
import { camt } from '../apps/server/src/testing/files/bank-formats.ts'
import { fillInstance, fillInvoices, openBenchDatabase, type BenchDatabase } from './bench-database.ts'
import type { Result } from './run.ts'

const ENTRIES = 35_000
const ELEMENTS = 500_000
const PLACED = 500
const BOOKINGS_PER_SECOND = 20
const MOST_WAIT_MS = 200
const INVOICES = 40_000
const TIME_ZONE = 'Europe/Stockholm'
const clock = systemClock(() => 0)

/** The account of the file. */
async function addAccount({ owner }: BenchDatabase, instanceId: string): Promise<void> {
  await owner.query(
    `with made as (
       insert into payment_account (instance_id, id, scheme, account_number, receiver_name, is_usable, number_key, holder)
       values ($1, $2, 'BANKGIRO', '9990-0227', 'Every creditor', false, 'shared', 'INSTANCE') returning instance_id, id)
     insert into account_address (instance_id, account_id, address) select instance_id, id, 'SE BANKGIRO 99900227' from made`,
    [instanceId, newId(Date.now())],
  )
}

/** Each entry pays an invoice whole. */
function dayOf(today: CalendarDate): Buffer {
  const entries = Array.from({ length: ENTRIES }, (_, index) => ({
    amountMinor: 10_000 + ((index + 1) % 90_000),
    currency: 'SEK',
    day: today,
    bankId: `L${index}`,
    endToEndId: `E${index}`,
    reference: String(100_000_000_001 + index),
    payer: `Payer ${index}`,
    message: 'Faktura',
  }))
  const text = camt({ account: { other: '99900227' }, entries })
  const elements = text.match(/<[A-Z]/g)?.length ?? 0
  if (elements < ELEMENTS) throw new Error(`the file has ${elements} elements only`)
  return Buffer.from(text)
}

type Booked = { readonly id: string; readonly creditor_id: string; readonly debtor_id: string }

type Work = { readonly instanceId: string; readonly today: CalendarDate; readonly debts: readonly Booked[] }

/** Money of a gateway is booked as the program does it. */
async function book(db: Database, { instanceId, today, debts }: Work, n: number): Promise<void> {
  const debt = debts[n % debts.length] as Booked
  const [none, paid, id] = [money(0, 'SEK'), money(100, 'SEK'), newId(Date.now())]
  const parties = { invoiceId: debt.id, creditorId: debt.creditor_id, debtorId: debt.debtor_id }
  const owed = { principal: paid, costs: none, interest: none }
  const lines = bookPayment(parties, { gateway: 'SWISH', amount: paid, owed })
  const of = { bookedOn: today, cause: `bench:${id}`, invoiceId: debt.id, paymentId: null }
  await db.transaction(async (tx) => {
    holdBankLines(tx, instanceId)
    await postBookings(tx, instanceId, [{ ...of, id, kind: 'PAYMENT', lines }], clock)
  })
}

/** Bookings that begin at fixed moments until `end`; how long each took from its own, in ms. */
async function bookUntil(db: Database, work: Work, end: () => boolean): Promise<number[]> {
  const since = performance.now()
  const booked: Promise<number>[] = []
  while (!end()) {
    for (;;) {
      const due = since + (booked.length * 1000) / BOOKINGS_PER_SECOND
      if (due > performance.now()) break
      booked.push(book(db, work, booked.length).then(() => performance.now() - due))
    }
    await sleep(1)
  }
  return Promise.all(booked)
}

/**
 * The most processor time that one turn of the event loop takes until the function that is answered is called, in ms: so long
 * everybody waits, on a busy machine too.
 */
function watchTurns(): () => number {
  const used = (): number => process.cpuUsage().user / 1000
  let [last, most] = [used(), 0]
  const timer = setInterval(() => {
    const now = used()
    most = Math.max(most, now - last)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return most
  }
}

const figuresOf = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  return { most: sorted.at(-1) ?? 0, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}

export async function* benchBankFile(): AsyncGenerator<Result> {
  const database = await openBenchDatabase()
  const { host, port, database: name } = database
  const db = openDatabase({ host, port, database: name, user: 'kvitt_app' }, 10)
  try {
    const instanceId = await fillInstance(database.owner)
    await fillInvoices(database.owner, instanceId, INVOICES)
    await addAccount(database, instanceId)
    const today = clock.today(TIME_ZONE)
    const { rows: debts } = await database.owner.query<Booked>(
      `select id, creditor_id, debtor_id from invoice where payment_reference > $1 order by payment_reference limit 4000`,
      [String(100_000_000_000 + ENTRIES)],
    )
    const work = { instanceId, today, debts }
    const bytes = dayOf(today)
    const until = performance.now() + 5_000
    const alone = await bookUntil(db, work, () => performance.now() > until)

    const context = { db, clock, config: readConfig({}), log: openLog('silent') }
    const file = {
      name: 'a day',
      async *open() {
        for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
      },
    }
    const largestTurn = watchTurns()
    let placed = 0
    let isDone = false
    const began = performance.now()
    let readMs = 0
    const taking = (async () => {
      for await (const { outcome } of importBankFiles(context, { id: instanceId, timeZone: TIME_ZONE }, [
        file,
      ])) {
        if (outcome !== 'booked') throw new Error(`an entry was ${outcome}`)
        if (placed === 0) readMs = performance.now() - began
        placed += 1
        if (placed === PLACED) break
      }
    })().finally(() => (isDone = true))
    const beside = await bookUntil(db, work, () => isDone)
    await taking
    const [waited, usual, turn] = [figuresOf(beside), figuresOf(alone), largestTurn()]
    const within = (name: string, value: number): Result => {
      return { name, value, unit: 'ms', floor: MOST_WAIT_MS, ratio: value / MOST_WAIT_MS }
    }
    yield {
      name: `read and keep ${ENTRIES} entries`,
      value: readMs / 1000,
      unit: 's',
      floor: null,
      ratio: null,
    }
    yield within('longest booking beside it', waited.most)
    yield within('bookings beside it, p99', waited.p99)
    yield within('bookings without it, p99', usual.p99)
    yield within('largest turn beside it, processor time', turn)
  } finally {
    await db.close()
    await database.stop()
  }
}
