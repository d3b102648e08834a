import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readView } from './views.ts'

beforeEach(() => {
  const store = () => {
    const values = new Map<string, string>()
    return {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => values.set(key, value),
    }
  }
  vi.stubGlobal('sessionStorage', store())
  vi.stubGlobal('localStorage', store())
})
afterEach(() => vi.unstubAllGlobals())

test('the addresses of an invoice', () => {
  const key = { reference: '2601', zip: '41105', invoiceNumber: undefined }
  expect(readView('#/sv/invoice/2601/41105')).toEqual({ name: 'invoice', key, autologin: true })
  expect(readView('#/sv/invoice?paymentReference=2601&zip=41105&invoiceNumber=7')).toEqual({
    name: 'invoice',
    key: { ...key, invoiceNumber: '7' },
    autologin: true,
  })
  expect(readView('#/sv/invoice/2601/41105?autologin=false')).toMatchObject({ autologin: false })
})

test('the zip that is missing comes from the session, or from this device', () => {
  expect(readView('#/sv/invoice/2601')).toMatchObject({ name: 'home', reference: '2601' })
  localStorage.setItem('paymentRef', '2601')
  localStorage.setItem('debtorZip', '90325')
  expect(readView('#/sv/confirmation?paymentReference=2601')).toMatchObject({
    name: 'confirmation',
    key: { reference: '2601', zip: '90325' },
  })
  sessionStorage.setItem('invoice_token', '2601/41105')
  sessionStorage.setItem('invoice_number', '261037')
  expect(readView('#/sv/invoice/2601')).toMatchObject({
    key: { reference: '2601', zip: '41105', invoiceNumber: '261037' },
  })
})

test('the return from the bank', () => {
  expect(readView('#/en/confirmation?paymentReference=2601&zip=41105&paymentOption=due-date')).toMatchObject({
    name: 'confirmation',
    key: { reference: '2601', zip: '41105' },
  })
  expect(readView('#/en/confirmation/2601/41105')).toMatchObject({ name: 'confirmation' })
})

test('the start page, the error page and what is not there', () => {
  expect(readView('#/sv/')).toMatchObject({ name: 'home', reference: '' })
  expect(readView('#/sv/login')).toMatchObject({ name: 'home', reference: '' })
  expect(readView('#/sv/logout')).toMatchObject({ name: 'home', reference: '' })
  expect(readView('#/sv/?paymentReference=1&zip=2')).toMatchObject({ name: 'home', reference: '1', zip: '2' })
  expect(readView('#/sv/error')).toEqual({ name: 'error' })
  expect(readView('#/sv/nowhere')).toEqual({ name: 'not-found' })
  expect(readView('#/sv/invoice/1/2/3')).toEqual({ name: 'not-found' })
})
