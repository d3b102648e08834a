/** Moving the demo's business day on, from the sandbox. Loopback only, and absent when the demo is off. */
import type { FastifyInstance } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Context } from '../context.ts'
import { sweepPayments } from '../payments/payments.ts'
import { requireLoopback } from '../platform/http/loopback.ts'
import { readProgress } from './firm/grow-firm.ts'
import { addShiftDays, readNextEvent, readShiftDays } from './demo.queries.ts'

export type DemoClock = {
  readonly context: Context
  readonly timeZone: string
  /** Tells the running clock about a new shift. */
  readonly setShift: (days: number) => void
  /** Runs the daily runs that have become due, when the firm has been made. */
  readonly performRuns: () => Promise<void>
  /** Sends the messages that wait. */
  readonly sendMail: () => Promise<void>
}

/** The furthest that one call may go: two years. */
const MOST_DAYS = 732

/** Reads the stored shift into the running clock. Other processes may have moved it. */
export async function refreshShift({
  context,
  setShift,
}: Pick<DemoClock, 'context' | 'setShift'>): Promise<void> {
  setShift(await readShiftDays(context.db))
}

/** Moves on by `days`, one day at a time, doing on each day what is due then. */
export async function advanceDays(demo: DemoClock, days: number): Promise<CalendarDate> {
  const sweep = (): Promise<void> =>
    sweepPayments(demo.context, { all: true, today: demo.context.clock.today(demo.timeZone) })
  for (let day = 0; day < days; day++) {
    // What the bank did on the day that ends belongs to that day.
    await sweep()
    demo.setShift(await addShiftDays(demo.context.db, 1))
    await demo.performRuns()
    // A letter leaves on its day, and what follows it waits for that.
    await demo.sendMail()
    await sweep()
  }
  return demo.context.clock.today(demo.timeZone)
}

export function serveDemoClock(app: FastifyInstance, demo: DemoClock): void {
  app.get('/api/demo/clock', async (request) => {
    requireLoopback(request)
    await refreshShift(demo)
    const today = demo.context.clock.today(demo.timeZone)
    const { db } = demo.context
    const [nextEvent, firm] = [await readNextEvent(db, today), await readProgress(db)]
    return { today, timeZone: demo.timeZone, nextEvent, ...(firm ? { firm } : {}) }
  })
  app.post('/api/demo/clock', async (request) => {
    requireLoopback(request)
    const days = (request.body as { advanceDays?: unknown } | null)?.advanceDays
    if (typeof days !== 'number' || !Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
      throw new Refusal('invalid_request', {}, ['advanceDays'])
    }
    await refreshShift(demo)
    return { today: await advanceDays(demo, days), timeZone: demo.timeZone }
  })
}
