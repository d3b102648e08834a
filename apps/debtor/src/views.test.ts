import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, isSessionFor, readAuthorization, startClaimSession, startSession } from './session.ts'
import { readView } from './views.ts'

beforeEach(() => {
  const store = () => {
    const values = new Map<string, string>()
    return {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => values.set(key, value),
      removeItem: (key: string) => values.delete(key),
    }
  }
  vi.stubGlobal('sessionStorage', store())
  vi.stubGlobal('localStorage', store())
})
afterEach(() => vi.unstubAllGlobals())

/** To the start page, with this query. */
const toHome = (query = '') => ({
  name: 'redirect',
  to: expect.stringMatching(new RegExp(`^#/[a-z]*/${query.replace('?', '\\?')}$`)) as string,
})

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
  expect(readView('#/sv/invoice/2601')).toEqual(toHome('?paymentReference=2601'))
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
  expect(readView('#/sv/login')).toEqual(toHome())
  expect(readView('#/sv/logout')).toEqual(toHome())
  expect(readView('#/sv/?paymentReference=1&zip=2')).toEqual({
    name: 'redirect',
    to: expect.stringMatching(/invoice\/1\/2$/),
  })
  const prefilled = { name: 'home', reference: '1', zip: '2' }
  expect(readView('#/sv/?paymentReference=1&zip=2&autologin=false')).toMatchObject(prefilled)
  expect(readView('#/sv/?paymentReference=1&zip=2&orderRef=o1')).toMatchObject(prefilled)
  expect(readView('#/sv/?paymentReference=1')).toMatchObject({ name: 'home', reference: '1', zip: '' })
  expect(readView('#/sv/error')).toEqual({ name: 'error' })
  expect(readView('#/sv/nowhere')).toEqual({ name: 'not-found' })
  expect(readView('#/sv/accessibility')).toEqual({ name: 'accessibility' })
  expect(readView('#/sv/invoice/1/2/3')).toEqual({ name: 'not-found' })
  expect(readView('#/sv/?orderRef=o1')).toMatchObject({ name: 'home', orderRef: 'o1' })
})

test('the dashboard is for whoever is signed in; a reference leads to its invoice', () => {
  expect(readView('#/sv/dashboard')).toEqual(toHome())
  expect(readView('#/sv/dashboard/2601')).toEqual(toHome('?paymentReference=2601'))
  expect(readView('#/sv/dashboard/2601/41105')).toMatchObject({ name: 'redirect' })
  expect(readView('#/sv/dashboard?paymentReference=2601&zip=41105&autologin=false')).toEqual({
    name: 'redirect',
    to: expect.stringMatching(/invoice\/2601\/41105\?autologin=false$/),
  })
  startSession({ reference: '2602', zip: '11122' })
  expect(readView('#/sv/dashboard')).toEqual({ name: 'dashboard', page: 1, limit: 10 })
  expect(readView('#/sv/dashboard/2602/11122')).toMatchObject({ name: 'dashboard' })
  expect(readView('#/sv/dashboard?page=3&limit=50')).toEqual({ name: 'dashboard', page: 3, limit: 50 })
  expect(readView('#/sv/dashboard?page=-1&limit=-1')).toEqual({ name: 'dashboard', page: 1, limit: 10 })
  expect(readView('#/sv/dashboard?paymentReference=2601&zip=41105')).toMatchObject({
    name: 'redirect',
    to: expect.stringMatching(/invoice\/2601\/41105$/),
  })
})

test('a token alone is a session, and ends with it', () => {
  sessionStorage.setItem('id_token', 'abc')
  sessionStorage.setItem('token_type', 'Bearer')
  expect(readAuthorization()).toBe('Bearer abc')
  expect(readView('#/sv/dashboard')).toMatchObject({ name: 'dashboard' })
  expect(readView('#/sv/customerService')).toEqual({ name: 'customer-service', key: undefined })
  endSession()
  expect(readAuthorization()).toBeUndefined()
  expect(readView('#/sv/dashboard')).toEqual(toHome())
})

test('customer service knows its invoice from the query, the path, or the session', () => {
  const key = { reference: '2601', zip: '41105', invoiceNumber: undefined }
  expect(readView('#/sv/customerService')).toEqual(toHome())
  expect(readView('#/sv/customerService?paymentReference=2601&zip=41105')).toEqual({
    name: 'customer-service',
    key,
  })
  expect(readView('#/sv/customerService/2601/41105')).toEqual({ name: 'customer-service', key })
  startSession(key)
  expect(readView('#/sv/customerService')).toEqual({ name: 'customer-service', key })
  // A claim that is opened after it is what help is about, until the invoice is opened again.
  const claim = { reference: '7702', zip: '11122', claimNumber: '702369' }
  startClaimSession(claim)
  for (const address of [
    'customerService',
    'customerService/7702',
    'customerService?paymentReference=7702',
  ]) {
    expect(readView(`#/sv/${address}`), address).toEqual({ name: 'customer-service', key: claim })
  }
  startSession(key)
  expect(readView('#/sv/customerService')).toEqual({ name: 'customer-service', key })
})

