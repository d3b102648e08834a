import { describe, expect, test } from 'vitest'
import { readCamt } from './camt.ts'

type Wishes = { version?: string; message?: '053' | '054'; entries?: string }

function camt({ version = '02', message = '053', entries = entry() }: Wishes = {}): string {
  const [outer, inner] = message === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.${version}"><${outer}>
<GrpHdr><MsgId>M1</MsgId></GrpHdr><${inner}><Id>1</Id>
<Acct><Id><IBAN>FI21 1234 5600 0007 85</IBAN></Id></Acct>${entries}</${inner}></${outer}></Document>`
}

function detail(reference: string, amount?: string): string {
  const told = amount === undefined ? '' : `<AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>`
  return `<TxDtls>${told}<RltdPties><Dbtr><Nm>Aino Koenen</Nm></Dbtr></RltdPties>
    <RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>`
}

function entry({
  amount = '780.00',
  indicator = 'CRDT',
  reversal = '',
  status = 'BOOK',
  reference = '<AcctSvcrRef>A1</AcctSvcrRef>',
  details = detail('2602 0976 198'),
} = {}): string {
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>${reversal}<Sts>${status}</Sts>
    <BookgDt><Dt>2026-11-20</Dt></BookgDt>${reference}<NtryDtls>${details}</NtryDtls></Ntry>`
}

const told = async (text: string) => (await readCamt([Buffer.from(text)])).deposits
/** Without what the bank calls them. */
const read = async (text: string) => (await told(text)).map(({ entry: _, ...deposit }) => deposit)

test('a credit entry is a payment with its account, day, reference and payer', async () => {
  expect(await read(camt())).toEqual([
    {
      key: 'camt:A1',
      account: 'FI2112345600000785',
      scheme: 'IBAN',
      currency: 'EUR',
      lines: [
        {
          kind: 'payment',
          amountMinor: 78_000,
          day: '2026-11-20',
          references: ['26020976198'],
          payer: 'Aino Koenen',
          message: null,
        },
      ],
    },
  ])
})

// The IBANs are the examples of the SWIFT registry.
const NORWEGIAN = '86011117947'
const bban = (number: string, scheme: string, bank = '') =>
  entry({
    details: detail('1').replace(
      '</RltdPties>',
      `<DbtrAcct><Id><Othr><Id>${number}</Id>${scheme}</Othr></Id></DbtrAcct></RltdPties>
       <RltdAgts><DbtrAgt><FinInstnId>${bank}</FinInstnId></DbtrAgt></RltdAgts>`,
    ),
  })
const BBAN = '<SchmeNm><Cd>BBAN</Cd></SchmeNm>'
test.each([
  ['its bank told by BIC', NORWEGIAN, BBAN, '<BIC>DNBANOKK</BIC>', 'NO9386011117947'],
  ['its bank told by a newer name', NORWEGIAN, BBAN, '<BICFI>DNBANOKKXXX</BICFI>', 'NO9386011117947'],
  ['a Danish one', '00400440116243', BBAN, '<PstlAdr><Ctry>DK</Ctry></PstlAdr>', 'DK5000400440116243'],
  ['whose bank nobody knows', NORWEGIAN, BBAN, '', undefined],
  ['of a country whose accounts have other lengths', NORWEGIAN, BBAN, '<BIC>NDEASESS</BIC>', undefined],
  ['that says not what it is', NORWEGIAN, '', '<BIC>DNBANOKK</BIC>', undefined],
  [
    'that is a customer number',
    NORWEGIAN,
    '<SchmeNm><Cd>CUST</Cd></SchmeNm>',
    '<BIC>DNBANOKK</BIC>',
    undefined,
  ],
  [
    'that the bank calls by a name of its own',
    NORWEGIAN,
    '<SchmeNm><Prtry>BBAN2</Prtry></SchmeNm>',
    '<BIC>DNBANOKK</BIC>',
    undefined,
  ],
  [
    'that is a giro, which may be of somebody between',
    '55555551',
    '<SchmeNm><Prtry>BGNR</Prtry></SchmeNm>',
    '',
    undefined,
  ],
])('a payer’s account by its national number, %s', async (_, number, scheme, bank, iban) => {
  const account = iban === undefined ? undefined : { scheme: 'IBAN', number: iban }
  expect((await read(camt({ entries: bban(number, scheme, bank) })))[0]?.lines[0]?.payerAccount).toEqual(
    account,
  )
})

test('a newer version says the same with other elements', async () => {
  const entries = entry({ status: '<Cd>BOOK</Cd>' }).replace(
    '<Nm>Aino Koenen</Nm>',
    '<Pty><Nm>Aino Koenen</Nm></Pty>',
  )
  expect(await read(camt({ version: '08', entries }))).toEqual(await read(camt()))
})

