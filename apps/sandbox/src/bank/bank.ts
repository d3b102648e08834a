import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import type { Book } from './book.ts'
import type { Amount, Initiation, Payment } from './payment.ts'

/** The link to sign a payment lives this long. */
const LINK_LIFE_MS = 30 * 60_000
/** A payment signed for today is executed by itself after this. */
const EXECUTION_DELAY_MS = 3_000
const NEVER_MS = Number.MAX_SAFE_INTEGER

/** What can be done with payments. Acts that are not allowed in the payment's status answer false. */
export interface Bank extends Pick<Book, 'find' | 'findByToken' | 'payments'> {
  initiate(initiation: Initiation): Payment
  /** The answer to the initiation was lost, or the client has asked about the payment all the same. */
  setUntold(paymentId: string, isUntold: boolean): void
  /** The payer looks at the signing page. */
  open(paymentId: string): void
  /** With `hold` the payment is accepted but not executed before somebody settles with includeHeld. */
  /** `on`: the day of a story that is told afterwards, in the place of the product's. */
  sign(paymentId: string, hold: boolean, on?: string): Promise<boolean>
  decline(paymentId: string): boolean
  /** The bank does not execute what was signed, for want of money. */
  reject(paymentId: string): boolean
  /** The client takes the payment back; true also when it had done so before. */
  cancel(paymentId: string): boolean
  /** Executes signed payments dated `day` or earlier; held ones only when asked to. Answers those executed. */
  settle(day: string, includeHeld: boolean): Payment[]
  /** Lets expired links die and executes what is due by itself. */
  passTime(): Promise<void>
}

export interface BankParts {
  book: Book
  faults: Pick<Faults, 'consume'>
  clock: Clock
  /** The product's business day, `YYYY-MM-DD`. */
  today(): Promise<string>
  /** Whether the product said so itself. */
  isAnswering(): boolean
}

export function openBank(parts: BankParts): Bank {
  const { book } = parts
  return {
    find: book.find,
    findByToken: book.findByToken,
    payments: book.payments,
    initiate: (initiation) => initiate(parts, initiation),
    setUntold(paymentId, isUntold) {
      if ((book.find(paymentId)?.isUntold ?? false) !== isUntold) book.change(paymentId, { isUntold })
    },
    open(paymentId) {
      if (book.find(paymentId)?.scaStatus === 'received') book.change(paymentId, { scaStatus: 'started' })
    },
    sign: (paymentId, hold, on) => sign(parts, paymentId, hold, on),
    decline(paymentId) {
      if (book.find(paymentId)?.status !== 'RCVD') return false
      return book.changeStatus(paymentId, 'RJCT', { scaStatus: 'failed', ending: 'declined' })
    },
    reject(paymentId) {
      if (book.find(paymentId)?.status === 'RCVD') return false
      return book.changeStatus(paymentId, 'RJCT', { ending: 'rejected' })
    },
    cancel: (paymentId) => cancel(book, paymentId),
    settle(day, includeHeld) {
      const due = book
        .openPayments()
        .filter((payment) => isDue(payment, day) && (includeHeld || !payment.held))
      return due.filter((payment) => execute(parts, payment.paymentId))
    },
    passTime: () => passTime(parts),
  }
}

function initiate({ book, clock, faults }: BankParts, initiation: Initiation): Payment {
  const nowMs = clock.now()
  const payment: Payment = {
    ...initiation,
    paymentId: randomUUID(),
    authorisationId: randomUUID(),
    token: randomBytes(24).toString('base64url'),
    createdAtMs: nowMs,
    expiresAtMs: faults.consume('expire') ? nowMs : nowMs + LINK_LIFE_MS,
    status: 'RCVD',
    scaStatus: 'received',
    held: false,
  }
  book.add(payment)
  return payment
}

async function sign(
  { book, clock, faults, today }: BankParts,
  paymentId: string,
  hold: boolean,
  on: string | undefined,
) {
  const day = on ?? (await today())
  const payment = book.find(paymentId)
  if (payment?.status !== 'RCVD' || clock.now() >= payment.expiresAtMs) return false
  const executionDate = laterDay(payment.requestedExecutionDate ?? day, day)
  const futureDated = executionDate > day
  const waits = futureDated || hold
  const isStuck = !waits && faults.consume('stuck')
  return book.changeStatus(paymentId, waits ? 'ACCP' : 'ACSP', {
    scaStatus: 'finalised',
    held: hold,
    futureDated,
    executionDate,
    ...(waits ? {} : { isStuck, executesAtMs: isStuck ? NEVER_MS : clock.now() + EXECUTION_DELAY_MS }),
    ...misreport(payment.instructedAmount, faults),
  })
}

function cancel(book: Book, paymentId: string): boolean {
  const payment = book.find(paymentId)
  if (payment === undefined) return false
  if (payment.status === 'CANC') return true
  if (payment.status !== 'RCVD' && payment.futureDated !== true && payment.isStuck !== true) return false
  const scaStatus = payment.status === 'RCVD' ? 'failed' : payment.scaStatus
  return book.changeStatus(paymentId, 'CANC', { scaStatus, ending: 'cancelled' })
}

function execute({ book, clock, isAnswering }: BankParts, paymentId: string): boolean {
  const past = isAnswering() ? {} : { isPast: true }
  return book.changeStatus(paymentId, 'ACSC', { executedAtMs: clock.now(), ...past })
}

async function passTime(parts: BankParts): Promise<void> {
  const { book, clock, today } = parts
  const nowMs = clock.now()
  for (const { paymentId, status, expiresAtMs, executesAtMs = nowMs } of book.openPayments()) {
    if (status === 'RCVD' && nowMs >= expiresAtMs) {
      book.changeStatus(paymentId, 'RJCT', { scaStatus: 'failed', ending: 'expired' })
    }
    if (status === 'ACSP' && nowMs >= executesAtMs) execute(parts, paymentId)
  }
  const waitsForItsDay = (payment: Payment) => payment.status === 'ACCP' && !payment.held
  if (!book.openPayments().some(waitsForItsDay)) return
  const day = await today()
  for (const payment of book.openPayments().filter(waitsForItsDay)) {
    if (isDue(payment, day)) execute(parts, payment.paymentId)
  }
}

/** Signed, and dated `day` or earlier. */
function isDue({ status, executionDate }: Payment, day: string): boolean {
  return (status === 'ACSP' || status === 'ACCP') && executionDate !== undefined && executionDate <= day
}

function laterDay(one: string, other: string): string {
  return one > other ? one : other
}

function misreport(real: Amount, faults: Pick<Faults, 'consume'>): { misreported?: Partial<Amount> } {
  const misreported: Partial<Amount> = {}
  if (faults.consume('wrong-amount')) misreported.amount = oneMore(real.amount)
  if (faults.consume('wrong-currency')) misreported.currency = real.currency === 'EUR' ? 'SEK' : 'EUR'
  return Object.keys(misreported).length > 0 ? { misreported } : {}
}

function oneMore(amount: string): string {
  const [whole = '0', decimals] = amount.split('.')
  return `${BigInt(whole) + 1n}${decimals === undefined ? '' : `.${decimals}`}`
}
