import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('support takes a request for a copy down, and a handler hands the file out and answers it, on a desk and in the dark on a phone', async () => {
  const [debtor] = await product.readRows<{ id: string; name: string }>(
    `select d.id, d.name from debtor d join instance n on n.id = d.instance_id and n.is_default order by d.id desc limit 1`,
  )
  const { id = '', name = '' } = debtor ?? {}
  const signIn = async (email: string, hash: string) => {
    const page = await browser.open({ viewport: DESK })
    await page.goto(`${product.address}/admin/${hash}?lng=en`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
    await page.keyboard.press('Enter')
    return page
  }
  const support = await signIn('support@kvitt.example', `#/debtors/${id}`)
  await support.getByText('This person has asked for nothing.').waitFor()
  await support.getByRole('button', { name: 'Take down a request' }).click()
  const taking = support.getByRole('dialog')
  await taking.getByLabel('Telephone').check()
  await taking.getByLabel('In the person’s words').fill('What do you know about me?')
  await expectAccessible(support, 'a request that is taken down')
  await taking.getByRole('button', { name: 'Take it down' }).click()
  await taking.waitFor({ state: 'detached' })
  await support.getByRole('heading', { name: 'A copy of their data' }).waitFor()
  // Who takes it down answers nothing.
  expect(await support.getByRole('button', { name: 'The copy is handed out …' }).count()).toBe(0)
  await expectAccessible(support, 'requests of a debtor')

  const page = await signIn('handler@kvitt.example', '#/tasks')
  const named = page.getByRole('link', { name: 'Answer a request about personal data' })
  // Whoever comes here first reads every name beside it, not what stands for one.
  await page.getByRole('link', { name: 'Bank files' }).waitFor()
  await named.first().click()
  await page.getByRole('table').or(page.getByRole('list')).getByText('Answer a request').last().click()
  await page.getByRole('heading', { name }).waitFor()
  await page.getByText('Kept until the request is answered').waitFor()
  await expectAccessible(page, 'the case of a request')
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'the case of a request on a phone')
  const dialog = page.getByRole('dialog').last()
  const handedOut = async () => {
    await page.getByRole('button', { name: 'The copy is handed out …' }).click()
    await dialog.getByRole('button', { name: 'It is handed out' }).click()
  }
  browser.expectTrouble(/400/)
  await handedOut()
  await dialog.getByText('Nobody has fetched a file').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Hand out …' }).click()
  await dialog.getByLabel('Reason').fill('Called back on the number that we have')
  await dialog.getByRole('button', { name: 'Make the file' }).click()
  await page.getByText(/Ready to fetch until/).waitFor()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Fetch the file' }).click()
  expect((await file).suggestedFilename()).toMatch(/\.pdf$/)
  await handedOut()
  await page.getByText('Answered.').waitFor()
  const deeds = await product.readRows(
    `select kind from audit_event where about = 'debtor:${id}' and kind like 'data_request%' order by seq`,
  )
  expect(deeds).toEqual([{ kind: 'data_request_entered' }, { kind: 'data_request_answered' }])
})
