import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { runBrowser } from '../testing/browser.ts'
import {
  ALVA,
  answerAtBank,
  arriveAtBank,
  ELIAS,
  logIn,
  MAJ,
  payNowButton,
  statusOf,
  type Invoiced,
} from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const RECEIPT = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') }

/** A photograph of a camera's size, as this browser writes it. */
async function takePhoto(page: Page, name: string) {
  const data = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 4032, height: 3024 })
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('nothing to draw with')
    for (let x = 0; x < 4032; x += 7) {
      pen.fillStyle = `hsl(${x * 13} 60% ${30 + ((x * 7) % 40)}%)`
      pen.fillRect(x, 0, 7, (x * 31) % 3024)
    }
    const url = canvas.toDataURL('image/jpeg', 0.8)
    return url.slice(url.indexOf(',') + 1)
  })
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from(data, 'base64') }
}

async function openDispute(page: Page, who: Invoiced): Promise<Locator> {
  await logIn(page, product, who)
  await page
    .getByRole('region', { name: /is something wrong/ })
    .getByRole('button', { name: 'Dispute invoice' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Dispute invoice' })
  await dialog.getByLabel('E-mail').fill('me@example.com')
  await dialog.getByLabel('Reason for dispute').fill('It came broken.')
  return dialog
}

const fileField = (at: Locator | Page): Locator => at.getByLabel('Choose files')
const sentFiles = (page: Page): Locator => page.getByRole('region', { name: 'Files in your dispute' })
const send = (dialog: Locator) => dialog.getByRole('button', { name: 'Dispute invoice' }).click()

test('I dispute with a photo: it goes along, I can see and save it, and nobody else can', async () => {
  const page = await browser.open()
  const dialog = await openDispute(page, ELIAS)
  const photo = await takePhoto(page, 'broken box.jpg')
  await fileField(dialog).setInputFiles([photo, RECEIPT])
  await dialog.getByRole('listitem').filter({ hasText: 'receipt.pdf' }).waitFor()
  await send(dialog)
  await page.getByText('The invoice is now registered as disputed.').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
  const sent = sentFiles(page)
  await sent.getByRole('button', { name: /^receipt\.pdf/ }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sent.getByRole('button', { name: /^broken box\.jpg/ }).click(),
  ])
  expect(download.suggestedFilename()).toBe('broken box.jpg')
  expect(readFileSync(await download.path()).equals(photo.buffer)).toBe(true)
  // The invoice's own copy is still the only thing to download there.
  expect(await page.getByText('Documents (1)').count()).toBe(1)

  const files = `public/invoices/${ELIAS.reference}/${ELIAS.zip}/dispute/files`
  const [{ fileName }] = (await product.call('GET', files)).body as [{ fileName: string }]
  const others = [
    files.replace(ELIAS.zip, MAJ.zip),
    `public/invoices/${MAJ.reference}/${MAJ.zip}/dispute/files`,
    `debtor/invoices/dispute/files?paymentReference=${ELIAS.reference}`,
    `storage/${fileName.slice(0, 30)}${fileName[30] === 'A' ? 'B' : 'A'}${fileName.slice(31)}`,
    'storage/broken%20box.jpg',
  ]
  for (const other of others) {
    const answer = await product.call('GET', other)
    expect([400, 401, 404], other).toContain(answer.status)
    expect(answer.text, other).not.toContain('broken box')
  }
})

test('Paid after all: what I sent can still be seen, and nothing more can be added', async () => {
  const page = await browser.open()
  const dialog = await openDispute(page, ALVA)
  await fileField(dialog).setInputFiles([RECEIPT])
  await send(dialog)
  await sentFiles(page)
    .getByRole('button', { name: /^receipt\.pdf/ })
    .waitFor()
  await payNowButton(page).click()
  await arriveAtBank(page)
  await answerAtBank(page, 'Approve')
  await page.getByRole('button', { name: 'Return to invoice' }).click()
  await page.getByRole('heading', { name: 'Paid – nothing more to do' }).waitFor()
  expect(await statusOf(product, ALVA)).toBe('CLOSED')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sentFiles(page).getByRole('button', { name: 'receipt.pdf' }).click(),
  ])
  expect(readFileSync(await download.path()).equals(RECEIPT.buffer)).toBe(true)
  expect(await fileField(page).count()).toBe(0)
})

