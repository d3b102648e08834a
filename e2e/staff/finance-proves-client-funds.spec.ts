import { readFileSync } from 'node:fs'
import { addDays, dayOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { camt } from '../../apps/server/src/testing/files/bank-formats.ts'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

/** An account of the operator's own, for all creditors. */
const IBAN = 'NO9799990000111'
const product = await sharedProduct()
const browser = await runBrowser()

/** Opening and closing in øre, and what came between them. */
function statement(day: CalendarDate, [opening, closing]: readonly [number, number]): string {
  const balance = (code: string, minor: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="NOK">${(minor / 100).toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
  const entry = { currency: 'NOK', day, bankId: `J${day}`, message: 'Hei' }
  return camt({
    account: { iban: IBAN },
    serial: Number(day.replaceAll('-', '')),
    head: balance('OPBD', opening) + balance('CLBD', closing),
    entries: closing === opening ? [] : [{ ...entry, amountMinor: closing - opening }],
  })
}

async function handIn(page: Page, name: string, text: string): Promise<void> {
  await page.goto(`${product.address}/admin/#/payment-batches`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add a file' }).click()
  await (await chooser).setFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(text) })
  await page.getByRole('heading', { name }).waitFor()
}

test('finance reads a day of client funds, opens a term, takes the PDF, and a missing file is found and dated', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill('finance@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  const today = dayOf(Date.now(), 'Europe/Stockholm')
  const [first, second, third] = [addDays(today, -3), addDays(today, -2), addDays(today, -1)]

  await handIn(page, 'first.xml', statement(first, [0, 123_456]))
  await page.getByRole('link', { name: 'Client funds' }).click()
  await page.getByRole('heading', { name: 'Client funds' }).waitFor()
  const proof = page.getByRole('region', { name: 'NOK' })
  await proof.getByText('Matches', { exact: true }).waitFor()
  await proof.getByText('On the statement, in the books after the day').click()
  await proof.getByRole('link', { name: /Lines of the bank/ }).waitFor()
  await expectAccessible(page, 'client funds')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as PDF' }).click()
  const file = await (await download).path()
  expect(readFileSync(file).subarray(0, 5).toString('latin1')).toBe('%PDF-')

  // The file of the second day is missing.
  await handIn(page, 'third.xml', statement(third, [150_000, 150_000]))
  await page.goto(`${product.address}/admin/#/client-funds?day=${third}`)
  await proof.getByText('Does not match', { exact: true }).waitFor()
  await proof.getByText(/265\.44\sNOK more at the bank than we know of/).waitFor()
  await expectAccessible(page, 'client funds that do not agree')
  await handIn(page, 'second.xml', statement(second, [123_456, 150_000]))
  await page.goto(`${product.address}/admin/#/client-funds?day=${third}`)
  await proof.getByText('Matches', { exact: true }).waitFor()
})

test('support has no such view', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill('support@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  expect(await page.getByRole('link', { name: 'Client funds' }).count()).toBe(0)
})
