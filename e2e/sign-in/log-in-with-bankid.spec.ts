import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { ALVA, headline, mainText, startPage } from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('it changes which logins the provider offers')
const browser = await runBrowser()

const ALVA_NUMBER = '199007292387'
const ELIAS_NUMBER = '198603249999'
const NOBODY = '190001019801'

type EidOrder = { readonly id: string; readonly kind?: string }

/** The newest order that waits at the identity provider. */
async function waitingOrder(): Promise<string> {
  const orders = await product.control<EidOrder[]>('GET', 'orders')
  return orders.find(({ kind }) => kind === 'eid')?.id ?? ''
}

async function approve(personalNumber: string): Promise<void> {
  await product.control('POST', `orders/${await waitingOrder()}/approve`, { personalNumber })
}

async function openCode(page: Page): Promise<void> {
  await page.goto(`${product.address}/#/en/`)
  await page.getByRole('button', { name: /^Electronic ID/ }).click()
  await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
}

test('Alva scans the code, sees everything of hers, pays nothing and logs out', async () => {
  const page = await browser.open({ viewport: DESK })
  await openCode(page)
  await approve(ALVA_NUMBER)
  await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  expect(page.url()).toMatch(/#\/en\/dashboard$/)
  expect(await page.evaluate(() => sessionStorage.getItem('token_type'))).toBe('Bearer')
  await page.getByRole('link', { name: 'To invoice 261111' }).click()
  await page.getByRole('heading', { level: 1, name: 'Invoice 261111' }).waitFor()
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Invoice 261111' }).waitFor()
  const token = await page.evaluate(() => sessionStorage.getItem('id_token'))
  await page.getByRole('link', { name: 'Log out' }).click()
  await startPage(page).waitFor()
  expect(await page.getByText('You were logged out').count()).toBe(0)
  expect(await page.evaluate(() => sessionStorage.getItem('id_token'))).toBeNull()
  const after = await product.call('GET', 'debtor/session', { headers: { authorization: `Bearer ${token}` } })
  expect(after.status).toBe(401)
})

test('A session that has ended leads to the start page, and another one’s invoice is not opened silently', async () => {
  const page = await browser.open({ viewport: DESK })
  await openCode(page)
  await approve(ALVA_NUMBER)
  await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  browser.expectTrouble(/ 404|404 |401/)
  await page.goto(`${product.address}/#/en/invoice/260101314920/41105`)
  await page.getByRole('heading', { level: 1, name: 'Do you want to open another invoice?' }).waitFor()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  await page.evaluate(() => sessionStorage.setItem('id_token', 'worn-out'))
  await page.reload()
  await startPage(page).waitFor()
  await page.getByRole('status').getByText('You were logged out because the session had ended.').waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('id_token'))).toBeNull()
})

