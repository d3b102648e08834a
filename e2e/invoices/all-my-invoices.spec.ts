import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DESK, runBrowser } from '../testing/browser.ts'
import {
  ALVA,
  answerAtBank,
  arriveAtBank,
  fillLogin,
  headline,
  logIn,
  mainText,
  openLogin,
  payNowButton,
  startPage,
  type Invoiced,
} from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** What the API says that is owed on invoices and claims together, as the screen writes it. */
async function sumOf({ reference, zip }: Invoiced): Promise<string> {
  let cents = 0
  for (const subject of ['invoices', 'collection-batches']) {
    const { body } = await product.call('GET', `public/${subject}/${reference}/${zip}/stats`)
    for (const { balance } of body as { balance: number }[]) cents += Math.round(balance * 100)
  }
  const [, whole = '', rest = ''] = /^(\d+)(\d\d)$/.exec(String(cents)) ?? []
  return `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ' ')},${rest} kr`
}

test('I see everything that I owe, open one after another, and come back to the list', async () => {
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, ALVA)
  await page.getByRole('link', { name: 'Show all invoices' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hello Alva' }).waitFor()
  const rows = page.getByRole('table', { name: 'Open invoices' }).getByRole('row')
  expect(await rows.count()).toBe(7)
  const sum = await sumOf(ALVA)
  await expect.poll(() => mainText(page)).toContain(sum)
  await expect.poll(() => mainText(page)).toMatch(/[\d ]+,\d\d kr of this is paused or disputed/)
  expect(await mainText(page)).toContain('1–6 of 6')

  // Another reference of the same debtor is no other session: nobody asks.
  await page.getByRole('link', { name: 'To invoice 261111' }).click()
  await page.getByRole('heading', { level: 1, name: 'Invoice 261111' }).waitFor()
  await page.getByRole('link', { name: 'Show all invoices' }).click()
  await page.getByRole('row', { name: /261148/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Invoice 261148' }).waitFor()
  await page.goBack()
  await page.getByText('Paid invoices').click()
  // Under that name stands all that is closed; each says how.
  await page.getByText('5 closed').waitFor()
  for (const [number, end] of [
    ['261296', 'Paid'],
    ['261333', 'Credited'],
    ['261370', 'Stopped'],
  ] as const) {
    const row = page.getByRole('row').filter({ hasText: number })
    expect(await row.getByRole('cell').nth(1).innerText()).toBe(end)
  }
  await page.getByRole('link', { name: '261333' }).click()
  await page.getByRole('heading', { level: 1, name: 'Invoice 261333' }).waitFor()
  await page.getByText('You do not need to pay this invoice').waitFor()
  expect(await mainText(page)).not.toMatch(/Thank you for your payment|Paid – nothing/)
  await page.goBack()
  await page.getByText('Paid invoices').click()
  await page.getByRole('link', { name: '261296' }).click()
  await page.getByRole('heading', { level: 1, name: 'Invoice 261296' }).waitFor()
  expect(await mainText(page)).toContain('Paid – nothing more to do')
})

/** "1 234,50 kr" in cents. */
const centsOf = (text: string): number => Number(text.replaceAll(/\D/g, ''))

test('What I read adds up: the sum, the counters, the rows, and what is paid in parts', async () => {
  const nils = { reference: '260169998028', zip: '21115' }
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, nils)
  await page.getByRole('link', { name: 'Show all invoices' }).click()
  const figuresIn = async (table: string, column: string): Promise<number[]> => {
    const rows = page.getByRole('table', { name: table }).locator('tbody tr')
    await rows.first().waitFor()
    const heads = await page.getByRole('table', { name: table }).getByRole('columnheader').allInnerTexts()
    const place = heads.findIndex((head) => head.trim() === column)
    return (await rows.locator(`> :nth-child(${place + 1})`).allInnerTexts()).map(centsOf)
  }
  const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0)
  const bothTables = async (column: string): Promise<number[]> => [
    ...(await figuresIn('Open claims', column)),
    ...(await figuresIn('Open invoices', column)),
  ]
  const due = await bothTables('Total due')
  const header = page.getByRole('region', { name: 'To pay' })
  await expect.poll(() => header.innerText()).toContain('is paid in parts')
  const told = await header.innerText()
  const [owed = '', planned = ''] = [
    /[\d\s]+,\d\d\skr/.exec(told)?.[0],
    /([\d\s]+,\d\d\skr) of this is paid in parts/.exec(told)?.[1],
  ]
  expect(await sumOf(nils)).toBe(owed.replaceAll(/\s+/g, ' ').trim())
  expect(centsOf(owed)).toBe(sum(due))
  expect(sum(await bothTables('To pay'))).toBe(sum(due))
  const inParts = page.getByRole('row').filter({ hasText: 'by instalments' })
  expect(sum((await inParts.locator('> :nth-child(5)').allInnerTexts()).map(centsOf))).toBe(centsOf(planned))
  for (const [subject, table] of [
    ['invoices', 'Open invoices'],
    ['collection-batches', 'Open claims'],
  ] as const) {
    const { body } = await product.call('GET', `public/${subject}/${nils.reference}/${nils.zip}/stats`)
    const rows = (await figuresIn(table, 'To pay')).length
    expect((body as { count: number }[]).map(({ count }) => count)).toEqual([rows])
    expect(told.replaceAll(/\s+/g, ' ')).toContain(`${table} ${rows}`)
  }
})

test('The list is for whoever is signed in, and a refresh keeps it', async () => {
  const page = await browser.open()
  await page.goto(`${product.address}/en/dashboard`)
  await startPage(page).waitFor()
  await logIn(page, product, ALVA)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'All invoices' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hello Alva' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Hello Alva' }).waitFor()
  await page.getByRole('link', { name: 'To invoice 261074' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hello Alva' }).waitFor()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Log out' }).click()
  await startPage(page).waitFor()
  await page.goBack()
  await startPage(page).waitFor()
  expect(await page.getByText('Hello Alva').count()).toBe(0)
})

