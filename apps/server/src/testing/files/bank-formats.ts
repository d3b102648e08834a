/** Files of banks in each format, for tests: what one account got on one day. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { amountText } from '@kvitt/domain/money.ts'

const digits = (value: number | string, width: number): string => String(value).padStart(width, '0')

type Money = { readonly amountMinor: number; readonly reference: string }

/** OCR giro with one assignment: payments to 11 digits, each with a KID. */
export function ocrGiro({
  account,
  day,
  payments,
  serial,
}: {
  readonly account: string
  readonly day: CalendarDate
  readonly payments: readonly Money[]
  readonly serial: number
}): string {
  const [year, month, ofMonth] = day.split('-')
  const ddmmyy = `${ofMonth}${month}${year?.slice(2)}`
  const total = digits(
    payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    17,
  )
  const count = digits(payments.length, 8)
  const transactions = payments.flatMap(({ amountMinor, reference }, index) => [
    `NY091030${digits(index + 1, 7)}${ddmmyy}${' '.repeat(11)}${digits(amountMinor, 17)}${reference.padStart(25)}`,
    `NY091031${digits(index + 1, 7)}${digits(0, 65)}`,
  ])
  const rows = [
    `NY000010${digits(8080, 8)}${digits(serial, 7)}${digits(99999, 8)}`,
    `NY090020${digits(1, 9)}${digits(serial, 7)}${account}`,
    ...transactions,
    `NY090088${count}${digits(transactions.length + 2, 8)}${total}${ddmmyy}${ddmmyy}${ddmmyy}`,
    `NY000089${count}${digits(transactions.length + 4, 8)}${total}${ddmmyy}`,
  ]
  return rows.map((row) => `${row.padEnd(80, '0')}\r\n`).join('')
}

export type CamtEntry = {
  readonly amountMinor: number
  readonly currency: string
  readonly day: CalendarDate
  /** AcctSvcrRef; left out, the bank gives the entry no name. */
  readonly bankId?: string
  readonly reference?: string
  readonly payer?: string
  readonly payerIban?: string
  readonly message?: string
  readonly endToEndId?: string
  readonly txId?: string
  readonly uetr?: string
  readonly isDebit?: boolean
  readonly isReversal?: boolean
}

const tag = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${text}</${name}>`

function entryOf(entry: CamtEntry): string {
  const isOut = entry.isDebit ?? entry.isReversal ?? false
  const refs = tag('EndToEndId', entry.endToEndId) + tag('TxId', entry.txId) + tag('UETR', entry.uetr)
  const from = tag('IBAN', entry.payerIban)
  const debtor = entry.payer === undefined ? '' : `<Dbtr><Nm>${entry.payer}</Nm></Dbtr>`
  const account = from === '' ? '' : `<DbtrAcct><Id>${from}</Id></DbtrAcct>`
  const payer = debtor + account === '' ? '' : `<RltdPties>${debtor}${account}</RltdPties>`
  const structured =
    entry.reference === undefined ? '' : `<Strd><CdtrRefInf><Ref>${entry.reference}</Ref></CdtrRefInf></Strd>`
  const remittance = tag('Ustrd', entry.message) + structured
  return `<Ntry><Amt Ccy="${entry.currency}">${amountText(entry.amountMinor)}</Amt>
<CdtDbtInd>${isOut ? 'DBIT' : 'CRDT'}</CdtDbtInd><RvslInd>${entry.isReversal ?? false}</RvslInd><Sts>BOOK</Sts>
<BookgDt><Dt>${entry.day}</Dt></BookgDt>${tag('AcctSvcrRef', entry.bankId)}
<NtryDtls><TxDtls>${refs === '' ? '' : `<Refs>${refs}</Refs>`}${payer}${remittance === '' ? '' : `<RmtInf>${remittance}</RmtInf>`}</TxDtls></NtryDtls></Ntry>`
}

export type CamtReport = {
  readonly account: { readonly iban: string } | { readonly other: string }
  readonly entries: readonly CamtEntry[]
  readonly message?: '053' | '054'
  readonly serial?: number
  /** The rows between account and entries, such as balances. */
  readonly head?: string
}

/** A camt.053 or camt.054 with one report. */
export function camt({ account, entries, message = '053', serial = 1, head = '' }: CamtReport): string {
  const [outer, inner] = message === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  const id = 'iban' in account ? tag('IBAN', account.iban) : `<Othr><Id>${account.other}</Id></Othr>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.02"><${outer}><GrpHdr><MsgId>M${serial}</MsgId></GrpHdr>
<${inner}><Id>${serial}</Id><Acct><Id>${id}</Id></Acct>${head}${entries.map(entryOf).join('\n')}</${inner}></${outer}></Document>`
}
