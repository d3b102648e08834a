import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSandbox } from '../testing/start-test-sandbox.ts'
import type { Json, TestSandbox } from '../testing/start-test-sandbox.ts'
import { languageOf } from './sign-texts.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.stop())

const open = (link: string, language = 'en') =>
  fetch(link.replace('localhost', '127.0.0.1'), { headers: { 'accept-language': language } })
const press = (link: string, act: string) =>
  fetch(link.replace('localhost', '127.0.0.1'), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ act }),
  })
const linkOf = (payment: Json): string => payment._links.scaRedirect.href

test('shows payee, amount, reference and day, and starts the signing', async () => {
  const payment = await sandbox.createPayment({
    creditorName: '<b>Fjäll & "Ström"</b>',
    instructedAmount: { currency: 'SEK', amount: '12842.5' },
    requestedExecutionDate: '2026-11-28',
  })
  const page = await (await open(linkOf(payment))).text()
  expect(page).toContain('&#60;b&#62;Fjäll &#38; &#34;Ström&#34;&#60;/b&#62;')
  expect(page).toContain('12\u00a0842,50 <span>SEK')
  expect(page).toContain('261185')
  expect(page).toContain('Saturday, November 28, 2026')
  expect(page).toContain('Sandbox')
  expect((await sandbox.callBank('GET', payment._links.scaStatus.href)).body).toEqual({
    scaStatus: 'started',
  })
})

test('approve signs and leads back; the dead link then tells and leads back too', async () => {
  const payment = await sandbox.createPayment()
  const answer = await press(linkOf(payment), 'approve')
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(`http://localhost:${sandbox.product.port}/back`)
  expect(await sandbox.statusOf(payment.paymentId)).toBe('ACSP')
  const page = await (await open(linkOf(payment))).text()
  expect(page).toContain('already approved')
  expect(page).toContain(`href="http://localhost:${sandbox.product.port}/back"`)
  expect(page).not.toContain('<form')
  const again = await press(linkOf(payment), 'decline')
  expect(again.headers.get('location')).toBe(new URL(linkOf(payment)).pathname)
  expect(await sandbox.statusOf(payment.paymentId)).toBe('ACSP')
})

test.each(['decline', 'cancel'])('%s rejects and leads to the address for that', async (act) => {
  const payment = await sandbox.createPayment(
    {},
    { 'tpp-nok-redirect-uri': 'https://kvitt.example/not-paid' },
  )
  const answer = await press(linkOf(payment), act)
  expect(answer.headers.get('location')).toBe('https://kvitt.example/not-paid')
  expect(await sandbox.statusOf(payment.paymentId)).toBe('RJCT')
})

test('declining without an address of its own leads to the ordinary one', async () => {
  const payment = await sandbox.createPayment()
  const answer = await press(linkOf(payment), 'decline')
  expect(answer.headers.get('location')).toBe(`http://localhost:${sandbox.product.port}/back`)
})

test('an unknown act and an unknown link change nothing', async () => {
  const payment = await sandbox.createPayment()
  await press(linkOf(payment), 'steal')
  expect(await sandbox.statusOf(payment.paymentId)).toBe('RCVD')
  expect((await open(`${linkOf(payment)}x`)).status).toBe(404)
})

test('the browser may send the form to the client only, and run nothing', async () => {
  const payment = await sandbox.createPayment(
    {},
    { 'tpp-nok-redirect-uri': 'https://kvitt.example/not-paid' },
  )
  const policy = (await open(linkOf(payment))).headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(
    `form-action 'self' http://localhost:${sandbox.product.port} https://kvitt.example;`,
  )
})

test.each([
  ['sv', 'sv-SE,sv;q=0.9,en;q=0.8', 'Godkänn betalningen'],
  ['en', 'de-DE,de;q=0.9', 'Approve the payment'],
  ['nb', 'nn-NO', 'Godkjenn betalingen'],
  ['da', 'en;q=0.3, da', 'Godkend betalingen'],
  ['fi', 'fi', 'Hyväksy maksu'],
])('speaks %s', async (language, accepted, title) => {
  const page = await (await open(linkOf(await sandbox.createPayment()), accepted)).text()
  expect(page).toContain(`<html lang="${language}">`)
  expect(page).toContain(title)
})

test('a language that is refused is not chosen', () => {
  expect(languageOf('sv;q=0, fi;q=0.1')).toBe('fi')
  expect(languageOf(undefined)).toBe('en')
})
