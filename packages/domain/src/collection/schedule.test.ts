import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CalendarDate, addDays, date, daysBetween, laterOf } from '../calendar.ts'
import { INVOICE_STATUSES } from '../invoices/invoice.ts'
import { isBankDay } from './bank-days.ts'
import { type DebtorKind, feeOn } from './country-params.ts'
import { INVOICE_STEPS, SCHEDULES, type StepType } from './schedule-table.ts'
import {
  type InvoiceTerms,
  type PerformedStep,
  type PlannedStep,
  lastPayDateOf,
  nextClaimStep,
  nextStep,
  resumeAfterDispute,
  shiftAfterPause,
} from './schedule.ts'
import { type ClaimFacts, type InvoiceFacts, canPerform, canPerformOnClaim } from './step-guards.ts'

const TODAY = date('2026-11-20')
const D = (days: number): CalendarDate => addDays(TODAY, days)

const terms = (over: Partial<InvoiceTerms> = {}): InvoiceTerms => ({
  country: 'SE',
  debtorKind: 'consumer',
  dueDate: D(-40),
  sentDate: D(-70),
  scheduleFrom: over.dueDate ?? D(-40),
  reminderFeeAgreed: true,
  ...over,
})

/** Every step on its planned day, as a nightly run would, until the schedule ends or passes `until`. */
function run(next: (performed: PerformedStep[]) => PlannedStep | undefined, until: CalendarDate) {
  const performed: PerformedStep[] = []
  for (;;) {
    const step = next(performed)
    if (!step || step.plannedDate > until) return { performed, next: step }
    performed.push({ type: step.type, performedDate: step.plannedDate })
  }
}

const runInvoice = (given: InvoiceTerms, until: CalendarDate = TODAY) =>
  run((performed) => nextStep(given, performed), until)

const written = (steps: readonly PerformedStep[]): string[] =>
  steps.map(({ type, performedDate }) => `${type}@${daysBetween(TODAY, performedDate)}`)

