/** What stands of a payment in the journal beside the database (decision 050): enough to make it again as it was. */
import { isUuid } from '../ids.ts'
import { isCurrency, type Currency } from '../money.ts'

/** Before its gateway is asked. */
export type PaymentLine = {
  readonly kind: 'payment'
  readonly instance: string
  readonly id: string
  readonly invoice: string | null
  readonly claim: string | null
  readonly gateway: string
  /** What the gateway calls it, where we choose that. */
  readonly gatewayId: string | null
  readonly option: string
  readonly amountMinor: number
  readonly currency: Currency
  readonly executionDate: string
  readonly payee: { readonly name: string; readonly account: string; readonly scheme: string }
  readonly reference: string
  readonly callbackSecret: string
  readonly callbackIdentifier: string | null
  readonly idempotencyKey: string
  /** Hexadecimal. */
  readonly requestHash: string
  readonly isPushed: boolean
  readonly createdAt: string
}

/** The gateway has it, before anybody is given its link. */
export type MadeLine = {
  readonly kind: 'made'
  readonly instance: string
  readonly id: string
  readonly gatewayId: string
  readonly link: string | null
}

/** Before a gateway is asked to send money back. */
export type RefundLine = {
  readonly kind: 'refund'
  readonly instance: string
  readonly id: string
  readonly payment: string
  /** The task that said what is owed back. */
  readonly about: string
  readonly amountMinor: number
  readonly currency: Currency
  readonly callbackSecret: string
}

export type JournalLine = PaymentLine | MadeLine | RefundLine

const text = (value: unknown): boolean => typeof value === 'string' && value !== ''
const textOrNull = (value: unknown): boolean => value === null || text(value)
const id = (value: unknown): boolean => typeof value === 'string' && isUuid(value)
const minor = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0
const currency = (value: unknown): boolean => typeof value === 'string' && isCurrency(value)
const moment = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))

type Check = (value: unknown) => boolean
const SHAPES: Readonly<Record<JournalLine['kind'], Readonly<Record<string, Check>>>> = {
  payment: {
    instance: id,
    id,
    invoice: (value) => value === null || id(value),
    claim: (value) => value === null || id(value),
    gateway: text,
    gatewayId: textOrNull,
    option: (value) => value === 'pay-now' || value === 'due-date',
    amountMinor: minor,
    currency,
    executionDate: (value) => moment(value) && (value as string).length === 10,
    payee: (value) => {
      const { name, account, scheme } = (value ?? {}) as Record<string, unknown>
      return text(name) && text(account) && text(scheme)
    },
    reference: text,
    callbackSecret: text,
    callbackIdentifier: textOrNull,
    idempotencyKey: text,
    requestHash: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
    isPushed: (value) => typeof value === 'boolean',
    createdAt: moment,
  },
  made: { instance: id, id, gatewayId: text, link: textOrNull },
  refund: { instance: id, id, payment: id, about: text, amountMinor: minor, currency, callbackSecret: text },
}

/** The line as it was written; undefined where it is none of these. */
export function readJournalLine(line: Readonly<Record<string, unknown>>): JournalLine | undefined {
  const { kind } = line
  if (typeof kind !== 'string' || !Object.hasOwn(SHAPES, kind)) return undefined
  const shape = SHAPES[kind as JournalLine['kind']]
  const isWhole = Object.entries(shape).every(([name, check]) => check(line[name]))
  const isOfOne = kind !== 'payment' || (line.invoice === null) !== (line.claim === null)
  return isWhole && isOfOne ? (line as JournalLine) : undefined
}

/**
 * How a gateway is asked about a payment that only the journal knows. `our-id`: by what we call it, whatever became of the answer to the
 * start. `its-id`: by what it calls it, from the line after its answer or from its own notification; without either, only the bank's
 * file tells. None of them lists payments by time.
 */
export const ASKED_BY: Readonly<Record<string, 'our-id' | 'its-id'>> = {
  SWISH: 'our-id',
  DIRECT_BANK: 'its-id',
}
