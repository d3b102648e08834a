/**
 * On which accounts of its own books a creditor keeps what a settlement consists of. What it has not chosen is as the Swedish BAS
 * plan has it, which is also what the SIE standard takes for granted.
 */

export const ACCOUNT_ROLES = [
  'receivable',
  'costs',
  'interest',
  'owedBack',
  'fees',
  'vat',
  'outlay',
  'bank',
  'payout',
  'carried',
] as const
export type AccountRole = (typeof ACCOUNT_ROLES)[number]

export type Account = { readonly number: string; readonly name: string }
export type AccountPlan = Readonly<Record<AccountRole, Account>>

export const BAS_PLAN: AccountPlan = {
  receivable: { number: '1510', name: 'Kundfordringar' },
  costs: { number: '3590', name: 'Övriga sidointäkter' },
  interest: { number: '8313', name: 'Ränteintäkter från kortfristiga fordringar' },
  owedBack: { number: '2890', name: 'Övriga kortfristiga skulder' },
  fees: { number: '6062', name: 'Inkasso och KFM-avgifter' },
  vat: { number: '2641', name: 'Debiterad ingående moms' },
  outlay: { number: '6062', name: 'Inkasso och KFM-avgifter' },
  bank: { number: '1930', name: 'Företagskonto' },
  // A payout is a claim on the operator until the bank has it, which books it by itself.
  payout: { number: '1680', name: 'Andra kortfristiga fordringar' },
  carried: { number: '1689', name: 'Övriga kortfristiga fordringar' },
}

/** What a creditor chose from a day on; what it left out is as BAS has it. */
export type ChosenAccounts = {
  readonly from: string
  readonly accounts: Readonly<Partial<Record<AccountRole, Account>>>
}

/** The plan that holds on a day. `chosen` is in the order of its days and of its entry. */
export function accountPlanOn(chosen: readonly ChosenAccounts[], day: string): AccountPlan {
  return { ...BAS_PLAN, ...chosen.findLast(({ from }) => from <= day)?.accounts }
}