describe('first and next', () => {
  test('the day after the due date comes first, the day after the import when that is later', () => {
    expect(nextStep(terms({ dueDate: D(10) }), [])).toEqual({
      type: 'EXPIRED',
      number: 1,
      plannedDate: D(11),
    })
    expect(nextStep(terms({ dueDate: D(-10), scheduleFrom: D(0) }), [])?.plannedDate).toBe(D(1))
    expect(nextStep(terms({ dueDate: D(10), scheduleFrom: D(0) }), [])?.plannedDate).toBe(D(11))
  })

  test('a reminder counts from the day it was really sent, and from the day that it really gave', () => {
    const late: PerformedStep[] = [
      { type: 'EXPIRED', performedDate: D(-39) },
      { type: 'REMINDER', performedDate: D(-1) },
    ]
    expect(nextStep(terms(), late)).toEqual({
      type: 'COLLECTION_NOTIFICATION',
      number: 1,
      plannedDate: D(12),
    })
    const longer = late.map((step) => ({ ...step, lastPayDate: D(30) }))
    expect(nextStep(terms(), longer)?.plannedDate).toBe(D(33))
  })

  test('what a later step has overtaken is not caught up with', () => {
    const handedOver: PerformedStep[] = [
      { type: 'EXPIRED', performedDate: D(-9) },
      { type: 'COLLECTION', performedDate: D(-1) },
    ]
    expect(nextStep(terms(), handedOver)).toBeUndefined()
  })

  test('a reminder that was never sent is caught up with, though its notice was', () => {
    const unsent: PerformedStep[] = [
      { type: 'EXPIRED', performedDate: D(-39) },
      { type: 'COLLECTION_NOTIFICATION', performedDate: D(-10) },
    ]
    const notBefore = D(2)
    const reminder = nextStep(terms({ notBefore }), unsent)
    expect(reminder).toEqual({ type: 'REMINDER', number: 1, plannedDate: D(2) })
    const reminded: PerformedStep[] = [...unsent, { type: 'REMINDER', performedDate: D(2) }]
    expect(nextStep(terms({ notBefore }), reminded)).toMatchObject({ type: 'COLLECTION', plannedDate: D(17) })
  })

  test('the first of three reminders is caught up with when it was not sent, not the second again', () => {
    const second: PerformedStep[] = [
      { type: 'EXPIRED', number: 1, performedDate: D(-39) },
      { type: 'REMINDER', number: 2, performedDate: D(-20) },
    ]
    const given = terms({ country: 'DK', notBefore: D(1) })
    expect(nextStep(given, second)).toEqual({ type: 'REMINDER', number: 1, plannedDate: D(1) })
    const both: PerformedStep[] = [...second, { type: 'REMINDER', number: 1, performedDate: D(1) }]
    expect(nextStep(given, both)).toEqual({ type: 'REMINDER', number: 3, plannedDate: D(12) })
  })

  test('whichever steps were taken back, the schedule goes on to its end', () => {
    const countries = fc.constantFrom(...Object.keys(SCHEDULES))
    const kinds = fc.constantFrom<DebtorKind>('consumer', 'business')
    const kept = fc.subarray(INVOICE_STEPS.filter((type) => type !== 'EXPIRED' && type !== 'COLLECTION'))
    fc.assert(
      fc.property(countries, kinds, kept, (country, debtorKind, types) => {
        const given = terms({ country, debtorKind })
        const had: StepType[] = ['EXPIRED', ...types]
        const before = had.map((type, at): PerformedStep => ({ type, performedDate: D(at - 39) }))
        const { performed, next } = run((since) => nextStep(given, [...before, ...since]), D(3_650))
        expect(next).toBeUndefined()
        expect(performed.at(-1)?.type).toBe('COLLECTION')
      }),
    )
  })

  test('however often letters were taken back and written again, nothing comes within the time that one gave', () => {
    const act = fc.record({ days: fc.nat(20), takesBack: fc.option(fc.nat(5), { freq: 2 }) })
    const acts = fc.array(act, { minLength: 20, maxLength: 30 })
    const countries = fc.constantFrom(...Object.keys(SCHEDULES))
    const kinds = fc.constantFrom<DebtorKind>('consumer', 'business')
    fc.assert(
      fc.property(countries, kinds, fc.boolean(), acts, (country, debtorKind, isClaim, story) => {
        const who = { country, debtorKind }
        let [today, standing]: [CalendarDate, PerformedStep[]] = [D(-40), []]
        for (const { days, takesBack } of story) {
          today = addDays(today, days)
          const letters = standing.filter(({ lastPayDate }) => lastPayDate)
          if (takesBack !== null) {
            const unsent = letters[takesBack % letters.length]
            standing = standing.filter((step) => step !== unsent)
            continue
          }
          const next = isClaim
            ? nextClaimStep({ ...who, openedOn: D(-40) }, standing)
            : nextStep(terms(who), standing)
          if (!next) continue
          const { type, number, plannedDate } = next
          today = laterOf(today, plannedDate)
          const last = lastPayDateOf(who, type, today)
          const within = letters.filter(({ lastPayDate = today }) => lastPayDate >= today)
          if (type !== 'DELAYED_PENALTY_FEE') expect(within, `${type} ${number} on ${today}`).toEqual([])
          standing.push({ type, number, performedDate: today, ...(last ? { lastPayDate: last } : {}) })
        }
      }),
      { numRuns: 500 },
    )
  })

  test('nothing before the day that is given as the earliest', () => {
    expect(nextStep(terms({ notBefore: D(5) }), [])?.plannedDate).toBe(D(5))
    expect(nextStep(terms({ notBefore: D(-90) }), [])?.plannedDate).toBe(D(-39))
  })

  test('a policy may be milder than the table, never stricter than the law', () => {
    const reminder = (country: string, reminderAfterDays: number) =>
      runInvoice(terms({ country, policy: { reminderAfterDays } })).performed.find(
        ({ type }) => type === 'REMINDER',
      )?.performedDate
    expect(reminder('SE', 20)).toBe(D(-20))
    expect(reminder('NO', 20)).toBe(D(-20))
    expect(reminder('NO', 3)).toBe(D(-26))
    const reminders = (count: number) =>
      runInvoice(terms({ country: 'DK', policy: { reminders: count } })).performed.filter(
        ({ type }) => type === 'REMINDER',
      ).length
    expect([1, 2, 3, 9].map(reminders)).toEqual([1, 2, 3, 3])
  })

  test.each(['SE', 'NO', 'DK', 'FI', 'DE'])(
    '%s: a claim ends with a question, and nothing names a court',
    (country) => {
      for (const debtorKind of ['consumer', 'business'] as const) {
        const claim = { country, debtorKind, openedOn: D(-660) }
        const { performed, next } = run((done) => nextClaimStep(claim, done), TODAY)
        expect(performed.at(-1)?.type).toBe('SCHEDULE_END')
        expect(new Set(performed.slice(0, -1).map(({ type }) => type))).toEqual(new Set(['COLLECTION_CLAIM']))
        expect(next).toBeUndefined()
        const demanded = performed.at(-2) as PerformedStep
        const lastDay = lastPayDateOf(claim, 'COLLECTION_CLAIM', demanded.performedDate) as CalendarDate
        expect(performed.at(-1)?.performedDate).toBe(addDays(lastDay, 14))
      }
    },
  )

  test('an application that was recorded stands for the question; a recorded decision is followed by watching without end', () => {
    const claim = { country: 'SE', debtorKind: 'consumer', openedOn: D(-660) } as const
    const demand = { type: 'COLLECTION_CLAIM', performedDate: D(-660) } as const
    const applied = { type: 'BAILIFF_PAYMENT_INJUCTION', performedDate: D(-640) } as const
    expect(nextClaimStep(claim, [demand, applied])).toBeUndefined()
    const decided = { type: 'MONITORING_DECISION', performedDate: D(-546) } as const
    const { performed, next } = run(
      (done) => nextClaimStep(claim, [demand, applied, decided, ...done]),
      TODAY,
    )
    expect(written(performed)).toEqual(['MONITORING@-545', 'WATCH@-362', 'WATCH@-179'])
    expect(next).toEqual({ type: 'WATCH', number: 3, plannedDate: D(4) })
  })

  test('a second demand where the law pays one: after 43 days in Norway', () => {
    const openedOn = D(-60)
    const second = (country: string) =>
      run((done) => nextClaimStep({ country, debtorKind: 'consumer', openedOn }, done), TODAY).performed[1]
    expect(second('NO')).toEqual({ type: 'COLLECTION_CLAIM', performedDate: addDays(openedOn, 43) })
    expect(second('FI')).toEqual({ type: 'COLLECTION_CLAIM', performedDate: addDays(openedOn, 21) })
    expect(second('DE')?.type).toBe('SCHEDULE_END')
  })

  test('what counts from the day of a letter counts from the day on which it left', () => {
    const claim = { country: 'NO', debtorKind: 'consumer', openedOn: D(-60) } as const
    // Fourteen days to pay, and it left ten days late.
    const demand = { type: 'COLLECTION_CLAIM', performedDate: D(-60), lastPayDate: D(-36) } as const
    expect(nextClaimStep(claim, [demand])?.plannedDate).toBe(addDays(D(-50), 43))
  })
})