test('I keep my invoices and claims as files', async () => {
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, ALVA)
  await page.getByRole('link', { name: 'Show all invoices' }).click()
  await page.getByText('Download as a file').click()
  const save = async (list: string, format: string): Promise<[name: string, begins: string]> => {
    const saved = page.waitForEvent('download')
    await page.getByRole('group', { name: list }).getByRole('button', { name: format }).click()
    const file = await saved
    return [file.suggestedFilename(), readFileSync(await file.path(), 'latin1').slice(0, 20)]
  }
  expect(await save('All invoices', 'PDF')).toEqual([
    expect.stringMatching(/^Invoices .*\.pdf$/),
    expect.stringMatching(/^%PDF-/),
  ])
  expect(await save('All invoices', 'Excel')).toEqual([
    expect.stringMatching(/\.xlsx$/),
    expect.stringMatching(/^PK/),
  ])
  expect(await save('All claims', 'CSV')).toEqual([
    expect.stringMatching(/^Claims .*\.csv$/),
    expect.stringContaining('Claim number'),
  ])
})

test('I log in with the reference of a demand, see what it is made of, and pay it', async () => {
  const claim = { reference: '770231451327', zip: '11122' }
  const page = await browser.open({ viewport: DESK })
  await openLogin(page, product)
  await fillLogin(page, claim.reference, claim.zip)
  await page.getByRole('heading', { level: 1, name: 'Claim 702369' }).waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('loggedInWithCollectionBatch'))).toBe('true')
  await page.getByRole('button', { name: 'More details' }).click()
  const dialog = page.getByRole('dialog', { name: 'More details' })
  await dialog.getByText('Invoice 261185').click()
  await dialog.getByText('Purchase date').waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('radio', { name: /^Pay now/ }).check()
  await payNowButton(page).click()
  await arriveAtBank(page)
  await answerAtBank(page, 'Approve')
  await page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
  await page.getByRole('button', { name: 'Return to claim' }).click()
  await page.getByText('Paid – nothing more to do').waitFor()
  await page.getByRole('link', { name: 'Show all invoices' }).click()
  await page.getByRole('table', { name: 'Open claims' }).waitFor()
  await page.getByRole('table', { name: 'Open invoices' }).waitFor()
  await page.getByRole('link', { name: 'To claim 702406' }).click()
  await page.getByRole('heading', { level: 1, name: 'Claim 702406' }).waitFor()
})

test('A link from a letter needs no hash, and leads to the invoice that it names', async () => {
  const page = await browser.open({ language: 'sv' })
  await page.goto(`${product.address}/sv/invoice/${ALVA.reference}/${ALVA.zip}?invoiceNumber=${ALVA.number}`)
  await page.getByRole('heading', { level: 1, name: `Faktura ${ALVA.number}` }).waitFor()
  expect(page.url()).toBe(
    `${product.address}/#/sv/invoice/${ALVA.reference}/${ALVA.zip}?invoiceNumber=${ALVA.number}`,
  )
  await page.goto(`${product.address}/#/sv/somewhere?ref=dashboard`)
  await page.getByRole('heading', { level: 1, name: 'Hej Alva' }).waitFor()
})

test('I find customer service, with my reference and the sender at hand', async () => {
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, ALVA)
  await page.getByRole('link', { name: 'Customer service' }).click()
  await page.getByRole('heading', { level: 2, name: 'The sender' }).waitFor()
  expect(await headline(page).innerText()).toBe('Customer service')
  const text = await mainText(page)
  expect(text).toContain('2601 0492 9823')
  expect(text).toContain('Pulsverket Demo Gym AB')
  expect(text).toContain('Testvägen 8')
  // The same page for whoever only has the letter: the pair stands in the address.
  const other = await browser.open()
  const pair = `paymentReference=${ALVA.reference}&zip=${ALVA.zip}`
  await other.goto(`${product.address}/#/en/customerService?${pair}`)
  await other.getByRole('heading', { level: 2, name: 'The sender' }).waitFor()
})
