import { describe, expect, test } from 'vitest'
import { PAYMENT_STATUSES } from './payment.ts'
import {
  isSwishInstructionId,
  isSwishOutcomeUnknown,
  paymentIdOfSwish,
  readSwishRefund,
  readSwishStatus,
  SWISH_ERRORS,
  swishAppLink,
  swishBlame,
  swishInstructionId,
  swishMessage,
  swishPayerAlias,
  swishQrText,
  swishTokenOf,
} from './swish.ts'

const PAYMENT = '019aa0c1-7b2e-7c31-9f00-5d59da1b1632'

describe('identifiers', () => {
  test('a payment id goes out and comes back', () => {
    const id = swishInstructionId(PAYMENT)
    expect(id).toBe('019AA0C17B2E7C319F005D59DA1B1632')
    expect(isSwishInstructionId(id)).toBe(true)
    expect(paymentIdOfSwish(id)).toBe(PAYMENT)
    expect(paymentIdOfSwish(id.toLowerCase())).toBe(PAYMENT)
  })

  test.each(['', 'AB23', `${swishInstructionId(PAYMENT)}0`, 'Z'.repeat(32), PAYMENT])(
    '%j is none of ours',
    (text) => {
      expect(paymentIdOfSwish(text)).toBeUndefined()
    },
  )
})

describe('links', () => {
  const token = 'f29c2a7f59fa42cebe5ec271d54fcc27'
  const link = swishAppLink(token, 'https://portal.example/#/sv/confirmation?paymentReference=1230')

  test('the app link carries the token and the encoded way back', () => {
    expect(link).toBe(
      `swish://paymentrequest?token=${token}&callbackurl=https%3A%2F%2Fportal.example%2F%23%2Fsv%2Fconfirmation%3FpaymentReference%3D1230`,
    )
    expect(swishTokenOf(link)).toBe(token)
    expect(swishQrText(token)).toBe(`D${token}`)
  })

  test.each([
    '',
    'https://bank.example/?token=1',
    'swish://paymentrequest?callbackurl=x',
    'swish://paymentrequest?token=',
  ])('no token in %j', (other) => expect(swishTokenOf(other)).toBeUndefined())
})

describe('texts', () => {
  test.each([
    ['261185', '261185'],
    ['Fjällström – 100 %', 'Fjällström 100'],
    ['<b>a_b</b>', 'b a b b'],
    ['x'.repeat(60), 'x'.repeat(50)],
  ])('message %j', (text, shown) => expect(swishMessage(text)).toBe(shown))

  test.each([
    ['070-123 45 67', '46701234567'],
    ['+46 70 123 45 67', '46701234567'],
    ['0046701234567', '46701234567'],
    ['46701234567', '46701234567'],
    ['', undefined],
    ['hej', undefined],
    ['07', undefined],
    ['+', undefined],
    ['1'.repeat(16), undefined],
  ])('phone %j', (phone, alias) => expect(swishPayerAlias(phone)).toBe(alias))
})

describe('statuses', () => {
  test.each([
    ['CREATED', 'IN_PROGRESS'],
    ['PAID', 'COMPLETED'],
    ['DECLINED', 'FAILED'],
    ['ERROR', 'FAILED'],
    ['CANCELLED', 'FAILED'],
    ['paid', undefined],
    ['REFUNDED', undefined],
  ])('%s', (word, status) => expect(readSwishStatus(word, undefined)).toBe(status))

  test('an error is a failure, whatever its code, except the one that nobody knows the end of', () => {
    for (const code of Object.keys(SWISH_ERRORS)) {
      const isUnknown = code === 'DS24'
      expect(isSwishOutcomeUnknown('ERROR', code)).toBe(isUnknown)
      expect(readSwishStatus('ERROR', code)).toBe(isUnknown ? 'IN_PROGRESS' : 'FAILED')
    }
    expect(readSwishStatus('PAID', 'DS24')).toBe('COMPLETED')
  })

  test.each([
    ['CREATED', undefined, 'UNDER_WAY'],
    ['VALIDATED', undefined, 'UNDER_WAY'],
    ['DEBITED', undefined, 'UNDER_WAY'],
    ['PAID', undefined, 'PAID'],
    ['ERROR', 'RF07', 'FAILED'],
    ['ERROR', undefined, 'FAILED'],
    ['ERROR', 'DS24', 'UNDER_WAY'],
    ['paid', undefined, 'UNDER_WAY'],
  ])('of a refund: %s %s', (word, code, progress) => expect(readSwishRefund(word, code)).toBe(progress))

  test('never AUTHORIZED: Swish settles at once', () => {
    const all = ['CREATED', 'PAID', 'DECLINED', 'ERROR', 'CANCELLED'].map((w) =>
      readSwishStatus(w, undefined),
    )
    expect(all).not.toContain('AUTHORIZED')
    expect(all.every((s) => s !== undefined && PAYMENT_STATUSES.includes(s))).toBe(true)
  })

  test('an unknown code is Swish’s matter', () => {
    expect([swishBlame('BE18'), swishBlame('FF08'), swishBlame('NEW1')]).toEqual(['payer', 'ours', 'swish'])
  })
})
