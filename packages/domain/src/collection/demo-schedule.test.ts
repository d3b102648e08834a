/**
 * The steps of the demo cast beside those of the engine. `written` is what the cast's list says, `made` what
 * the schedule does by today; where they differ, `why` says so (the engine is right, D-17).
 */
import { describe, expect, test } from 'vitest'
import { type CalendarDate, addDays, date, daysBetween } from '../calendar.ts'
import { amountText } from '../money.ts'
import { type DebtorKind, feeOn } from './country-params.ts'
import { interestToPost, postsInterest } from './interest-posting.ts'
import { type PerformedStep, type PlannedStep, lastPayDateOf, nextClaimStep, nextStep } from './schedule.ts'

const TODAY = date('2026-11-20')
const D = (days: number): CalendarDate => addDays(TODAY, days)

type Row = {
  readonly key: string
  readonly country: string
  readonly debtorKind: DebtorKind
  readonly principalMinor: number
  /** Days from today. */
  readonly due: number
  readonly written: string
  readonly made: string
  readonly why?: string
  readonly balance: { readonly written: string; readonly made: string }
  readonly whyBalance?: string
}

/** Notices and hand-overs that the list leaves out of a row that shows something else. */
const SHORT = 'the list shows only the steps that the row is about'
const NOTICE_DAY = 'the notice goes out two days after the due date'

const ROWS: readonly Row[] = [
  {
    key: 'se-exp1',
    country: 'SE',
    debtorKind: 'consumer',
    principalMinor: 125_000,
    due: -1,
    written: 'EXPIRED@0',
    made: 'EXPIRED@0',
    balance: { written: '1250.00', made: '1250.00' },
  },
  {
    key: 'se-rem',
    country: 'SE',
    debtorKind: 'consumer',
    principalMinor: 39_900,
    due: -12,
    written: 'EXPIRED@-11 EXPIRED_NOTIFICATION@-9 REMINDER@-5',
    made: 'EXPIRED@-11 EXPIRED_NOTIFICATION@-10 REMINDER@-5',
    why: NOTICE_DAY,
    balance: { written: '459.00', made: '459.00' },
  },
  {
    key: 'se-five',
    country: 'SE',
    debtorKind: 'consumer',
    principalMinor: 231_750,
    due: -40,
    written: 'EXPIRED@-39 EXPIRED_NOTIFICATION@-37 REMINDER@-32 COLLECTION_NOTIFICATION@-20 COLLECTION@-10',
    made: 'EXPIRED@-39 EXPIRED_NOTIFICATION@-38 REMINDER@-33 COLLECTION_NOTIFICATION@-20 COLLECTION@-18',
    why: `${NOTICE_DAY}, the reminder seven, the hand-over five days after the reminder's last day`,
    balance: { written: '2391.47', made: '2391.47' },
    whyBalance: 'moved to the claim',
  },
  {
    key: 'se-paused (the respite begins on the day of the reminder)',
    country: 'SE',
    debtorKind: 'consumer',
    principalMinor: 79_800,
    due: -20,
    written: 'EXPIRED@-19',
    made: 'EXPIRED@-19 EXPIRED_NOTIFICATION@-18 REMINDER@-13 COLLECTION_NOTIFICATION@0',
    why: `${SHORT}; without the respite the schedule goes on`,
    balance: { written: '798.00', made: '859.53' },
    whyBalance: 'without the respite',
  },
  {
    key: 'se-b2b',
    country: 'SE',
    debtorKind: 'business',
    principalMinor: 1_575_000,
    due: -9,
    written: 'EXPIRED@-8 DELAYED_PENALTY_FEE@-8 EXPIRED_NOTIFICATION@-6',
    made: 'EXPIRED@-8 DELAYED_PENALTY_FEE@-8 EXPIRED_NOTIFICATION@-7 REMINDER@-2',
    why: `${NOTICE_DAY}; the free reminder follows`,
    balance: { written: '16238.84', made: '16230.21' },
    whyBalance: 'interest is posted with the reminder (7 days), not up to today',
  },
  {
    key: 'no-rem (until the claim)',
    country: 'NO',
    debtorKind: 'consumer',
    principalMinor: 54_900,
    due: -60,
    written: 'EXPIRED@-24 REMINDER@-46 COLLECTION_NOTIFICATION@-30',
    made: 'EXPIRED@-59 EXPIRED_NOTIFICATION@-58 REMINDER@-46 COLLECTION_NOTIFICATION@-30 COLLECTION@-11',
    why: 'the due date is 60 days ago, and the row is a member of a claim',
    balance: { written: '619.00', made: '627.84' },
    whyBalance: 'interest, posted with the reminder and the hand-over',
  },
  {
    key: 'no-b2b',
    country: 'NO',
    debtorKind: 'business',
    principalMinor: 899_000,
    due: -30,
    written: 'EXPIRED@-29 DELAYED_PENALTY_FEE@-29',
    made: 'EXPIRED@-29 DELAYED_PENALTY_FEE@-29 EXPIRED_NOTIFICATION@-28 REMINDER@-16 COLLECTION_NOTIFICATION@0',
    why: SHORT,
    balance: { written: '9538.67', made: '9491.38' },
    whyBalance: 'interest is posted with the compensation and the reminder, not up to today',
  },
  {
    key: 'dk-rem3',
    country: 'DK',
    debtorKind: 'consumer',
    principalMinor: 150_000,
    due: -40,
    written: 'EXPIRED@-39 REMINDER@-35 REMINDER@-24 REMINDER@-13',
    made: 'EXPIRED@-39 EXPIRED_NOTIFICATION@-38 REMINDER@-35 REMINDER@-24 REMINDER@-13',
    why: SHORT,
    balance: { written: '1800.00', made: '1810.82' },
    whyBalance: 'interest is posted with each reminder',
  },
  {
    key: 'fi-rent (until the claim)',
    country: 'FI',
    debtorKind: 'consumer',
    principalMinor: 78_000,
    due: -46,
    written: 'EXPIRED@-15 REMINDER@-30',
    made: 'EXPIRED@-45 EXPIRED_NOTIFICATION@-44 REMINDER@-32 COLLECTION_NOTIFICATION@-15 COLLECTION@-13',
    why: 'the reminder goes 14 days after the due date, and the row is a member of a claim',
    balance: { written: '785.00', made: '791.70' },
    whyBalance: 'interest, posted with the reminder and the hand-over',
  },
  {
    key: 'fi-b2b',
    country: 'FI',
    debtorKind: 'business',
    principalMinor: 430_000,
    due: -35,
    written: 'EXPIRED@-34 DELAYED_PENALTY_FEE@-34',
    made: 'EXPIRED@-34 DELAYED_PENALTY_FEE@-34 EXPIRED_NOTIFICATION@-33 REMINDER@-21 COLLECTION_NOTIFICATION@-4 COLLECTION@-2',
    why: `${SHORT}; by now the schedule hands it over`,
    balance: { written: '4340.00', made: '4380.82' },
    whyBalance: 'interest, posted with the compensation, the reminder and the hand-over',
  },
  {
    key: 'se-stopped (stopped after the reminder)',
    country: 'SE',
    debtorKind: 'consumer',
    principalMinor: 119_700,
    due: -200,
    written: 'EXPIRED@-199 REMINDER@-190',
    made: 'EXPIRED@-199 EXPIRED_NOTIFICATION@-198 REMINDER@-193 COLLECTION_NOTIFICATION@-180 COLLECTION@-178',
    why: 'it was withdrawn before the hand-over; the reminder goes after seven days',
    balance: { written: '1197.00', made: '1264.21' },
    whyBalance: 'the fee and the interest are taken back with the withdrawal',
  },
]

