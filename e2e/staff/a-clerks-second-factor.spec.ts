import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const product = await sharedProduct()
const browser = await runBrowser()
// Nobody else's journey signs in as this person.
const EMAIL = 'viewer@kvitt.example'

const STEP_MS = 30_000

/** The code of the app; of a step after the one before, which a person waits for. */
function openApp(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(/\s/g, '')) })
  let last = 0
  return async (): Promise<string> => {
    let now = Date.now()
    // One step ahead is taken too, so that waiting is short.
    while (Math.floor(now / STEP_MS) + 1 <= last) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      now = Date.now()
    }
    last = Math.max(last + 1, Math.floor(now / STEP_MS))
    return totp.generate({ timestamp: last * STEP_MS })
  }
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${product.address}/client/#/logout?lng=en`)
  await page.getByRole('heading', { name: 'You have signed out' }).waitFor()
  // Another address of the same page would not load it anew.
  await page.goto('about:blank')
}

test('somebody sets up two steps, signs in with a code and with a recovery code, and a manager resets it', async () => {
  const page = await browser.open({ viewport: DESK })
  await signInStaff(page, product, { email: EMAIL, hash: '#/account' })
  await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor()
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  await expectAccessible(page, 'setting up two steps')
  await page.getByText('Show the key').click()
  const app = openApp((await page.locator('details code').textContent()) ?? '')
  browser.expectTrouble(/refused: 400 .*\/second-factor|Failed to load resource.*400/)
  const field = page.getByLabel('One-time code')
  expect(await field.getAttribute('autocomplete')).toBe('one-time-code')
  await field.fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('The code is wrong or too old').first().waitFor()
  await expectAccessible(page, 'a wrong code')
  await field.fill(await app())
  await page.keyboard.press('Enter')
  await page.getByText('The codes are shown only now').waitFor()
  await expectAccessible(page, 'recovery codes')
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).locator('code').allTextContents()
  expect(codes).toHaveLength(10)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as a file' }).click()
  expect((await saving).suggestedFilename()).toBe('recovery-codes.txt')
  await page.getByRole('button', { name: 'I have kept the codes' }).click()
  await page.getByText('10 recovery codes are left').waitFor()
  await expectAccessible(page, 'the account')

  // By keyboard alone: password, code, in.
  await signOut(page)
  await signInStaff(page, product, { email: EMAIL, hash: '#/account' })
  await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor()
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page, 'the code after the password')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  const code = await app()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.setViewportSize(DESK)

  // The same code again, and then a recovery code.
  await signOut(page)
  await signInStaff(page, product, { email: EMAIL, hash: '#/account' })
  browser.expectTrouble(/refused: 400 .*\/code|Failed to load resource.*400/)
  await page.getByLabel('One-time code').fill(code)
  await page.keyboard.press('Enter')
  await page.getByText('has been used already').first().waitFor()
  await expectAccessible(page, 'a used code')
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(codes[0]?.toUpperCase() ?? '')
  await page.keyboard.press('Enter')
  await page.getByText('You have 9 codes left').waitFor()
  await expectAccessible(page, 'a recovery code is used')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('9 recovery codes are left').waitFor()
  await page.getByRole('button', { name: 'Make new recovery codes' }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('The codes are shown only now').waitFor()
  await page.getByRole('button', { name: 'I have kept the codes' }).click()
  await page.getByText('10 recovery codes are left').waitFor()

  const office = await browser.open({ viewport: DESK })
  await signInStaff(office, product, { email: 'creditor2@kvitt.example', hash: '#/users' })
  await office.getByRole('link', { name: 'Demo Viewer' }).click()
  await office.getByRole('button', { name: 'Reset two-step sign-in' }).click()
  await expectAccessible(office, 'a reset')
  await office.keyboard.press('Control+Enter')
  await office.getByText('The two-step sign-in of Demo Viewer is reset').first().waitFor()

  // Signed out at once, and in again with the password alone.
  browser.expectTrouble(/401/)
  await page.reload()
  await page.getByLabel('E-mail').or(page.getByText('Your session has ended')).first().waitFor()
  await page.goto('about:blank')
  await signInStaff(page, product, { email: EMAIL, hash: '#/account' })
  await page.getByText('You sign in with the password alone').waitFor()
})