test('What cannot be sent is said before anything is sent, and what I chose can be taken away', async () => {
  const page = await browser.open()
  const dialog = await openDispute(page, { reference: '260108544727', zip: '11122' })
  const field = fileField(dialog)
  await field.setInputFiles([
    { name: 'photo.heic', mimeType: 'image/heic', buffer: Buffer.from('\0\0\0\u0018ftypheic') },
    { name: 'nothing.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) },
    {
      name: 'long film.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.alloc(11 * 1024 * 1024, '%PDF-1.4'),
    },
    RECEIPT,
  ])
  await dialog
    .getByText('photo.heic was not added. It is not a PDF or a picture that we can receive.')
    .waitFor()
  await dialog.getByText('nothing.pdf was not added. It is empty.').waitFor()
  await dialog.getByText('long film.pdf was not added. It is larger than 10 MB.').waitFor()
  const list = dialog.getByRole('list', { name: 'Files to send' })
  expect(await list.getByRole('listitem').count()).toBe(1)
  await expectAccessible(page, 'dialog with files')
  await list.getByRole('button', { name: 'Remove receipt.pdf' }).press('Enter')
  expect(await list.count()).toBe(0)
  const many = Array.from({ length: 11 }, (_, n) => ({ ...RECEIPT, name: `page ${n + 1}.pdf` }))
  await field.setInputFiles(many)
  await dialog.getByText('page 11.pdf was not added. There can be at most 10 files.').waitFor()
  expect(await list.getByRole('listitem').count()).toBe(10)
  // A closed dialog loses nothing.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('region', { name: /is something wrong/ })
    .getByRole('button')
    .first()
    .click()
  expect(await list.getByRole('listitem').count()).toBe(10)
})

test('A file that is lost on the way is told, the dispute stands, and it goes when I try again', async () => {
  const page = await browser.open()
  const dialog = await openDispute(page, MAJ)
  await fileField(dialog).setInputFiles([RECEIPT, await takePhoto(page, 'photo.jpg')])
  await dialog.getByRole('listitem').filter({ hasText: 'photo.jpg' }).waitFor()
  let puts = 0
  browser.expectTrouble(/dispute\/files|ERR_FAILED/)
  await page.route('**/dispute/files*', (route) =>
    route.request().method() === 'PUT' && ++puts === 2 ? route.abort() : route.continue(),
  )
  await send(dialog)
  await dialog.getByText('photo.jpg could not be sent. We got no answer.').waitFor()
  await dialog.getByText('The invoice is now registered as disputed.').waitFor()
  await dialog.getByRole('listitem').filter({ hasText: 'receipt.pdf' }).getByText('Sent').waitFor()
  await expectAccessible(page, 'dialog after a file was lost')
  expect(await statusOf(product, MAJ)).toBe('DISPUTED')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.waitFor({ state: 'detached' })
  await sentFiles(page)
    .getByRole('button', { name: /^photo\.jpg/ })
    .waitFor()
  expect(await sentFiles(page).getByRole('listitem').count()).toBe(2)
})

test('I close the dialog while a file is on its way: the dispute stands, and I am told', async () => {
  const page = await browser.open()
  const who = { reference: '260112159629', zip: '11122' }
  const dialog = await openDispute(page, who)
  await fileField(dialog).setInputFiles([RECEIPT])
  // Never answered: the page itself gives it up.
  await page.route('**/dispute/files*', (route) =>
    route.request().method() === 'PUT' ? undefined : route.continue(),
  )
  await send(dialog)
  await dialog.getByRole('progressbar', { name: 'Sending receipt.pdf' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('The invoice is now registered as disputed. Not every file has been sent.').waitFor()
  await sentFiles(page).waitFor()
  expect(await sentFiles(page).getByRole('listitem').count()).toBe(0)
  expect(await statusOf(product, who)).toBe('DISPUTED')
})

test('Later, and by keyboard: I add a file to a claim that I have disputed', async () => {
  const page = await browser.open()
  // Waited for from here on: only then does the browser hand its choosers over.
  const chooser = page.waitForEvent('filechooser')
  await page.goto(`${product.address}/#/en/collection-batch/770238681124?zip=11122`)
  const sent = sentFiles(page)
  await sent.waitFor()
  await fileField(sent).focus()
  await page.keyboard.press('Enter')
  const opened = await chooser
  expect(opened.isMultiple()).toBe(true)
  await opened.setFiles([RECEIPT])
  await sent.getByRole('button', { name: /^receipt\.pdf/ }).waitFor()
  expect(await sent.getByRole('status').innerText()).toBe('receipt.pdf has been sent.')
  await expectAccessible(page, 'claim with a file')
  await page.reload()
  await sent.getByRole('button', { name: /^receipt\.pdf/ }).waitFor()
})
