import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('support sees the portal as a debtor with a claim, on a desk and in the dark on a phone, and can change nothing', async () => {
  const [debtor] = await product.readRows<{ id: string; name: string; reference: string; invoice: string }>(
    `select d.id, d.name, c.payment_reference as reference, i.payment_reference as invoice
     from claim c join debtor d on d.id = c.debtor_id join instance n on n.id = c.instance_id and n.is_default
     join invoice i on i.debtor_id = d.id and i.status = 'ACTIVATED' and i.claim_id is null
     where c.status = 'OPEN' order by d.id limit 1`,
  )
  const { id = '', name = '', reference = '', invoice = '' } = debtor ?? {}
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/debtors/${id}?lng=en`)
  await page.getByLabel('E-mail').fill('support@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'View as the debtor …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Calls about the claim')
  await expectAccessible(page, 'the reason of a view')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const link = dialog.getByRole('link', { name: 'Open in a new tab' })
  await link.waitFor()
  await expectAccessible(page, 'the link of a view')
  const address = (await link.getAttribute('href')) ?? ''
  const opening = page.context().waitForEvent('page')
  await link.click()
  const portal = await opening
  const banner = portal.getByRole('region', { name: /View as the debtor|Visning som gäldenären/ })
  await banner.waitFor()
  expect(portal.url()).not.toContain('view/')
  expect(await banner.textContent()).toContain(name)
  // Nothing is kept beside the tab, which shares its place with the portal of staff.
  const { origin } = new URL(portal.url())
  await portal.goto(`${origin}/#/en/collection-batch/${reference}`)
  await portal.getByRole('heading', { level: 1 }).waitFor()
  await banner.waitFor()
  await portal.getByText('Switched off: you only see what the debtor sees.').first().waitFor()
  expect(await portal.evaluate(() => Object.keys(localStorage))).not.toContain('paymentRef')
  await expectAccessible(portal, 'a claim in a view')
  await portal.goto(`${origin}/#/en/invoice/${invoice}`)
  await portal.getByRole('heading', { level: 2 }).first().waitFor()
  await banner.waitFor()
  await portal.setViewportSize(PHONE)
  await portal.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(portal, 'an invoice in a view, on a phone')
  // Used once: whoever finds the address later opens nothing.
  const later = await browser.open({ viewport: PHONE })
  browser.expectTrouble(/404/)
  await later.goto(address)
  // The address names no language: the provider's own is spoken.
  await later.getByText('den gäller en gång och i en minut').waitFor()
  await expectAccessible(later, 'a view that is over')
  const deeds = await product.readRows(
    `select p.email, e.reason from audit_event e join person p on p.id::text = split_part(e.actor, ':', 2)
     where e.kind = 'viewed_as_debtor' and e.about = 'debtor:${id}'`,
  )
  expect(deeds).toEqual([{ email: 'support@kvitt.example', reason: 'Calls about the claim' }])
})
