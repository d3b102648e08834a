/**
 * The collection schedule as data: which step follows which, after how many days, and what it gives the debtor
 * in time. One table per country and kind of debtor; countries without their own use OTHER.
 *
 * `days` is our default and may be lengthened by a policy, never below `minDays`, which is the law's. Sources:
 * SE lag 1981:739 and inkassolagen 5 §; NO inkassoloven §§ 9, 10 and its regulation; DK renteloven § 9 b and
 * inkassoloven § 10; FI perintälaki 5 § and act 299/2022. What a step costs is in country-params.json.
 */
import type { DebtorKind } from './country-params.ts'

export const INVOICE_STEPS = [
  'EXPIRED',
  'DELAYED_PENALTY_FEE',
  'EXPIRED_NOTIFICATION',
  'REMINDER',
  'COLLECTION_NOTIFICATION',
  'COLLECTION',
] as const

/** Of a claim, by schedule. At SCHEDULE_END a person is asked what comes next: it says nothing to the debtor. */
export const CLAIM_STEPS = ['COLLECTION_CLAIM', 'SCHEDULE_END', 'MONITORING', 'WATCH'] as const

/**
 * Of a claim, because somebody applied to an authority or decided, and that was recorded: never by schedule. The spelling of
 * the first is the specification's.
 */
export const RECORDED_STEPS = ['BAILIFF_PAYMENT_INJUCTION', 'MONITORING_DECISION'] as const

export type StepType =
  | (typeof INVOICE_STEPS)[number]
  | (typeof CLAIM_STEPS)[number]
  | (typeof RECORDED_STEPS)[number]

/** Days after the last day of the newest demand before which nobody applies to an authority. */
export const DAYS_BEFORE_COURT = 4

export type Offset = {
  /**
   * Counted from: the day the schedule starts (due date or import), the day the invoice was sent, or the last
   * step of a type (of that `number` when given).
   */
  readonly from: 'start' | 'sent' | StepType
  readonly number?: number
  /** Which day of that step: when it was performed (default) or the last day to pay that it gave. */
  readonly moment?: 'lastPayDate'
  readonly days: number
  /** The law's minimum where `days` may be changed by a policy. */
  readonly minDays?: number
}

export type ScheduleRow = {
  readonly type: StepType
  /** 1 for the first of its type. */
  readonly number: number
  /** Planned on the latest of these. */
  readonly after: readonly Offset[]
  /** Days to pay from the day it is performed, and the bank days that these must hold. */
  readonly termDays?: number
  readonly termBankDays?: number
  /** Comes again the same number of days after itself, without end. */
  readonly repeats?: true
  /** Never planned: stands in the order of steps for what somebody records. */
  readonly recorded?: true
}

export type Schedule = { readonly invoice: readonly ScheduleRow[]; readonly claim: readonly ScheduleRow[] }

type Shape = {
  readonly compensation: readonly Offset[] | null
  readonly reminder: { readonly days: number; readonly minDays: number; readonly termDays: number }
  readonly reminders: number
  /** Days between the last day of one reminder and the next. */
  readonly reminderGapDays: number
  /** Days after the last reminder's last day. */
  readonly noticeDays: number
  /** A notice that must give time of its own before the case goes on (NO). */
  readonly noticeTermDays?: number
  /**
   * A notice that costs something comes so many days after the due date at the earliest (forskrift 14 juli 1989 nr. 562 § 1-2). It
   * follows a reminder that does, so that this only counts where the due date has moved since: a dispute was upheld in part.
   */
  readonly noticeMinDays?: number
  /** Days after the last day of the notice when it has one, else of the last reminder. */
  readonly collectionDays: number
  readonly claimTermDays: number
  readonly claimTermBankDays?: number
  readonly secondDemand?: Offset
}

function buildSchedule(shape: Shape): Schedule {
  return { invoice: invoiceRows(shape), claim: claimRows(shape) }
}

function invoiceRows(shape: Shape): ScheduleRow[] {
  const { termDays, days, minDays } = shape.reminder
  const fromLastReminder = (offset: number): Offset => ({
    from: 'REMINDER',
    moment: 'lastPayDate',
    days: offset,
  })
  const reminders = Array.from({ length: shape.reminders }, (_, index): ScheduleRow => {
    const after: Offset =
      index === 0
        ? { from: 'start', days, minDays }
        : { from: 'REMINDER', number: index, moment: 'lastPayDate', days: shape.reminderGapDays }
    return { type: 'REMINDER', number: index + 1, after: [after], termDays }
  })
  const beforeCollection: Offset = shape.noticeTermDays
    ? { from: 'COLLECTION_NOTIFICATION', moment: 'lastPayDate', days: shape.collectionDays }
    : fromLastReminder(shape.collectionDays)
  const once = (type: StepType, after: readonly Offset[]): ScheduleRow => ({ type, number: 1, after })
  return [
    once('EXPIRED', [{ from: 'start', days: 1 }]),
    ...(shape.compensation
      ? [once('DELAYED_PENALTY_FEE', [{ from: 'EXPIRED', days: 0 }, ...shape.compensation])]
      : []),
    once('EXPIRED_NOTIFICATION', [
      { from: 'EXPIRED', days: 0 },
      { from: 'start', days: 2 },
    ]),
    ...reminders,
    {
      ...once('COLLECTION_NOTIFICATION', [
        fromLastReminder(shape.noticeDays),
        ...(shape.noticeMinDays
          ? [{ from: 'start', days: shape.noticeMinDays, minDays: shape.noticeMinDays } as const]
          : []),
      ]),
      ...(shape.noticeTermDays ? { termDays: shape.noticeTermDays } : {}),
    },
    once('COLLECTION', [
      beforeCollection,
      { from: 'COLLECTION_NOTIFICATION', days: 0 },
      ...(shape.compensation ? [{ from: 'DELAYED_PENALTY_FEE', days: 0 } as const] : []),
    ]),
  ]
}

