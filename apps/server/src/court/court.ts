/** Claims before an authority: recorded by persons, never done by schedule. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { noteDeed } from '../audit/audit.ts'
import { findNamedDebts } from '../claims/claims.ts'
import { findNamedCreditor } from '../creditors/creditors.ts'
import type { Connection } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import type { CourtContext } from './applications.ts'
import { CourtRefused } from './court-refused.ts'
import type { By } from './court.queries.ts'
import { endInstructionRows, insertInstructionRow, isStanding } from './instructions.queries.ts'

export { applyToCourt, recordApplication, recordNoApplication, type CourtContext } from './applications.ts'
export { recordDecision } from './decisions.ts'
export { CourtRefused } from './court-refused.ts'
export type { By } from './court.queries.ts'

/** The one claim of an instance with this number, reference or identifier. Throws CourtRefused. */
export async function findClaim(db: Connection, instanceId: string, name: string): Promise<string> {
  const [one, ...others] = await findNamedDebts(db, instanceId, { kind: 'claim', name: name.trim() })
  if (one === undefined) throw new CourtRefused('no_such_claim', `The provider has no claim ${name}.`)
  if (others.length > 0) throw new CourtRefused('several_claims', `Several claims are named ${name}.`)
  return one.id
}

export type StandingInstruction = {
  /** Company number, name or identifier of the creditor. */
  readonly creditor: string
  readonly from: CalendarDate
  readonly to: CalendarDate
  /** Of the creditor, who gave it. */
  readonly person: string
  readonly largestMinor: number
  readonly currency: Currency
}

/**
 * A creditor wants every claim up to an amount taken to the authority when its schedule ends: then the task is to do that, and
 * not to ask. Nothing is charged by it. It takes the place of the one before in its currency; the same again changes nothing. Throws CreditorUnknown.
 */
export async function keepInstruction(
  { db, clock }: CourtContext,
  instanceId: string,
  { creditor, ...wanted }: StandingInstruction,
  by: By,
): Promise<void> {
  const creditorId = await findNamedCreditor(db, instanceId, creditor)
  await db.transaction(async (tx) => {
    if (await isStanding(tx, instanceId, { creditorId, ...wanted })) return
    await insertInstructionRow(tx, instanceId, { id: newId(clock.now()), creditorId, ...wanted }, by)
    await noteInstruction(tx, { instanceId, creditorId }, by)
  })
}

/** Takes a creditor's standing instruction back. Answers whether there was one. Throws CreditorUnknown. */
export async function endInstruction(
  { db }: CourtContext,
  instanceId: string,
  { creditor, currency }: Pick<StandingInstruction, 'creditor' | 'currency'>,
  by: By,
): Promise<boolean> {
  const creditorId = await findNamedCreditor(db, instanceId, creditor)
  return db.transaction(async (tx) => {
    const ended = await endInstructionRows(tx, instanceId, { creditorId, currency })
    if (ended) await noteInstruction(tx, { instanceId, creditorId }, by)
    return ended
  })
}

async function noteInstruction(
  tx: Connection,
  { instanceId, creditorId }: { instanceId: string; creditorId: string },
  { actor, reason }: By,
): Promise<void> {
  const about = `creditor:${creditorId}`
  // Staff are named as what they are; a command knows a person's name alone.
  const by = actor.includes(':') ? actor : `person:${actor}`
  await noteDeed(tx, { instanceId, kind: 'court_instruction_changed', by, reason, about })
}
