/** By which day the law of a debt's late interest goes: SQL that others put into their statements. */

/** The day on which an invoice first fell due; of a claim, its oldest invoice. The law of its interest may go by that. */
export const FELL_DUE_ON = {
  invoice: (i: string): string => `coalesce(${i}.first_expire_date, ${i}.expire_date) as fell_due_on`,
  claim: (
    c: string,
  ): string => `(select coalesce(min(coalesce(m.first_expire_date, m.expire_date)), ${c}.opened_on)
       from invoice m where m.instance_id = ${c}.instance_id and m.claim_id = ${c}.id) as fell_due_on`,
}
