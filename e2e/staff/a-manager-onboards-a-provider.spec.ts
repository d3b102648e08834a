import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('its default provider begins again from nothing')
const browser = await runBrowser()

async function signIn(email = 'manager@kvitt.example', first = 'Dashboard'): Promise<Page> {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: first }).waitFor()
  return page
}

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script><image href="https://evil.example/x"/><circle cx="4" cy="4" r="4" fill="#0b5c6b"/></svg>'

test('a manager onboards a provider: makes it, and works its list off until it is gone', async () => {
  // What a provider of its own would lack: the same person sees this one's list.
  await product.readRows(
    `update instance set postal_address = null, logo_name = null, favicon_name = null, logins = '{}', service_texts = '{}' where is_default`,
  )
  await product.readRows('delete from credential_trial')
  // Two people have agreed to a creditor's account before: the desk of payouts has its own journey.
  await product.readRows(
    `with wish as (insert into proposal (instance_id, id, kind, about, creditor_id, before, after, proposed_by, membership_id, status,
         decided_by, decided_at)
       select c.instance_id, gen_random_uuid(), 'payout_account', 'creditor:' || c.id, c.id, '{}', '{}', p.id, m.id, 'APPROVED', q.id, now()
       from creditor c join instance i on i.id = c.instance_id and i.is_default, person p join membership m on m.person_id = p.id, person q
       where p.email = 'admin@kvitt.example' and q.email = 'approver@kvitt.example' limit 1 returning *)
     insert into payout_account (instance_id, id, creditor_id, currency, scheme, number, receiver_name, proposal_id, approved_at, usable_from)
     select instance_id, gen_random_uuid(), creditor_id, 'SEK', 'BANKGIRO', '99900128', 'Fjällström', id, now(), now() from wish`,
  )
  // Of a provider that has no icon yet the browser asks for the usual one, which nobody has.
  browser.expectTrouble(/favicon\.ico/)
  const page = await signIn()
  const brief = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Get started' }) })
  await brief.getByRole('link', { name: 'Details of the company' }).waitFor()
  await expectAccessible(page, 'the dashboard with what is left')
  await brief.getByRole('link', { name: 'See the whole list' }).click()
  await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor()
  const list = page.getByRole('main')
  await list.getByText('Missing: postal address').waitFor()
  await list.getByText('Missing: logo, icon').waitFor()
  // Nobody logs in with BankID here yet: only Swish is to be tried.
  await list.getByText('Missing: a trial of the connection to Swish').waitFor()
  await expectAccessible(page, 'the list of what is missing')

  await list.getByRole('link', { name: 'Details of the company' }).click()
  await page.getByLabel('Postal address').fill('Provgatan 4, 411 05 Göteborg')
  await page.getByLabel('Payment reference and zip code').check()
  await page.getByLabel('Swedish', { exact: true }).first().fill('Vi svarar vardagar 9–16.')
  await page.getByText('How the text is shown').first().waitFor()

  // The picture is kept while the rest is typed, and takes nothing of it away.
  await page.getByLabel('Logo: Choose file').setInputFiles({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(SVG),
  })
  await page.getByText('logo.svg · Not saved yet').waitFor()
  await page.getByRole('button', { name: 'Use the picture' }).click()
  await page.getByText('Taken out of the file: 1 program, 1 other part').waitFor()
  expect(await page.getByLabel('Postal address').inputValue()).toBe('Provgatan 4, 411 05 Göteborg')
  await page
    .getByLabel('Icon in the browser’s tab: Choose file')
    .or(page.getByLabel("Icon in the browser's tab: Choose file"))
    .setInputFiles({
      name: 'icon.png',
      mimeType: 'image/png',
      buffer: Buffer.from('not a picture'),
    })
  browser.expectTrouble(/400 .*pictures|400 \(Bad Request\)/)
  await page.getByRole('button', { name: 'Use the picture' }).click()
  await page.getByText('This is no picture that can be shown.').waitFor()
  await expectAccessible(page, 'a picture that is none')
  await page.getByLabel("Icon in the browser's tab: Choose file").setInputFiles({
    name: 'icon.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(SVG),
  })
  await page.getByRole('button', { name: 'Use the picture' }).click()
  await page.getByText('Taken out of the file').nth(1).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The changes are saved').first().waitFor()
  for (const kind of ['Swish', 'BankID'])
    await page
      .locator('div')
      .filter({ has: page.getByRole('heading', { name: kind, exact: true }) })
      .last()
      .getByRole('button', { name: 'Try' })
      .click()
  await page.getByText('BankID knows you.').waitFor()
  await page.getByText('Swish knows you.').waitFor()

  await page.goto(`${product.address}/admin/#/onboarding`)
  // Who was invited to approve has to have come.
  await page.getByText('Missing: one more manager or approver who has signed in').waitFor()
  await signIn('approver@kvitt.example', 'Proposals')
  await page.reload()
  await page.getByText('Everything is in place.').waitFor()
  await page.goto(`${product.address}/admin/#/dashboard`)
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Get started' }).count()).toBe(0)

  // A debtor reads what was written, as soon as the server has seen it: within five seconds.
  const shown = async () => (await product.call('GET', 'instance-providers/default')).text
  await expect.poll(shown, { timeout: 8_000, interval: 300 }).toContain('Vi svarar vardagar 9–16.')
  const debtor = await browser.open({ viewport: DESK })
  await debtor.goto(`${product.address}/#/sv/customerService?paymentReference=260104929823&zip=11122`)
  await debtor.getByText('Vi svarar vardagar 9–16.').waitFor({ timeout: 15_000 })
})

test('a manager of the default provider makes another instance, whose first manager is invited', async () => {
  const page = await signIn()
  await page.getByRole('link', { name: 'Our company' }).click()
  await page.getByRole('button', { name: 'New instance' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Fjordpost Demo AS')
  await dialog.getByLabel('First part of the address').fill('admin')
  await dialog.getByLabel('Domain').fill('pay.example')
  await dialog.getByLabel('Norway').check()
  await dialog.getByLabel('Identification number').fill('987 654 325')
  await dialog.getByLabel('Phone').fill('+47 22 00 00 10')
  await dialog.getByLabel('E-mail', { exact: true }).fill('hei@fjordpost.example')
  await dialog.getByLabel('Name of the first manager').fill('Noor Først')
  await dialog.getByLabel('E-mail of the first manager').fill('noor@fjordpost.example')
  await expectAccessible(page, 'a new instance')
  browser.expectTrouble(/400 .*instance-providers|400 \(Bad Request\)/)
  await dialog.getByRole('button', { name: 'Make the instance' }).click()
  await expect
    .poll(() => dialog.getByLabel('First part of the address').getAttribute('aria-invalid'))
    .toBe('true')
  await dialog.getByLabel('First part of the address').fill('fjordpost')
  await dialog.getByRole('button', { name: 'Make the instance' }).click()
  await page
    .getByText(
      'Fjordpost Demo AS is made. noor@fjordpost.example is invited and begins at https://admin.fjordpost.pay.example/.',
    )
    .waitFor()
  const rows = await product.readRows<{ kind: string }>(
    `select kind from mail_outbox where recipient = 'noor@fjordpost.example'`,
  )
  expect(rows).toEqual([{ kind: 'staff_invited' }])
})
