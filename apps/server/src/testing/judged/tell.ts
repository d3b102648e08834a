/** What banks tell, as the files that they would send. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { castBgMax } from '../../demo/cast-bgmax.ts'
import type { Country, Report } from './story.ts'

type Account = { readonly form: 'bankgiro' | 'iban'; readonly number: string; readonly national: string }

export const CURRENCIES = { SE: 'SEK', NO: 'NOK', DK: 'DKK', FI: 'EUR' } as const

/** The instance's account in each country; the numbers are from the printed examples of the formats. */
export const ACCOUNTS: Readonly<Record<Country, Account>> = {
  SE: { form: 'bankgiro', number: '9990-0227', national: '9990-0227' },
  NO: { form: 'iban', number: 'NO9386011117947', national: '8601 11 17947' },
  DK: { form: 'iban', number: 'DK5000400440116243', national: '0040 0440116243' },
  FI: { form: 'iban', number: 'FI2112345600000785', national: '123456-785' },
}

/** Money that a bank has got. */
export type Money = {
  /** What the bank calls it. */
  readonly id: string
  readonly reference: string
  readonly minor: number
  readonly country: Country
  readonly on: CalendarDate
}

/** A report that is on its way, with all the money of its day. */
export type Told = { readonly report: Report; readonly country: Country; readonly money: readonly Money[] }

/** The text of its file. */
export function fileOf({ report, country, money }: Told): string {
  return report.format === 'bgmax' ? bgMaxOf(money) : camtOf(report, country, money)
}

function bgMaxOf(money: readonly Money[]): string {
  const day = money[0]?.on as CalendarDate
  const payments = money.map(({ reference, minor }) => ({ reference, amountMinor: minor }))
  // A day's deposit has one number.
  const serial = Number(day.replaceAll('-', '')) % 100_000
  return castBgMax({ bankgiro: ACCOUNTS.SE.number, day, payments, serial })
}

function camtOf(report: Report, country: Country, money: readonly Money[]): string {
  const message = report.format === 'camt.053' ? '053' : '054'
  const [outer, inner] = message === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  const { number, national } = ACCOUNTS[country]
  const account = report.account === 'iban' ? `<IBAN>${number}</IBAN>` : `<Othr><Id>${national}</Id></Othr>`
  const entries = money.map((one) => entryOf(one, written(one.reference, report.reference))).join('')
  const id = `${country}-${money[0]?.on}`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.02"><${outer}>
<GrpHdr><MsgId>${id}</MsgId></GrpHdr><${inner}><Id>${id}</Id>
<Acct><Id>${account}</Id></Acct>${entries}</${inner}></${outer}></Document>`
}

function entryOf({ id, minor, country, on }: Money, reference: string): string {
  return `<Ntry><Amt Ccy="${CURRENCIES[country]}">${amountText(minor)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>${on}</Dt></BookgDt><ValDt><Dt>${on}</Dt></ValDt><AcctSvcrRef>A${id}</AcctSvcrRef><NtryDtls><TxDtls>
<RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf>
</TxDtls></NtryDtls></Ntry>`
}

function written(reference: string, how: Report['reference']): string {
  if (how === 'spaces') return reference.replace(/(.{4})(?=.)/g, '$1 ')
  return how === 'zeros' ? reference.padStart(20, '0') : reference
}
