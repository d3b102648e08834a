/** The SQL of what has been taken back of a charge by entries that name it. */

const namedMinor = (charge: string, which: string): string => `coalesce((
  select sum(b.amount_minor) from ledger_transaction a
  join posting b on b.instance_id = a.instance_id and b.transaction_id = a.id and b.amount_minor > 0
  where a.instance_id = ${charge}.instance_id and a.restates_id = ${charge}.id${which}), 0)`

/** What of the charge with this alias has been taken back because money had come before it, or waived, as SQL, in minor units. */
export const restatedMinor = (charge: string): string => namedMinor(charge, '')

/** As restatedMinor, without what was waived: that has been charged all the same. */
export const lostMinor = (charge: string): string => namedMinor(charge, ` and a.cause not like 'waived:%'`)

/** What of the charge with this alias has been waived, as SQL, in minor units. */
export const waivedMinor = (charge: string): string => namedMinor(charge, ` and a.cause like 'waived:%'`)
