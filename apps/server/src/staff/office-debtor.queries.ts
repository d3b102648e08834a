/** A debtor as a creditor's staff sees it, in the SQL of every list. */
import { asWritten, sqlJson, word } from '../platform/database/sql-json.ts'

/** As the creditor $2 has entered it; what another creditor has entered of the debtor `d` is not shown (staff.md 1). */
const own = (field: string): string =>
  `case when exists (select from debtor_contact h where h.instance_id = d.instance_id and h.creditor_id = $2 and h.debtor_id = d.id)
     then (select h.${field} from debtor_contact h where h.instance_id = d.instance_id and h.creditor_id = $2 and h.debtor_id = d.id)
     else d.${field} end`

/** A debtor `d` as a creditor's staff sees it, as JSON. */
export const OFFICE_DEBTOR = {
  id: word('d.id'),
  type: word('d.kind'),
  name: own('name'),
  identificationNumber: 'd.identification_number',
  email: own('email'),
  phone: own('phone'),
  invoiceAddress: {
    address: own('address'),
    address2: own('address2'),
    zip: own('zip'),
    city: own('city'),
    countryCode: 'd.country',
  },
}

/** The creditor of a row, where `column` has its id, in the row's JSON. */
export const creditorJson = (instance: string, column: string): ReturnType<typeof asWritten> =>
  asWritten(
    `coalesce((select ${sqlJson({ id: word('r.id'), name: 'r.name' })} from creditor r
      where r.instance_id = ${instance} and r.id = ${column}), 'null')`,
  )
