import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()
const ISSUER = `http://localhost:${new URL(product.sandboxAddress).port}/issuer`
const EMAIL = 'nova@fjord.example'
const OWN = /^Sign in with .+'s own sign-in$/

afterAll(async () => {
  for (const table of ['sign_in_link', 'sign_in_try', 'sign_in_issuer'])
    await product.readRows(`delete from ${table}`)
})

async function openAs(account: string, hash: string): Promise<Page> {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/${hash}?lng=en`)
  await page.getByLabel('E-mail').fill(`${account}@kvitt.example`)
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  return page
}

/** The link of the newest message to somebody. */
async function linkTo(email: string): Promise<string> {
  for (let tries = 0; tries < 60; tries += 1) {
    const mail = await product.control<{ to: string; text: string }[]>('GET', 'mail')
    const text = mail.find(({ to }) => to.includes(email))?.text
    const link = /https?:\/\/\S+/.exec(text ?? '')?.[0]
    if (link) return `${product.address}${new URL(link).pathname}`
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`no message to ${email}`)
}

const pickAt = async (page: Page) => {
  await page.getByRole('heading', { name: 'Demo issuer' }).waitFor()
  expect(await page.getByLabel('Somebody else').inputValue()).toBe(EMAIL)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const expectNarrow = async (page: Page, what: string) => {
  await expectAccessible(page, what)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.setViewportSize(DESK)
}

test("two people set a company's own sign-in up; whoever is invited links their account, comes in by it, and sees this instance alone", async () => {
  const manager = await openAs('manager', '#/instance-providers')
  const section = manager
    .locator('section')
    .filter({ has: manager.getByRole('heading', { name: 'Own sign-in of the staff' }) })
  await section.getByRole('button', { name: 'Propose one' }).click()
  await section.getByLabel('E-mail domains').fill('fjord')
  await section.getByRole('button', { name: 'Propose', exact: true }).click()
  await section.getByText('Write domains such as example.com').waitFor()
  await section.getByLabel('Address of the issuer').fill(ISSUER)
  await section.getByLabel('Client ID').fill('kvitt-demo')
  await section.getByLabel('Client secret').fill('not the secret')
  await section.getByLabel('E-mail domains').fill('fjord.example')
  await section.getByRole('button', { name: 'Test it' }).click()
  await section.getByText('The issuer answers, and does not accept the client: invalid_client.').waitFor()
  await section.getByLabel('Client secret').fill('kvitt-demo-issuer-secret')
  await section.getByRole('button', { name: 'Test it' }).click()
  await section.getByText('The issuer answers and knows the client. Nobody has signed in.').waitFor()
  await expectNarrow(manager, 'the form of an own sign-in')
  await section.getByRole('button', { name: 'Propose', exact: true }).click()
  await section.getByText('A proposal waits for another person.').waitFor()

  // The second person sees what it is to be, and no secret.
  const proposal = (await section.getByRole('link', { name: 'Open the proposal' }).getAttribute('href')) ?? ''
  const approver = await openAs('approver', proposal.split('?')[0] ?? '')
  await approver.getByRole('heading', { name: 'Own sign-in of the staff' }).waitFor()
  await approver.getByRole('cell', { name: ISSUER }).waitFor()
  expect(await approver.content()).not.toContain('kvitt-demo-issuer-secret')
  await expectAccessible(approver, 'a proposed issuer')
  await approver.getByRole('button', { name: 'Approve', exact: true }).click()
  await approver.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  await approver.getByText('Approved').first().waitFor()

  // Somebody is invited, here and elsewhere.
  await manager.goto(`${product.address}/admin/#/users?lng=en`)
  await manager.getByRole('button', { name: 'Invite' }).first().click()
  const dialog = manager.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill(EMAIL)
  await dialog.getByLabel('Name').fill('Nova Prov')
  await dialog.getByLabel('Customer service').check()
  await manager.keyboard.press('Control+Enter')
  await manager.getByText('nova@fjord.example').first().waitFor()
  await product.readRows(
    `insert into membership (instance_id, id, person_id, creditor_id, role)
     select i.id, gen_random_uuid(), p.id, null, 'manager' from instance i, person p where not i.is_default and p.email = $1`,
    [EMAIL],
  )

  const page = await browser.open({ viewport: DESK })
  await page.setExtraHTTPHeaders({ 'Accept-Language': 'en' })
  await page.goto(await linkTo(EMAIL))
  await expectNarrow(page, 'an invitation')
  await page.getByRole('link', { name: OWN }).click()
  await pickAt(page)
  // The address of the invitation is remembered, and what it is offered shown at once.
  await page.waitForURL(/\/admin\/\?interaction=/)
  await page.goto('about:blank')
  await page.goto(`${product.address}/admin/#/dashboard?lng=en`)
  await page.getByRole('button', { name: OWN }).waitFor()
  await expectNarrow(page, 'the sign-in with an own one')
  await page.getByRole('button', { name: OWN }).click()
  await pickAt(page)
  await page.getByRole('navigation').first().waitFor()
  const session = await page.evaluate(async () => {
    const authorization = `Bearer ${sessionStorage.getItem('access_token')}`
    const answer = await fetch('/api/admin/session', { headers: { authorization } })
    return (await answer.json()) as { person: { email: string }; memberships: { role: string }[] }
  })
  expect([session.person.email, session.memberships.map(({ role }) => role)]).toEqual([EMAIL, ['support']])

  // Declined there, it goes on here.
  await page.goto(`${product.address}/admin/#/logout?lng=en`)
  await page.getByRole('heading', { name: 'You have signed out' }).waitFor()
  await page.goto('about:blank')
  await page.goto(`${product.address}/admin/#/dashboard?lng=en`)
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: OWN }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alert').getByText('The sign-in was cancelled there.').waitFor()
  await expectNarrow(page, 'a refused sign-in')
})
