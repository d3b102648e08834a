/**
 * How each financial event is written in the books: which accounts it debits (positive) and credits
 * (negative). The lines of a booking sum to zero.
 */
import { add, compare, negate, subtract, sum, zero, type Money } from '../money.ts'

/** An account by what it is for. The server knows its identifier. */
export type Account =
  /** What the debtor owes on one invoice or claim. */
  | ({ readonly kind: Bucket } & Debt)
  /** The counterweight of what a creditor's debtors owe; what we hold for the creditor. */
  | { readonly kind: 'claims_on_debtors' | 'held_for_creditor'; readonly creditorId: string }
  /** What debtors paid to an account of the creditor's own: it has that money, and we never hold it. */
  | { readonly kind: 'paid_to_creditor'; readonly creditorId: string }
  /** Money that a gateway reports as settled. */
  | { readonly kind: 'clearing'; readonly gateway: string }
  /** Money that a debtor has paid too much. */
  | { readonly kind: 'credit'; readonly debtorId: string }
  /** The same, where the creditor has the money and sends it back. */
  | { readonly kind: 'credit_at_creditor'; readonly creditorId: string; readonly debtorId: string }
  | { readonly kind: 'suspense' }
  /** The operator's own money among client funds, where a creditor's does not cover what was taken. */
  | { readonly kind: 'advance'; readonly creditorId: string }

export type Bucket = 'principal' | 'costs' | 'interest'

/** Where something is owed: on an invoice, or on the claim that its balance was moved to. */
export type Debt = { readonly invoiceId: string } | { readonly claimId: string }

/** The identifier of the invoice or claim. */
export function debtId(debt: Debt): string {
  return 'claimId' in debt ? debt.claimId : debt.invoiceId
}

export type Line = { readonly account: Account; readonly amount: Money }

/** The order in which a payment settles the buckets where law and contract say nothing else. */
export const ALLOCATION_ORDER: readonly Bucket[] = ['costs', 'interest', 'principal']

export type Owed = Readonly<Record<Bucket, Money>>

/** Who has an account at the bank: the instance, with client funds on it, or the creditor. */
export const HOLDERS = ['INSTANCE', 'CREDITOR'] as const
export type Holder = (typeof HOLDERS)[number]

export type Parties = Debt & { readonly creditorId: string; readonly debtorId: string }

/** Where the books say that the money of a creditor is: with us, or with the creditor. */
export function moneyOf(creditorId: string, holder: Holder): Account {
  return holder === 'CREDITOR'
    ? { kind: 'paid_to_creditor', creditorId }
    : { kind: 'held_for_creditor', creditorId }
}

/** What is owed back to the debtor, by whoever has the money. */
export function creditOf(parties: Pick<Parties, 'creditorId' | 'debtorId'>, holder: Holder): Account {
  const { creditorId, debtorId } = parties
  return holder === 'CREDITOR'
    ? { kind: 'credit_at_creditor', creditorId, debtorId }
    : { kind: 'credit', debtorId }
}

/** The account of one bucket of a debt. */
export function bucketOf(debt: Debt, kind: Bucket): Account {
  return 'claimId' in debt ? { kind, claimId: debt.claimId } : { kind, invoiceId: debt.invoiceId }
}

function withoutZeros(lines: readonly Line[]): Line[] {
  return lines.filter((line) => line.amount.minor !== 0)
}

/** INVOICE, or CREDIT_INVOICE with a negative total: the debtor owes `total` to the creditor. */
export function bookInvoice(parties: Parties, total: Money): Line[] {
  return withoutZeros([
    { account: bucketOf(parties, 'principal'), amount: total },
    { account: { kind: 'claims_on_debtors', creditorId: parties.creditorId }, amount: negate(total) },
  ])
}

/** What money from an earlier day leaves open of these: it settles that when nothing else is left. */
export type LeftOpen = { readonly costs: Money; readonly interest: Money }

