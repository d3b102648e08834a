import { expect, test } from 'vitest'
import { RIGHTS_OF_CREDITOR } from '../staff/roles.ts'
import { actsOn, type ActedInvoice, type InvoiceAct } from './acts.ts'

const sent: ActedInvoice = {
  status: 'ACTIVATED',
  type: 'INVOICE',
  inClaim: false,
  isPartPayment: false,
  totalMinor: 84_200,
  balanceMinor: 90_200,
  costsMinor: 6000,
  interestMinor: 0,
  creditableMinor: 84_200,
  signedMinor: 0,
  isResting: false,
}
const open = (wishes: Partial<ActedInvoice>, role: keyof typeof RIGHTS_OF_CREDITOR = 'manager') =>
  actsOn({ ...sent, ...wishes }, RIGHTS_OF_CREDITOR[role]).flatMap(({ act, refusal }) =>
    refusal === null ? [act] : [],
  )
const why = (act: InvoiceAct, wishes: Partial<ActedInvoice>) =>
  actsOn({ ...sent, ...wishes }, RIGHTS_OF_CREDITOR.manager).find((one) => one.act === act)?.refusal

test('what is open, by how the invoice stands', () => {
  const all = [
    'credit',
    'waive',
    'pause',
    'more-time',
    'to-collection',
    'direct-payment',
    'deny-tax-reduction',
    'stop',
    'write-off',
  ]
  expect(open({})).toEqual(all)
  expect(open({ status: 'CREATED', balanceMinor: 0, costsMinor: 0 })).toEqual(['approve', 'withdraw'])
  expect(open({ status: 'PENDING', balanceMinor: 0, costsMinor: 0 })).toEqual(['withdraw'])
  // The authority's letter also comes when all that was asked for is paid (M-23).
  expect(open({ status: 'CLOSED', balanceMinor: 0, costsMinor: 0 })).toEqual(['credit', 'deny-tax-reduction'])
  expect(open({ status: 'PAUSED' })).toContain('resume')
  expect(open({ status: 'ARCHIVED', balanceMinor: 0, costsMinor: 0 })).toEqual([])
  expect(open({ inClaim: true, balanceMinor: 0 })).toEqual(['credit'])
})

test('why not', () => {
  expect(why('pause', { inClaim: true })).toBe('in_claim')
  expect(why('withdraw', {})).toBe('already_sent')
  expect(why('waive', { costsMinor: 0 })).toBe('nothing_left')
  expect(why('credit', { creditableMinor: 0 })).toBe('nothing_left')
  expect(why('write-off', { isPartPayment: true })).toBe('owed_in_plan')
  expect(why('stop', { isPartPayment: true })).toBe('owed_in_plan')
  expect(why('credit', { type: 'PART_INVOICE' })).toBe('owed_in_plan')
  expect(why('direct-payment', { status: 'PENDING_AUTHORIZATION' })).toBe('payment_signed')
  expect(why('direct-payment', { signedMinor: 90_200 })).toBe('payment_signed')
  expect(why('direct-payment', { signedMinor: 90_199 })).toBe(null)
  expect(why('to-collection', { isResting: true })).toBe('debtor_rests')
  expect(why('stop', { signedMinor: 1 })).toBe('payment_signed')
})

test('whoever may not do it is told that', () => {
  expect(open({}, 'viewer')).toEqual([])
  expect(open({}, 'clerk')).not.toContain('stop')
})

test('what each costs', () => {
  const money = Object.fromEntries(
    actsOn(sent, []).map(({ act, creditorMinor, debtorMinor }) => [act, [creditorMinor, debtorMinor]]),
  )
  expect(money).toMatchObject({
    credit: [84_200, -90_200],
    waive: [6000, -6000],
    'direct-payment': [0, -90_200],
    stop: [90_200, 0],
    'write-off': [90_200, -90_200],
    pause: [0, 0],
  })
})
