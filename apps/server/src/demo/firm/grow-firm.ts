/**
 * Makes the firm behind the start, a day of its past at a time: whoever starts the demo has the cast at once. A process that is killed
 * anywhere goes on at its next start, and nothing happens twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, addMonths, date, daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { periodOf } from '@kvitt/domain/settlements/settlement.ts'
import type { Context } from '../../context.ts'
import { openInstances, type Instance } from '../../instances/instances.ts'
import { clockOnDay } from '../../platform/clock.ts'
import type { Connection } from '../../platform/database/database.ts'
import { makeSettlements, settleLate } from '../../settlements/settlements.ts'
import { readCast, type CastCreditor } from '../cast.ts'
import { openDesk, type AskProduct } from './desk.ts'
import { liveFirmDay, type FirmStage } from './firm-day.ts'
import { beginFirmRow, endFirmRow, passDayRow, readFirmRow } from './firm.queries.ts'
import { FIRM_DAYS, firmInvoices } from './recipe.ts'
import { layOutToday } from './today.ts'

/** Months whose settlements are made: the last three that have ended. */
const MONTHS = 3
const TRY_AGAIN_MS = 5_000

export type FirmOptions = {
  /** Holds cast.json. */
  readonly folder: string
  /** How the firm's people call the product. */
  readonly ask: AskProduct
  /** 1: all 1,500 invoices. */
  readonly scale?: number
}

/** Says that the firm is to be made around the cast, with `today` as the last of its days. One that was begun stays what it is. */
export async function beginFirm(db: Connection, today: CalendarDate): Promise<void> {
  await beginFirmRow(db, today, addDays(today, 1 - FIRM_DAYS))
}

/** How far it is: days lived through of all; undefined in a demo without the firm. */
export async function readProgress(
  db: Connection,
): Promise<{ readonly days: number; readonly of: number; readonly isMade: boolean } | undefined> {
  const row = await readFirmRow(db)
  if (!row) return undefined
  const left = Math.max(0, daysBetween(date(row.next_day), date(row.today)) + 1)
  return { days: FIRM_DAYS - left, of: FIRM_DAYS, isMade: row.is_made }
}

type Growing = {
  readonly context: Context
  readonly options: FirmOptions
  readonly isStopped: () => boolean
  /** Does a step when nothing else does that may not meet a half one. */
  readonly takeTurn: (step: () => Promise<boolean>) => Promise<boolean>
}

/** Lives through what is left, until the firm is made or `isStopped`. */
export async function growFirm({ takeTurn, ...growing }: Growing): Promise<void> {
  while (await takeTurn(() => growUntilDone(growing))) {
    // A step at a time.
  }
}

/** One step. One that fails is tried again before anything else has its turn: its messages are of the past, and not marked so yet. */
async function growUntilDone({ context, options, isStopped }: Omit<Growing, 'takeTurn'>): Promise<boolean> {
  while (!isStopped()) {
    try {
      return await growOneStep(context, options)
    } catch (error) {
      context.log.error({ err: error }, 'demo firm not made')
      for (let waited = 0; waited < TRY_AGAIN_MS && !isStopped(); waited += 100) await sleep(100)
    }
  }
  return false
}

/** Answers false when nothing is left to do. */
export async function growOneStep(context: Context, options: FirmOptions): Promise<boolean> {
  const row = await readFirmRow(context.db)
  if (!row || row.is_made) return false
  const instance = await openInstances(context.db, context.clock).ofHost('localhost')
  if (!instance) throw new Error('the demo has no default instance')
  const today = date(row.today)
  const day = date(row.next_day)
  if (day > today) {
    const stage = stageOf(context, instance, { options, today, day: today })
    // In a demo that stood without it those months were settled before the firm's money had come.
    await settleLate(stage.context, instance, today)
    await layOutToday({ ...stage, desk: openDesk(context, instance, options.ask) })
    await endFirmRow(context.db)
    return true
  }
  const stage = stageOf(context, instance, { options, today, day })
  await liveFirmDay(stage, day)
  if (settlementDays(today).includes(day)) await makeSettlements(stage.context, instance, day)
  await passDayRow(context.db, day)
  return true
}

/** The first days of the months after those that are settled. */
function settlementDays(today: CalendarDate): CalendarDate[] {
  const { from } = periodOf(today, 'MONTH')
  return Array.from({ length: MONTHS }, (_, ago) => addMonths(from, -ago))
}

function stageOf(
  context: Context,
  instance: Instance,
  { options, today, day }: { options: FirmOptions; today: CalendarDate; day: CalendarDate },
): FirmStage {
  const { creditors, instances } = readCast(options.folder)
  const creditorOf = (key: string): CastCreditor => {
    const found = creditors.find((creditor) => creditor.key === key)
    if (!found) throw new Error(`the cast has no ${key}`)
    return found
  }
  return {
    context: { ...context, clock: clockOnDay(context.clock, day) },
    instance,
    creditors: { energy: creditorOf('energy'), gym: creditorOf('gym') },
    bankgiro: instances.find(({ isDefault }) => isDefault)?.bankgiro ?? '',
    invoices: firmInvoices(today, options.scale),
    today,
  }
}
