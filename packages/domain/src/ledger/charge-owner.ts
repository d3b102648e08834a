/** Who owns what debtors are charged beside the invoices: it is written with the charge, and stays as it was on that day. */

export const CHARGE_OWNERS = ['CREDITOR', 'OPERATOR'] as const
export type ChargeOwner = (typeof CHARGE_OWNERS)[number]

export type Charge = 'fees' | 'interest'

/** Where nothing else has been agreed the operator keeps the fees, and the creditor what is owed for being paid late. */
export const NOT_AGREED: Readonly<Record<Charge, ChargeOwner>> = { fees: 'OPERATOR', interest: 'CREDITOR' }

const CHARGES: Readonly<Record<string, Charge>> = {
  REMINDER: 'fees',
  COLLECTION: 'fees',
  DELAYED_PENALTY_FEE: 'fees',
  START_FEE: 'fees',
  ADMIN_FEE: 'fees',
  COURT_FEE: 'fees',
  INTEREST: 'interest',
}

/** What a financial event charges; undefined for one that charges nothing. */
export function chargeOf(kind: string): Charge | undefined {
  return Object.hasOwn(CHARGES, kind) ? CHARGES[kind] : undefined
}