/** As allocateToBuckets, of money that had come before the last charges were made. */
export function allocateEarlier(
  amount: Money,
  owed: Owed,
  leftOpen: LeftOpen | undefined,
  order: readonly Bucket[] = ALLOCATION_ORDER,
): Allocated {
  if (!leftOpen) return allocateToBuckets(amount, owed, order)
  const withoutLater = (bucket: 'costs' | 'interest'): Money => {
    const before = subtract(owed[bucket], leftOpen[bucket])
    return before.minor > 0 ? before : zero(amount.currency)
  }
  const first = {
    principal: owed.principal,
    costs: withoutLater('costs'),
    interest: withoutLater('interest'),
  }
  const { parts, surplus } = allocateToBuckets(amount, first, order)
  const left = {
    principal: subtract(owed.principal, parts.principal),
    costs: subtract(owed.costs, parts.costs),
    interest: subtract(owed.interest, parts.interest),
  }
  const second = allocateToBuckets(surplus, left, order)
  const both = (bucket: Bucket): Money => add(parts[bucket], second.parts[bucket])
  return {
    parts: { principal: both('principal'), costs: both('costs'), interest: both('interest') },
    surplus: second.surplus,
  }
}

/** What each bucket gets of an amount, and what is left over. */
type Allocated = { readonly parts: Owed; readonly surplus: Money }

/** `amount` shared over what is owed, in `order`; what is left over is `surplus`. */
export function allocateToBuckets(
  amount: Money,
  owed: Owed,
  order: readonly Bucket[] = ALLOCATION_ORDER,
): Allocated {
  const none = zero(amount.currency)
  const parts: Record<Bucket, Money> = { principal: none, costs: none, interest: none }
  let left = amount
  for (const bucket of order) {
    const part = compare(left, owed[bucket]) < 0 ? left : owed[bucket]
    parts[bucket] = compare(part, none) > 0 ? part : none
    left = subtract(left, parts[bucket])
  }
  return { parts, surplus: left }
}

/**
 * PAYMENT: money settled by a gateway. What is owed shrinks by it and is held for the creditor, or has been paid to the creditor
 * where that is the `holder` of the account; what is paid too much stands on the principal until bookOverpayment takes it off, in the
 * same posting (M-19).
 */
export function bookPayment(
  parties: Parties,
  payment: {
    readonly gateway: string
    readonly amount: Money
    readonly owed: Owed
    readonly order?: readonly Bucket[]
    readonly holder?: Holder
    readonly leftOpen?: LeftOpen | undefined
  },
): Line[] {
  const { amount, gateway, owed, order = ALLOCATION_ORDER, holder = 'INSTANCE', leftOpen } = payment
  const { parts, surplus } = allocateEarlier(amount, owed, leftOpen, order)
  const paid = { ...parts, principal: add(parts.principal, surplus) }
  return withoutZeros([
    { account: { kind: 'clearing', gateway }, amount },
    ...ALLOCATION_ORDER.map((bucket) => ({
      account: bucketOf(parties, bucket),
      amount: negate(paid[bucket]),
    })),
    { account: { kind: 'claims_on_debtors', creditorId: parties.creditorId }, amount },
    { account: moneyOf(parties.creditorId, holder), amount: negate(amount) },
  ])
}

/**
 * REFUND: what a payment brought too much, or was paid and then credited, is owed back to the debtor (M-19), by the `holder`
 * of the money.
 */
export function bookOverpayment(parties: Parties, surplus: Money, holder: Holder = 'INSTANCE'): Line[] {
  return withoutZeros([
    { account: bucketOf(parties, 'principal'), amount: surplus },
    { account: creditOf(parties, holder), amount: negate(surplus) },
    { account: { kind: 'claims_on_debtors', creditorId: parties.creditorId }, amount: negate(surplus) },
    { account: moneyOf(parties.creditorId, holder), amount: surplus },
  ])
}

