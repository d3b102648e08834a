import { readFileSync } from 'node:fs'
import pino from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildInstance, testClock } from '../testing/build.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { importInvoices, type ImportResult } from './imports.ts'

const SE = readFileSync(new URL('fixtures/se-invoice.xml', import.meta.url), 'utf8')
const MIGRATION = new URL('../../migrations/0037_who_a_debtor_is.sql', import.meta.url)

let built: TestDatabase
let instance: { id: string; timeZone: string }
let worlds = 0

beforeAll(async () => {
  built = await testDatabase()
})

beforeEach(async () => {
  worlds += 1
  const { id } = await buildInstance(built, { alias: `debtors-${worlds}`, isDefault: false })
  instance = { id, timeZone: 'Europe/Stockholm' }
})

type Printed = { street?: string; customer?: string; account?: string; creditor?: string; number?: string }

/** An invoice to Alva Provlund of 111 22, with what is printed beside that. */
function invoice(number: string, printed: Printed = {}): string {
  const { street = 'Exempelgatan 4', customer = '', account = '', creditor = '5599990024' } = printed
  return SE.replace('2026-70012', number)
    .replace(/<cbc:PaymentID>\d+/, '<cbc:PaymentID>not usable')
    .replaceAll('5599990024', creditor)
    .replace('Exempelgatan 4', street)
    .replace(/(<cac:AccountingCustomerParty>)\s*<cac:Party>/, `$1${account}<cac:Party>${customer}`)
    .replace(
      /(<cbc:RegistrationName>Alva Provlund<\/cbc:RegistrationName>)/,
      printed.number === undefined ? '$1' : `$1<cbc:CompanyID>${printed.number}</cbc:CompanyID>`,
    )
}

const buyer = (number: string): string =>
  `<cac:PartyIdentification><cbc:ID>${number}</cbc:ID></cac:PartyIdentification>`

async function importAll(...texts: string[]): Promise<ImportResult[]> {
  const context = { db: built.db, clock: testClock(), log: pino({ level: 'silent' }) }
  const inputs = texts.map((text, index) => ({
    name: `${index}.xml`,
    async *open() {
      yield Buffer.from(text)
    },
  }))
  const results: ImportResult[] = []
  for await (const result of importInvoices(context, instance, inputs, { as: 'distributed' })) {
    results.push(result)
  }
  return results
}

/** The invoice numbers of each debtor, in order. */
async function debtors(): Promise<string[]> {
  const { rows } = await built.owner.query<{ numbers: string }>(
    `select string_agg(invoice_number, ' ' order by invoice_number) as numbers from invoice
     where instance_id = $1 group by debtor_id order by 1`,
    [instance.id],
  )
  return rows.map((row) => row.numbers)
}

test('two people of one name and zip have nothing in common', async () => {
  await importAll(
    invoice('A-1'),
    invoice('A-2', { street: 'Exempelgatan 5' }),
    invoice('A-3', { creditor: '5599990032' }),
    invoice('A-4', { street: '' }),
    invoice('A-5', { street: '' }),
    invoice('A-6', { customer: buyer('77') }),
    invoice('A-7', { customer: buyer('78') }),
    invoice('A-8', { customer: buyer('77'), creditor: '5599990032' }),
  )
  expect(await debtors()).toEqual(['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7', 'A-8'])
})

test('one person is found again, in one import and in the next', async () => {
  await importAll(
    invoice('A-1'),
    invoice('A-2', { street: 'EXEMPELGATAN  4' }),
    invoice('B-1', { customer: buyer('77') }),
    invoice('C-1', { account: '<cbc:SupplierAssignedAccountID>K 9</cbc:SupplierAssignedAccountID>' }),
    invoice('D-1', { number: '559999-0040' }),
  )
  await importAll(
    invoice('A-3'),
    invoice('B-2', { customer: buyer('77'), street: 'Nygatan 1' }),
    invoice('C-2', {
      account: '<cbc:SupplierAssignedAccountID>K 9</cbc:SupplierAssignedAccountID>',
      customer: buyer('77'),
    }),
    invoice('D-2', { number: '5599990040', creditor: '5599990032', street: '' }),
  )
  expect(await debtors()).toEqual(['A-1 A-2 A-3', 'B-1 B-2', 'C-1 C-2', 'D-1 D-2'])
})

test('a buyer identifier of another register is another number', async () => {
  const of = (scheme: string): string => buyer('77').replace('<cbc:ID>', `<cbc:ID schemeID="${scheme}">`)
  await importAll(
    invoice('A-1', { customer: of('0088') }),
    invoice('A-2', { customer: of('0088') }),
    invoice('A-3', { customer: of('0060') }),
  )
  expect(await debtors()).toEqual(['A-1 A-2', 'A-3'])
})

test('one reference for two people is the first one’s, and opens nothing of the other', async () => {
  const reference = /<cbc:PaymentID>(\d+)</.exec(SE)?.[1] ?? ''
  const with_ = (number: string, street: string): string =>
    invoice(number, { street }).replace('not usable', reference)
  const [first, second] = await importAll(with_('A-1', 'Exempelgatan 4'), with_('A-2', 'Exempelgatan 5'))
  expect(first).toMatchObject({ paymentReference: reference, warnings: [] })
  expect(second?.warnings.join()).toMatch(/belongs to another debtor or creditor/)
  expect(second?.paymentReference).not.toBe(reference)
  expect(await importAll(with_('A-2', 'Exempelgatan 5'))).toMatchObject([
    { outcome: 'unchanged', paymentReference: second?.paymentReference },
  ])
  expect(await debtors()).toEqual(['A-1', 'A-2'])
})

