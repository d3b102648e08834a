/** A journey for each row of the table of addresses (specification section 2). */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import {
  ALVA,
  answerAtBank,
  arriveAtBank,
  ELIAS,
  headline,
  logIn,
  payNow,
  startPage,
} from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'
import { CLAIM } from '../testing/screen.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** Paid beforehand by a payment that the bank has signed. */
const SIGNED = { reference: '260137463923', zip: '11122' }

const at = (path: string): string => `${product.address}/#/en/${path}`
const stored = (page: Page, name: string): Promise<string | null> =>
  page.evaluate((key) => sessionStorage.getItem(key), name)
const invoiceIsShown = (page: Page, { number }: { number: string }): Promise<void> =>
  page.getByRole('heading', { level: 1, name: `Invoice ${number}` }).waitFor()
const claimIsShown = (page: Page): Promise<void> =>
  page.getByRole('heading', { level: 1, name: 'Claim 702406' }).waitFor()

test('/ logs out whoever comes; with a pair it goes on to the invoice, unless it is told not to', async () => {
  const page = await browser.open()
  await logIn(page, product, ELIAS)
  expect(await stored(page, 'invoice_token')).toBe(`${ELIAS.reference}/${ELIAS.zip}`)
  await page.goto(at(''))
  await startPage(page).waitFor()
  await expect.poll(() => stored(page, 'invoice_token')).toBeNull()
  const pair = `paymentReference=${ELIAS.reference}&zip=${ELIAS.zip}&invoiceNumber=${ELIAS.number}`
  await page.goto(at(`?${pair}`))
  await invoiceIsShown(page, ELIAS)
  await page.goto(at(`?${pair}&autologin=false`))
  await expect.poll(() => page.getByLabel('Payment reference').inputValue()).toBe(ELIAS.reference)
  expect(await page.getByLabel('Zip code').inputValue()).toBe(ELIAS.zip)
  expect(await stored(page, 'invoice_token')).toBeNull()
})

test('/ with an order of an electronic ID goes on with it, and says when it has ended', async () => {
  browser.expectTrouble(/40\d/)
  const page = await browser.open()
  await page.goto(at('?orderRef=00000000-0000-4000-8000-000000000000'))
  await page.getByRole('heading', { level: 1, name: 'Log in with BankID' }).waitFor()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await startPage(page).waitFor()
  await expect.poll(() => page.url()).toBe(at(''))
})

test('/login and /logout lead to the start page, and end the session', async () => {
  const page = await browser.open()
  for (const view of ['login', 'logout']) {
    await logIn(page, product, ELIAS)
    await page.goto(at(view))
    await startPage(page).waitFor()
    await expect.poll(() => page.url()).toBe(at(''))
    await expect.poll(() => stored(page, 'invoice_token'), { message: view }).toBeNull()
    // It is no session that has ended by itself.
    expect(await page.getByText('You were logged out').count()).toBe(0)
  }
})

test('Whoever is not logged in is sent to the start page, and what was asked for goes along', async () => {
  const page = await browser.open()
  const asked = `?paymentReference=${ALVA.reference}`
  for (const [path, to] of [
    ['dashboard', ''],
    ['customerService', ''],
    ['confirmation/pay-now', ''],
    ['invoice', ''],
    [`invoice/${ALVA.reference}`, asked],
    [`customerService/${ALVA.reference}`, asked],
    [`collection-batch/${ALVA.reference}`, asked],
    [`confirmation?paymentReference=${ALVA.reference}`, asked],
  ] as const) {
    await page.goto(at('accessibility'))
    await page.getByRole('heading', { level: 1, name: 'Accessibility' }).waitFor()
    await page.goto(at(path))
    await expect.poll(() => page.url(), { message: path }).toBe(at(to))
    if (to) expect(await page.getByLabel('Payment reference').inputValue()).toBe(ALVA.reference)
    else await startPage(page).waitFor()
  }
})

