/** A creditor's standing instruction, given from the portals by the use cases of the command. */
import { addDays, parseDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { parseAmount, type Currency } from '@kvitt/domain/money.ts'
import type { Context } from '../../context.ts'
import { JsonText } from '../../platform/http/json.ts'
import { endInstruction, keepInstruction } from '../court.ts'
import { readInstructed } from '../instructions.queries.ts'
import { actorOf, type OfficePrincipal } from '../../staff/staff.ts'

export type Instructed = {
  readonly creditorId: string
  /** Of the creditor, who gave it. */
  readonly person: string
  readonly reason: string
}

type Written = {
  readonly from: string
  readonly to: string
  readonly largestClaim: string | number
  readonly currency: Currency
}

/** A creditor of the instance, with what stands. Refuses `not_found`. */
export async function findInstructing(
  { db }: Pick<Context, 'db'>,
  { instance }: OfficePrincipal,
  id: string,
): Promise<{ readonly id: string; readonly json: JsonText }> {
  const json = await readInstructed(db, instance.id, id)
  if (json === undefined) throw new Refusal('not_found')
  return { id, json: new JsonText(`{"instructions":${json}}`) }
}

/** An instruction is looked at anew after so long, in days. */
const LONGEST = 5 * 366

/** Refuses `invalid_request`, `day_out_of_reach`, `amount_malformed`, each with its field. */
export async function instruct(
  context: Context,
  principal: OfficePrincipal,
  { creditorId, person, reason }: Instructed,
  written: Written,
): Promise<JsonText> {
  const { id: instanceId, timeZone } = principal.instance
  const [from, to] = [parseDate(written.from), parseDate(written.to)]
  if (!from) throw new Refusal('invalid_request', {}, ['from'])
  if (!to) throw new Refusal('invalid_request', {}, ['to'])
  const today = context.clock.today(timeZone)
  // What is over before it begins would never be looked at.
  const first = from > today ? from : today
  const last = addDays(first, LONGEST)
  if (to < first || to > last) throw new Refusal('day_out_of_reach', { from: first, to: last }, ['to'])
  const largest = parseAmount(String(written.largestClaim), written.currency)
  if (!largest || largest.minor <= 0) throw new Refusal('amount_malformed', {}, ['largestClaim'])
  const { currency } = written
  const wanted = { creditor: creditorId, from, to, person, largestMinor: largest.minor, currency }
  await keepInstruction(context, instanceId, wanted, { actor: actorOf(principal), reason })
  return (await findInstructing(context, principal, creditorId)).json
}

/** The creditor is asked about each claim again. Without one nothing changes. */
export async function endInstructed(
  context: Context,
  principal: OfficePrincipal,
  {
    creditorId,
    currency,
    reason,
  }: Pick<Instructed, 'creditorId' | 'reason'> & { readonly currency: Currency },
): Promise<JsonText> {
  const wanted = { creditor: creditorId, currency }
  await endInstruction(context, principal.instance.id, wanted, { actor: actorOf(principal), reason })
  return (await findInstructing(context, principal, creditorId)).json
}
