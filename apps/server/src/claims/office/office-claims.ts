/** A creditor's claims, as its staff and its programs see them. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import { presentEvents } from '../../invoices/invoices.ts'
import { JsonText } from '../../platform/http/json.ts'
import { pageOfEvents } from '../../platform/http/paging.ts'
import type { OfficeQuery } from '../../staff/office-list.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'
import { presentMembers, readSources } from '../claims.ts'
import { claimSet, readOfficeClaim, searchClaimRows } from './office-claims.queries.ts'

export const searchOfficeClaims = searchClaimRows
export const officeClaimSet = claimSet

export type OfficeClaim = { readonly id: string; readonly json: JsonText }

/** Refuses `not_found`: another creditor's claim does not exist. */
export async function findOfficeClaim(
  { db, clock }: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<OfficeClaim> {
  const today = clock.today(principal.instance.timeZone)
  const json = await readOfficeClaim(db, principal, { id, today })
  if (json === undefined) throw new Refusal('not_found')
  return { id, json: new JsonText(json) }
}

export async function getOfficeClaim(
  context: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<JsonText> {
  return (await findOfficeClaim(context, principal, id)).json
}

export function listOfficeClaimInvoices({ db }: Context, { instance }: ClientPrincipal, { id }: OfficeClaim) {
  return presentMembers(db, instance.id, id)
}

export async function listOfficeClaimEvents(
  { db }: Context,
  { instance }: ClientPrincipal,
  { id }: OfficeClaim,
  query: OfficeQuery,
) {
  return pageOfEvents(presentEvents(await readSources(db, instance.id, id)), query)
}
