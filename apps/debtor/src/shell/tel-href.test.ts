import { afterAll, expect, test, vi } from 'vitest'
import { loadInstance } from '../instance.ts'
import { dialled, telHref } from './tel-href.ts'

afterAll(() => vi.unstubAllGlobals())

test('until the provider is known, a number is dialled as it is written', () => {
  expect(telHref('031-390 06 10')).toBe('tel:0313900610')
})

test.each([
  ['+46', '031-390 06 10', 'tel:+46313900610'],
  ['+46', '(0)31-390 06 10', 'tel:+46313900610'],
  ['+46', '+46 (0)31 390 06 10', 'tel:+46313900610'],
  ['+46', '0046 31 390 06 10', 'tel:0046313900610'],
  ['+358', '09 4242 0050', 'tel:+358942420050'],
  ['+47', '22 00 00 00', 'tel:+4722000000'],
  ['+45', '+45 33 00 00 00', 'tel:+4533000000'],
])('of a provider with %s, %s is rung as %s', async (callingCode, phone, href) => {
  const textContent = JSON.stringify({ name: 'Nordklar', callingCode })
  vi.stubGlobal('document', { getElementById: () => ({ textContent }) })
  await loadInstance('sv')
  expect(telHref(phone)).toBe(href)
})

test('a number of somebody else is dialled as it is written', () => {
  expect(dialled('08-12 34 56')).toBe('08123456')
})