test('a file that came before its customer number was read is unchanged', async () => {
  await importAll(invoice('A-1'))
  expect(await importAll(invoice('A-1', { customer: buyer('77') }))).toMatchObject([{ outcome: 'unchanged' }])
  expect(await debtors()).toEqual(['A-1'])
})

test('two imports at once make one debtor, whatever they know them by', async () => {
  const files = (from: string): string[] =>
    Array.from({ length: 20 }, (_, n) => [
      invoice(`${from}-a${n}`, { street: `Exempelgatan ${from === 'A' ? n : 19 - n}` }),
      invoice(`${from}-b${n}`, { customer: buyer(`9${from === 'A' ? n : 19 - n}`) }),
    ]).flat()
  const both = await Promise.all([importAll(...files('A')), importAll(...files('B'))])
  expect(new Set(both.flat().map(({ outcome }) => outcome))).toEqual(new Set(['created']))
  const found = await debtors()
  expect(found).toHaveLength(40)
  expect(found.every((numbers) => /^A-(a|b)\d+ B-\1\d+$/.test(numbers))).toBe(true)
})

test('one document in two imports at once is one invoice of one debtor', async () => {
  const both = await Promise.all([
    importAll(invoice('A-1', { street: '' })),
    importAll(invoice('A-1', { street: '' })),
  ])
  expect(
    both
      .flat()
      .map(({ outcome }) => outcome)
      .sort(),
  ).toEqual(['created', 'unchanged'])
  expect(await debtors()).toEqual(['A-1'])
  const { rows } = await built.owner.query('select id from debtor where instance_id = $1', [instance.id])
  expect(rows).toHaveLength(1)
})

test('debtors from before are found again when one creditor knows their street', async () => {
  await importAll(
    invoice('A-1', { street: 'ÖSTRA  Gränd 4' }),
    invoice('B-1', { street: '' }),
    invoice('C-1', { street: 'Gatan 1', number: '5599990040' }),
    invoice('C-2', { street: 'Gatan 1', number: '5599990040', creditor: '5599990032' }),
  )
  // As it was: one name and zip, one debtor.
  const asBefore = async (number: string, name: string): Promise<void> => {
    await built.owner.query(
      `update debtor set name = $3, identity = 'SE:name:11122:' || lower($3)
       where id = (select debtor_id from invoice where instance_id = $1 and invoice_number = $2)`,
      [instance.id, number, name],
    )
  }
  await asBefore('A-1', 'Alva Provlund')
  await asBefore('B-1', 'Bo Provlund')
  await asBefore('C-1', 'Cecilia Provlund')
  await built.owner.query(readFileSync(MIGRATION, 'utf8'))
  await importAll(
    invoice('A-2', { street: 'Östra gränd 4' }),
    invoice('B-2', { street: '' }).replaceAll('Alva', 'Bo'),
    invoice('C-3', { street: 'Gatan 1' }).replaceAll('Alva', 'Cecilia'),
  )
  expect(await debtors()).toEqual(['A-1 A-2', 'B-1', 'B-2', 'C-1 C-2', 'C-3'])
})

const VAT =
  '<cac:PartyTaxScheme><cbc:CompanyID>SE900729238701</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>'
test.each([
  ['without a number', undefined, '', 'PERSON'],
  ['with a personal number', '19900729-2387', '', 'PERSON'],
  ['with a personal number without its century', '9007292387', '', 'PERSON'],
  ['with a personal number, registered for VAT', '9007292387', VAT, 'COMPANY'],
  ['with an organisation number', '559999-0040', '', 'COMPANY'],
])('whoever comes %s is a %s', async (_, number, vat, kind) => {
  const text = invoice('K-1', number === undefined ? {} : { number }).replace(
    /<cac:PartyLegalEntity>(\s*<cbc:RegistrationName>Alva)/,
    `${vat}<cac:PartyLegalEntity>$1`,
  )
  expect(text.includes('SE900729238701')).toBe(vat !== '')
  expect((await importAll(text)).map(({ outcome }) => outcome)).toEqual(['created'])
  const { rows } = await built.owner.query('select kind from debtor where instance_id = $1', [instance.id])
  expect(rows).toEqual([{ kind }])
  expect((await importAll(text)).map(({ outcome }) => outcome)).toEqual(['unchanged'])
})

test('where electronic bills of several creditors go is changed by none of them', async () => {
  const at = (endpoint: string) => `<cbc:EndpointID schemeID="0007">${endpoint}</cbc:EndpointID>`
  const number = '559999-0040'
  const address = async () =>
    (
      await built.owner.query('select electronic_address as at from debtor where instance_id = $1', [
        instance.id,
      ])
    ).rows as unknown[]
  await importAll(invoice('E-1', { number, customer: at('5599990040') }))
  await importAll(invoice('E-2', { number, customer: at('1111111111') }))
  expect(await address()).toEqual([{ at: '0007:1111111111' }])
  await importAll(invoice('E-3', { number, creditor: '5599990057', customer: at('2222222222') }))
  await importAll(invoice('E-4', { number, customer: at('3333333333') }))
  expect(await address()).toEqual([{ at: '0007:1111111111' }])
})