describe('last day to pay', () => {
  test.each([
    ['SE', 'REMINDER', '2026-11-20', '2026-11-30'],
    ['NO', 'REMINDER', '2026-11-20', '2026-12-04'],
    ['NO', 'COLLECTION_NOTIFICATION', '2026-11-20', '2026-12-04'],
    ['SE', 'COLLECTION_NOTIFICATION', '2026-11-20', undefined],
    ['SE', 'COLLECTION_CLAIM', '2026-11-20', '2026-11-30'],
    ['SE', 'COLLECTION_CLAIM', '2026-12-22', '2027-01-05'],
    ['DK', 'COLLECTION_CLAIM', '2026-11-20', '2026-11-30'],
    ['SE', 'EXPIRED', '2026-11-20', undefined],
  ] as const)('%s %s on %s: %s', (country, type, day, expected) => {
    expect(lastPayDateOf({ country, debtorKind: 'consumer' }, type, date(day))).toBe(expected)
  })
})

const someTerms = fc
  .record({
    country: fc.constantFrom('SE', 'NO', 'DK', 'FI', 'DE'),
    debtorKind: fc.constantFrom<DebtorKind>('consumer', 'business'),
    due: fc.integer({ min: -60, max: 60 }),
    term: fc.nat(60),
    importedAfter: fc.integer({ min: -30, max: 90 }),
    delays: fc.array(fc.nat(20), { maxLength: 12 }),
    reminderAfterDays: fc.option(fc.integer({ min: -5, max: 40 }), { nil: undefined }),
    reminders: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
  })
  .map(({ due, term, importedAfter, delays, reminderAfterDays, reminders, ...rest }) => {
    const dueDate = D(due)
    const policy = {
      ...(reminderAfterDays === undefined ? {} : { reminderAfterDays }),
      ...(reminders === undefined ? {} : { reminders }),
    }
    const given: InvoiceTerms = {
      ...rest,
      dueDate,
      sentDate: addDays(dueDate, -term),
      scheduleFrom: laterOf(dueDate, addDays(dueDate, importedAfter)),
      reminderFeeAgreed: true,
      policy,
    }
    return { given, steps: runLate(given, delays) }
  })

