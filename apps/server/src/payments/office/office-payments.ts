/** One payment of a creditor's debts, for its staff. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import { JsonText } from '../../platform/http/json.ts'
import type { ClientPrincipal, OfficePrincipal } from '../../staff/staff.ts'
import { readOfficePayment } from './office-payments.queries.ts'

/** As the wire has it. Refuses `not_found`: what was paid to another creditor does not exist. */
export async function getOfficePayment(
  { db }: Pick<Context, 'db'>,
  principal: OfficePrincipal,
  id: string,
): Promise<JsonText> {
  const json = await readOfficePayment(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return new JsonText(json)
}

export type OfficePayment = { readonly id: string }

/** The same, for an act on it. */
export async function findOfficePayment(
  context: Pick<Context, 'db'>,
  principal: ClientPrincipal,
  id: string,
): Promise<OfficePayment> {
  await getOfficePayment(context, principal, id)
  return { id }
}
