/** A creditor's invoices, as its staff and its programs work with them. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import { JsonText } from '../../platform/http/json.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'
import {
  invoiceSet,
  readOfficeInvoice,
  readOfficeInvoiceKey,
  searchInvoiceRows,
  type OfficeInvoiceKey,
} from './office-invoices.queries.ts'

export const searchOfficeInvoices = searchInvoiceRows
export const officeInvoiceSet = invoiceSet

/** Refuses `not_found`: another creditor's invoice does not exist. */
export async function findOfficeInvoice(
  context: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<OfficeInvoiceKey> {
  const found = await readOfficeInvoiceKey(context.db, principal, id)
  if (!found) throw new Refusal('not_found')
  return found
}

export async function getOfficeInvoice(
  context: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<JsonText> {
  const today = context.clock.today(principal.instance.timeZone)
  const json = await readOfficeInvoice(context.db, principal, { id, today })
  if (json === undefined) throw new Refusal('not_found')
  return new JsonText(json)
}