/** A whole schedule in which each step is performed so many days after its planned one. */
function runLate(given: InvoiceTerms, delays: readonly number[]): PerformedStep[] {
  const performed: PerformedStep[] = []
  let night: CalendarDate = given.scheduleFrom
  for (let step = nextStep(given, performed); step; step = nextStep(given, performed)) {
    night = laterOf(night, addDays(step.plannedDate, delays[performed.length] ?? 0))
    performed.push({ type: step.type, performedDate: night })
  }
  return performed
}

describe('any schedule', () => {
  const feesOf = (given: InvoiceTerms, steps: readonly PerformedStep[]) =>
    steps.flatMap(({ type, performedDate }, index) => {
      const number = steps.slice(0, index + 1).filter((step) => step.type === type).length
      const fee = feeOn({ ...given, number, step: type, principalMinor: 100_000, date: performedDate })
      return fee && fee.amountMinor > 0 ? [{ type, performedDate, amountMinor: fee.amountMinor }] : []
    })

  test('goes forward in time, takes each row once, and ends with the hand-over', () => {
    fc.assert(
      fc.property(someTerms, ({ given, steps }) => {
        const days = steps.map(({ performedDate }) => performedDate)
        expect(days).toEqual([...days].sort())
        expect(steps[0]?.type).toBe('EXPIRED')
        expect(steps.at(-1)?.type).toBe('COLLECTION')
        const rank = (type: StepType): number => INVOICE_STEPS.indexOf(type as never)
        const chain = steps.map(({ type }) => type).filter((type) => type !== 'DELAYED_PENALTY_FEE')
        expect(chain.map(rank)).toEqual(chain.map(rank).sort((a, b) => a - b))
        for (const type of new Set(chain)) {
          const count = chain.filter((other) => other === type).length
          expect(count).toBeLessThanOrEqual(given.country === 'DK' && type === 'REMINDER' ? 3 : 1)
        }
      }),
    )
  })

  test('charges nothing before the law allows, nor before the import', () => {
    fc.assert(
      fc.property(someTerms, ({ given, steps }) => {
        for (const { type, performedDate } of feesOf(given, steps)) {
          const late = daysBetween(given.dueDate, performedDate)
          expect(performedDate > given.scheduleFrom).toBe(true)
          expect(late).toBeGreaterThanOrEqual(1)
          if (type === 'REMINDER' && ['NO', 'FI'].includes(given.country)) {
            expect(late).toBeGreaterThanOrEqual(14)
          }
          if (type === 'DELAYED_PENALTY_FEE' && given.country === 'SE') {
            expect(daysBetween(given.sentDate, performedDate)).toBeGreaterThanOrEqual(30)
          }
        }
      }),
    )
  })

  test('leaves the days between steps that the law asks for', () => {
    const LEAST: Record<string, number> = { SE: 10, NO: 14, DK: 10, FI: 14, DE: 10 }
    fc.assert(
      fc.property(someTerms, ({ given, steps }) => {
        const dayOf = (wanted: StepType) => steps.findLast(({ type }) => type === wanted)?.performedDate
        const reminders = steps.filter(({ type }) => type === 'REMINDER')
        for (const [index, { performedDate }] of reminders.entries()) {
          const next = reminders[index + 1]?.performedDate ?? dayOf('COLLECTION')
          expect(next && daysBetween(performedDate, next)).toBeGreaterThan(LEAST[given.country] ?? 0)
        }
        if (given.country === 'NO') {
          const [warned, handedOver] = [dayOf('COLLECTION_NOTIFICATION'), dayOf('COLLECTION')]
          expect(warned && handedOver && daysBetween(warned, handedOver)).toBeGreaterThan(14)
        }
      }),
    )
  })

  test('never charges more often than the country allows', () => {
    const MOST: Record<string, number> = { SE: 1, NO: 2, DK: 3, FI: 1, DE: 0 }
    fc.assert(
      fc.property(someTerms, ({ given, steps }) => {
        const fees = feesOf(given, steps)
        const most =
          given.debtorKind === 'business' ? Math.min(1, MOST[given.country] ?? 0) : MOST[given.country]
        expect(fees.length).toBeLessThanOrEqual(most ?? 0)
        if (given.debtorKind === 'consumer') {
          expect(fees.some(({ type }) => type === 'DELAYED_PENALTY_FEE')).toBe(false)
        }
      }),
    )
  })
})

