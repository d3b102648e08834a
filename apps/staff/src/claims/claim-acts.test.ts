import { RIGHTS_OF_CREDITOR, RIGHTS_OF_OPERATOR } from '@kvitt/domain/staff/roles.ts'
import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import { actsOnClaim } from './claim-acts.ts'
import type { Claim } from './claim-calls.ts'

const claim = (status: Claim['status'], wishes: object = {}): Claim =>
  ({
    status,
    isPartPayment: false,
    nextStep: null,
    balances: { total: 2579, principal: 2317, costs: 240, interest: 22 },
    ...wishes,
  }) as Claim

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

const { viewer, clerk, manager } = RIGHTS_OF_CREDITOR
const { handler, finance, auditor } = RIGHTS_OF_OPERATOR
const AT_WILL = ['more-time', 'pause', 'direct-payment'] as const
const ENDS = ['recall', 'stop', 'write-off'] as const
const open = (...given: Parameters<typeof actsOnClaim>) =>
  actsOnClaim(...given)
    .filter(({ isOpen }) => isOpen)
    .map(({ act }) => act)

test.each([
  ['a viewer', claim('OPEN'), viewer, []],
  ['a clerk', claim('OPEN'), clerk, ['more-time', 'pause', 'direct-payment', 'waive']],
  ['a manager', claim('OPEN'), manager, [...AT_WILL, 'waive', 'apply-to-court', ...ENDS]],
  ['a manager of a paused one', claim('PAUSED'), manager, ['resume', 'direct-payment', 'waive', ...ENDS]],
  ['a manager of a disputed one', claim('DISPUTED'), manager, ['direct-payment', 'waive', ...ENDS]],
  ['a manager of one in a plan', claim('OPEN', { isPartPayment: true }), manager, ['pause']],
  ['a manager of a closed one', claim('CLOSED'), manager, []],
  ['the operator’s handler', claim('OPEN'), handler, ['more-time', 'pause', 'waive']],
  ['the operator’s finance', claim('OPEN'), finance, ['pause', 'write-off']],
  ['the operator’s auditor', claim('OPEN'), auditor, []],
  [
    'a manager of one without fees',
    claim('OPEN', { balances: { total: 5, principal: 5, costs: 0, interest: 0 } }),
    manager,
    [...AT_WILL, 'apply-to-court', ...ENDS],
  ],
  [
    'a manager of one that has been to the authority',
    claim('OPEN', { nextStep: { type: 'WATCH', plannedDate: '2027-04-03' } }),
    manager,
    [...AT_WILL, 'waive', ...ENDS],
  ],
  [
    'a manager before the schedule has ended',
    claim('OPEN', { nextStep: { type: 'SCHEDULE_END', plannedDate: '2026-12-12' } }),
    manager,
    [...AT_WILL, 'waive', ...ENDS],
  ],
] as const)('what is open to %s', (_who, given, rights, acts) => {
  expect(open(given, rights)).toEqual(acts)
})

test('the court costs what the server says, or what nobody knows', () => {
  const costOf = (cost: number | null) =>
    actsOnClaim(claim('OPEN'), manager, cost).find(({ act }) => act === 'apply-to-court')?.cost
  expect([costOf(680), costOf(null)]).toEqual([680, null])
})

test('what is not open says why', () => {
  const early = claim('OPEN', { nextStep: { type: 'SCHEDULE_END', plannedDate: '2026-12-12' } })
  expect(actsOnClaim(early, manager).find(({ act }) => act === 'apply-to-court')?.message).toBe(
    'act.apply-to-court.not_yet',
  )
})
