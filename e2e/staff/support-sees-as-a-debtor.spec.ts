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
  // Over all of it stands that staff looked: nobody has it read to them, and it is in the way of no press.
  const mark = portal.locator('[aria-hidden="true"] > div > [data-text]').first()
  expect(await mark.getAttribute('data-text')).toMatch(
    /^Viewed by staff 20\d\d-\d\d-\d\d \d\d:\d\d · Viewed by staff/,
  )
  const hit = await portal.evaluate(() =>
    document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('[aria-hidden]'),
  )
  expect(hit).toBeNull()
  await portal.emulateMedia({ media: 'print', colorScheme: 'light' })
  await banner.waitFor()
  expect(
    await mark.evaluate((node) => getComputedStyle(node.closest('[aria-hidden]') ?? node).position),
  ).toBe('fixed')
  await portal.emulateMedia({ media: 'screen' })
  // Put once more into the tab that it opened, it is worth nothing, leaves the address, and the view goes on.
  await portal.evaluate((used) => void (location.href = used), address)
  await portal.waitForURL((url) => !url.hash.includes('view'))
  await banner.getByText(name).waitFor()
  await portal.getByRole('heading', { level: 1 }).waitFor()
  expect(await portal.evaluate(() => sessionStorage.getItem('peek'))).toContain(name)
  // Used once: whoever finds the address later opens nothing.
  const later = await browser.open({ viewport: PHONE })
  browser.expectTrouble(/404/)
  await later.goto(address)
  // The address names no language: the provider's own is spoken.
  await later.getByText('den gäller en gång och i en minut').waitFor()
  await expectAccessible(later, 'a view that is over')
  await later.goto(`${origin}/#/`)
  await later.goto(address)
  await later.getByText('den gäller en gång och i en minut').waitFor()
  expect(later.url()).not.toContain('view/')
  // After its time the view takes itself away: nobody has to press anything.
  browser.expectTrouble(/401/)
  await portal.evaluate(() => {
    const kept = JSON.parse(sessionStorage.getItem('peek') ?? '{}') as object
    sessionStorage.setItem(
      'peek',
      JSON.stringify({ ...kept, endsAt: new Date(Date.now() + 6000).toISOString() }),
    )
  })
  await portal.reload()
  await banner.getByText(name).waitFor()
  await product.readRows('update peek set ended_at = now() where ended_at is null returning 1')
  await banner.waitFor({ state: 'detached' })
  expect(await portal.getByText(name).count()).toBe(0)
  expect(await portal.evaluate(() => sessionStorage.getItem('peek'))).toBeNull()
  const deeds = await product.readRows(
    `select p.email, e.reason from audit_event e join person p on p.id::text = split_part(e.actor, ':', 2)
     where e.kind = 'viewed_as_debtor' and e.about = 'debtor:${id}'`,
  )
  expect(deeds).toEqual([{ email: 'support@kvitt.example', reason: 'Calls about the claim' }])
})
