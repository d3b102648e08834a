/**
 * What client funds moved in a closed month as SIE 4 for the operator's own books: one voucher that comes to zero, against the bank
 * account of client funds. The numbers are of the BAS plan, for the accountant to change when it is read in.
 */
import { firstDayOf, lastDayOf, type Month } from '@kvitt/domain/month-close/month-close.ts'
import { amountText } from '@kvitt/domain/money.ts'
import type { Connection } from '../platform/database/database.ts'
import { encodeCp437 } from '../platform/tables/cp437.ts'
import { readMoved, type MovedKind } from './month-close.queries.ts'

const BANK = { number: '1990', name: 'Redovisningsmedel' }
const ACCOUNTS: Readonly<Record<MovedKind, { readonly number: string; readonly name: string }>> = {
  held_for_creditor: { number: '2890', name: 'Redovisningsmedel, borgenärer' },
  credit: { number: '2891', name: 'Redovisningsmedel, att återbetala' },
  suspense: { number: '2899', name: 'Redovisningsmedel, oplacerat' },
  advance: { number: '1689', name: 'Förskott till redovisningsmedel' },
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
  const moved = await readMoved(db, instanceId, { currency, from, to })
  const bank = 0 - moved.reduce((sum, { minor }) => sum + minor, 0)
  const lines = [
    ...(bank === 0 ? [] : [{ ...BANK, minor: bank }]),
    ...moved.map(({ kind, minor }) => ({ ...ACCOUNTS[kind], minor })),
  ]
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
