import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ImportRefusal } from './import-refusal.ts'
import { contentHash, type ParsedInvoice } from './parsed-invoice.ts'
import { LARGEST_ATTACHMENT_BYTES } from './read-elements.ts'
import { safeFileName } from './ubl-attachments.ts'
import { daysOfTerms } from './ubl-payment.ts'
import { parseInvoice } from './ubl.ts'

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
const SE = fixture('se-invoice.xml')

async function* inChunks(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

function parse(file: string | Uint8Array, chunkBytes = 65_536): Promise<ParsedInvoice> {
  return parseInvoice(inChunks(typeof file === 'string' ? Buffer.from(file) : file, chunkBytes))
}

async function refusal(file: string | Uint8Array): Promise<ImportRefusal> {
  const error: unknown = await parse(file).catch((caught: unknown) => caught)
  if (!(error instanceof ImportRefusal)) throw error ?? new Error('The file was not refused.')
  return error
}

test('a Swedish invoice becomes plain data', async () => {
  const invoice = await parse(SE)
  expect(invoice).toMatchObject({
    document: 'Invoice',
    invoiceNumber: '2026-70012',
    issueDate: '2026-11-02',
    dueDate: '2026-12-02',
    currency: 'SEK',
    payableMinor: 84_200,
    creditor: {
      name: 'Fjällström Demo Energi AB',
      country: 'SE',
      identificationNumber: '5599990024',
      zip: '111 22',
    },
    debtor: { name: 'Alva Provlund', kind: 'PERSON', zip: '11122', email: 'alva.provlund@example.com' },
    account: { scheme: 'BANKGIRO', accountNumber: '9990-0227', isUsable: true },
    billingReferences: [],
    warnings: [],
  })
  expect(invoice.rows).toHaveLength(2)
  expect(invoice.rows[0]).toEqual({
    line: '1',
    name: 'Elhandel',
    description: 'Elhandel oktober 2026, 412 kWh',
    quantity: '412',
    unit: 'KWH',
    amountMinor: 57_360,
    accountNumber: null,
  })
})

test.each([
  [
    'se-invoice-plusgiro.xml',
    { dueDate: '2026-12-05', account: { scheme: 'PLUSGIRO', accountNumber: '410 54 68-5' } },
  ],
  [
    'no-invoice.xml',
    { currency: 'NOK', account: { scheme: 'IBAN', accountNumber: '86011117947', iban: 'NO9386011117947' } },
  ],
  [
    'dk-invoice.xml',
    { currency: 'DKK', reference: '000000000055103', account: { scheme: 'LOCAL', isUsable: false } },
  ],
  [
    'fi-invoice.xml',
    { reference: '2026111201', account: { scheme: 'IBAN', iban: 'FI2112345600000785', bic: 'DEMOFIHHXXX' } },
  ],
  ['se-credit-note.xml', { document: 'CreditNote', payableMinor: 14_200, billingReferences: ['2026-70012'] }],
] as const)('%s is read by the rules of its country', async (name, expected) => {
  expect(await parse(fixture(name))).toMatchObject(expected)
})

test('an RF reference is kept as printed', async () => {
  expect((await parse(fixture('fi-invoice-rf.xml'))).reference).toMatch(/^RF\d{2}2026121/)
})

test('an embedded PDF comes out byte for byte', async () => {
  const [attachment] = (await parse(fixture('se-invoice-with-pdf.xml'))).attachments
  expect(attachment).toMatchObject({ name: 'Specifikation oktober.pdf', mimeType: 'application/pdf' })
  expect(attachment?.content.subarray(0, 8).toString()).toBe('%PDF-1.4')
  expect(attachment?.content.subarray(-6).toString()).toBe('%%EOF\n')
})

test('the cut of the chunks does not matter', async () => {
  const whole = contentHash(await parse(SE))
  for (const size of [1, 7, 300, 4096]) expect(contentHash(await parse(SE, size))).toEqual(whole)
})

test('the same content has one hash whatever its spaces, prefixes and encoding', async () => {
  const whole = contentHash(await parse(SE))
  const respaced = SE.replace(/>\s+</g, '>\n\n   <')
  const renamed = SE.replaceAll('cbc:', 'b:').replaceAll(':cbc=', ':b=')
  const latin = Buffer.from(SE.replace('UTF-8', 'ISO-8859-1'), 'latin1')
  const wide = Buffer.from(`\ufeff${SE.replace('UTF-8', 'UTF-16')}`, 'utf16le')
  const marked = Buffer.from(`\ufeff${SE}`)
  const head = 'xmlns="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"'
  const enveloped = `<StandardBusinessDocument ${head}><StandardBusinessDocumentHeader><HeaderVersion>1.0</HeaderVersion></StandardBusinessDocumentHeader>${SE.replace(/<\?xml.*?\?>/, '')}</StandardBusinessDocument>`
  for (const same of [respaced, renamed, latin, wide, marked, enveloped]) {
    expect(contentHash(await parse(same))).toEqual(whole)
  }
  expect(contentHash(await parse(SE.replaceAll('842.00', '842.01')))).not.toEqual(whole)
})

const ENTITIES = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`
const without = (pattern: RegExp): string => SE.replace(pattern, '')

test.each<[string, string | Buffer, RegExp]>([
  [
    'a document type',
    SE.replace(/<\?xml.*?\?>/, '<!DOCTYPE Invoice SYSTEM "http://127.0.0.1/x.dtd">'),
    /DOCTYPE/,
  ],
  ['an entity bomb', ENTITIES + SE.replace(/<\?xml.*?\?>/, ''), /DOCTYPE/],
  ['an entity of its own', SE.replace('Alva', '&alva;'), /not well-formed.*entity/],
  [
    'deep nesting',
    SE.replace('<cbc:ID>', `${'<a>'.repeat(200)}${'</a>'.repeat(200)}<cbc:ID>`),
    /nested more than 100/,
  ],
  [
    'many attributes',
    SE.replace('<cbc:ID>', `<cbc:ID ${Array.from({ length: 101 }, (_, i) => `a${i}=""`).join(' ')}>`),
    /100 attributes/,
  ],
  ['a file that breaks off', SE.slice(0, 900), /not well-formed/],
  [
    'another root',
    '<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>',
    /"Order", not a UBL 2.1 Invoice/,
  ],
  ['a root of another namespace', SE.replace('xsd:Invoice-2', 'xsd:Invoice-1'), /not a UBL 2.1 Invoice/],
  ['no XML', 'invoice;amount\n1;842', /not well-formed|does not begin/],
  ['nothing', '', /empty/],
  ['bytes that are not UTF-8', Buffer.from(SE, 'latin1'), /not UTF-8 text/],
  ['an unknown encoding', SE.replace('UTF-8', 'EBCDIC-FI'), /encoding "EBCDIC-FI" is not supported/],
  ['a wrong claim of UTF-16', SE.replace('UTF-8', 'UTF-16'), /claims to be UTF-16/],
  [
    'no postal code',
    SE.replace(/(AccountingCustomerParty>[\s\S]*?)<cbc:PostalZone>.*?<\/cbc:PostalZone>/, '$1'),
    /no postal code/,
  ],
  [
    'neither due date nor terms',
    without(/<cbc:DueDate>.*?<\/cbc:DueDate>/),
    /neither a DueDate nor payment terms/,
  ],
  ['no amount to pay', without(/<cbc:PayableAmount.*?<\/cbc:PayableAmount>/), /no amount to pay/],
  [
    'an amount with a comma',
    SE.replace('"SEK">842.00</cbc:Pay', '"SEK">842,00</cbc:Pay'),
    /"842,00", which is not an amount/,
  ],
  [
    'an amount of three decimals',
    SE.replace('"SEK">842.00</cbc:Pay', '"SEK">842.005</cbc:Pay'),
    /not an amount/,
  ],
  [
    'two amounts to pay',
    SE.replace(
      '</cac:LegalMonetaryTotal>',
      '<cbc:PayableAmount currencyID="SEK">1</cbc:PayableAmount></cac:LegalMonetaryTotal>',
    ),
    /more than one PayableAmount/,
  ],
  [
    'two currencies',
    SE.replace('<cbc:PayableAmount currencyID="SEK"', '<cbc:PayableAmount currencyID="EUR"'),
    /is in "EUR" while/,
  ],
  ['a currency without books', SE.replaceAll('SEK', 'JPY'), /currency "JPY" is not one/],
  ['no number', SE.replace('<cbc:ID>2026-70012</cbc:ID>', ''), /invoice number \(ID\) is missing/],
  ['a day that is none', SE.replace('2026-12-02', '2026-02-30'), /"2026-02-30", which is not a day/],
  [
    'no country',
    SE.replaceAll(/<cbc:IdentificationCode>SE<\/cbc:IdentificationCode>/g, ''),
    /has no country/,
  ],
])('%s is refused with its reason', async (_, file, reason) => {
  expect((await refusal(file)).message).toMatch(reason)
})

test('a refusal names the element and the line', async () => {
  const line = SE.slice(0, SE.indexOf('<cbc:PayableAmount')).split('\n').length
  const { place } = await refusal(SE.replace('"SEK">842.00</cbc:Pay', '"SEK">much</cbc:Pay'))
  expect(place).toEqual({ path: 'Invoice/LegalMonetaryTotal/PayableAmount', line, column: 5 })
})

test('a file of 200 MB is refused before it is read to its end', async () => {
  const piece = Buffer.from('<cbc:Note>x</cbc:Note>'.repeat(50_000))
  let read = 0
  async function* endless(): AsyncIterable<Uint8Array> {
    yield Buffer.from(SE.slice(0, SE.indexOf('<cbc:ID>')))
    while (read < 200 * 1_048_576) {
      read += piece.length
      yield piece
    }
  }
  await expect(parseInvoice(endless())).rejects.toThrow(/more than 500000 elements|larger than 100 MB/)
  expect(read).toBeLessThan(110 * 1_048_576)
})

test.each([
  ['before the first element', ''],
  ['inside a text', SE.slice(0, SE.indexOf('Alva'))],
  ['inside a comment', `${SE.slice(0, SE.indexOf('<cbc:ID>'))}<!-- `],
  ['inside a tag', `${SE.slice(0, SE.indexOf('<cbc:ID>'))}<cbc:ID a="`],
])('an endless run of characters %s is refused early', async (_, start) => {
  let read = 0
  async function* endless(): AsyncIterable<Uint8Array> {
    if (start !== '') yield Buffer.from(start)
    for (; read < 200 * 1_048_576; read += 65_536) yield Buffer.alloc(65_536, ' ')
  }
  await expect(parseInvoice(endless())).rejects.toBeInstanceOf(ImportRefusal)
  expect(read).toBeLessThan(3 * 1_048_576)
})

