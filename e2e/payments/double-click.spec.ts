import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import {
  ALVA,
  answerAtBank,
  arriveAtBank,
  choosePayNow,
  ELIAS,
  logIn,
  MAJ,
  payNowButton,
} from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('A double click on pay places one order', async () => {
  const page = await browser.open()
  await logIn(page, product, ELIAS)
  await choosePayNow(page)
  await payNowButton(page).dblclick()
  await arriveAtBank(page)
  expect(await product.ordersFor(ELIAS.reference)).toHaveLength(1)
  await answerAtBank(page, 'Approve')
  await page.getByText('The invoice is closed.').waitFor()
  expect((await product.ordersFor(ELIAS.reference)).map(({ status }) => status)).toEqual(['executed'])
})

test('Enter and a click in the same moment place one order', async () => {
  const page = await browser.open()
  await logIn(page, product, MAJ)
  await choosePayNow(page)
  await payNowButton(page).focus()
  const { x, y } = (await payNowButton(page).boundingBox()) ?? { x: 0, y: 0 }
  await Promise.all([page.keyboard.press('Enter'), page.mouse.click(x + 20, y + 20)])
  await arriveAtBank(page)
  expect(await product.ordersFor(MAJ.reference)).toHaveLength(1)
})

test('Paying in two tabs at once leads both to the same order', async () => {
  const page = await browser.open()
  await logIn(page, product, ALVA)
  const other = await browser.openTab(page)
  await logIn(other, product, ALVA)
  await Promise.all([payNowButton(page).dispatchEvent('click'), payNowButton(other).dispatchEvent('click')])
  await arriveAtBank(page)
  await arriveAtBank(other)
  expect(other.url()).toBe(page.url())
  expect(await product.ordersFor(ALVA.reference)).toHaveLength(1)
})

test('Going back from the bank and pressing pay again leads to the same order', async () => {
  const page = await browser.open()
  // This invoice has no document, which its page is told with a refusal.
  browser.expectTrouble(/400 .*documents/)
  await logIn(page, product, { reference: '260159153329', zip: '90325' })
  await choosePayNow(page)
  await payNowButton(page).click()
  await arriveAtBank(page)
  const bank = page.url()
  await page.goBack()
  await choosePayNow(page)
  await payNowButton(page).click()
  await arriveAtBank(page)
  expect(page.url()).toBe(bank)
  expect(await product.ordersFor('260159153329')).toHaveLength(1)
})
