import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** A paid invoice of the background, with a letter of it: it ended forty months ago. */
async function endOneLongAgo(): Promise<{ id: string; debtor_id: string }> {
  const [invoice] = await product.readRows<{ id: string; debtor_id: string }>(
    `update debt_end e set ended_on = (current_date - interval '40 months')::date from invoice i
     where e.debt_id = i.id and e.debt_id = (
       select i.id from invoice i join instance n on n.id = i.instance_id and n.is_default
       where i.status = 'CLOSED' and i.claim_id is null and i.type = 'INVOICE'
         and not exists (select from part_payment_member m where m.debt_id = i.id)
         and exists (select from mail_outbox m where m.invoice_id = i.id and m.status <> 'WAITING') order by i.id limit 1)
     returning i.id, i.debtor_id`,
  )
  if (!invoice) throw new Error('the demo has no paid invoice with a letter')
  return invoice
}

test('a manager sees what is over its time, lets it go, and hands out what is held about a person', async () => {
  const { id, debtor_id: debtorId } = await endOneLongAgo()
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/data-protection?lng=en`)
  await page.getByLabel('E-mail').fill('manager@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'How long it is kept' }).waitFor()
  await page.getByRole('button', { name: 'Look now' }).click()
  await page.getByRole('heading', { name: '2 to let go' }).waitFor()
  await page.getByText(id.slice(0, 8)).first().waitFor()
  await expectAccessible(page, 'what is over its time')
  await page.getByRole('button', { name: 'Erase …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The yearly run')
  await dialog.getByRole('button', { name: 'Erase' }).click()
  await page.getByText('2 of 2').waitFor()
  const left = await product.readRows(
    `select i.status, (select count(*)::int from mail_outbox m where m.invoice_id = i.id and m.text_body <> '[erased]') as letters
     from invoice i where i.id = '${id}'`,
  )
  expect(left).toEqual([{ status: 'ARCHIVED', letters: 0 }])
  await page.goto(`${product.address}/admin/#/debtors/${debtorId}?lng=en`)
  await page.getByRole('button', { name: 'Hand out …' }).click()
  await dialog.getByLabel('Reason').fill('Asked by letter, with a copy of an identity card')
  await dialog.getByRole('button', { name: 'Make the file' }).click()
  await page.getByText(/Ready to fetch until/).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Fetch the file' }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.pdf$/)
  await expectAccessible(page, 'personal data of a debtor')
  const deeds = await product.readRows(`select reason from audit_event where kind = 'person_exported'`)
  expect(deeds).toEqual([{ reason: 'Asked by letter, with a copy of an identity card' }])
})
