import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('a viewer finds a debtor’s part payment, its instalments, and the way to what it pays', async () => {
  const [plan] = await product.readRows<{ number: string; name: string; invoice: string }>(
    `select p.number, d.name, i.invoice_number as invoice from part_payment p
     join creditor c on c.id = p.creditor_id and c.name like 'Fjällström%'
     join debtor d on d.id = p.debtor_id
     join part_payment_member m on m.part_payment_id = p.id join invoice i on i.id = m.invoice_id
     where p.status = 'ACTIVE' order by p.started_on, p.id limit 1`,
  )
  const { number = '', name = '', invoice = '' } = plan ?? {}
  const page = await browser.open({ viewport: DESK })
  await signInStaff(page, product, { email: 'viewer@kvitt.example', hash: '#/plans' })
  await page.getByRole('searchbox').last().fill(invoice)
  // The debtor has another: until the search is answered both stand there.
  const row = page.getByRole('row').filter({ hasText: number })
  await row.getByRole('link', { name: new RegExp(name) }).click()
  await page.getByRole('heading', { name: `Part payment ${number}` }).waitFor()
  await page.getByRole('heading', { name: 'Instalments' }).waitFor()
  await expectAccessible(page, 'a part payment')
  const rows = page.getByRole('table', { name: 'Instalments' }).getByRole('row')
  expect(await rows.count()).toBeGreaterThan(2)
  await page.getByRole('link', { name: `Invoice ${invoice}` }).click()
  await page.getByRole('heading', { name: invoice }).waitFor()
})
