/** The file that the bank gets is one that it can read, whatever stands in names. */
import { existsSync, readFileSync } from 'node:fs'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { writePain001, type Orders } from './pain001.ts'

const EURO: Orders = {
  messageId: 'a'.repeat(32),
  madeAt: '2026-11-20T10:00:00',
  executionDate: '2026-11-23',
  currency: 'EUR',
  payer: { scheme: 'IBAN', number: 'FI2112345600000785', bic: null, name: 'Nordklar Oy' },
  orders: [
    {
      id: '019ab000-0000-7000-8000-000000000001',
      amountMinor: 1,
      scheme: 'IBAN',
      number: 'SE4550000000058398257466',
      bic: 'ESSESESS',
      name: 'Ek & <Söner> AB',
      message: 'Tilitys 1 \u0007 2026-10-01 - 2026-10-31',
    },
    {
      id: '019ab000-0000-7000-8000-000000000002',
      amountMinor: 123_456_789,
      scheme: 'IBAN',
      number: 'FI2112345600000785',
      bic: null,
      name: 'x'.repeat(90),
      message: 'y'.repeat(200),
    },
  ],
}

test('sums are to the cent, and what XML has a meaning for is written as text', () => {
  const text = writePain001(EURO)
  expect(text.match(/<NbOfTxs>2<\/NbOfTxs><CtrlSum>1234567.90<\/CtrlSum>/g)).toHaveLength(2)
  expect(text).toContain('<Nm>Ek &amp; &lt;Söner&gt; AB</Nm>')
  expect(text).toContain(`<Nm>${'x'.repeat(70)}</Nm>`)
})

test.each([
  ['\u{1F600}\u200B', 'NOTPROVIDED'],
  ['  ', 'NOTPROVIDED'],
  ['Łukasz Đorđević', 'Lukasz Dordevic'],
  ['Åsa Ødegård-Müller', 'Åsa Ødegård-Müller'],
  ['Анна Ek', 'Ek'],
  ['Bo \u202EEk\u{1F600} AB', 'Bo Ek AB'],
])('%s is written as banks read it', (name, written) => {
  const [order] = EURO.orders
  expect(writePain001({ ...EURO, orders: order ? [{ ...order, name }] : [] })).toContain(
    `<Cdtr><Nm>${written}</Nm>`,
  )
})

test('a Swedish giro is named as banks name it', () => {
  const giro = { scheme: 'BANKGIRO', number: '55555551', bic: null, name: 'A' } as const
  const [order] = EURO.orders
  const text = writePain001({
    ...EURO,
    currency: 'SEK',
    payer: giro,
    orders: order ? [{ ...order, ...giro }] : [],
  })
  expect(text).toContain(
    '<CdtrAcct><Id><Othr><Id>55555551</Id><SchmeNm><Prtry>BGNR</Prtry></SchmeNm></Othr></Id></CdtrAcct>',
  )
  expect(text).not.toContain('SEPA')
})

// The sample is the European Payments Council's narrower form of it: euro, from IBAN to IBAN.
const XSD = new URL('../../../../../shared/samples/iso20022/pain.001.001.09.xsd', import.meta.url)
test('a file is valid as pain.001.001.09, and the judge sees what is not', ({ skip }) => {
  skip(!existsSync(XSD), 'there is no folder ../shared/samples/iso20022')
  const schema = XmlDocument.fromString(readFileSync(XSD, 'utf8'))
  const validator = XsdValidator.fromDoc(schema)
  const judge = (text: string): void => {
    const document = XmlDocument.fromString(text)
    try {
      validator.validate(document)
    } finally {
      document.dispose()
    }
  }
  judge(writePain001(EURO))
  expect(() => judge(writePain001({ ...EURO, executionDate: 'soon' }))).toThrow(XmlValidateError)
  validator.dispose()
  schema.dispose()
})
