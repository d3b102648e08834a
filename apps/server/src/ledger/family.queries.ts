/** The SQL of what belongs together: the money of a debt may have paid it under another name. */
import { statement } from '../platform/database/database.ts'

/**
 * The ids of the debts in the array `debts` and of all that they were paid as: a claim's invoices, what one plan pays, and the
 * invoices that it billed. Of the instance $1, each once.
 */
export const familyOf = (debts: string): string =>
  `with named as (
     select unnest(${debts}::uuid[]) as id
     union
     select i.id from invoice i where i.instance_id = $1 and i.claim_id = any(${debts}::uuid[])),
   planned as (
     select m.part_payment_id as id from named n join part_payment_member m on m.instance_id = $1 and m.debt_id = n.id
     union
     select b.part_payment_id from named n join part_payment_instalment b on b.instance_id = $1 and b.invoice_id = n.id),
   together as (
     select id from named
     union
     select m.debt_id from planned p join part_payment_member m on m.instance_id = $1 and m.part_payment_id = p.id
     union
     select b.invoice_id from planned p join part_payment_instalment b on b.instance_id = $1 and b.part_payment_id = p.id
     where b.invoice_id is not null)
   select id from together
   union
   select i.id from together g join invoice i on i.instance_id = $1 and i.claim_id = g.id`

export const family = statement('ledger.family', familyOf('$2'))
