import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const product = await sharedProduct()
const browser = await runBrowser()

async function take(page: Page, kind: string) {
  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: kind, exact: true }).click()
  const download = await saved
  const bytes = await readFile(await download.path())
  return { name: download.suggestedFilename(), bytes, text: bytes.toString('latin1') }
}

const minorOf = (text: string): number => Number(text.replace(/[^\d-]/g, ''))

test('a viewer opens a settlement and takes it as PDF, CSV, spreadsheet and SIE', async () => {
  const page = await browser.open({ viewport: DESK })
  await signInStaff(page, product, { email: 'viewer@kvitt.example', hash: '#/settlements' })
  const [last] = await product.readRows<{ number: number; paid_out: number }>(
    `select s.number, s.paid_out_minor::int as paid_out from settlement s join creditor c on c.id = s.creditor_id
     where c.name like 'Fjällström%' order by s.period_to desc limit 1`,
  )
  const title = `Settlement ${last?.number}`
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { name: title }).waitFor()
  await page.getByRole('heading', { name: 'How it is counted' }).waitFor()
  await expectAccessible(page, 'a settlement')

  const pdf = await take(page, 'PDF')
  expect([pdf.name.endsWith('.pdf'), pdf.text.slice(0, 5)]).toEqual([true, '%PDF-'])
  const xlsx = await take(page, 'Excel (XLSX)')
  expect([xlsx.name.endsWith('.xlsx'), xlsx.text.slice(0, 2)]).toEqual([true, 'PK'])

  const csv = await take(page, 'CSV')
  const [head = '', ...rows] = csv.bytes.toString('utf8').trim().split('\r\n')
  const at = head.split(';').indexOf('Amount')
  expect(rows.reduce((sum, row) => sum + minorOf(row.split(';')[at] ?? ''), 0)).toBe(last?.paid_out)

  const sie = await take(page, 'SIE 4')
  expect([sie.name.endsWith('.si'), sie.text.slice(0, 11)]).toEqual([true, '#FLAGGA 0\r\n'])
  const amounts = [...sie.text.matchAll(/^#TRANS (\d+) \{\} (-?\d+\.\d\d)/gm)]
  const sumOf = (of: typeof amounts) => of.reduce((sum, [, , amount = '']) => sum + minorOf(amount), 0)
  expect(sumOf(amounts)).toBe(0)
  expect(sumOf(amounts.filter(([, account]) => account === '1680'))).toBe(last?.paid_out)
})