test('A pair is the same however it is written', async () => {
  const page = await browser.open()
  await logIn(page, product, ELIAS)
  await page.goto(at('accessibility'))
  await page.goto(at(`invoice/${encodeURIComponent('2601 0131 4920')}/${encodeURIComponent('411 05')}`))
  await invoiceIsShown(page, ELIAS)
  await page.goto(at(`?paymentReference=2601+0131+4920&zip=411-05`))
  await invoiceIsShown(page, ELIAS)
  expect(await stored(page, 'invoice_token')).toBe(`${ELIAS.reference}/${ELIAS.zip}`)
})

test('/invoice takes its pair from the path, and from the query for whoever is logged in', async () => {
  const page = await browser.open()
  await page.goto(at(`invoice/${ALVA.reference}/${ALVA.zip}?invoiceNumber=${ALVA.number}`))
  await invoiceIsShown(page, ALVA)
  await page.goto(at('accessibility'))
  await page.goto(
    at(`invoice?paymentReference=${ALVA.reference}&zip=${ALVA.zip}&invoiceNumber=${ALVA.number}`),
  )
  await invoiceIsShown(page, ALVA)
  await expect
    .poll(() => page.url())
    .toBe(at(`invoice/${ALVA.reference}/${ALVA.zip}?invoiceNumber=${ALVA.number}`))
})

test('/collection-batch needs the zip once; then the reference alone opens the claim', async () => {
  const page = await browser.open()
  await page.goto(at(`collection-batch/${CLAIM.reference}`))
  await expect.poll(() => page.getByLabel('Payment reference').inputValue()).toBe(CLAIM.reference)
  await page.getByLabel('Zip code').fill(CLAIM.zip)
  await page.getByRole('button', { name: 'Log in' }).click()
  await claimIsShown(page)
  expect(await stored(page, 'loggedInWithCollectionBatch')).toBe('true')
  await page.goto(at('accessibility'))
  await page.goto(at(`collection-batch/${CLAIM.reference}`))
  await claimIsShown(page)
})

test('/dashboard is the list for whoever is logged in, and the start page for everybody else', async () => {
  const page = await browser.open()
  await page.goto(at('dashboard'))
  await startPage(page).waitFor()
  await logIn(page, product, ALVA)
  await page.goto(at('dashboard'))
  await page.getByRole('heading', { level: 1, name: 'Hello Alva' }).waitFor()
  // The general form: with a reference it leads to that invoice.
  const other = await browser.open()
  await other.goto(at(`dashboard/${ALVA.reference}/${ALVA.zip}`))
  await invoiceIsShown(other, ALVA)
  expect(other.url()).toContain(`/#/en/invoice/${ALVA.reference}/${ALVA.zip}`)
})

test('/confirmation tells of an invoice’s payment in each of its forms', async () => {
  const page = await browser.open()
  await logIn(page, product, ELIAS)
  await payNow(page)
  await answerAtBank(page, 'Approve')
  const thanks = (): Promise<void> =>
    page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
  await thanks()
  const pair = `paymentReference=${ELIAS.reference}&zip=${ELIAS.zip}`
  for (const path of [
    `confirmation/${ELIAS.reference}/${ELIAS.zip}`,
    `confirmation?${pair}&paymentOption=pay-now`,
    `confirmation?paymentReference=${ELIAS.reference}`,
    'confirmation/pay-now',
    'confirmation/due-date',
  ]) {
    await page.goto(at('accessibility'))
    await page.goto(at(path))
    await thanks()
    expect(await page.getByRole('main').innerText(), path).toContain(`Invoice ${ELIAS.number}`)
  }
  // Whoever has only the address is let in by the pair, too.
  const other = await browser.open()
  await other.goto(at(`confirmation/${SIGNED.reference}/${SIGNED.zip}`))
  await other.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
})

