import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'

import { openInstances } from '../instances/instances.ts'
import { openLog } from '../platform/log.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { importInvoices } from './imports.ts'
import { parseInvoice } from './ubl.ts'

const FILE = readFileSync(new URL('fixtures/se-invoice.xml', import.meta.url), 'utf8')

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const subtotal = (base: string, tax: string, percent: string, currency = 'SEK'): string =>
  `<cac:TaxSubtotal><cbc:TaxableAmount currencyID="${currency}">${base}</cbc:TaxableAmount><cbc:TaxAmount currencyID="${currency}">${tax}</cbc:TaxAmount><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>${percent}</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>`

const withTaxes = (...subtotals: string[]): string =>
  FILE.replace('</cac:TaxTotal>', `${subtotals.join('')}</cac:TaxTotal>`)

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
const taxesOf = async (text: string) => (await parseInvoice(bytes(text))).taxes

test.each<[string, string, { percent: string; baseMinor: number; taxMinor: number }[]]>([
  ['none', FILE, []],
  [
    'two rates',
    withTaxes(subtotal('573.60', '143.40', '25.00'), subtotal('100.00', '6.50', '06.50')),
    [
      { percent: '25', baseMinor: 57_360, taxMinor: 14_340 },
      { percent: '6.5', baseMinor: 10_000, taxMinor: 650 },
    ],
  ],
  ['a rate of nothing', withTaxes(subtotal('100.00', '0.00', '0')), []],
  ['one that cannot be read', withTaxes(subtotal('573.60', '143.40', '25'), subtotal('100', '25', 'x')), []],
  ['another currency', withTaxes(subtotal('50.00', '12.50', '25', 'EUR')), []],
])('of a file with %s', async (_name, text, expected) => {
  expect(await taxesOf(text)).toEqual(expected)
})

test('the copy has the tax of each rate, and what the file has besides', async () => {
  const instance = await openInstances(server.test.db, server.clock).ofHost('localhost')
  if (!instance) throw new Error('there is no instance')
  const text = withTaxes(subtotal('573.60', '143.40', '25.00'), subtotal('100.00', '12.00', '12'))
  const file = { name: 'invoice.xml', open: () => bytes(text) }
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  async function* files() {
    yield file
  }
  for await (const result of importInvoices(context, instance, files(), { as: 'distributed' }))
    expect(result.outcome).toBe('created')
  const { rows } = await server.test.owner.query('select payment_reference as reference, zip from invoice')
  const path = `/api/public/invoices/${rows[0].reference}/${rows[0].zip}/documents`
  const [copy] = (await server.call('GET', path)).json as { fileName: string }[]
  const answer = await fetch(`${server.origin}/api/storage/${copy?.fileName}`)
  const words = wordsOf(Buffer.from(await answer.arrayBuffer()))
  expect(words).toContain('Moms 25 % på 573,60 SEK\n143,40 SEK')
  expect(words).toContain('Moms 12 % på 100,00 SEK\n12,00 SEK')
  expect(words).toContain('Tillägg och avdrag\n13,00 SEK')
})