test('a notification and the statement after it name an entry alike, with a reference or without', async () => {
  for (const entries of [entry(), entry({ reference: '' })]) {
    expect(await read(camt({ message: '054', entries }))).toEqual(await read(camt({ entries })))
  }
  const [first, second] = await read(camt({ entries: entry({ reference: '' }).repeat(2) }))
  expect(first?.key).not.toBe(second?.key)
})

describe('an entry of several payments', () => {
  test('is a line for each when their amounts are its own', async () => {
    const entries = entry({ amount: '30.00', details: detail('1', '10.00') + detail('2', '20.00') })
    const [deposit] = await read(camt({ entries }))
    expect(deposit?.lines.map(({ amountMinor, references }) => [amountMinor, references])).toEqual([
      [1000, ['1']],
      [2000, ['2']],
    ])
  })
  test.each([
    ['when they do not add up', detail('1', '10.00') + detail('2', '10.00')],
    ['when an amount is missing', detail('1', '10.00') + detail('2')],
  ])('is one line with all references %s', async (_, details) => {
    const [deposit] = await read(camt({ entries: entry({ amount: '30.00', details }) }))
    expect(deposit?.lines).toMatchObject([{ amountMinor: 3000, references: ['1', '2'] }])
  })
})

test('what is not booked is left out', async () => {
  expect(await read(camt({ entries: entry({ status: 'PDNG' }) }))).toEqual([])
})

test.each([
  ['that went out', 'outgoing', { indicator: 'DBIT' }],
  ['that had gone out and came back', 'payment', { reversal: '<RvslInd>true</RvslInd>' }],
] as const)('money %s is no debtor’s, whatever its references say', async (_, kind, wishes) => {
  const [deposit, ...others] = await read(camt({ entries: entry(wishes) }))
  expect(others).toEqual([])
  expect(deposit?.lines).toMatchObject([{ kind, references: [], payer: null }])
  expect(deposit?.lines[0]?.amountMinor).toBe((await read(camt()))[0]?.lines[0]?.amountMinor)
  expect(deposit?.key.endsWith(':returned')).toBe(kind === 'payment')
})

test('a reversed credit takes a payment back', async () => {
  const entries = entry({ indicator: 'DBIT', reversal: '<RvslInd>true</RvslInd>' })
  expect((await read(camt({ entries: entry() + entries }))).map(({ key }) => key)).toEqual([
    'camt:A1',
    'camt:A1:reversal',
  ])
  expect((await read(camt({ entries })))[0]?.lines).toMatchObject([
    { kind: 'deduction', amountMinor: 78_000 },
  ])
})

test.each([
  ['a currency that is none', camt().replaceAll('"EUR"', '"XXX"'), /not a currency/],
  ['an amount that is none', camt({ entries: entry({ amount: '1e3' }) }), /not an amount/],
  ['a negative amount', camt({ entries: entry({ amount: '-5.00' }) }), /not an amount/],
  ['no day', camt().replace('2026-11-20', 'soon'), /no day/],
  ['no account', camt().replace(/<Acct>.*<\/Acct>/, ''), /no number/],
  ['half a file', camt().slice(0, 400), /not well-formed/],
  ['entities', `<!DOCTYPE a [<!ENTITY b "c">]>${camt()}`, /DOCTYPE/],
  ['another message', camt().replaceAll('camt.053', 'pain.001'), /not a statement/],
  ['nesting without end', '<a>'.repeat(10), /not a statement/],
])('%s is refused', async (_, text, reason) => {
  await expect(read(text)).rejects.toThrow(reason)
})

test('what the bank calls an entry, its payments’ own names where it has none, and nothing for nothing', async () => {
  const refs = (text: string) => `<TxDtls><Refs>${text}</Refs></TxDtls>`
  const idsOf = async (wishes: Parameters<typeof entry>[0]) =>
    (await told(camt({ entries: entry(wishes) }))).map(({ entry: named }) => named?.ids)
  expect(await idsOf({ details: refs('<EndToEndId>E1</EndToEndId><TxId>T1</TxId>') })).toEqual([
    { servicer: ['A1'], transaction: ['T1'], endToEnd: ['E1'] },
  ])
  const nameless = {
    reference: '',
    details: refs('<AcctSvcrRef>S1</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId>'),
  }
  expect(await idsOf(nameless)).toEqual([{ servicer: ['S1'] }])
})

test('the value date is told beside the booking date, and is no part of what an entry is known by', async () => {
  const entries = entry({ reference: '' })
  const dated = entries.replace('<NtryDtls>', '<ValDt><Dt>2026-11-18</Dt></ValDt><NtryDtls>')
  const [plain] = await read(camt({ entries }))
  const [valued] = await read(camt({ entries: dated }))
  expect(valued?.lines[0]).toMatchObject({ day: '2026-11-20', valueDate: '2026-11-18' })
  expect(valued?.key).toBe(plain?.key)
})
