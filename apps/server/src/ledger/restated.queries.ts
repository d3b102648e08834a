/** The SQL of what has been taken back of a charge. */

/** What of the charge with this alias has been taken back because money had come before it, as SQL, in minor units. */
export const restatedMinor = (charge: string): string => `coalesce((
  select sum(b.amount_minor) from ledger_transaction a
  join posting b on b.instance_id = a.instance_id and b.transaction_id = a.id and b.amount_minor > 0
  where a.instance_id = ${charge}.instance_id and a.restates_id = ${charge}.id), 0)`