/** REFUND: what was owed back has been sent the way that it came. */
export function bookRefund(
  debtorId: string,
  sent: { readonly gateway: string; readonly amount: Money },
): Line[] {
  return withoutZeros([
    { account: { kind: 'credit', debtorId }, amount: sent.amount },
    { account: { kind: 'clearing', gateway: sent.gateway }, amount: negate(sent.amount) },
  ])
}

/**
 * CREDIT_INVOICE against an invoice we hold (M-05): what is owed shrinks by `credit`, principal first. What exceeds the debt
 * had been settled: it stands on the principal until bookSettledCredit takes it off, in the same posting.
 */
export function bookCredit(parties: Parties, credit: Money, owed: Owed): Line[] {
  const { parts, surplus } = allocateToBuckets(credit, owed, CREDIT_ORDER)
  const credited = { ...parts, principal: add(parts.principal, surplus) }
  return withoutZeros([
    ...ALLOCATION_ORDER.map((bucket) => ({
      account: bucketOf(parties, bucket),
      amount: negate(credited[bucket]),
    })),
    { account: { kind: 'claims_on_debtors', creditorId: parties.creditorId }, amount: credit },
  ])
}

const CREDIT_ORDER: readonly Bucket[] = ['principal', 'interest', 'costs']

/**
 * What a credit takes off that had been settled before. As far as it was `writtenOff` nobody paid it, and that write-off is
 * undone (WRITE_OFF); the rest was paid, and is owed back out of what we hold for the creditor (REFUND).
 */
export function bookSettledCredit(
  parties: Parties,
  { credit, owed, writtenOff }: { readonly credit: Money; readonly owed: Owed; readonly writtenOff: Money },
): { readonly writeOff: Line[]; readonly refund: Line[] } {
  const { surplus } = allocateToBuckets(credit, owed, CREDIT_ORDER)
  const givenUp = compare(surplus, writtenOff) < 0 ? surplus : writtenOff
  return {
    writeOff: bookWriteOffUndone(parties, givenUp),
    refund: bookOverpayment(parties, subtract(surplus, givenUp)),
  }
}

/** WRITE_OFF: so much of what was given up has not been given up after all. */
export function bookWriteOffUndone(parties: Parties, givenUp: Money): Line[] {
  return withoutZeros([
    { account: bucketOf(parties, 'principal'), amount: givenUp },
    { account: { kind: 'claims_on_debtors', creditorId: parties.creditorId }, amount: negate(givenUp) },
  ])
}

/** A fee or interest: the debtor owes `amount` more in `bucket`, to the creditor. */
export function bookCharge(parties: Parties, bucket: Bucket, amount: Money): Line[] {
  return withoutZeros([
    { account: bucketOf(parties, bucket), amount },
    { account: { kind: 'claims_on_debtors', creditorId: parties.creditorId }, amount: negate(amount) },
  ])
}

/** TRANSFER_TO_PLAN and the like: `parts` come to stand on this invoice; negative ones leave it. */
export function bookTransfer(parties: Parties, parts: Owed): Line[] {
  const total = sum([parts.principal, parts.costs, parts.interest], parts.principal.currency)
  return withoutZeros([
    ...ALLOCATION_ORDER.map((bucket) => ({
      account: bucketOf(parties, bucket),
      amount: parts[bucket],
    })),
    { account: { kind: 'claims_on_debtors', creditorId: parties.creditorId }, amount: negate(total) },
  ])
}

/** TRANSFER_TO_CLAIM: all that an invoice owes is owed on the claim from now on, bucket by bucket (D-29). */
export function bookTransferToClaim(
  { invoiceId, claimId }: { readonly invoiceId: string; readonly claimId: string },
  owed: Owed,
): Line[] {
  return withoutZeros(
    ALLOCATION_ORDER.flatMap((bucket) => [
      { account: bucketOf({ invoiceId }, bucket), amount: negate(owed[bucket]) },
      { account: bucketOf({ claimId }, bucket), amount: owed[bucket] },
    ]),
  )
}
