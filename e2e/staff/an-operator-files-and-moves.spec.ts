import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { castBgMax } from '../../apps/server/src/demo/cast-bgmax.ts'
import { readCast } from '../../apps/server/src/demo/cast.ts'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ownProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const cast = readCast(fileURLToPath(new URL('../../apps/server/demo', import.meta.url)))
const bankgiro =
  cast.creditors.find(({ account }) => account.scheme === 'BANKGIRO')?.account.accountNumber ?? ''
const product = await ownProduct('it moves the clock')
const browser = await runBrowser()

async function signInAtDesk(email: string): Promise<Page> {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  return page
}

type Claim = { readonly id: string; readonly number: string }
/** A claim of the first creditor whose schedule has ended. */
async function findEnded(): Promise<Claim | undefined> {
  const [claim] = await product.readRows<Claim>(
    `select c.id, c.claim_number as number from task t join claim c on t.about = 'claim:' || c.id
     join creditor k on k.id = c.creditor_id where t.kind = 'schedule_ended' and t.done_at is null and k.name like 'Fjäll%'
     order by c.claim_number limit 1`,
  )
  return claim
}

test('a creditor wants a claim filed; the operator files it, records what was decided, and each sees it', async () => {
  await product.control('POST', 'clock', { advanceDays: 25 })
  await expect.poll(findEnded, { timeout: 30_000 }).toBeDefined()
  const claim = (await findEnded()) as Claim

  const theirs = await browser.open({ viewport: DESK })
  await signInStaff(theirs, product, { email: 'creditor@kvitt.example', hash: `#/claims/${claim.id}` })
  await theirs.getByRole('button', { name: /Apply to the authority/ }).click()
  const dialog = theirs.getByRole('dialog')
  await dialog.getByText(/The application costs: 680\.00/).waitFor()
  await expectAccessible(theirs, 'an instruction with its cost')
  await dialog.getByRole('button', { name: 'Give the instruction' }).click()
  await theirs.getByText(`The instruction for ${claim.number} is given`).first().waitFor()

  const page = await signInAtDesk('handler@kvitt.example')
  await page.getByRole('link', { name: /To do/ }).first().click()
  await page
    .getByRole('row', { name: /File with the authority/ })
    .getByRole('link')
    .click()
  await page.getByRole('button', { name: 'Record an application' }).click()
  await page.getByLabel('Authority').fill('Kronofogden')
  await page.getByLabel('Case number').fill('01-4711-26')
  await expectAccessible(page, 'an application that is recorded')
  await page.getByRole('dialog').getByRole('button', { name: 'Record it' }).click()
  await page.getByText(`The application of ${claim.number} is recorded`).first().waitFor()

  await page.goto(`${product.address}/admin/#/claims/${claim.id}`)
  const court = page.getByRole('region', { name: 'Before the authority' })
  await court.getByText('Waits for the authority').waitFor()
  await court.getByRole('button', { name: 'Record a decision' }).click()
  await page.getByRole('radio', { name: /The debtor objects/ }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Record it' }).click()
  await court.getByText('Objected to').waitFor()
  await page.getByText('Disputed', { exact: true }).first().waitFor()
  await expectAccessible(page, 'a claim before the authority')

  await theirs.reload()
  const seen = theirs.getByRole('region', { name: 'Before the authority' })
  await seen.getByText('01-4711-26').waitFor()
  expect(await seen.getByRole('button').count(), 'recording is the operator’s').toBe(0)
})

type Open = {
  readonly id: string
  readonly number: string
  readonly reference: string
  readonly minor: number
}

test('finance moves money to the invoice that it was meant for, after seeing what that changes', async () => {
  const [wrong, right] = await product.readRows<Open>(
    `select i.id, i.invoice_number as number, i.payment_reference as reference, i.balance_minor::int as minor from invoice i
     join creditor k on k.id = i.creditor_id where k.name like 'Fjäll%' and i.status = 'ACTIVATED' and not i.is_part_payment
       and i.type = 'INVOICE' and i.currency = 'SEK' and i.balance_minor between 100 and 200000
     order by i.invoice_number limit 2`,
  )
  if (!wrong || !right) throw new Error('the demo has no two open invoices')
  const { today } = await product.control<{ today: string }>('GET', 'clock')
  const page = await signInAtDesk('finance@kvitt.example')
  await page.goto(`${product.address}/admin/#/payment-batches`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add a file' }).click()
  const text = castBgMax({
    bankgiro,
    day: today as never,
    payments: [{ reference: wrong.reference, amountMinor: 10_000 }],
    serial: 91,
  })
  await (await chooser).setFiles({
    name: 'wrong.bgmax',
    mimeType: 'text/plain',
    buffer: Buffer.from(text, 'latin1'),
  })
  await page.getByRole('heading', { name: 'wrong.bgmax' }).waitFor()
  const [payment] = await product.readRows<{ id: string }>(
    `select id from ledger_transaction where kind = 'PAYMENT' and invoice_id = $1 order by posted_at desc limit 1`,
    [wrong.id],
  )
  await page.goto(`${product.address}/admin/#/payments/${payment?.id}`)
  await page.getByRole('button', { name: 'Move…' }).click()
  const dialog = page.getByRole('dialog')
  browser.expectTrouble(/preview/)
  await dialog.getByLabel(/Number, reference or id/).fill('99999999')
  await dialog.getByRole('button', { name: 'See what changes' }).click()
  await dialog
    .getByText(/There is no invoice and no claim 99999999 here/)
    .first()
    .waitFor()
  await dialog.getByLabel(/Number, reference or id/).fill(right.number)
  await dialog.getByRole('button', { name: 'See what changes' }).click()
  await page.getByRole('heading', { name: 'What is owed, now and then' }).waitFor()
  await expectAccessible(page, 'what a move changes')
  await page.getByLabel('Reason').fill('The payer named the wrong invoice')
  await page.getByRole('button', { name: /^Move 100\.00/ }).click()
  await page.getByText('The payment is moved').first().waitFor()
  await page.getByText('Reversed', { exact: true }).first().waitFor()
  const owed = async (id: string) =>
    (
      await product.readRows<{ minor: number }>(
        'select balance_minor::int as minor from invoice where id = $1',
        [id],
      )
    )[0]?.minor
  expect([await owed(wrong.id), await owed(right.id)]).toEqual([wrong.minor, right.minor - 10_000])

  const support = await signInAtDesk('support@kvitt.example')
  await support.goto(`${product.address}/admin/#/payments/${payment?.id}`)
  await support.getByText('Reversed', { exact: true }).first().waitFor()
  expect(await support.getByRole('button', { name: 'Move…' }).count()).toBe(0)
})