const withAttachment = (mime: string, name: string, content: Buffer): string =>
  SE.replace(
    '<cac:AccountingSupplierParty>',
    `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="${mime}" filename="${name}">${content.toString('base64')}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference><cac:AccountingSupplierParty>`,
  )

test('an attachment that is too large refuses the file', async () => {
  const large = Buffer.alloc(LARGEST_ATTACHMENT_BYTES + 1, 'x')
  expect((await refusal(withAttachment('text/plain', 'a.txt', large))).message).toMatch(/larger than 10 MB/)
})

test('the line ends of an attachment, and what they are indented with, are not of its size', async () => {
  const whole = withAttachment('text/plain', 'a.txt', Buffer.alloc(LARGEST_ATTACHMENT_BYTES, 'x'))
  const inLines = whole.replaceAll(/[A-Za-z0-9+/]{64}/g, `$&\n${' '.repeat(12)}`)
  const { attachments } = await parse(inLines)
  expect(attachments.map(({ content }) => content.length)).toEqual([LARGEST_ATTACHMENT_BYTES])
})

test.each([
  ['text/html', 'page.html', Buffer.from('<script>alert(1)</script>'), /not a kind that we keep/],
  ['application/pdf', 'page.pdf', Buffer.from('<html>'), /content is not application\/pdf/],
])('an attachment of %s that is not what we keep is left out', async (mime, name, content, warning) => {
  const invoice = await parse(withAttachment(mime, name, content))
  expect(invoice.attachments).toEqual([])
  expect(invoice.warnings.join()).toMatch(warning)
})

