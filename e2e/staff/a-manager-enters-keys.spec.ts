import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ensureCertificates } from '../../apps/sandbox/src/certificates.ts'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()
/** Of an authority that the sandbox does not know. */
const folder = mkdtempSync(join(tmpdir(), 'kvitt-keys-'))
await ensureCertificates(folder, Date.now())
const pem = (name: string): string => join(folder, name)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await product.readRows('delete from credential')
})

test('a manager enters a certificate and its key, is told what is wrong, and asks BankID whether it knows them', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/instance-providers?lng=en`)
  await page.getByLabel('E-mail').fill('manager@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  const counterparties = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Counterparties' }) })
  const bankId = counterparties
    .locator('div')
    .filter({ has: page.getByRole('heading', { name: 'BankID' }) })
    .first()
  await bankId.getByRole('button', { name: 'Enter your own' }).click()
  const dialog = page.getByRole('dialog')
  const choose = (of: string, file: string) =>
    dialog.getByLabel(`${of}: Choose file`).setInputFiles(pem(file))
  await choose('Certificate (PEM)', 'client.pem')
  // Of another certificate.
  await choose('Key (PEM, without a password)', 'server-key.pem')
  const key = dialog.getByLabel('Key (PEM, without a password)', { exact: true })
  browser.expectTrouble(/400 .*credentials|400 \(Bad Request\)/)
  await key.focus()
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('alert').getByText('The key does not belong to the certificate.').waitFor()
  // It stays marked though the field was left.
  await dialog.getByLabel('Certificate (PEM)', { exact: true }).focus()
  expect(await key.getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page, 'keys that do not belong together')
  await choose('Key (PEM, without a password)', 'client-key.pem')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await bankId.getByText('Certificate valid until').waitFor()
  await bankId.getByRole('button', { name: 'Try' }).click()
  await bankId.getByText(/^BankID does not know you: /).waitFor()
  await expectAccessible(page, 'counterparties')
  await bankId.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await bankId.getByText('The common settings of the server hold.').waitFor()
  await bankId.getByRole('button', { name: 'Try' }).click()
  await bankId.getByText('BankID knows you.').waitFor()
})