test('/customerService knows a claim from the query, from the path and from the session, and disputes it', async () => {
  const claim = { reference: '770231451327', zip: '11122' }
  const offersDispute = async (page: Page): Promise<void> => {
    await page.getByText('Fjällström Demo Energi AB').last().waitFor()
    await page.getByText('7702 3145 1327').waitFor()
    await page.getByRole('button', { name: /^I think this is wrong/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Claim 702369').waitFor()
    await page.keyboard.press('Escape')
  }
  for (const path of [
    `customerService?paymentReference=${claim.reference}&zip=${claim.zip}`,
    `customerService/${claim.reference}/${claim.zip}`,
  ]) {
    const visitor = await browser.open()
    await visitor.goto(at(path))
    await offersDispute(visitor)
  }
  const page = await browser.open()
  await page.goto(at(`collection-batch/${claim.reference}?zip=${claim.zip}`))
  await page.getByRole('heading', { level: 1, name: 'Claim 702369' }).waitFor()
  await page.goto(at('customerService'))
  await offersDispute(page)
  expect(await stored(page, 'collection_batch_payment_reference')).toBe(claim.reference)
})

test('/confirmation/collection-batch tells of a claim’s payment, and of its part payment', async () => {
  const paid = { reference: '770231451327', zip: '11122' }
  const page = await browser.open({ viewport: DESK })
  await page.goto(at(`collection-batch/${paid.reference}?zip=${paid.zip}`))
  await page.getByRole('radio', { name: /^Pay now/ }).check()
  await page.getByRole('button', { name: /^Pay .* now$/ }).click()
  await arriveAtBank(page)
  await answerAtBank(page, 'Approve')
  await page.goto(at('confirmation/collection-batch?paymentOption=pay-now'))
  await page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
  await page.getByRole('button', { name: 'Return to claim' }).click()
  await page.getByText('Paid – nothing more to do').waitFor()

  const another = await browser.open({ viewport: DESK })
  await another.goto(at(`collection-batch/${CLAIM.reference}?zip=${CLAIM.zip}`))
  await another.getByRole('radio', { name: /^Part payment plan/ }).check()
  await another.getByRole('button', { name: /^Start part payment/ }).waitFor()
  const box = another.getByRole('checkbox')
  if ((await box.count()) > 0) await box.check()
  await another.getByRole('button', { name: /^Start part payment/ }).click()
  await another.getByRole('heading', { level: 1, name: 'Part payment started' }).waitFor()
  expect(another.url()).toContain(`/#/en/confirmation/collection-batch/${CLAIM.reference}`)
  await another.getByRole('button', { name: 'Return to claim' }).click()
  await another.getByText('The claim is paid in parts').waitFor()
})

test('/customerService takes its pair from the query, from the path and from the session', async () => {
  const page = await browser.open()
  await page.goto(at('customerService'))
  await startPage(page).waitFor()
  for (const path of [
    `customerService?paymentReference=${ALVA.reference}&zip=${ALVA.zip}`,
    `customerService/${ALVA.reference}/${ALVA.zip}`,
  ]) {
    const visitor = await browser.open()
    await visitor.goto(at(path))
    await visitor.getByText('2601 0492 9823').waitFor()
    expect(await headline(visitor).innerText()).toBe('Customer service')
  }
  await logIn(page, product, ALVA)
  await page.goto(at('customerService'))
  await page.getByText('2601 0492 9823').waitFor()
})

test('An unknown view is a page that is not found, and ?ref= leads on to one that is', async () => {
  const page = await browser.open()
  for (const path of ['nowhere', `nowhere/${ALVA.reference}`, `nowhere/${ALVA.reference}/${ALVA.zip}`]) {
    await page.goto(at(path))
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'To the start page' }).click()
    await startPage(page).waitFor()
  }
  await page.goto(at('nowhere?ref=accessibility'))
  await page.getByRole('heading', { level: 1, name: 'Accessibility' }).waitFor()
  await expect.poll(() => page.url()).toBe(at('accessibility'))
})