test('with an electronic ID a reference is enough', () => {
  sessionStorage.setItem('id_token', 'abc')
  expect(readView('#/sv/invoice/2601')).toMatchObject({
    name: 'invoice',
    key: { reference: '2601', zip: '' },
  })
  expect(readView('#/sv/collection-batch/7702')).toMatchObject({ name: 'claim', key: { reference: '7702' } })
  expect(readView('#/sv/confirmation?paymentReference=2601')).toMatchObject({ name: 'confirmation' })
  expect(readView('#/sv/?paymentReference=2601')).toMatchObject({
    to: expect.stringMatching(/invoice\/2601$/),
  })
  expect(readView('#/sv/?paymentReference=2601&autologin=false')).toMatchObject({ name: 'home' })
})

test('a pair is read in one form, however it was written', () => {
  const key = { reference: '2601', zip: 'SW1A1AA' }
  for (const address of ['invoice/26%2001/sw1a%201aa', 'invoice?paymentReference=26+01&zip=sw1a-1aa']) {
    expect(readView(`#/sv/${address}`), address).toMatchObject({ name: 'invoice', key })
  }
  startSession({ reference: '2601', zip: 'sw1a 1aa' })
  expect(isSessionFor(key)).toBe(true)
})

test('a payment option in the path is no reference', () => {
  expect(readView('#/sv/confirmation/pay-now')).toEqual(toHome())
  startSession({ reference: '2601', zip: '41105' })
  for (const option of ['pay-now', 'due-date']) {
    expect(readView(`#/sv/confirmation/${option}`)).toMatchObject({
      name: 'confirmation',
      key: { reference: '2601' },
    })
  }
})

test('?ref= leads to a view of ours and to nothing else', () => {
  expect(readView('#/sv/anything?ref=customerService')).toMatchObject({
    name: 'redirect',
    to: expect.stringMatching(/customerService$/),
  })
  expect(readView('#/sv/invoice/1/2?ref=/invoice/2601/41105')).toMatchObject({
    to: expect.stringMatching(/invoice\/2601\/41105$/),
  })
  const hostile = [
    '//evil.example',
    'https:evil.example',
    '\\\\evil.example',
    '/%09/evil.example',
    'javascript:alert(1)',
    'nowhere',
    'a'.repeat(65),
    '',
    '/',
  ]
  for (const ref of hostile) {
    expect(readView(`#/sv/nowhere?ref=${encodeURIComponent(ref)}`), ref).toEqual({ name: 'not-found' })
  }
})

test('a claim is found by its reference, and its zip comes from the address or the session', () => {
  expect(readView('#/sv/collection-batch/7702')).toEqual(toHome('?paymentReference=7702'))
  expect(readView('#/sv/collection-batch/7702?zip=11122&collectionBatchNumber=702369')).toEqual({
    name: 'claim',
    key: { reference: '7702', zip: '11122', claimNumber: '702369' },
    autologin: true,
  })
  startClaimSession({ reference: '7702', zip: '11122', claimNumber: '702369' })
  const key = { reference: '7702', zip: '11122', claimNumber: '702369' }
  expect(readView('#/sv/collection-batch/7702')).toMatchObject({ name: 'claim', key })
  expect(readView('#/sv/dashboard')).toMatchObject({ name: 'dashboard' })
  endSession()
  expect(readView('#/sv/dashboard')).toEqual(toHome())
})

test('the confirmations of a claim are not those of an invoice called "collection-batch"', () => {
  const key = { reference: '7702', zip: '11122', claimNumber: '702369' }
  expect(readView('#/sv/confirmation/collection-batch?paymentOption=pay-now')).toMatchObject({
    name: 'redirect',
  })
  startClaimSession(key)
  for (const address of [
    'confirmation/collection-batch?paymentOption=pay-now',
    'confirmation/collection-batch?paymentReference=7702&zip=11122&paymentOption=due-date',
    'confirmation/collection-batch/7702',
  ]) {
    expect(readView(`#/sv/${address}`), address).toMatchObject({ name: 'claim-confirmation', key })
  }
})
