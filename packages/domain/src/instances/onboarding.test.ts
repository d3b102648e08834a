import { expect, test } from 'vitest'
import { ONBOARDING_LACKS, ONBOARDING_STEPS, onboardingOf, type OnboardingFacts } from './onboarding.ts'

const NOTHING: OnboardingFacts = {
  hasPostalAddress: false,
  hasLogo: false,
  hasFavicon: false,
  logins: 0,
  offered: [
    { kind: 'SWISH', isAccepted: false },
    { kind: 'BANKID', isAccepted: false },
  ],
  isCounterpartyMissing: true,
  fundsAccounts: 0,
  payoutAccounts: 0,
  approvers: 1,
  creditors: 0,
  agreements: 0,
  reminderFees: 0,
  vatAgreements: 0,
  numbered: 0,
  hasServiceText: false,
  plans: 0,
  invoicesSent: 0,
  invoicesPaid: 0,
  bankFilesBooked: 0,
}
const ALL: OnboardingFacts = {
  ...NOTHING,
  hasPostalAddress: true,
  hasLogo: true,
  hasFavicon: true,
  logins: 1,
  offered: [{ kind: 'SWISH', isAccepted: true }],
  isCounterpartyMissing: false,
  fundsAccounts: 1,
  payoutAccounts: 1,
  approvers: 2,
  creditors: 1,
  agreements: 1,
  reminderFees: 1,
  vatAgreements: 1,
  numbered: 1,
  hasServiceText: true,
  plans: 1,
  invoicesSent: 1,
  invoicesPaid: 1,
  bankFilesBooked: 1,
}
const missing = (facts: OnboardingFacts) => onboardingOf(facts).steps.flatMap((line) => line.missing)

test('who has nothing misses everything, in the order in which it is done', () => {
  const { isDone, steps } = onboardingOf(NOTHING)
  expect(isDone).toBe(false)
  expect(steps.map(({ step }) => step)).toEqual(ONBOARDING_STEPS)
  expect(steps.filter((line) => line.isDone)).toEqual([])
  expect(new Set(missing(NOTHING))).toEqual(new Set(ONBOARDING_LACKS))
})

test('who has everything is done, and misses one thing as soon as it is gone', () => {
  expect(onboardingOf(ALL).isDone).toBe(true)
  expect(missing(ALL)).toEqual([])
  for (const [name, value] of Object.entries(NOTHING)) {
    if (name === 'plans') continue
    const without = onboardingOf({ ...ALL, [name]: value })
    expect(without.isDone, name).toBe(false)
    expect(
      without.steps.filter((line) => !line.isDone),
      name,
    ).toHaveLength(1)
  }
})

test('a plan can wait: it is missing, and keeps nobody from being done', () => {
  const without = onboardingOf({ ...ALL, plans: 0 })
  expect(without.isDone).toBe(true)
  expect(without.steps.find(({ step }) => step === 'plans')).toEqual({
    step: 'plans',
    isDone: false,
    isOptional: true,
    missing: ['plan'],
  })
})

test('what is not offered need not be tried', () => {
  expect(missing({ ...ALL, offered: [], isCounterpartyMissing: false })).toEqual([])
})
