import { isRecord } from '../serve.ts'

/** How an account is called, and so which kind of file tells of it. */
export type Scheme = 'BANKGIRO' | 'IBAN' | 'OTHER'

/** Money that somebody sends to an account by hand, with nothing but what is printed on a bill. */
export interface Transfer {
  id: string
  /** Digits and letters only. */
  account: string
  scheme: Scheme
  currency: string
  /** Decimal text with two decimals. */
  amount: string
  /** As the payer typed it, without blanks around it; it may be nobody's. */
  reference: string
  payer: string
  /** The bank's day. */
  day: string
  createdAtMs: number
}

export const CURRENCIES = ['SEK', 'NOK', 'DKK', 'EUR'] as const

export type WantedTransfer = Omit<Transfer, 'id' | 'day' | 'createdAtMs'>

/** What is to be sent, or a sentence about the first mistake. */
export function readTransfer(body: Record<string, unknown>): WantedTransfer | string {
  const { account, amount, currency = 'SEK', reference = '', payer = 'Somebody' } = body
  if (!CURRENCIES.some((one) => one === currency)) return `currency must be one of ${CURRENCIES.join(', ')}.`
  const to = typeof account === 'string' ? accountOf(account, String(currency)) : undefined
  if (!to) return 'account must be a bankgiro, a plusgiro, an IBAN or another account number.'
  const decimals = typeof amount === 'string' ? decimalsOf(amount) : undefined
  if (decimals === undefined)
    return 'amount must be more than zero, such as "842.00", of at most eleven digits before the point.'
  if (!isLine(reference, 70)) return 'reference must be a line of at most 70 characters.'
  if (!isLine(payer, 35) || payer.trim() === '') return 'payer must be a name of at most 35 characters.'
  return {
    ...to,
    currency: String(currency),
    amount: decimals,
    reference: reference.trim(),
    payer: payer.trim(),
  }
}

/** An account number as people write it; undefined when it is none. */
export function accountOf(text: string, currency: string): Pick<Transfer, 'account' | 'scheme'> | undefined {
  const account = text.replace(/[\s.-]/g, '').toUpperCase()
  if (/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account)) return { account, scheme: 'IBAN' }
  if (!/^\d{2,30}$/.test(account)) return undefined
  // A plusgiro has its hyphen before the last digit.
  const isBankgiro = currency === 'SEK' && /^\d{3,4}-?\d{4}$/.test(text.trim())
  return { account, scheme: isBankgiro ? 'BANKGIRO' : 'OTHER' }
}

/** "842", "842,5" and "1 842.50" with two decimals; undefined for zero and for what is no amount. */
function decimalsOf(text: string): string | undefined {
  const [, whole = '', part = ''] = /^(\d{1,11})(?:[.,](\d{1,2}))?$/.exec(text.replace(/\s/g, '')) ?? []
  const amount = `${whole.replace(/^0+(?=\d)/, '')}.${part.padEnd(2, '0')}`
  return whole === '' || /^[0.]+$/.test(amount) ? undefined : amount
}

function isLine(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length <= longest && !/\p{Cc}/u.test(value)
}

/** What became of a credit in the product's books, as the product says. */
export interface CreditEnd {
  /** Of the line; REFUSED when the whole file was. */
  status: 'BOOKED' | 'KNOWN' | 'SUSPENSE' | 'REVERSED' | 'SENT_BACK' | 'WAITING' | 'REFUSED'
  /** The invoice or claim that it is on. */
  number: string | null
  reason: string | null
}

const STATUSES = ['BOOKED', 'KNOWN', 'SUSPENSE', 'REVERSED', 'SENT_BACK', 'WAITING']

/** The product's answer to a file, by the line's number; undefined when it is none. */
export function readEnds(value: unknown): Map<number, CreditEnd> | { refused: string } | undefined {
  if (!isRecord(value)) return undefined
  const { refused, lines } = value
  if (typeof refused === 'string') return { refused }
  if (!Array.isArray(lines)) return undefined
  const ends = new Map<number, CreditEnd>()
  for (const line of lines.filter(isRecord)) {
    if (typeof line['line'] !== 'number' || !STATUSES.includes(String(line['status']))) return undefined
    const text = (name: string) => (typeof line[name] === 'string' ? line[name] : null)
    const status = String(line['status']) as CreditEnd['status']
    ends.set(line['line'], { status, number: text('number'), reason: text('reason') })
  }
  return ends
}
