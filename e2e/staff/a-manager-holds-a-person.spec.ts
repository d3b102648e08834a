import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('a manager holds a person against erasure, on a desk and in the dark on a phone, and lifts it again', async () => {
  const [debtor] = await product.readRows<{ id: string; name: string }>(
    `select d.id, d.name from debtor d join instance n on n.id = d.instance_id and n.is_default order by d.id limit 1`,
  )
  const { id = '', name = '' } = debtor ?? {}
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/data-protection?lng=en`)
  await page.getByLabel('E-mail').fill('manager@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByText('Nobody is held').waitFor()
  await page.getByRole('button', { name: 'Hold …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Debtor').fill(`${product.address}/admin/#/debtors/${id}`)
  await dialog.getByLabel('Reason').fill('A dispute in court')
  await dialog.getByLabel('Source').fill('The district court, T 1234-26')
  await expectAccessible(page, 'a hold that is being set')
  await dialog.getByRole('button', { name: 'Hold' }).click()
  await page.getByText('Stands', { exact: true }).waitFor()
  await page.getByRole('link', { name }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await expectAccessible(page, 'legal holds')
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByText('The district court, T 1234-26').waitFor()
  await expectAccessible(page, 'legal holds on a phone')
  await page.getByRole('button', { name: 'Lift …' }).click()
  await dialog.getByLabel('Reason').fill('The judgment is final')
  await dialog.getByRole('button', { name: 'Lift' }).click()
  await page.getByText(/Lifted .*The judgment is final/).waitFor()
  const deeds = await product.readRows(
    `select kind, reason from audit_event where kind in ('hold_set', 'hold_lifted') and about = 'debtor:${id}' order by seq`,
  )
  expect(deeds).toEqual([
    { kind: 'hold_set', reason: 'A dispute in court' },
    { kind: 'hold_lifted', reason: 'The judgment is final' },
  ])
})
