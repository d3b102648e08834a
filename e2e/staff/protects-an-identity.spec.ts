import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('a manager hides where a person lives, looks at it with a reason, and enters a guardian', async () => {
  const [found] = await product.readRows<{ id: string; name: string; address: string }>(
    `select d.id, d.name, d.address from debtor d join instance n on n.id = d.instance_id and n.is_default
     where d.kind = 'PERSON' and d.address <> ''
       and exists (select from invoice i where i.instance_id = d.instance_id and i.debtor_id = d.id and i.status = 'ACTIVATED')
     order by d.id limit 1`,
  )
  const { id = '', name = '', address = '' } = found ?? {}
  expect(address).not.toBe('')
  try {
    const page = await browser.open({ viewport: DESK })
    await page.goto(`${product.address}/admin/#/debtors/${id}?lng=en`)
    await page.getByLabel('E-mail').fill('manager@kvitt.example')
    await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
    await page.keyboard.press('Enter')
    await page.getByText(address).first().waitFor()

    await page.getByRole('button', { name: 'Protect the identity' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Source').fill('The population register, by telephone')
    await expectAccessible(page, 'a protected identity is set')
    await dialog.getByRole('button', { name: 'Protect the identity' }).click()
    await page.getByText('Hidden: protected identity').waitFor()
    expect(await page.getByText(address).count()).toBe(0)
    await page.getByText('Has a protected identity').waitFor()

    await page.getByRole('button', { name: 'Show the address' }).click()
    await dialog.getByLabel('Reason').fill('A letter has come back.')
    await dialog.getByRole('button', { name: 'Show the address' }).click()
    await page.getByRole('dialog').getByText(address).first().waitFor()
    await expectAccessible(page, 'how a protected person is reached')
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    expect(await page.getByRole('button', { name: 'Enter a guardian' }).count(), 'nothing asks for one').toBe(
      0,
    )
    await page.getByRole('button', { name: 'Set a flag' }).click()
    await dialog.getByLabel('Is a minor').check()
    await dialog.getByLabel('Source').fill('The population register')
    await dialog.getByRole('button', { name: 'Set a flag' }).click()
    await page.getByRole('heading', { name: 'Is a minor' }).waitFor()

    await page.getByRole('button', { name: 'Enter a guardian' }).click()
    await dialog.getByLabel('Name').fill('Gun Provlund')
    await dialog.getByLabel('Address', { exact: true }).fill('Provgatan 9')
    await dialog.getByLabel('Zip').fill('41105')
    await dialog.getByLabel('City').fill('Göteborg')
    await dialog.getByLabel('Proof').fill('The register’s extract of 1 November')
    await dialog.getByRole('button', { name: 'Enter a guardian' }).click()
    await page.getByRole('heading', { name: 'Gun Provlund' }).waitFor()
    expect(await page.getByText('Provgatan 9').count(), 'they may live together').toBe(0)
    await expectAccessible(page, 'a debtor with a guardian')
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, 'a debtor with a guardian, on a phone')

    await page.getByRole('button', { name: 'Acts no longer' }).click()
    await dialog.getByLabel('Reason').fill('Of age.')
    await dialog.getByRole('button', { name: 'Acts no longer' }).click()
    await page.getByRole('button', { name: 'Enter a guardian' }).waitFor()
    for (const kind of ['Is a minor', 'Has a protected identity']) {
      const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: kind }) })
      await row.getByRole('button', { name: 'No longer true' }).click()
      await dialog.getByLabel('Reason').fill('Lifted by the authority.')
      await dialog.getByRole('button', { name: 'No longer true' }).click()
      await dialog.waitFor({ state: 'detached' })
      await row.getByRole('button', { name: 'No longer true' }).waitFor({ state: 'detached' })
    }
    await page.getByText(address).first().waitFor()
    expect(name).not.toBe('')
  } finally {
    await product.readRows(
      `update debtor_flag set ended_on = current_date, ended_by = 'person:x', end_reason = 'x' where debtor_id = $1 and ended_on is null returning id`,
      [id],
    )
  }
})
