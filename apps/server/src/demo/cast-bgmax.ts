/** A day's payments to a bankgiro as Bankgirot would report them. */
import { sumOfBankLines, type BankLine } from '@kvitt/domain/bank-files/bank-file.ts'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'

export type CastPayment = Pick<BankLine, 'amountMinor'> & {
  readonly kind?: BankLine['kind']
  readonly reference: string
}

export type CastDeposit = {
  readonly bankgiro: string
  readonly day: CalendarDate
  readonly payments: readonly CastPayment[]
  readonly currency?: 'SEK' | 'EUR'
  /** The bank's number of the deposit. */
  readonly serial?: number
}

const digits = (value: number | string, width: number): string => String(value).padStart(width, '0')

/** The text of a BgMax file with one deposit. */
export function castBgMax({ bankgiro, day, payments, currency = 'SEK', serial = 1 }: CastDeposit): string {
  const date = day.replaceAll('-', '')
  const lines = payments.map((payment) => ({ kind: 'payment' as const, ...payment }))
  const paid = lines.filter(({ kind }) => kind === 'payment').length
  const rows = [
    `01${'BGMAX'.padEnd(20)}01${date}120000000000P`,
    `05${digits(bankgiro.replace(/\D/g, ''), 10)}${' '.repeat(10)}${currency}`,
    ...lines.map(({ kind, reference, amountMinor }, index) => {
      const code = kind === 'payment' ? '20' : '21'
      return `${code}${digits('', 10)}${reference.padStart(25)}${digits(amountMinor, 18)}21${digits(index + 1, 12)}0`
    }),
    `15${digits('', 35)}${date}${digits(serial, 5)}${digits(sumOfBankLines(lines), 18)}${currency}${digits(lines.length, 8)} `,
    `70${digits(paid, 8)}${digits(lines.length - paid, 8)}${digits(0, 8)}${digits(1, 8)}`,
  ]
  return rows.map((row) => `${row.padEnd(80)}\r\n`).join('')
}
