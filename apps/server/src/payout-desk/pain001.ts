/** Writes payouts as the file that the bank reads: pain.001.001.09 (ISO 20022), each of them debited by itself. */
import { amountText, type Currency } from '@kvitt/domain/money.ts'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'

type Account = {
  readonly scheme: 'IBAN' | 'BANKGIRO' | 'PLUSGIRO'
  readonly number: string
  readonly bic: string | null
  readonly name: string
}

export type Order = Account & {
  readonly id: string
  readonly amountMinor: number
  /** What its receiver reads. */
  readonly message: string
}

export type Orders = {
  readonly messageId: string
  /** ISO, of the file. */
  readonly madeAt: string
  readonly executionDate: string
  readonly currency: Currency
  readonly payer: Account
  readonly orders: readonly Order[]
}

/** How banks call the Swedish giros. */
const GIROS = { BANKGIRO: 'BGNR', PLUSGIRO: 'PGNR' } as const
const SEPA_LEVEL = '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>'
const SEPA_CHARGES = '<ChrgBr>SLEV</ChrgBr>'
/** A place for a name must not be empty. */
const NO_NAME = 'NOTPROVIDED'
const LONGEST_NAME = 70
const LONGEST_MESSAGE = 140

/** Letters that banks do not read and that are no letter with a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  œ: 'oe',
  Œ: 'OE',
  '’': "'",
  '–': '-',
}

/** A sign of Latin 1, which Nordic banks read; what comes nearest to it, or a space. */
function readable(sign: string): string {
  if (/[ -~¡-ÿ]/.test(sign)) return sign
  const plain = LETTERS[sign] ?? sign.normalize('NFKD').replace(/\p{M}/gu, '')
  return /^[ -~]+$/.test(plain) ? plain : ' '
}

/** What XML has a meaning for is written as text, and what a bank does not read as what it does. */
function text(value: string, longest: number): string {
  const plain = [...[...value.normalize('NFC')].map(readable).join('').replace(/ +/g, ' ').trim()]
    .slice(0, longest)
    .join('')
    .trim()
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function accountOf({ scheme, number }: Account): string {
  if (scheme === 'IBAN') return `<Id><IBAN>${number}</IBAN></Id>`
  return `<Id><Othr><Id>${number}</Id><SchmeNm><Prtry>${GIROS[scheme]}</Prtry></SchmeNm></Othr></Id>`
}

const bankOf = (bic: string | null): string =>
  `<FinInstnId>${bic === null ? '<Othr><Id>NOTPROVIDED</Id></Othr>' : `<BICFI>${bic}</BICFI>`}</FinInstnId>`

export function writePain001({ messageId, madeAt, executionDate, currency, payer, orders }: Orders): string {
  const sum = amountText(orders.reduce((minor, order) => minor + order.amountMinor, 0))
  const counted = `<NbOfTxs>${orders.length}</NbOfTxs><CtrlSum>${sum}</CtrlSum>`
  const name = text(payer.name, LONGEST_NAME) || NO_NAME
  // Euro from IBAN to IBAN goes by the rules of SEPA; all else as the bank's own agreement says.
  const isSepa = currency === 'EUR' && [payer, ...orders].every(({ scheme }) => scheme === 'IBAN')
  const transfers = orders.map((order) => {
    const id = endToEndId(order.id)
    const bank = order.bic === null ? '' : `<CdtrAgt>${bankOf(order.bic)}</CdtrAgt>`
    return `<CdtTrfTxInf><PmtId><InstrId>${id}</InstrId><EndToEndId>${id}</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="${currency}">${amountText(order.amountMinor)}</InstdAmt></Amt>${bank}
<Cdtr><Nm>${text(order.name, LONGEST_NAME) || NO_NAME}</Nm></Cdtr><CdtrAcct>${accountOf(order)}</CdtrAcct>
<RmtInf><Ustrd>${text(order.message, LONGEST_MESSAGE)}</Ustrd></RmtInf></CdtTrfTxInf>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${madeAt}</CreDtTm>${counted}<InitgPty><Nm>${name}</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>${messageId}</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg>${counted}${isSepa ? SEPA_LEVEL : ''}
<ReqdExctnDt><Dt>${executionDate}</Dt></ReqdExctnDt>
<Dbtr><Nm>${name}</Nm></Dbtr><DbtrAcct>${accountOf(payer)}<Ccy>${currency}</Ccy></DbtrAcct><DbtrAgt>${bankOf(payer.bic)}</DbtrAgt>${isSepa ? SEPA_CHARGES : ''}
${transfers.join('\n')}
</PmtInf></CstmrCdtTrfInitn></Document>
`
}
