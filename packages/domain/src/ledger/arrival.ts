/** How money that reached a bank account is written in the books when it pays no debt of its own. */
import { negate, type Money } from '../money.ts'
import type { Line } from './booking.ts'

/** PAYMENT: money of a gateway that had told of it before has come to the account. */
export function bookArrival(account: string, gateway: string, amount: Money): Line[] {
  return [
    { account: { kind: 'clearing', gateway: account }, amount },
    { account: { kind: 'clearing', gateway }, amount: negate(amount) },
  ]
}

/** PAYMENT: money that nobody could place; less than zero for what the bank took back. */
export function bookSuspense(account: string, amount: Money): Line[] {
  return [
    { account: { kind: 'clearing', gateway: account }, amount },
    { account: { kind: 'suspense' }, amount: negate(amount) },
  ]
}

/** Money leaves suspense: for `account`, where it came from, or where it is on its way back. */
export function bookOutOfSuspense(account: string, amount: Money): Line[] {
  return [
    { account: { kind: 'suspense' }, amount },
    { account: { kind: 'clearing', gateway: account }, amount: negate(amount) },
  ]
}
