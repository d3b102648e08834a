/** From which day on the creditor or the operator owns fees and interest, and where that is written. */
import { parseDate } from '@kvitt/domain/calendar.ts'
import type { ChargeOwner } from '@kvitt/domain/ledger/charge-owner.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { insertChargeOwnerRow, readChargeOwners, type ChargeOwnerRow } from './charge-owner.queries.ts'
import { findNamedCreditor } from './named-creditor.ts'

/** Why nothing has changed, for a person to read. */
export class OwnerRefused extends Error {
  override name = 'OwnerRefused'
}

export type WantedOwner = {
  /** The creditor's number, name or id. */
  readonly creditor: string
  /** Today or later: what has been charged keeps its owner. */
  readonly from: string
  readonly fees: ChargeOwner
  readonly interest: ChargeOwner
  readonly source: string
  readonly by: string
}

/**
 * Writes down who owns what is charged from a day on; the same again changes nothing. Answers all that is agreed with the
 * creditor, the newest first. Throws OwnerRefused, or CreditorUnknown.
 */
export async function enterChargeOwner(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id: instanceId, timeZone }: { readonly id: string; readonly timeZone: string },
  { creditor, from, fees, interest, source: told, by }: WantedOwner,
): Promise<ChargeOwnerRow[]> {
  const source = told.trim()
  if (!parseDate(from)) throw new OwnerRefused(`${from} is no day such as 2027-01-31.`)
  if (source === '')
    throw new OwnerRefused(
      'Say where the agreement is written, such as "Agreement of 2026-11-01, section 4".',
    )
  if (from < clock.today(timeZone))
    throw new OwnerRefused(
      `${from} is past: what has been charged keeps its owner. Name today or a later day.`,
    )
  return db.transaction(async (tx) => {
    const creditorId = await findNamedCreditor(tx, instanceId, creditor)
    const before = await readChargeOwners(tx, instanceId, creditorId)
    const same = before.find(({ from_day: day }) => day === from)
    if (same && same.fees === fees && same.interest === interest && same.source === source) return before
    insertChargeOwnerRow(tx, { instanceId, creditorId, from, fees, interest, source, by })
    await noteDeed(tx, {
      instanceId,
      kind: 'charge_owner_entered',
      by,
      about: `creditor:${creditorId}`,
      before: before.find(({ from_day: day }) => day === null || day <= from) ?? {},
      after: { from, fees, interest, source },
    })
    return readChargeOwners(tx, instanceId, creditorId)
  })
}

export { readChargeOwners, type ChargeOwnerRow }