function claimRows(shape: Shape): ScheduleRow[] {
  const demand = {
    termDays: shape.claimTermDays,
    ...(shape.claimTermBankDays ? { termBankDays: shape.claimTermBankDays } : {}),
  }
  return [
    { type: 'COLLECTION_CLAIM', number: 1, after: [{ from: 'start', days: 0 }], ...demand },
    ...(shape.secondDemand
      ? [{ type: 'COLLECTION_CLAIM', number: 2, after: [shape.secondDemand], ...demand } as const]
      : []),
    {
      type: 'SCHEDULE_END',
      number: 1,
      after: [{ from: 'COLLECTION_CLAIM', moment: 'lastPayDate', days: 14, minDays: DAYS_BEFORE_COURT }],
    },
    { type: 'BAILIFF_PAYMENT_INJUCTION', number: 1, after: [], recorded: true },
    { type: 'MONITORING_DECISION', number: 1, after: [], recorded: true },
    { type: 'MONITORING', number: 1, after: [{ from: 'MONITORING_DECISION', days: 1 }] },
    { type: 'WATCH', number: 1, after: [{ from: 'MONITORING', days: 183 }], repeats: true },
  ]
}

const AT_ONCE: readonly Offset[] = [{ from: 'start', days: 1 }]

const SE: Shape = {
  compensation: null,
  reminder: { days: 7, minDays: 1, termDays: 10 },
  reminders: 1,
  reminderGapDays: 1,
  noticeDays: 3,
  collectionDays: 5,
  claimTermDays: 10,
  // Four bank days after receipt, and two for a letter to arrive.
  claimTermBankDays: 6,
}

const NO: Shape = {
  compensation: null,
  reminder: { days: 14, minDays: 14, termDays: 14 },
  reminders: 1,
  reminderGapDays: 1,
  noticeDays: 2,
  noticeTermDays: 14,
  noticeMinDays: 14,
  collectionDays: 5,
  claimTermDays: 14,
  // The heavy fee: the light one once more when 43 days have passed.
  secondDemand: { from: 'COLLECTION_CLAIM', number: 1, days: 43, minDays: 43 },
}

const DK: Shape = {
  compensation: null,
  reminder: { days: 5, minDays: 1, termDays: 10 },
  reminders: 3,
  reminderGapDays: 1,
  noticeDays: 5,
  collectionDays: 7,
  claimTermDays: 10,
}

const FI: Shape = {
  compensation: null,
  reminder: { days: 14, minDays: 14, termDays: 14 },
  reminders: 1,
  reminderGapDays: 1,
  noticeDays: 3,
  collectionDays: 5,
  claimTermDays: 14,
  secondDemand: { from: 'COLLECTION_CLAIM', number: 1, moment: 'lastPayDate', days: 7 },
}

/** No fee and no interest: the Swedish order of notices up to one demand. */
const OTHER: Schedule = { invoice: invoiceRows(SE), claim: claimRows(SE) }

const both = (shape: Shape, business: Partial<Shape>): Readonly<Record<DebtorKind, Schedule>> => ({
  consumer: buildSchedule(shape),
  business: buildSchedule({ ...shape, ...business }),
})

export const SCHEDULES: Readonly<Record<string, Readonly<Record<DebtorKind, Schedule>>>> = {
  SE: both(SE, { compensation: [...AT_ONCE, { from: 'sent', days: 30, minDays: 30 }] }),
  NO: both(NO, { compensation: AT_ONCE }),
  DK: both(DK, { compensation: AT_ONCE }),
  FI: both(FI, { compensation: AT_ONCE }),
  OTHER: { consumer: OTHER, business: OTHER },
}

/** The schedule of a country, and OTHER's for one that has none. */
export function scheduleOf(country: string, kind: DebtorKind): Schedule {
  const key = Object.hasOwn(SCHEDULES, country) ? country : 'OTHER'
  return SCHEDULES[key]?.[kind] ?? OTHER
}
