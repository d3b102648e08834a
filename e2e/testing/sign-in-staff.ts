import type { Page } from 'playwright-core'

/** Signs a demo person in and goes to a place of the creditor portal, in English. */
export async function signInStaff(
  page: Page,
  product: { readonly address: string },
  { email, hash }: { readonly email: string; readonly hash: string },
): Promise<void> {
  await page.goto(`${product.address}/client/${hash}?lng=en`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
}
