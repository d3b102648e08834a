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

test('The outcome comes while I press "Return to invoice": the press counts', async () => {
  const page = await browser.open()
  const who = { reference: '260169998028', zip: '21115' }
  await logIn(page, product, who)
  await choosePayNow(page)
  await payNowButton(page).click()
  await arriveAtBank(page)
  let answer = (): void => {}
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/payment-requests/status*', async (route) => {
    await mayAnswer
    await route.continue()
  })
  await answerAtBank(page, 'Approve')
  const back = page.getByRole('button', { name: 'Return to invoice' })
  const { x, y } = (await back.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(x + 20, y + 20)
  await page.mouse.down()
  const heard = page.waitForResponse('**/payment-requests/status*')
  answer()
  await (await heard).finished()
  // Long enough to be drawn, were nobody pressing.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))
  await page.mouse.up()
  await page.getByRole('heading', { level: 1, name: /^Invoice / }).waitFor()
  expect(page.url()).toContain(`/invoice/${who.reference}`)
})

test('A press that ends beside the button lets the outcome be seen', async () => {
  const page = await browser.open()
  const who = { reference: '260112159629', zip: '11122' }
  await logIn(page, product, who)
  await payNowButton(page).click()
  await arriveAtBank(page)
  await answerAtBank(page, 'Approve')
  await page.mouse.move(200, 790)
  await page.mouse.down()
  await page.mouse.move(200, 700)
  await page.mouse.up()
  await page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
  expect(page.url()).toContain('/confirmation/')
})
