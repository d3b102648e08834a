import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestSandbox } from '../testing/start-test-sandbox.ts'
import type { TestSandbox } from '../testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.stop())

const BY_HAND = { account: '9990-0227', reference: '26010131492', amount: '842,5' }
const BOOKED = { refused: null, lines: [{ line: 1, status: 'BOOKED', number: '261037', reason: null }] }

const ends = async (from = sandbox) => {
  const { body } = await from.control('GET', 'transfers')
  return (body as { end: { status: string; number: string } | null }[]).map(({ end }) => end?.status ?? null)
}

test('money by hand is told in one file, once, also by a sandbox that was killed before the answer', async () => {
  const sent = await sandbox.control('POST', 'transfers', BY_HAND)
  expect(sent).toMatchObject({
    status: 200,
    body: { scheme: 'BANKGIRO', account: '99900227', amount: '842.50' },
  })
  // An answer that says nothing of the line is none.
  sandbox.product.taken = { refused: null, lines: [] }
  expect((await sandbox.control('POST', 'bank-files')).status).toBe(502)
  expect(await ends()).toEqual([null])
  const again = await sandbox.startAgainAfterKill()
  again.product.taken = BOOKED
  const { status } = await again.control('POST', 'bank-files')
  expect([status, await ends(again)]).toEqual([200, ['BOOKED']])
  const [first] = sandbox.product.files
  const [second] = again.product.files.slice(-1)
  expect(second).toEqual(first)
  expect(first?.text.split('\r\n').every((row) => row === '' || row.length === 80)).toBe(true)
  expect((await again.control('POST', 'bank-files')).body).toEqual({ files: [] })
  await again.stop()
})

test('while the product is down the file waits', async () => {
  await sandbox.control('POST', 'transfers', BY_HAND)
  await sandbox.product.stop()
  expect((await sandbox.control('POST', 'bank-files')).status).toBe(503)
  expect(await ends()).toEqual([null])
})

test('an executed payment is in the file as it was ordered, with what its orderer calls it', async () => {
  const iban = { creditorAccount: { iban: 'FI0599990000000111' } }
  const { paymentId } = await sandbox.createPayment({
    ...iban,
    instructedAmount: { currency: 'EUR', amount: '780' },
  })
  await sandbox.control('POST', `orders/${paymentId}/approve`)
  await sandbox.control('POST', 'settle')
  sandbox.product.taken = BOOKED
  await sandbox.control('POST', 'bank-files')
  const [file] = sandbox.product.files
  expect(file?.name).toBe('camt.054 FI0599990000000111 2026-11-20 10001')
  expect(file?.text).toContain('<IBAN>FI0599990000000111</IBAN>')
  expect(file?.text).toContain('<Amt Ccy="EUR">780.00</Amt>')
  expect(file?.text).toContain('<EndToEndId>a-payment-of-ours</EndToEndId>')
  expect(file?.text).toContain('<Ref>261185</Ref>')
})

test('the page shows money by hand, and what became of it', async () => {
  const page = async () => await (await fetch(`http://127.0.0.1:${sandbox.port}/`)).text()
  await sandbox.control('POST', 'transfers', { ...BY_HAND, reference: '<b>rent</b>' })
  const before = await page()
  expect(before).toContain('Next file')
  expect(before).toContain('Make a bank file: 1 payment')
  expect(before).toContain('&#60;b&#62;rent')
  expect(before).not.toContain('<b>rent')
  expect(before).toContain('<form id="by-hand"')
  sandbox.product.taken = BOOKED
  await sandbox.control('POST', 'bank-files')
  const after = await page()
  expect(after).toContain('Booked')
  expect(after).toContain('99900227 · 261037')
  expect(after).not.toContain('Make a bank file')
})

test('a busy day comes in several files', async () => {
  for (let index = 0; index < 501; index++) await sandbox.control('POST', 'transfers', BY_HAND)
  const lines = Array.from({ length: 500 }, (_, index) => ({ ...BOOKED.lines[0], line: index + 1 }))
  sandbox.product.taken = { refused: null, lines }
  await sandbox.control('POST', 'bank-files')
  expect(
    sandbox.product.files.map(({ text }) => text.split('\r\n').filter((row) => row.startsWith('20')).length),
  ).toEqual([500, 1])
  expect(await ends()).toEqual(Array.from({ length: 501 }, () => 'BOOKED'))
})
