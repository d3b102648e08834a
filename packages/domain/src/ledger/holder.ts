/** How the books follow when it is told, or found, that money lies on another's account than they say. */
import { money, negate, type Money } from '../money.ts'
import type { Account, Line } from './booking.ts'

/** The gateways whose clearing accounts are the bank accounts: the instance's, and those of the creditors' own. */
export const BANK_FILE = 'BANK_FILE'
export const CREDITOR_ACCOUNT = 'CREDITOR_ACCOUNT'

/** Where a line of a statement stands in the books. An account whose holder has not been told yet is booked as the instance's. */
export function clearingOf(holder: 'INSTANCE' | 'CREDITOR' | null): string {
  return holder === 'CREDITOR' ? CREDITOR_ACCOUNT : BANK_FILE
}

function atCreditor(account: Account, creditorId: string): Account {
  if (account.kind === 'held_for_creditor')
    return { kind: 'paid_to_creditor', creditorId: account.creditorId }
  if (account.kind === 'credit') return { kind: 'credit_at_creditor', creditorId, debtorId: account.debtorId }
  if (account.kind === 'clearing' && account.gateway === BANK_FILE)
    return { kind: 'clearing', gateway: CREDITOR_ACCOUNT }
  return account
}

/**
 * REVERSAL: `lines` were booked as money that we hold, and it has been on the creditor's own account all the time. Buckets stay
 * as they are: the debt is paid either way.
 */
export function bookFoundAtCreditor(lines: readonly Line[], creditorId: string): Line[] {
  return lines.flatMap(({ account, amount }) => {
    const there = atCreditor(account, creditorId)
    return there === account
      ? []
      : [
          { account, amount: negate(amount) },
          { account: there, amount },
        ]
  })
}

/**
 * REFUND: whose money goes back where a debt was paid on both kinds of account. What we hold of it goes first, as we can send
 * that; the creditor sends back what it was paid.
 */
export function shareRefund(
  lines: readonly Line[],
  { creditorId, heldMinor, paidMinor }: { creditorId: string; heldMinor: number; paidMinor: number },
): Line[] {
  const owedBack = lines.reduce(
    (sum, { account, amount }) => sum - (account.kind === 'credit' ? amount.minor : 0),
    0,
  )
  const ours = Math.min(owedBack, Math.max(0, heldMinor))
  const theirs = Math.min(owedBack - ours, Math.max(0, paidMinor))
  if (theirs === 0) return [...lines]
  return lines
    .flatMap(({ account, amount }) => {
      const there = atCreditor(account, creditorId)
      if (there === account) return [{ account, amount }]
      const part: Money = money(amount.minor < 0 ? -theirs : theirs, amount.currency)
      return [
        { account, amount: money(amount.minor - part.minor, amount.currency) },
        { account: there, amount: part },
      ]
    })
    .filter(({ amount }) => amount.minor !== 0)
}
