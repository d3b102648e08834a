import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, LANGUAGES, runBrowser } from '../testing/browser.ts'
import { ALVA, arriveAtBank, ELIAS, fillLogin, openLogin } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const NEUTRAL = 'We cannot find an open invoice with these details. Check the payment reference and zip code.'

const REFUSED = [
  ['the zip of somebody else', ELIAS.reference, '11122'],
  ['a reference that nobody has', '999999999998', '41105'],
  ['an invoice that is only a draft', '260144693728', '41105'],
  ['an invoice that has not been sent', '260148308620', '41105'],
  ['an archived invoice', '260151923521', '90325'],
  ['an invoice that owes the debtor money', '260141078824', '11122'],
] as const

async function expectRefused(page: Page): Promise<void> {
  const box = page.getByRole('alert')
  await box.getByText(NEUTRAL).waitFor()
  await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await box.getByText('Login failed').isVisible()).toBe(true)
}

test('Whatever is wrong with the details, the answer is the same, and one can try again', async () => {
  browser.expectTrouble(/400/)
  const page = await browser.open()
  await openLogin(page, product)
  for (const [, reference, zip] of REFUSED) {
    await fillLogin(page, reference, zip)
    await expectRefused(page)
    expect(await page.getByLabel('Payment reference').inputValue()).toBe(reference)
    await page.getByRole('button', { name: 'Try again' }).click()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByLabel('Payment reference').inputValue()).toBe('')
    expect(await page.getByLabel('Zip code').inputValue()).toBe('')
    const focused = page.getByLabel('Payment reference')
    expect(await focused.evaluate((element) => element === document.activeElement)).toBe(true)
  }
})

test('The answers of the API are the same to the byte, but for the number of the trace', async () => {
  const answers = []
  for (const [, reference, zip] of [...REFUSED, ['letters', 'abc123', '41105'] as const]) {
    const { status, text } = await product.call('GET', `public/invoices/${reference}/${zip}`)
    answers.push(`${status} ${text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'TRACE')}`)
  }
  expect(answers[0]).toMatch(/^400 .*login_error::invalid_data/)
  expect([...new Set(answers)]).toHaveLength(1)
})

test('Letters in the reference are caught before anything is sent', async () => {
  const page = await browser.open()
  await openLogin(page, product)
  await fillLogin(page, 'faktura 12', '411 05')
  await page.getByText('Enter digits only').waitFor()
  const field = page.getByLabel('Payment reference')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await fillLogin(page, '', '')
  await page.getByText('Enter the payment reference').waitFor()
  await page.getByText('Enter the zip code').waitFor()
})

test('A link with wrong details leads to the start page with the same answer', async () => {
  browser.expectTrouble(/400/)
  const page = await browser.open()
  await page.goto(`${product.address}/#/en/invoice/${ELIAS.reference}/99999`)
  await expectRefused(page)
  expect(await page.getByLabel('Payment reference').inputValue()).toBe(ELIAS.reference)
})

async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const element = document.activeElement
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
      return [
        element?.getAttribute('aria-label'),
        ...labels.map((l) => l.textContent),
        element?.textContent,
      ].join(' ')
    })
    if (name.test(label.replaceAll(/\s+/g, ' '))) return
  }
  throw new Error(`Tab never reached ${String(name)}`)
}

test('Alva needs no mouse from the start page to the bank and back', async () => {
  const page = await browser.open({ viewport: DESK })
  await openLogin(page, product)
  await page.getByLabel('Payment reference').waitFor()
  await tabTo(page, /Payment reference/)
  await page.keyboard.type('2601 0492 9823')
  await tabTo(page, /Zip code/)
  await page.keyboard.type('111 22')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: `Invoice ${ALVA.number}` }).waitFor()
  await page.getByRole('button', { name: /^Pay .* now$/ }).waitFor()
  await tabTo(page, /Pay 399,00 kr now/)
  await page.keyboard.press('Space')
  await arriveAtBank(page)
  await tabTo(page, /^ *Approve$/)
  await page.keyboard.press('Enter')
  await page.getByText('The invoice is closed.').waitFor()
  expect((await product.ordersFor(ALVA.reference)).map(({ status }) => status)).toEqual(['executed'])
})

const day = (offset: number): Promise<string> =>
  product
    .control<{ today: string }>('GET', 'clock')
    .then(({ today }) => new Date(Date.parse(today) + offset * 86_400_000).toISOString().slice(0, 10))

test('What a tampered payment is told, in the language of whoever pays', async () => {
  const redirectUri = `${product.address}/#/sv/confirmation`
  const good = { paymentDate: await day(0), amount: '842.00', redirectUri }
  const tampered: [string, object][] = [
    ['amount_changed', { ...good, amount: '1.00' }],
    ['amount_changed', { ...good, amount: '842.01' }],
    ['redirect_uri_not_allowed', { ...good, redirectUri: 'https://evil.example/' }],
    ['redirect_uri_not_allowed', { ...good, redirectUri: `${product.address}.evil.example/` }],
    ['payment_date_invalid', { ...good, paymentDate: await day(-1) }],
    ['payment_date_invalid', { ...good, paymentDate: await day(3) }],
  ]
  for (const [code, body] of tampered) {
    const sentences = new Set<string>()
    for (const language of LANGUAGES) {
      const answer = await product.call(
        'POST',
        `public/invoices/${ELIAS.reference}/${ELIAS.zip}/payment-requests`,
        {
          body,
          headers: { 'accept-language': language },
        },
      )
      const refusal = answer.body as { code: string; message: string }
      expect([answer.status, refusal.code]).toEqual([400, code])
      sentences.add(refusal.message)
    }
    // Five languages, five sentences.
    expect(sentences.size).toBe(LANGUAGES.length)
  }
  expect(await product.ordersFor(ELIAS.reference)).toEqual([])
})

test('Back from a way to log in is the choice again, by the browser’s button and by ours', async () => {
  const page = await browser.open()
  await openLogin(page, product)
  await page.getByLabel('Zip code').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: /^Electronic ID/ }).waitFor()
  await page.goForward()
  await page.getByLabel('Zip code').waitFor()
  await page.getByRole('button', { name: 'Choose another way' }).click()
  await page.getByRole('button', { name: /^Electronic ID/ }).waitFor()
  expect(page.url()).toBe(`${product.address}/#/en/`)
})
