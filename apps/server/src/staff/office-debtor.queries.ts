/** A debtor as a creditor's staff sees it, and what is of its creditor, in the SQL of every list. */
import { isProtected } from '../ledger/protected-persons.queries.ts'
import { amount, asWritten, sqlJson, word } from '../platform/database/sql-json.ts'

/** As the creditor $2 has entered it; what another creditor has entered of the debtor `d` is not shown. */
const own = (field: string): string =>
  `case when exists (select from debtor_contact h where h.instance_id = d.instance_id and h.creditor_id = $2 and h.debtor_id = d.id)
     then (select h.${field} from debtor_contact h where h.instance_id = d.instance_id and h.creditor_id = $2 and h.debtor_id = d.id)
     else d.${field} end`

/** Of a person with a protected identity nobody sees it here, whoever entered it (M-36): one call alone tells it, and writes down to whom. */
const reached = (field: string): string => `case when not ${isProtected('d')} then ${own(field)} end`

/** A debtor `d` as a creditor's staff sees it, as JSON. */
export const OFFICE_DEBTOR = {
  id: word('d.id'),
  type: word('d.kind'),
  name: own('name'),
  identificationNumber: 'd.identification_number',
  isProtected: asWritten(`case when ${isProtected('d')} then 'true' else 'false' end`),
  email: reached('email'),
  phone: reached('phone'),
  invoiceAddress: {
    address: reached('address'),
    address2: reached('address2'),
    zip: `coalesce(${reached('zip')}, '')`,
    city: reached('city'),
    countryCode: 'd.country',
  },
}

/** The creditor of a row, where `column` has its id, in the row's JSON. */
export const creditorJson = (instance: string, column: string): ReturnType<typeof asWritten> =>
  asWritten(
    `coalesce((select ${sqlJson({ id: word('r.id'), name: 'r.name' })} from creditor r
      where r.instance_id = ${instance} and r.id = ${column}), 'null')`,
  )

/** What the creditor `alias` wants taken to an authority without being asked, as SQL of JSON. */
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