test('after a pause: later by its length, and never sooner than three bank days from now', () => {
  expect(shiftAfterPause(D(20), { country: 'SE', pausedOn: D(-10), today: TODAY })).toBe(D(30))
  expect(shiftAfterPause(D(-8), { country: 'SE', pausedOn: D(-10), today: TODAY })).toBe(date('2026-11-25'))
  fc.assert(
    fc.property(fc.integer({ min: -90, max: 90 }), fc.nat(90), fc.nat(400), (planned, length, start) => {
      const today = addDays(TODAY, start)
      const pausedOn = addDays(today, -length)
      const day = shiftAfterPause(addDays(today, planned), { country: 'NO', pausedOn, today })
      let bankDays = 0
      for (let next = addDays(today, 1); next <= day; next = addDays(next, 1)) {
        if (isBankDay('NO', next)) bankDays += 1
      }
      expect(bankDays).toBeGreaterThanOrEqual(3)
      expect(daysBetween(today, day)).toBeGreaterThanOrEqual(planned + length)
    }),
  )
})

test('after a rejected dispute fourteen days pass before the next step', () => {
  const performed: PerformedStep[] = [{ type: 'EXPIRED', performedDate: D(-39) }]
  expect(nextStep(terms({ notBefore: resumeAfterDispute(TODAY) }), performed)?.plannedDate).toBe(D(14))
})

test('a Norwegian notice, which costs something, waits fourteen days also after a due date that an answer has moved', () => {
  const performed: PerformedStep[] = [
    { type: 'EXPIRED', performedDate: D(-23) },
    { type: 'REMINDER', number: 1, performedDate: D(-10), lastPayDate: D(-1) },
  ]
  const moved = terms({ country: 'NO', dueDate: D(14), scheduleFrom: D(14) })
  const next = nextStep(moved, performed)
  expect([next?.type, next?.plannedDate]).toEqual(['COLLECTION_NOTIFICATION', D(28)])
})

