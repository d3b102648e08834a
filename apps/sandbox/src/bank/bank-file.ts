import { escapeHtml } from '../html.ts'
import type { Scheme } from './transfers.ts'

/** Money that came to an account, as the bank tells of it. */
export interface Credit {
  id: string
  /** Decimal text with two decimals. */
  amount: string
  reference: string
  payer: string
  /** What whoever ordered it calls it; a transfer by hand has no name. */
  endToEndId?: string
}

export interface Deposit {
  account: string
  scheme: Scheme
  currency: string
  /** The bank's day, `YYYY-MM-DD`. */
  day: string
  /** The bank's number of it: once for an account and a day. */
  serial: number
  credits: readonly Credit[]
}

/** The bytes of the file: BgMax for a bankgiro, else a notification as camt.054. The lines are in the order of the credits. */
export function writeBankFile(deposit: Deposit): Buffer {
  return deposit.scheme === 'BANKGIRO'
    ? Buffer.from(bgMax(deposit), 'latin1')
    : Buffer.from(camt054(deposit), 'utf8')
}

const digits = (value: number | bigint | string, width: number): string => String(value).padStart(width, '0')

const minorOf = ({ amount }: Credit): bigint => BigInt(amount.replace('.', ''))

/** Bankgirot's BgMax: rows of 80 columns. It has room for digits as a reference, and for other words in a row of their own. */
function bgMax({ account, currency, day, serial, credits }: Deposit): string {
  const date = day.replaceAll('-', '')
  const rows = [
    `01${'BGMAX'.padEnd(20)}01${date}120000000000P`,
    `05${digits(account, 10)}${' '.repeat(10)}${currency}`,
    ...credits.flatMap((credit, index) => {
      const digitsOnly = credit.reference.replace(/\s/g, '')
      const reference = /^\d{1,25}$/.test(digitsOnly) ? digitsOnly : ''
      const code = reference === '' ? '1' : '2'
      return [
        `20${digits('', 10)}${reference.padStart(25)}${digits(minorOf(credit), 18)}${code}1${digits(index + 1, 12)}0`,
        ...(reference === '' && credit.reference !== '' ? [`25${plain(credit.reference).slice(0, 50)}`] : []),
        `26${plain(credit.payer).slice(0, 35)}`,
      ]
    }),
    `15${digits('', 35)}${date}${digits(serial, 5)}${digits(sumOf(credits), 18)}${currency}${digits(credits.length, 8)} `,
    `70${digits(credits.length, 8)}${digits(0, 8)}${digits(0, 8)}${digits(1, 8)}`,
  ]
  return rows.map((row) => `${row.padEnd(80)}\r\n`).join('')
}

function sumOf(credits: readonly Credit[]): bigint {
  return credits.reduce((sum, credit) => sum + minorOf(credit), 0n)
}

/** What ISO-8859-1 has no sign for becomes a question mark. */
function plain(text: string): string {
  return text.replace(/[^\u0020-\u00ff]/g, '?')
}

function camt054({ account, scheme, currency, day, serial, credits }: Deposit): string {
  const id = scheme === 'IBAN' ? `<IBAN>${account}</IBAN>` : `<Othr><Id>${account}</Id></Othr>`
  const entries = credits.map((credit, index) => {
    const { amount, reference, payer, endToEndId } = credit
    // A reference has no blanks; everything else is words.
    const said = /^[0-9A-Z]{2,25}$/.test(reference.replace(/\s/g, ''))
      ? `<RmtInf><Strd><CdtrRefInf><Ref>${escapeHtml(reference.replace(/\s/g, ''))}</Ref></CdtrRefInf></Strd></RmtInf>`
      : reference === ''
        ? ''
        : `<RmtInf><Ustrd>${escapeHtml(reference)}</Ustrd></RmtInf>`
    return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt>
<AcctSvcrRef>DB${day.replaceAll('-', '')}-${serial}-${index + 1}</AcctSvcrRef><NtryDtls><TxDtls>
<Refs><EndToEndId>${escapeHtml(endToEndId ?? 'NOTPROVIDED')}</EndToEndId></Refs>
<RltdPties><Dbtr><Nm>${escapeHtml(payer)}</Nm></Dbtr></RltdPties>${said}</TxDtls></NtryDtls></Ntry>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.02"><BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>DB${serial}</MsgId>
<CreDtTm>${day}T18:00:00</CreDtTm></GrpHdr><Ntfctn><Id>${serial}</Id><Acct><Id>${id}</Id></Acct>
${entries.join('\n')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>
`
}
