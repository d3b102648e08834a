/**
 * What client funds moved in a closed month as SIE 4 for the operator's own books: one account for each term of the proof, and the
 * bank account itself, each with what the books have on it: none is what is left of the others, and they come to zero. By the day of
 * booking: a line of the bank that was entered in the next month is in the next month's voucher. The numbers are of the BAS plan, for the accountant to change when it is read in.
 */
import { firstDayOf, lastDayOf, type Month } from '@kvitt/domain/month-close/month-close.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { termsMoved, type MovedTerm } from '../client-funds/client-funds.ts'
import type { Connection } from '../platform/database/database.ts'
import { encodeCp437 } from '../platform/tables/cp437.ts'

const ACCOUNTS: Readonly<Record<MovedTerm, { readonly number: string; readonly name: string }>> = {
  gateways: { number: '1580', name: 'Redovisningsmedel på väg från betalväxlar' },
  bank_fees: { number: '1688', name: 'Redovisningsmedel, bankavgifter att ersätta' },
  paid_twice: { number: '1687', name: 'Redovisningsmedel, utbetalt två gånger' },
  advances: { number: '1689', name: 'Förskott till redovisningsmedel' },
  bank: { number: '1990', name: 'Redovisningsmedel' },
  held: { number: '2890', name: 'Redovisningsmedel, borgenärer' },
  owed: { number: '2891', name: 'Redovisningsmedel, att återbetala' },
  payouts: { number: '2892', name: 'Redovisningsmedel, utbetalningar på väg' },
  fees: { number: '2893', name: 'Redovisningsmedel, egna arvoden' },
  bank_interest: { number: '2894', name: 'Redovisningsmedel, ränta från banken' },
  suspense: { number: '2899', name: 'Redovisningsmedel, oplacerat' },
}

const quoted = (text: string): string =>
  `"${text.replace(/\p{Cc}+/gu, ' ').replace(/[\\"]/g, (sign) => `\\${sign}`)}"`
const dayOf = (day: string): string => day.replaceAll('-', '')

export type SieOfMonth = {
  readonly instanceId: string
  readonly name: string
  readonly version: string
  readonly madeOn: string
  readonly month: Month
  readonly currency: string
}

export async function writeMonthSie(db: Connection, of: SieOfMonth): Promise<Buffer> {
  const { instanceId, name, version, madeOn, month, currency } = of
  const [from, to] = [firstDayOf(month), lastDayOf(month)]
  const moved = await termsMoved(db, instanceId, { currency, from, to })
  const left = moved.reduce((sum, { minor }) => sum + minor, 0)
  if (left !== 0) throw new Error(`client funds of ${month} in ${currency} do not balance: ${left}`)
  const lines = moved
    .map(({ term, minor }) => ({ ...ACCOUNTS[term], minor }))
    .toSorted((one, other) => (one.number < other.number ? -1 : 1))
  const text = quoted(`Redovisningsmedel ${from} - ${to}`)
  const rows = [
    '#FLAGGA 0',
    `#PROGRAM "Kvitt" ${quoted(version)}`,
    '#FORMAT PC8',
    `#GEN ${dayOf(madeOn)}`,
    '#SIETYP 4',
    `#FNAMN ${quoted(name)}`,
    `#VALUTA ${currency}`,
    ...lines.map(({ number, name: account }) => `#KONTO ${number} ${quoted(account)}`),
    ...(lines.length === 0
      ? []
      : [
          `#VER "" "" ${dayOf(to)} ${text}`,
          '{',
          ...lines.map(
            ({ number, minor }) => `#TRANS ${number} {} ${amountText(minor)} ${dayOf(to)} ${text}`,
          ),
          '}',
        ]),
  ]
  return encodeCp437(rows.map((row) => `${row}\r\n`).join(''))
}