test.each([
  ['../../etc/passwd', 'passwd.pdf'],
  ['C:\\temp\\bill.exe', 'bill.pdf'],
  ['CON', 'attachment.pdf'],
  ['in\u202evoice\u0000.pdf', 'invoice.pdf'],
  ['', 'attachment.pdf'],
  ['x'.repeat(120), `${'x'.repeat(100)}.pdf`],
])('the file name %j becomes safe', (name, safe) => {
  expect(safeFileName(name, 'pdf')).toBe(safe)
})

test('texts are one line without controls or turned directions', async () => {
  const invoice = await parse(
    SE.replace(
      '<cbc:Name>Elhandel</cbc:Name>',
      '<cbc:Name>  El\u202e\n  <![CDATA[<b>&]]>\u200b  </cbc:Name>',
    ),
  )
  expect(invoice.rows[0]?.name).toBe('El <b>&')
})

test('names that are special to the language are only names', async () => {
  const hostile = SE.replace(
    '<cbc:ID>2026',
    '<cbc:__proto__>1</cbc:__proto__><cbc:constructor>2</cbc:constructor><cbc:ID __proto__="3">2026',
  )
  expect(contentHash(await parse(hostile))).toEqual(contentHash(await parse(SE)))
  expect(({} as Record<string, unknown>)['1']).toBeUndefined()
})

