/** What banks tell, as the files that they would send. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { castBgMax } from '../../demo/cast-bgmax.ts'
import type { Country, Telling } from './story.ts'

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

export type Told = { readonly money: Money; readonly telling: Telling }

/** The files of one day, each format and account in its own. */
export function filesOf(told: readonly Told[], day: CalendarDate): string[] {
  const files = new Map<string, Told[]>()
  const times = new Map<string, number>()
  for (const one of told) {
    const { format, account } = one.telling
    const time = (times.get(one.money.id) ?? 0) + 1
    times.set(one.money.id, time)
    // A deposit of Bankgirot has one number and day, and is told as a whole. No file tells of the same money twice.
    const key =
      format === 'bgmax'
        ? `bgmax ${one.money.id} ${time}`
        : `${format} ${one.money.country} ${account} ${time}`
    files.set(key, [...(files.get(key) ?? []), one])
  }
  return [...files.values()].map((lines) =>
    lines[0]?.telling.format === 'bgmax' ? bgMaxOf(lines) : camtOf(lines, day),
  )
}

function bgMaxOf(lines: readonly Told[]): string {
  const [first] = lines
  const payments = lines.map(({ money }) => ({ reference: money.reference, amountMinor: money.minor }))
  const serial = Number(first?.money.id ?? 1) % 100_000
  return castBgMax({
    bankgiro: ACCOUNTS.SE.number,
    day: first?.money.on as CalendarDate,
    payments,
    serial,
  })
}

function camtOf(lines: readonly Told[], day: CalendarDate): string {
  const [first] = lines
  const message = first?.telling.format === 'camt.053' ? '053' : '054'
  const [outer, inner] = message === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  const { number, national } = ACCOUNTS[first?.money.country ?? 'SE']
  const isIban = first?.telling.account === 'iban'
  const account = isIban ? `<IBAN>${number}</IBAN>` : `<Othr><Id>${national}</Id></Othr>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.02"><${outer}>
<GrpHdr><MsgId>${day}-${lines.length}</MsgId></GrpHdr><${inner}><Id>${day}</Id>
<Acct><Id>${account}</Id></Acct>${lines.map(entryOf).join('')}</${inner}></${outer}></Document>`
}

function entryOf({ money, telling }: Told): string {
  const { id, minor, country, on } = money
  return `<Ntry><Amt Ccy="${CURRENCIES[country]}">${amountText(minor)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>${on}</Dt></BookgDt><ValDt><Dt>${on}</Dt></ValDt><AcctSvcrRef>A${id}</AcctSvcrRef><NtryDtls><TxDtls>
<RmtInf><Strd><CdtrRefInf><Ref>${written(money.reference, telling.reference)}</Ref></CdtrRefInf></Strd></RmtInf>
</TxDtls></NtryDtls></Ntry>`
}

function written(reference: string, how: Telling['reference']): string {
  if (how === 'spaces') return reference.replace(/(.{4})(?=.)/g, '$1 ')
  return how === 'zeros' ? reference.padStart(20, '0') : reference
}