test('An address without its hash leads behind it, or says in words that there is no such page', async () => {
  browser.expectTrouble(/404/)
  const page = await browser.open({ language: 'nb' })
  await page.goto(`${product.address}/en`)
  await startPage(page).waitFor()
  await page.goto(`${product.address}/en?paymentReference=${ELIAS.reference}&zip=${ELIAS.zip}`)
  await invoiceIsShown(page, ELIAS)
  for (const path of ['nowhere', 'xx/dashboard', `invoice/${ELIAS.reference}/${ELIAS.zip}`]) {
    await page.goto(`${product.address}/${path}`)
    await page.getByRole('heading', { level: 1, name: 'Siden finnes ikke' }).waitFor()
    await expectAccessible(page, path)
    await page.getByRole('link', { name: 'Til startsiden' }).click()
    await page.getByRole('heading', { level: 1, name: 'Se og betal fakturaen din' }).waitFor()
    expect(page.url()).toBe(`${product.address}/#/nb/`)
  }
})

test('/error says what is safe, and leads back', async () => {
  const page = await browser.open()
  await page.goto(at('accessibility'))
  await page.getByRole('heading', { level: 1, name: 'Accessibility' }).waitFor()
  await page.goto(at('error'))
  await page.getByText(/^Oops, we have encountered a problem; we have been notified/).waitFor()
  await page.getByText('Nothing has been paid or changed by the error.').waitFor()
  await page.getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('heading', { level: 1, name: 'Accessibility' }).waitFor()
  await expect.poll(() => page.url()).toBe(at('accessibility'))
})

test('A link to another invoice asks first, and then logs in for that one', async () => {
  const page = await browser.open()
  await logIn(page, product, ALVA)
  await page.goto(at(`invoice/${ELIAS.reference}/${ELIAS.zip}`))
  await page.getByRole('heading', { level: 1, name: 'Do you want to open another invoice?' }).waitFor()
  await page.getByRole('button', { name: 'Open the other invoice' }).click()
  await invoiceIsShown(page, ELIAS)
  expect(await stored(page, 'invoice_token')).toBe(`${ELIAS.reference}/${ELIAS.zip}`)
})

test('A link to a claim or an invoice asks first also when one stands at a claim', async () => {
  const page = await browser.open()
  const asks = () =>
    page.getByRole('heading', { level: 1, name: /^Do you want to open (a claim|another invoice)/ }).waitFor()
  await page.goto(at(`collection-batch/${CLAIM.reference}?zip=${CLAIM.zip}`))
  await claimIsShown(page)
  for (const other of [
    `invoice/${ELIAS.reference}/${ELIAS.zip}`,
    'collection-batch/770231451327?zip=11122',
  ]) {
    await page.goto(at(other))
    await asks()
    await page.getByRole('button', { name: 'Stay here' }).click()
    await claimIsShown(page)
  }
  await page.goto(at('collection-batch/770231451327?zip=11122'))
  await asks()
  await page.getByRole('button', { name: 'Open the claim' }).click()
  await page.getByRole('heading', { level: 1, name: 'Claim 702369' }).waitFor()
  expect(await stored(page, 'collection_batch_payment_reference')).toBe('770231451327')
})

test('The country that is chosen is remembered, and stands in the address', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(at('accessibility'))
  await page.getByRole('button', { name: /English/ }).click()
  await page.getByText('Suomi').click()
  await page.getByRole('heading', { level: 1, name: 'Saavutettavuus' }).waitFor()
  await expect.poll(() => page.url()).toBe(`${product.address}/#/fi/accessibility`)
  expect(await page.evaluate(() => localStorage.getItem('selectedLocale'))).toBe('fi')
  await page.goto('about:blank')
  await page.goto(product.address)
  await page.getByRole('heading', { level: 1, name: 'Katso ja maksa laskusi' }).waitFor()
})
