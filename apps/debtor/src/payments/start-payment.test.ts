import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetIntent, intentKey, isSafeLink, type PaymentWish } from './start-payment.ts'

const wish: PaymentWish = {
  key: { reference: '2601', zip: '41105', invoiceNumber: '261037' },
  provider: 'DIRECT_BANK',
  option: 'due-date',
  paymentDate: '2026-12-04',
  amountMinor: 84200,
}

beforeEach(() => {
  const values = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
    removeItem: (key: string) => values.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the same wish keeps its key until the server has answered', () => {
  const first = intentKey(wish)
  expect(intentKey(wish)).toBe(first)
  forgetIntent()
  expect(intentKey(wish)).not.toBe(first)
})

test('another day, amount or invoice is another wish', () => {
  const first = intentKey(wish)
  expect(intentKey({ ...wish, option: 'pay-now', paymentDate: '2026-11-20' })).not.toBe(first)
  const second = intentKey(wish)
  expect(intentKey({ ...wish, amountMinor: 84201 })).not.toBe(second)
  expect(intentKey({ ...wish, key: { ...wish.key, invoiceNumber: '261038' } })).not.toBe(second)
  const third = intentKey(wish)
  expect(intentKey({ ...wish, provider: 'SWISH' })).not.toBe(third)
  const fourth = intentKey(wish)
  expect(intentKey({ ...wish, key: { ...wish.key, claimNumber: '7' } })).not.toBe(fourth)
})

test('redirect.external: the browser is only sent to web addresses', () => {
  expect(isSafeLink('https://bank.example/sign/1')).toBe(true)
  expect(isSafeLink('http://localhost:8090/sign/1')).toBe(true)
  for (const hostile of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https://bank@evil.example/',
    '',
  ]) {
    expect(isSafeLink(hostile), hostile).toBe(false)
  }
})
