import type { Payment } from './bank/payment.ts'
import { referenceOf, twoDecimals } from './bank/payment.ts'
import type { Statements } from './bank/statements.ts'
import type { CreditEnd, Transfer } from './bank/transfers.ts'
import { isRecord } from './serve.ts'
import type { MobileOrder, Refund } from './mobile/mobile-order.ts'

/** How the product says that its books stand. Amounts are decimals as text. */
export interface LedgerReport {
  /** Each invariant with the number of rows that break it. */
  checks: { name: string; rows: number }[]
  sums: { currency: string; debit: string; credit: string; postings: number }[]
  orders: LedgerOrder[]
}

export interface LedgerOrder {
  /** The product's own id of the payment or refund; the amount of a refund is below zero. */
  id: string
  gateway: string
  status: string
  amount: string
  currency: string
  bookings: number
  withAPerson: boolean
}

/** What the counterparties have moved against what stands in the books. */
export interface Verdict {
  isRight: boolean
  /** Orders that were executed here, and those of them that are booked once, with the same sum. */
  executed: number
  booked: number
  /** Executed a moment ago, and the product may not know yet. */
  onTheWay: number
  /** Executed, and the product can only learn of it from the bank's next file. */
  inNextFile: number
  /** Executed, and the product has asked somebody to look at it. */
  withAPerson: number
  doubled: string[]
  lost: string[]
  /** Booked with another sum, or booked though nothing was executed here. */
  wrong: string[]
  /** Executed less booked, less what is on its way or with a person, by currency: decimals as text. */
  differences: { currency: string; amount: string }[]
  /** Invariants that do not hold. */
  broken: { name: string; rows: number }[]
}

/** The product asks about every payment at least this often, so that what takes longer is lost. */
const GRACE_MS = 180_000

interface Executed {
  key: string
  reference: string
  minor: bigint
  currency: string
  atMs: number
  /** What became of it, as a file of the bank told of it. */
  end?: CreditEnd | undefined
  /** The product can know of it from a file alone. */
  isUntold?: boolean
}

/** Whatever was ordered at the counterparties. */
export interface Ordered {
  payments: readonly Payment[]
  mobile: readonly MobileOrder[]
  refunds: readonly Refund[]
  statements: Pick<Statements, 'transfers' | 'endOf'>
}

/**
 * Compares order by order. `askedAtMs` is when the report was asked for: it cannot tell of what was executed later, so
 * that what is late is counted from then, not from now.
 */
export function judge(
  report: LedgerReport,
  { payments, mobile, refunds, statements }: Ordered,
  askedAtMs: number,
): Verdict {
  const executed = [
    ...payments.flatMap((payment) => executedAtBank(payment, statements)),
    ...statements.transfers().flatMap((transfer) => paidByHand(transfer, statements)),
    ...mobile.flatMap(executedBySwish),
    ...refunds.flatMap(sentBackBySwish),
  ]
  const known = new Map(report.orders.map((order) => [keyOf(order.id), order]))
  const doubled: string[] = []
  const lost: string[] = []
  const wrong: string[] = []
  const left = new Map<string, bigint>()
  const count = { booked: 0, onTheWay: 0, inNextFile: 0, withAPerson: 0 }
  const owe = (currency: string, minor: bigint) => left.set(currency, (left.get(currency) ?? 0n) + minor)
  for (const one of executed) {
    const order = known.get(one.key)
    known.delete(one.key)
    const bookings = order?.bookings ?? 0
    if (order && bookings > 0) {
      const bookedMinor = minorOf(order.amount) * BigInt(bookings)
      owe(one.currency, one.minor)
      owe(order.currency, -bookedMinor)
      if (bookings > 1) doubled.push(one.reference)
      else if (bookedMinor !== one.minor || order.currency !== one.currency) wrong.push(one.reference)
      else count.booked += 1
    } else if (isInBooks(one.end)) count.booked += 1
    else if (order?.withAPerson || one.end) count.withAPerson += 1
    else if (one.isUntold) count.inNextFile += 1
    else if (askedAtMs - one.atMs < GRACE_MS) count.onTheWay += 1
    else {
      lost.push(one.reference)
      owe(one.currency, one.minor)
    }
  }
  for (const order of known.values()) {
    if (order.bookings === 0) continue
    wrong.push(order.id)
    owe(order.currency, -minorOf(order.amount) * BigInt(order.bookings))
  }
  const broken = report.checks.filter(({ rows }) => rows > 0)
  return {
    isRight: [...broken, ...doubled, ...lost, ...wrong].length === 0,
    executed: executed.length,
    ...count,
    doubled,
    lost,
    wrong,
    differences: [...left].map(([currency, minor]) => ({ currency, amount: decimalsOf(minor) })),
    broken,
  }
}

/** A line of a file that was taken is in the books once: an invariant says so. What lies in suspense waits for a person. */
function isInBooks(end: CreditEnd | undefined): boolean {
  return end !== undefined && ['BOOKED', 'KNOWN', 'REVERSED', 'SENT_BACK'].includes(end.status)
}

type Ends = Pick<Statements, 'endOf'>

/** What came to an account that is nobody's here is somebody else's money. */
function paidByHand(transfer: Transfer, { endOf }: Ends): Executed[] {
  const { id, reference, amount, currency, createdAtMs: atMs } = transfer
  const end = endOf(id)
  if (end?.status === 'REFUSED') return []
  return [{ key: keyOf(id), reference, minor: minorOf(amount), currency, atMs, end, isUntold: true }]
}

function executedAtBank(payment: Payment, { endOf }: Ends): Executed[] {
  if (payment.status !== 'ACSC') return []
  const { amount, currency } = payment.instructedAmount
  const key = keyOf(payment.endToEndIdentification ?? payment.paymentId)
  const atMs = payment.executedAtMs ?? payment.createdAtMs
  return [
    {
      key,
      reference: referenceOf(payment),
      minor: minorOf(twoDecimals(amount)),
      currency,
      atMs,
      end: endOf(payment.paymentId),
      isUntold: payment.isUntold ?? false,
    },
  ]
}

function executedBySwish(order: MobileOrder): Executed[] {
  if (order.status !== 'PAID') return []
  const { id, message, amount, currency, paidAtMs, createdAtMs } = order
  const atMs = paidAtMs ?? createdAtMs
  return [{ key: keyOf(id), reference: message, minor: minorOf(amount), currency, atMs }]
}

function sentBackBySwish(refund: Refund): Executed[] {
  if (refund.status !== 'PAID') return []
  const { id, message, amount, currency, createdAtMs } = refund
  return [{ key: keyOf(id), reference: message, minor: -minorOf(amount), currency, atMs: createdAtMs }]
}

/** The product's payment id as it travels: a UUID to the bank, without hyphens and in capitals to Swish. */
function keyOf(id: string): string {
  return id.replaceAll('-', '').toUpperCase()
}

/** Hundredths of decimal text such as "-842.50". */
function minorOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''))
}

function decimalsOf(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The product's answer when it has this shape; undefined else. */
export function readLedgerReport(value: unknown): LedgerReport | undefined {
  if (!isRecord(value)) return undefined
  const { checks, sums, orders } = value
  const isReport = [checks, sums, orders].every((list) => Array.isArray(list) && list.every(isRecord))
  return isReport ? (value as unknown as LedgerReport) : undefined
}
