import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import { logIn, mainText } from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('it moves the clock')
const browser = await runBrowser()

test('The link to a part of a plan that has ended says where the money is owed now', async () => {
  const page = await browser.open()
  const part = { reference: '260173612920', zip: '21115' }
  await logIn(page, product, part)
  await page.getByRole('button', { name: 'Pay 957,17 kr now' }).waitFor()
  await product.control('POST', 'clock', { advanceDays: 13 })
  await page.reload()
  await page.getByText('The part payment has ended.').waitFor()
  expect(await mainText(page)).toContain('You do not need to pay this invoice')
})
