/** Somebody who types nothing, or something else than is asked for: the field says so, once, and is where they are. */
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** What is read with a field that is wrong and has the focus; undefined when it is not so. */
const faultAt = (field: Locator): Promise<string | undefined> =>
  field.evaluate((input) => {
    const place = document.getElementById(input.getAttribute('aria-describedby') ?? '')
    const isTold = document.activeElement === input && input.getAttribute('aria-invalid') === 'true'
    return isTold ? (place?.textContent ?? '') : undefined
  })

/** The field speaks of its fault, so no region around it does. */
const isSilent = (field: Locator): Promise<boolean> =>
  field.evaluate((input) => {
    const place = document.getElementById(input.getAttribute('aria-describedby') ?? '')
    const lives = [...document.querySelectorAll('[role=alert], [role=status], [aria-live]')]
    return lives.every((one) => one.getAttribute('aria-live') === 'off' || !one.contains(place))
  })

test.each([true, false])('The fields say what is wrong with them, with a script: %s', async (javaScript) => {
  const page = await browser.open({ language: 'en', javaScript, viewport: { width: 320, height: 800 } })
  await page.goto(`${product.address}/home/en/`)
  const message = page.getByLabel('Link, reference, account or sender')
  const isTold = async (field: Locator, fault: RegExp): Promise<void> => {
    await expect.poll(() => faultAt(field)).toMatch(fault)
    // A page that has been sent anew, where the script was not there yet, is read from its beginning: nothing of it comes later.
    if (new URL(page.url()).search === '') expect(await isSilent(field)).toBe(true)
  }
  // The script is there once the services are told.
  if (javaScript) await page.locator('#services[data-state]').waitFor()
  await page.getByRole('button', { name: 'Check' }).click()
  await isTold(message, /^Type the link, reference, account or sender first\.$/)
  expect(await page.locator('h2#genuine').isVisible()).toBe(true)
  if (javaScript) {
    await message.fill('x'.repeat(10_001))
    await page.getByRole('button', { name: 'Check' }).click()
    await isTold(message, /^The text is too long\./)
    await message.fill('2601 0492 9824')
    expect(await message.getAttribute('aria-invalid')).toBeNull()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('No, we do not know this.').waitFor()
    // What is no fault is announced by the place of the answer.
    expect(await page.locator('#answer').getAttribute('aria-live')).not.toBe('off')
  }

  await page.goto(`${product.address}/home/en/waiting/`)
  const amount = page.getByLabel('Amount')
  await amount.fill('nothing')
  await page.getByRole('button', { name: 'Calculate' }).click()
  await isTold(amount, /^Type an amount of at most 100 million/)
  // axe itself is a script.
  if (javaScript) await expectAccessible(page, 'a wrong amount')
  await amount.fill('500')
  await page.getByRole('button', { name: 'Calculate' }).click()
  await page.getByText('To pay then').first().waitFor()
  expect(await page.locator('[aria-invalid]').count()).toBe(0)
})

test('The door says which of its fields is wrong and what to type, and opens when that is mended', async () => {
  const page = await browser.open({ language: 'en' })
  await page.goto(`${product.address}/home/en/`)
  const reference = page.getByRole('textbox', { name: 'Payment reference' })
  const zip = page.getByRole('textbox', { name: 'Zip code' })
  const open = page.getByRole('button', { name: 'See my invoice' })
  // The script is there once the services are told.
  await page.locator('#services[data-state]').waitFor()
  await open.click()
  await expect.poll(() => faultAt(reference)).toMatch(/^Type the payment reference, /)
  expect(await isSilent(reference)).toBe(true)
  expect(await zip.getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page, 'the door with faults')
  await reference.fill('26O1')
  await page.getByText('The payment reference has digits only.').waitFor()
  await reference.fill('2601 0131 4920')
  expect(await reference.getAttribute('aria-invalid')).toBeNull()
  await open.click()
  await expect.poll(() => faultAt(zip)).toBe('Type the zip code of your address on the invoice.')
  await zip.fill('411 05')
  expect(await page.locator('[aria-invalid]').count()).toBe(0)
  await open.click()
  await page.waitForURL(/\/#\/en\//)
})

test('Without a script the door answers in words, on the page, and keeps what was right', async () => {
  const page = await browser.open({
    language: 'sv',
    javaScript: false,
    viewport: { width: 320, height: 800 },
  })
  await page.goto(`${product.address}/home/sv/`)
  const reference = page.getByRole('textbox', { name: 'Betalningsreferens' })
  const zip = page.getByRole('textbox', { name: 'Postnummer' })
  const open = page.getByRole('button', { name: 'Visa min faktura' })
  await open.click()
  await expect.poll(() => faultAt(reference)).toMatch(/^Skriv betalningsreferensen, /)
  await reference.fill('<script>document.title=1</script>')
  await zip.fill('411 05')
  await open.click()
  await expect.poll(() => faultAt(reference)).toMatch(/bara siffror/)
  expect(await zip.inputValue()).toBe('411 05')
  await reference.fill('9'.repeat(10_000))
  await open.click()
  await expect.poll(() => faultAt(reference)).toMatch(/högst 25 siffror/)
})

test('Whoever empties a field to type another amount is not told off, and a fault while typing is spoken', async () => {
  const page = await browser.open({ language: 'sv' })
  await page.goto(`${product.address}/support/sv/waiting/`)
  const amount = page.getByLabel('Belopp')
  const place = page.locator('#amount-fault')
  await page.locator('#result[aria-live]').waitFor()
  await amount.fill('')
  await page.locator('#result:empty').waitFor({ state: 'attached' })
  expect(await place.textContent()).toBe('')
  await amount.press('Enter')
  await page.getByText('Skriv ett belopp på högst 100 miljoner').waitFor()
  // The focus was there already: the place of the fault speaks.
  expect(await place.getAttribute('aria-live')).toBe('polite')
  await amount.fill('500')
  await page.getByText('560,00').waitFor()
  expect(await place.textContent()).toBe('')
})
