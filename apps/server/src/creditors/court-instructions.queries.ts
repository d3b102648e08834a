/** What a creditor has instructed about courts once and for all, as SQL that others have in their own. */
import { amount, sqlJson, word } from '../platform/database/sql-json.ts'

/** The instructions that stand of the creditor `alias`, as SQL of the JSON that the wire has. */
export const courtInstructionsOf = (alias: string): string =>
  `concat('[', (select string_agg(${sqlJson({
    validFrom: word('o.valid_from'),
    validTo: word('o.valid_to'),
    person: 'o.person',
    largestClaim: amount('o.largest_claim_minor'),
    currency: word('o.currency'),
  })}, ',' order by o.currency, o.id)
  from court_instruction o
  where o.instance_id = ${alias}.instance_id and o.creditor_id = ${alias}.id and o.ended_at is null), ']')`