function runUntilToday(row: Row): PerformedStep[] {
  const terms = {
    country: row.country,
    debtorKind: row.debtorKind,
    dueDate: D(row.due),
    sentDate: D(row.due - 30),
    scheduleFrom: D(row.due),
    reminderFeeAgreed: true,
  }
  return runSteps((performed) => nextStep(terms, performed))
}

function runSteps(next: (performed: PerformedStep[]) => PlannedStep | undefined): PerformedStep[] {
  const performed: PerformedStep[] = []
  for (let step = next(performed); step && step.plannedDate <= TODAY; step = next(performed)) {
    performed.push({ type: step.type, performedDate: step.plannedDate })
  }
  return performed
}

const textOf = (steps: readonly PerformedStep[]): string =>
  steps.map(({ type, performedDate }) => `${type}@${daysBetween(TODAY, performedDate)}`).join(' ')

/** Principal, fees and interest after the steps, as the engine posts them. */
function balanceOf(row: Row, steps: readonly PerformedStep[]): string {
  let balanceMinor = row.principalMinor
  let costsMinor = 0
  let restParts = 0
  let from = D(row.due + 1)
  for (const [index, { type, performedDate }] of steps.entries()) {
    const number = steps.slice(0, index + 1).filter((step) => step.type === type).length
    const question = {
      ...row,
      number,
      step: type,
      date: performedDate,
      reminderFeeAgreed: true,
      chargedMinor: costsMinor,
    }
    const fee = feeOn(question)
    const owed = [{ principalMinor: row.principalMinor, from, to: performedDate }]
    const interest = interestToPost({ ...row, owed, restParts, fellDueOn: D(row.due) })
    if (!fee || !interest) throw new Error(`${row.key}: a figure is missing on ${performedDate}`)
    balanceMinor += fee.amountMinor
    costsMinor += fee.amountMinor
    if (!postsInterest(type) || interest.amountMinor === 0) continue
    balanceMinor += interest.amountMinor
    restParts = interest.restParts
    from = addDays(performedDate, 1)
  }
  return amountText(balanceMinor)
}

describe.each(ROWS)('$key', (row) => {
  test('the steps', () => {
    expect(textOf(runUntilToday(row))).toBe(row.made)
    if (row.why === undefined) expect(row.made).toBe(row.written)
    else expect(row.made).not.toBe(row.written)
  })

  test('the balance', () => {
    expect(balanceOf(row, runUntilToday(row))).toBe(row.balance.made)
    if (row.whyBalance === undefined) expect(row.balance.made).toBe(row.balance.written)
  })
})

test('cl-kfm: the schedule ends when the list applies for it; the list joins it on its due date', () => {
  const member: Row = { ...(ROWS[2] as Row), due: -190 }
  const collection = runUntilToday(member).find(({ type }) => type === 'COLLECTION')
  const openedOn = collection?.performedDate ?? TODAY
  const claim = { country: 'SE', debtorKind: 'consumer', openedOn } as const
  expect(textOf(runSteps((performed) => nextClaimStep(claim, performed)))).toBe(
    'COLLECTION_CLAIM@-168 SCHEDULE_END@-144',
  )
})

test('claims of the list that are not yet due: se-five, no-rem and fi-rent are joined earlier by the schedule', () => {
  const lastDays = ['se-five', 'no-rem', 'fi-rent'].map((key) => {
    const row = ROWS.find((candidate) => candidate.key.startsWith(key)) as Row
    const joined = runUntilToday(row).at(-1)?.performedDate ?? TODAY
    const lastDay = lastPayDateOf(row, 'COLLECTION_CLAIM', joined) ?? TODAY
    return daysBetween(TODAY, lastDay)
  })
  // The list says 4, 9 and 10 days from today.
  expect(lastDays).toEqual([-8, 3, 1])
})
