/** Others have guessed: who comes with a right pair and a browser that nobody knows solves a challenge, or waits. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import { ALVA, ELIAS, fillLogin, MAJ, openLogin } from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('it guesses, and sets how often one may')
const browser = await runBrowser()

/** Sets the limits, and waits until the product has read them: `code` is what guesses at any reference are told then. */
async function setLimits(limits: object, code: string): Promise<void> {
  await product.readRows('update instance set guess_limits = $1 where is_default', [JSON.stringify(limits)])
  const guessTwice = async () => [await guess(nobodys(), '41105'), await guess(nobodys(), '41105')]
  await expect.poll(guessTwice, { timeout: 15_000, interval: 500 }).toEqual([code, code])
}

/** From here on one failed guess uses up what a network has, and there has been one. */
const closeToStrangers = () =>
  setLimits({ networkPerHour: 1, zipPerHour: null, instancePerTenMinutes: null }, 'login_throttled')

/** Another one each time: wrong guesses at one reference are counted. */
let taken = 0
const nobodys = (): string => `99999${String((taken += 1)).padStart(7, '0')}`

async function guess(reference: string, zip: string): Promise<unknown> {
  const { body } = await product.call('GET', `public/invoices/${reference}/${zip}`)
  return (body as { code?: string }).code
}

const box = (page: Page) => page.getByRole('alert')
const calculate = (page: Page) => page.getByRole('button', { name: 'Calculate and log in' })
const invoice = ({ number }: { number: string }) => ({ level: 1, name: `Invoice ${number}` }) as const

test('I let my device calculate, it is told in words, and I am in', async () => {
  browser.expectTrouble(/400/)
  await closeToStrangers()
  const page = await browser.open()
  await openLogin(page, product)
  await fillLogin(page, ELIAS.reference, ELIAS.zip)
  await box(page).getByText('One more step').waitFor()
  expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true)
  await box(page)
    .getByText(/You can also wait\. You can log in again (tomorrow )?at \d\d:\d\d\./)
    .waitFor()
  await page.evaluate(() => {
    const told: string[] = []
    Object.assign(globalThis, { told })
    const watch = new MutationObserver(() => {
      for (const { textContent: text } of document.querySelectorAll('form [role="status"]')) {
        if (text && text !== told.at(-1)) told.push(text)
      }
    })
    watch.observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  const refused: string[] = []
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  await calculate(page).click()
  await page.getByRole('heading', invoice(ELIAS)).waitFor()
  const told = await page.evaluate(() => (globalThis as unknown as { told: string[] }).told)
  expect(told[0]).toBe('Your device is calculating.')
  expect(told.at(-1)).toBe('Done. Logging you in.')
  // Everything else on the page came as well: the device is known now.
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  expect(refused).toEqual([])
  await page.goto(`${product.address}/#/en/`)
  await page.getByRole('button', { name: /^Payment reference/ }).click()
  await fillLogin(page, ELIAS.reference, ELIAS.zip)
  await page.getByRole('heading', invoice(ELIAS)).waitFor()
})

test('A link from a letter leads to the same step, by keyboard alone', async () => {
  browser.expectTrouble(/400/)
  await closeToStrangers()
  const page = await browser.open()
  await page.goto(`${product.address}/#/en/invoice/${MAJ.reference}/${MAJ.zip}`)
  await box(page).getByText('One more step').waitFor()
  expect(await page.getByLabel('Payment reference').inputValue()).toBe(MAJ.reference)
  await page.keyboard.press('Tab')
  expect(await calculate(page).evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', invoice(MAJ)).waitFor()
})

test('Who cannot calculate is told when it works again', async () => {
  browser.expectTrouble(/400/)
  await closeToStrangers()
  const page = await browser.open()
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'))
  await openLogin(page, product)
  await fillLogin(page, ALVA.reference, ALVA.zip)
  await box(page)
    .getByText(/^You can log in again (tomorrow )?at \d\d:\d\d\.$/)
    .waitFor()
  expect(await calculate(page).count()).toBe(0)
})

test('When the calculation does not succeed I can try again', async () => {
  browser.expectTrouble(/400|503|public\/challenges/)
  await closeToStrangers()
  const page = await browser.open()
  await page.route('**/api/public/challenges', (route) => route.abort(), { times: 1 })
  await openLogin(page, product)
  await fillLogin(page, ALVA.reference, ALVA.zip)
  await calculate(page).click()
  await page.getByText('The calculation did not succeed. Try again, or wait.').waitFor()
  await calculate(page).click()
  await page.getByRole('heading', invoice(ALVA)).waitFor()
  expect(await box(page).count()).toBe(0)
})

test('A solution that comes too late leads to the same step again', async () => {
  browser.expectTrouble(/400/)
  await closeToStrangers()
  const page = await browser.open()
  await page.route('**/api/public/challenges', async (route) => {
    const answer = (await (await route.fetch()).json()) as { challenge: string }
    await route.fulfill({ json: { ...answer, challenge: answer.challenge.replace(/^./, '0') } })
  })
  await openLogin(page, product)
  await fillLogin(page, ALVA.reference, ALVA.zip)
  for (let n = 0; n < 2; n++) {
    const answered = page.waitForResponse((response) => response.url().includes(`/${ALVA.reference}/`))
    await calculate(page).click()
    await answered
    await expect.poll(() => calculate(page).getAttribute('aria-busy')).toBe(null)
    expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true)
  }
})

describe('bf.vertical: a solved challenge lifts nothing of the reference’s own budget', () => {
  test('the fifth wrong zip goes through, after it the right one has to wait', async () => {
    browser.expectTrouble(/400/)
    await product.control('DELETE', 'guesses')
    await setLimits({ networkPerHour: null, zipPerHour: null }, 'login_error::invalid_data')
    const [reference, zip] = [nobodys(), '41105']
    for (const wrong of ['10001', '10002', '10003', '10004']) {
      expect(await guess(reference, wrong)).toBe('login_error::invalid_data')
    }
    await closeToStrangers()
    const page = await browser.open()
    await openLogin(page, product)
    await fillLogin(page, reference, '10005')
    await calculate(page).click()
    await box(page).getByText('We cannot find an open invoice with these details.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await fillLogin(page, reference, zip)
    await box(page).getByText('Too many attempts with wrong details.').waitFor()
    await box(page)
      .getByText(/^You can log in again tomorrow at \d\d:\d\d\.$/)
      .waitFor()
    expect(await calculate(page).count()).toBe(0)
  })
})
