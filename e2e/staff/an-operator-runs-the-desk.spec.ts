import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('its mail does not leave')
const browser = await runBrowser()

/** `start` is where whoever signs in begins. */
async function signIn(email: string, start: string | RegExp = 'Dashboard') {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: start }).waitFor()
  return page
}

test('an operator reads what last night did, and has it done once more', async () => {
  const page = await signIn('admin@kvitt.example')
  await page.getByRole('link', { name: 'Jobs and runs' }).click()
  await page.getByRole('link', { name: 'Daily run', exact: true }).first().click()
  const panel = page.getByRole('region', { name: /^Run for/ })
  await panel.getByText('Took').waitFor()
  await expectAccessible(page, 'a run')

  await page.getByRole('button', { name: 'Run now' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Settlements/).check()
  await dialog.getByRole('button', { name: 'Run now' }).click()
  await panel.getByText('Admin').waitFor()
  await expect.poll(() => panel.getByText('Done', { exact: true }).count()).toBeGreaterThan(0)
})

test('an operator changes a colour and a phone number, and is told what becomes of the colour', async () => {
  const page = await signIn('admin@kvitt.example')
  await page.getByRole('link', { name: 'Our company' }).click()
  await page.getByLabel('Buttons').fill('#808080')
  await page.getByText('Button: shown as').first().waitFor()
  await expectAccessible(page, 'the provider')
  await page.getByLabel('Phone').fill('not a number')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Not a valid phone number.').first().waitFor()
  await page.getByLabel('Phone').fill('+46 8 123 45 67')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The changes are saved').first().waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Phone').inputValue()).toBe('+46 8 123 45 67')
  expect(await page.getByLabel('Buttons').inputValue()).toBe('#808080')
})

test('an operator invites a colleague, finds that the message did not leave, and sends it again', async () => {
  const page = await signIn('admin@kvitt.example')
  // More than once: the invitation may not be the only message that leaves meanwhile.
  await product.control('POST', 'faults', { target: 'mail', fault: 'error500', times: 50 })
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('link', { name: 'Demo Approver' }).waitFor()
  await expectAccessible(page, 'the operator’s users')
  await page.keyboard.press('n')
  await page.getByLabel('E-mail').fill('ny.handlaggare@kvitt.example')
  await page.getByLabel('Name').fill('Ny Handläggare')
  await page.getByLabel(/^Case handler/).check()
  await page.keyboard.press('Control+Enter')
  await page.getByText('The invitation is sent').first().waitFor()

  await page.getByRole('link', { name: 'Outbox and print' }).click()
  await page.getByRole('link', { name: 'Waiting', exact: true }).click()
  await page
    .getByRole('link', { name: /^You are invited/ })
    .first()
    .click()
  const panel = page.getByRole('region', { name: /^You are invited/ })
  // It is opened before it was tried, when others are tried first.
  const refused = panel.getByText('SMTP 451').first()
  await expect
    .poll(
      async () => {
        if (await refused.isVisible()) return true
        await page.reload()
        await panel.waitFor()
        return refused.isVisible()
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toBe(true)
  await product.control('DELETE', 'faults')
  await expectAccessible(page, 'a message')
  await panel.getByRole('button', { name: 'Try now' }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('It is being tried').first().waitFor()
  const arrived = async () =>
    (await product.control<{ to: string }[]>('GET', 'mail')).some(({ to }) => to.includes('ny.handlaggare'))
  await expect.poll(arrived, { timeout: 20_000 }).toBe(true)

  // What they were invited to ends again: others find the product as it was.
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('link', { name: 'Ny Handläggare' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Ny Handläggare is removed').first().waitFor()
})

test('one person proposes another reminder fee of a creditor, and another approves it', async () => {
  const page = await signIn('manager@kvitt.example')
  await page.getByRole('link', { name: 'Creditors' }).click()
  await page.getByText('Fjällström Demo Energi AB').first().click()
  await page.getByRole('heading', { name: 'What debtors are charged' }).waitFor()
  await page.getByRole('button', { name: 'Propose a change of the reminder fee' }).click()
  const dialog = page.getByRole('dialog')
  const source = dialog.getByLabel('Where it is written')
  await source.fill('')
  await dialog.getByRole('button', { name: /^Propose/ }).click()
  await dialog.getByText('Following field must be provided').waitFor()
  await expectAccessible(page, 'a proposed reminder fee')
  await source.fill('General terms 2026, section 9')
  await dialog.getByRole('button', { name: /^Propose/ }).click()
  await page.getByText('The proposal waits for another person').first().waitFor()
  expect(await page.getByText('General terms 2026, section 9').count()).toBe(0)

  const other = await signIn('approver@kvitt.example', /./)
  await other.getByRole('link', { name: 'Proposals' }).click()
  await other.getByText('Reminder fee of a creditor').first().click()
  await other.getByRole('cell', { name: 'General terms 2026, section 9' }).waitFor()
  await expectAccessible(other, 'a reminder fee to approve')
  await other.getByRole('button', { name: 'Approve', exact: true }).click()
  await other
    .getByRole('dialog')
    .getByRole('button', { name: /^Approve/ })
    .click()
  await other.getByText('Approved').first().waitFor()

  await page.reload()
  await page.getByText(/General terms 2026, section 9/).waitFor()
})
