/** What stands of a debtor for a creditor's staff and an operator's. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { JsonText } from '../platform/http/json.ts'
import type { OfficePrincipal } from '../staff/staff.ts'
import { readOfficeDebtor } from './debtors.queries.ts'

/** Refuses `not_found`: whoever has nothing of this creditor does not exist. */
export async function findOfficeDebtor(
  { db }: Pick<Context, 'db'>,
  principal: OfficePrincipal,
  id: string,
): Promise<JsonText> {
  const json = await readOfficeDebtor(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return new JsonText(json)
}
