import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const shared = await sharedProduct()
// Browsers make passkeys for names alone.
const product = { address: shared.address.replace('127.0.0.1', 'localhost') }
const browser = await runBrowser()
// Nobody else's journey signs in as this person.
const EMAIL = 'viewer@kvitt.example'

/** The browser's own authenticator: a phone that asks for a fingerprint. */
async function plugIn(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verifies: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    answers: (enabled: boolean) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    keys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${product.address}/client/#/logout?lng=en`)
  await page.getByRole('heading', { name: 'You have signed out' }).waitFor()
  // Another address of the same page would not load it anew.
  await page.goto('about:blank')
}

const openSignIn = (page: Page) => page.goto(`${product.address}/client/#/account?lng=en`)

test('somebody adds a passkey, signs in with it alone and after the password, and removes it', async () => {
  const page = await browser.open({ viewport: DESK })
  await signInStaff(page, product, { email: EMAIL, hash: '#/account' })
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor()
  const phone = await plugIn(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Work phone')
  await expectAccessible(page, 'naming a passkey')
  await page.keyboard.press('Control+Enter')
  await page.getByText('The codes are shown only now').waitFor()
  expect(await phone.keys()).toEqual([
    expect.objectContaining({ rpId: 'localhost', isResidentCredential: true }),
  ])
  await page.getByRole('button', { name: 'I have kept the codes' }).click()
  await page.getByText('Work phone').waitFor()
  await page.getByText('After the password you use a passkey').waitFor()
  await expectAccessible(page, 'an account with a passkey')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page, 'the same on a small screen')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.setViewportSize(DESK)

  // The same device a second time.
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Again')
  await page.keyboard.press('Control+Enter')
  await page.getByText('This device has a passkey here already').first().waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()

  // Without a password, by keyboard.
  await signOut(page)
  await openSignIn(page)
  const withPasskey = page.getByRole('button', { name: 'Sign in with a passkey' })
  await withPasskey.waitFor()
  await expectAccessible(page, 'the sign-in')
  const answering = page.waitForRequest((request) => request.url().endsWith('/passkey'))
  await withPasskey.focus()
  await page.keyboard.press('Enter')
  const answered = await answering
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.getByText(/^Used /).waitFor()

  // What it answered then opens nothing now.
  const replayed = await page.evaluate(
    async ([url, body]) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      })
      return { status: answer.status, ...((await answer.json()) as { code?: string }) }
    },
    [answered.url(), answered.postData() ?? ''] as const,
  )
  expect(replayed.status).toBe(400)
  expect(['sign_in_expired', 'passkey_expired']).toContain(replayed.code)

  // A phone in other hands: it does not know the finger.
  await signOut(page)
  await openSignIn(page)
  await withPasskey.waitFor()
  await phone.verifies(false)
  await withPasskey.click()
  await page.getByText('Nothing was done with a passkey').waitFor()
  await expectAccessible(page, 'a passkey that did not work')
  await phone.verifies(true)

  // After the password, which is typed while the phone still asks.
  await phone.answers(false)
  await withPasskey.click()
  await expect.poll(() => withPasskey.getAttribute('aria-busy')).toBe('true')
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor()
  await phone.answers(true)
  await expectAccessible(page, 'a passkey after the password')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()

  await page.getByRole('button', { name: 'Rename Work phone' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Old phone')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Old phone').waitFor()
  await page.getByRole('button', { name: 'Remove Old phone' }).click()
  await expectAccessible(page, 'removing a passkey')
  await page.keyboard.press('Control+Enter')
  await page.getByText('You sign in with the password alone').waitFor()

  // Removed here, still on the phone: refused in words.
  await signOut(page)
  await openSignIn(page)
  await withPasskey.waitFor()
  browser.expectTrouble(/refused: 400 .*\/passkey|Failed to load resource.*400/)
  await withPasskey.click()
  await page.getByText('is not known here, or has been removed').first().waitFor()
})