test('Changing one’s mind is no error, and whoever is unknown here is told what to do', async () => {
  const page = await browser.open({ viewport: DESK })
  await openCode(page)
  await product.control('POST', `orders/${await waitingOrder()}/decline`, { hintCode: 'userCancel' })
  await page.getByText('The login was cancelled').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
  browser.expectTrouble(/400/)
  await approve(NOBODY)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByText(/there are no invoices in your name here/).waitFor()
  expect(await mainText(page)).toContain('Login failed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await startPage(page).waitFor()
  expect(await headline(page).innerText()).toContain('See and pay')
})

async function logInAsAlva(page: Page): Promise<void> {
  await openCode(page)
  await approve(ALVA_NUMBER)
  await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
}

/** A reference of hers is enough for whoever is identified. */
const OWN_CLAIM = '770231451327'
const OTHERS_CLAIM = '770260370521'

test('Whoever is not logged in and asks for the list logs in with BankID, and comes to the list', async () => {
  for (const address of ['#/en/dashboard', 'en/dashboard']) {
    const page = await browser.open({ viewport: DESK })
    await page.goto(`${product.address}/${address}`)
    await startPage(page).waitFor()
    await expect.poll(() => page.url()).toBe(`${product.address}/#/en/`)
    await page.getByRole('button', { name: /^Electronic ID/ }).click()
    await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
    await approve(ALVA_NUMBER)
    await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
    expect(page.url()).toMatch(/#\/en\/dashboard$/)
  }
})

test('Alva opens what is hers by its reference alone, and stays logged in', async () => {
  const page = await browser.open({ viewport: DESK })
  await logInAsAlva(page)
  const token = () => page.evaluate(() => sessionStorage.getItem('id_token'))
  const showsInvoice = () => page.getByRole('heading', { level: 1, name: `Invoice ${ALVA.number}` }).waitFor()
  for (const path of [`invoice/${ALVA.reference}`, `?paymentReference=${ALVA.reference}`]) {
    await page.goto(`${product.address}/#/en/accessibility`)
    await page.goto(`${product.address}/#/en/${path}`)
    await showsInvoice()
    await page.reload()
    await showsInvoice()
  }
  await page.goto(`${product.address}/#/en/confirmation?paymentReference=${ALVA.reference}`)
  await page.getByRole('heading', { level: 1, name: 'No payment has been started' }).waitFor()
  for (const path of [`collection-batch/${OWN_CLAIM}`, `?paymentReference=${OWN_CLAIM}`]) {
    await page.goto(`${product.address}/#/en/accessibility`)
    await page.goto(`${product.address}/#/en/${path}`)
    await page.getByRole('heading', { level: 1, name: 'Claim 702369' }).waitFor()
  }
  await page.goto(`${product.address}/#/en/confirmation/collection-batch/${OWN_CLAIM}`)
  await page.getByRole('heading', { level: 1, name: 'No payment has been started' }).waitFor()
  await page.getByRole('button', { name: 'Return to claim' }).click()
  await page.getByRole('heading', { level: 1, name: 'Claim 702369' }).waitFor()
  expect(await token()).not.toBeNull()
})

test('csrf.sessionswap: A link to another one’s claim asks Alva first, and logs her out only when she says so', async () => {
  const page = await browser.open({ viewport: DESK })
  await logInAsAlva(page)
  browser.expectTrouble(/ 404|404 /)
  const asked = () => page.getByRole('heading', { level: 1, name: 'Do you want to open a claim?' }).waitFor()
  const another = `${product.address}/#/en/collection-batch/${OTHERS_CLAIM}`
  await page.goto(`${another}?zip=21115`)
  await asked()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  await page.goto(`${another}?zip=21115`)
  await asked()
  await page.getByRole('button', { name: 'Open the claim' }).click()
  await page.getByRole('heading', { level: 1, name: 'Claim 702665' }).waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('id_token'))).toBeNull()
  // The same for an invoice.
  await logInAsAlva(page)
  await page.goto(`${product.address}/#/en/invoice/260101314920/41105`)
  await page.getByRole('button', { name: 'Open the other invoice' }).click()
  await page.getByRole('heading', { level: 1, name: 'Invoice 261037' }).waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('id_token'))).toBeNull()
  // Without the zip there is nothing to open it with: the start page asks for it.
  await logInAsAlva(page)
  await page.goto(another)
  await asked()
  await page.getByRole('button', { name: 'Open the claim' }).click()
  await expect.poll(() => page.getByLabel('Payment reference').inputValue()).toBe(OTHERS_CLAIM)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('A wanted reference without its zip is where BankID leads', async () => {
  for (const [reference, heading] of [
    [ALVA.reference, `Invoice ${ALVA.number}`],
    [OWN_CLAIM, 'Claim 702369'],
  ] as const) {
    const page = await browser.open({ viewport: DESK })
    await page.goto(`${product.address}/#/en/invoice/${reference}`)
    await expect.poll(() => page.getByLabel('Payment reference').inputValue()).toBe(reference)
    await page.getByRole('button', { name: 'Choose another way' }).click()
    await page.getByRole('button', { name: /^Electronic ID/ }).click()
    await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
    await approve(ALVA_NUMBER)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
})

test('BankID’s app returns with its order, and the login ends where it was wanted', async () => {
  const page = await browser.open({ viewport: PHONE })
  const started = page.waitForResponse((answer) => answer.url().endsWith('external/bankid/auth'))
  await openCode(page)
  const { orderRef } = (await (await started).json()) as { orderRef: string }
  await page.goto('about:blank')
  await approve(ALVA_NUMBER)
  await page.goto(
    `${product.address}/#/en/?orderRef=${orderRef}&paymentReference=${ALVA.reference}&zip=${ALVA.zip}`,
  )
  await page.getByRole('heading', { level: 1, name: `Invoice ${ALVA.number}` }).waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('id_token'))).not.toBeNull()
})

/** An order that was begun in `page`, and the address that BankID's app, or somebody else's letter, leads to with it. */
async function beginElsewhere(page: Page): Promise<string> {
  const started = page.waitForResponse((answer) => answer.url().endsWith('external/bankid/auth'))
  await openCode(page)
  const { orderRef } = (await (await started).json()) as { orderRef: string }
  await page.goto('about:blank')
  await approve(ELIAS_NUMBER)
  return `${product.address}/#/en/?orderRef=${orderRef}`
}

const question = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'Somebody is logged in here already' })