describe('may a due step be performed', () => {
  const facts = (over: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
    status: 'ACTIVATED',
    balanceMinor: 100,
    hasAuthorizedPayment: false,
    isPartPayment: false,
    inClaim: false,
    stopsFees: false,
    ...over,
  })

  test.each(INVOICE_STATUSES)('in %s', (status) => {
    const expected = {
      CREATED: 'wait',
      PENDING: 'wait',
      ACTIVATED: 'perform',
      PAUSED: 'wait',
      DISPUTED: 'skip',
      PENDING_AUTHORIZATION: 'wait',
      CLOSED: 'skip',
      STOPPED: 'skip',
      ARCHIVED: 'skip',
    }[status]
    for (const step of INVOICE_STEPS) expect(canPerform(step, facts({ status }))).toBe(expected)
  })

  test.each([
    ['nothing is owed', { balanceMinor: 0 }, 'skip'],
    ['too much was paid', { balanceMinor: -1 }, 'skip'],
    ['a plan holds the balance', { isPartPayment: true }, 'skip'],
    ['a claim holds the balance', { inClaim: true }, 'skip'],
    ['a payment is signed', { hasAuthorizedPayment: true }, 'wait'],
    [
      'nothing is owed any more, though a payment is signed',
      { hasAuthorizedPayment: true, balanceMinor: 0 },
      'skip',
    ],
  ] as const)('%s', (_name, over, expected) => {
    for (const step of INVOICE_STEPS) expect(canPerform(step, facts(over))).toBe(expected)
  })

  test('a small rest gets free notices and never goes to collection', () => {
    const answers = INVOICE_STEPS.map((step) => [step, canPerform(step, facts({ stopsFees: true }))])
    expect(Object.fromEntries(answers)).toEqual({
      EXPIRED: 'perform',
      DELAYED_PENALTY_FEE: 'skip',
      EXPIRED_NOTIFICATION: 'perform',
      REMINDER: 'perform',
      COLLECTION_NOTIFICATION: 'skip',
      COLLECTION: 'skip',
    })
  })
})

describe('may a due step of a claim be performed', () => {
  const facts = (over: Partial<ClaimFacts> = {}): ClaimFacts => ({
    status: 'OPEN',
    balanceMinor: 100,
    hasAuthorizedPayment: false,
    isPartPayment: false,
    stopsFees: false,
    ...over,
  })

  test.each([
    ['OPEN', 'perform'],
    ['RESUME', 'perform'],
    ['PAUSED', 'wait'],
    ['DISPUTED', 'skip'],
    ['CLOSED', 'skip'],
    ['STOPPED', 'skip'],
  ] as const)('in %s: %s', (status, expected) => {
    expect(canPerformOnClaim('COLLECTION_CLAIM', facts({ status }))).toBe(expected)
  })

  test('no demand for what is paid, small, in a plan, or signed', () => {
    expect(canPerformOnClaim('COLLECTION_CLAIM', facts({ balanceMinor: 0 }))).toBe('skip')
    expect(canPerformOnClaim('COLLECTION_CLAIM', facts({ isPartPayment: true }))).toBe('skip')
    expect(canPerformOnClaim('COLLECTION_CLAIM', facts({ stopsFees: true }))).toBe('skip')
    expect(canPerformOnClaim('COLLECTION_CLAIM', facts({ hasAuthorizedPayment: true }))).toBe('wait')
  })
})

test('every row of the tables waits only for steps of its own table that come before it', () => {
  for (const kinds of Object.values(SCHEDULES)) {
    for (const { invoice, claim } of Object.values(kinds)) {
      for (const rows of [invoice, claim]) {
        for (const [index, row] of rows.entries()) {
          const before = rows.slice(0, index).map(({ type }) => type)
          const steps = row.after.flatMap(({ from }) => (from === 'start' || from === 'sent' ? [] : [from]))
          expect(before).toEqual(expect.arrayContaining(steps))
          expect(row.after.length > 0).toBe(row.recorded !== true)
        }
      }
    }
  }
})

test.each(['SE', 'NO', 'DK', 'FI'])(
  'an invoice of interest goes its way without compensation: %s',
  (country) => {
    const forInterest = terms({ country, debtorKind: 'business', isForInterest: true })
    const types = run((performed) => nextStep(forInterest, performed), D(400)).performed.map(
      ({ type }) => type,
    )
    expect(types).not.toContain('DELAYED_PENALTY_FEE')
    expect(types).toContain('EXPIRED')
    expect(types.at(-1)).toBe('COLLECTION')
  },
)
