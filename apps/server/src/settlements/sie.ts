/**
 * A settlement as a file for bookkeeping programs: SIE 4, import type ("4I"), one voucher that comes to zero. The standard is
 * Swedish (sie.se, "SIE filformat", utgåva 4B), and so are the texts in it.
 */
import { accountPlanOn, type ChosenAccounts } from '@kvitt/domain/settlements/account-plan.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { voucherOf, type VoucherLine } from '@kvitt/domain/settlements/voucher.ts'
import { encodeCp437 } from '../platform/tables/cp437.ts'

export type SieLine = VoucherLine & { readonly text: string }

export type SieVoucher = {
  readonly version: string
  /** The day on which the file is made. */
  readonly madeOn: string
  readonly creditor: { readonly name: string; readonly number: string | null }
  readonly currency: string
  /** The day of the voucher. */
  readonly date: string
  readonly text: string
  readonly lines: readonly SieLine[]
  readonly chosen: readonly ChosenAccounts[]
}

/** A field in quotes; the standard has no control characters. */
const quoted = (text: string): string =>
  `"${text.replace(/\p{Cc}+/gu, ' ').replace(/[\\"]/g, (sign) => `\\${sign}`)}"`
const dayOf = (day: string): string => day.replaceAll('-', '')

/** A Swedish number as the standard has it, 556000-0000; another country's as it is. */
function numberOf(number: string): string {
  const digits = number.replace(/\D/g, '')
  return /^[\d\s-]+$/.test(number) && digits.length === 10
    ? `${digits.slice(0, 6)}-${digits.slice(6)}`
    : quoted(number)
}

export function writeSie(voucher: SieVoucher): Buffer {
  const { version, madeOn, creditor, currency, date, text, lines, chosen } = voucher
  const plan = accountPlanOn(chosen, date)
  const postings = voucherOf(lines)
  const accounts = new Map(postings.map(({ role }) => [plan[role].number, plan[role].name]))
  const rows = postings.map(({ role, minor, line }) => {
    const what = [amountText(minor), dayOf(line?.date ?? date), quoted(line?.text ?? text)]
    return `#TRANS ${plan[role].number} {} ${what.join(' ')}`
  })
  const all = [
    '#FLAGGA 0',
    `#PROGRAM "Kvitt" ${quoted(version)}`,
    '#FORMAT PC8',
    `#GEN ${dayOf(madeOn)}`,
    '#SIETYP 4',
    ...(creditor.number === null ? [] : [`#ORGNR ${numberOf(creditor.number)}`]),
    `#FNAMN ${quoted(creditor.name)}`,
    `#VALUTA ${currency}`,
    ...[...accounts]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([number, name]) => `#KONTO ${number} ${quoted(name)}`),
    // Series and number are given by the program that reads it.
    `#VER "" "" ${dayOf(date)} ${quoted(text)}`,
    '{',
    ...rows,
    '}',
  ]
  return encodeCp437(all.map((row) => `${row}\r\n`).join(''))
}