test('csrf.sessionswap: an order that comes with an address asks whoever is logged in, in this tab or another', async () => {
  const mine = await browser.open({ viewport: PHONE })
  const planted = await beginElsewhere(mine)
  await openCode(mine)
  await approve(ALVA_NUMBER)
  await mine.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  const token = await mine.evaluate(() => sessionStorage.getItem('id_token'))

  // Whoever follows the address in another tab of that browser is asked, and stays.
  const tab = await browser.openTab(mine)
  browser.expectTrouble(/400/)
  await tab.goto(planted)
  await question(tab).waitFor()
  for (const width of [320, 400, 961]) {
    await tab.setViewportSize({ width, height: 800 })
    expect(await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  await tab.getByRole('button', { name: 'Stay here' }).click()
  await startPage(tab).waitFor()
  await mine.reload()
  await mine.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  expect(await mine.evaluate(() => sessionStorage.getItem('id_token'))).not.toBeNull()
  expect(token).not.toBeNull()
})

test('csrf.sessionswap: whoever says yes is logged out, and the order goes on', async () => {
  const page = await browser.open({ viewport: PHONE })
  const returning = await beginElsewhere(page)
  await openCode(page)
  await approve(ALVA_NUMBER)
  await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  await page.goto(returning)
  await question(page).waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('id_token'))).not.toBeNull()
  const loggedOut = page.waitForResponse((answer) => answer.url().endsWith('debtor/logout'))
  // However long it takes: its answer removes the cookie, and may not come after that of the new session.
  await page.route('**/debtor/logout', async (route) => {
    await new Promise((late) => setTimeout(late, 1_500))
    await route.continue()
  })
  await page.getByRole('button', { name: 'Log out and go on' }).click()
  expect((await loggedOut).status()).toBe(204)
  await page.getByRole('heading', { level: 1, name: /^Hello Elias/ }).waitFor()
  expect(await headline(page).innerText()).toContain('Elias')
})

/** What the provider offers from now on. The server looks again after five seconds. */
async function offer(...logins: string[]): Promise<void> {
  await product.readRows('update instance set logins = $1 where is_default', [logins])
  await new Promise((settle) => setTimeout(settle, 5_200))
}

test('Where BankID is the only way in, cancelling stops it, and nothing begins again by itself', async () => {
  await offer('BANKID')
  for (const viewport of [PHONE, DESK]) {
    const page = await browser.open({ viewport })
    let starts = 0
    page.on('request', (request) => (starts += request.url().endsWith('external/bankid/auth') ? 1 : 0))
    const waiting = () => page.getByRole('button', { name: 'Cancel', exact: true })
    await page.goto(`${product.address}/#/en/`)
    await page.getByRole('heading', { level: 1, name: 'Log in with BankID' }).waitFor()
    const code = page.getByRole('img', { name: 'QR code for the BankID app' })
    await code.or(page.getByRole('link', { name: 'Open BankID' })).waitFor()
    expect(await page.getByRole('button', { name: 'Choose another way' }).count()).toBe(0)
    await waiting().click()
    const stopped = page.getByRole('alert').filter({ hasText: 'The login was cancelled' })
    await stopped.waitFor()
    expect(await mainText(page)).toContain('You are not logged in')
    expect(await page.getByRole('link', { name: '031-390 06 10' }).first().isVisible()).toBe(true)
    expect(await stopped.evaluate((box) => box === document.activeElement)).toBe(true)
    await expect.poll(waitingOrder).toBe('')
    // Longer than a question to the provider takes.
    await page.waitForTimeout(3000)
    expect([await waiting().count(), starts]).toEqual([0, 1])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(waitingOrder).not.toBe('')
    await approve(ALVA_NUMBER)
    await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
    expect(starts).toBe(2)
  }
})

test('There, a link from a letter asks for BankID and then leads to its invoice', async () => {
  browser.expectTrouble(/400/)
  const page = await browser.open({ viewport: PHONE })
  await page.goto(`${product.address}/#/en/invoice/${ALVA.reference}/${ALVA.zip}`)
  await page.getByRole('heading', { level: 1, name: 'Log in with BankID' }).waitFor()
  // It is no mistake of the visitor's.
  expect(await page.getByRole('alert').count()).toBe(0)
  await expect.poll(waitingOrder).not.toBe('')
  await approve(ALVA_NUMBER)
  await page.waitForURL(new RegExp(`/invoice/${ALVA.reference}/${ALVA.zip}`))
  await headline(page).waitFor()
})

test('Where there is no way in at all, the start page says so and whom to call', async () => {
  await offer()
  const page = await browser.open({ viewport: PHONE })
  await page.goto(`${product.address}/#/en/`)
  await page.getByRole('heading', { level: 2, name: 'You cannot log in here' }).waitFor()
  expect(await page.getByRole('main').getByRole('link', { name: '031-390 06 10' }).isVisible()).toBe(true)
  expect(await page.getByRole('textbox').count()).toBe(0)
})