test.each([
  ['30 dagar netto', 30],
  ['Payment within 10 days, 2% discount', 10],
  ['14 päivää netto', 14],
  ['2% 10 days, net 30 days', undefined],
  ['enligt avtal', undefined],
])('payment terms %j', (note, days) => {
  expect(daysOfTerms(note)).toBe(days)
})

test('a payee account that fails its check digits is kept with a warning', async () => {
  const invoice = await parse(SE.replace('>99900227<', '>99900228<'))
  expect(invoice.account).toMatchObject({ accountNumber: '9990-0228', isUsable: false })
  expect(invoice.warnings).toHaveLength(1)
})

const SAMPLES = new URL('../../../../../shared/samples/', import.meta.url)
const samples = existsSync(SAMPLES) ? readdirSync(SAMPLES).filter((name) => name.startsWith('peppol-')) : []

test('real Peppol files are read', async ({ skip }) => {
  skip(samples.length === 0, 'there is no folder ../shared/samples')
  const read = await Promise.all(samples.map((name) => parse(readFileSync(new URL(name, SAMPLES)))))
  const payable = Object.fromEntries(samples.map((name, index) => [name, read[index]?.payableMinor]))
  expect(payable).toEqual({
    'peppol-allowance-example.xml': 612_500,
    'peppol-base-creditnote-correction.xml': 165_625,
    'peppol-base-example.xml': 165_625,
    'peppol-negative-correction.xml': -165_625,
    'peppol-snippet-giro.xml': 376_250,
  })
  expect(read.map((invoice) => [invoice.debtor.zip, invoice.debtor.kind, invoice.currency])).toEqual(
    samples.map(() => ['45634', 'COMPANY', 'EUR']),
  )
})
