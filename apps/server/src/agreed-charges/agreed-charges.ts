/**
 * What is agreed about what debtors are charged: since when a creditor's reminder fee is, and who owns fees and interest. One person
 * proposes it, another decides.
 */
import { isDeepStrictEqual } from 'node:util'
import { addDays, parseDocumentDay } from '@kvitt/domain/calendar.ts'
import { needsReminderAgreement } from '@kvitt/domain/collection/country-params.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type * as contract from '@kvitt/domain/creditors/client.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import {
  agreeReminderFee,
  AgreementRefused,
  enterChargeOwner,
  findNamedCreditor,
  OwnerRefused,
  readChargeOwners,
  readFeeAgreement,
} from '../creditors/creditors.ts'
import type { Transaction } from '../platform/database/database.ts'
import { within } from '../platform/database/within.ts'
import { propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import type { OperatorMember } from '../staff/staff.ts'

type WrittenFee = BodyOf<typeof contract.proposeReminderFee>
type WrittenOwner = BodyOf<typeof contract.proposeChargeOwner>
type At = { readonly instanceId: string; readonly about: string }

const creditorOf = (about: string): string => about.slice(about.indexOf(':') + 1)

type FeeState = { readonly agreedOn: string | null; readonly source: string | null }

/** Refuses `invalid_request` with the field that is wrong. */
function feeOf({ agreedOn, source }: WrittenFee, today: string): FeeState {
  if (agreedOn === null) return { agreedOn, source: null }
  if (!parseDocumentDay(agreedOn) || agreedOn > today) throw new Refusal('invalid_request', {}, ['agreedOn'])
  const told = source?.trim() ?? ''
  if (told === '') throw new Refusal('invalid_request', {}, ['source'])
  return { agreedOn, source: told }
}

async function readFee(tx: Transaction, { instanceId, about }: At): Promise<FeeState> {
  const { agreed_on: agreedOn, source } = await readFeeAgreement(tx, instanceId, creditorOf(about))
  return { agreedOn, source }
}

type WantedFee = { readonly creditorId: string; readonly country: string; readonly written: WrittenFee }

/** Answers the proposal. What holds already is refused as `invalid_request`, and what its country's law does not ask for. */
export async function proposeReminderFee(
  context: Context,
  principal: OperatorMember,
  { creditorId, country, written }: WantedFee,
): Promise<string> {
  const { id: instanceId, timeZone } = principal.instance
  // Elsewhere the law sets the fee, whatever has been agreed.
  if (!needsReminderAgreement(country)) throw new Refusal('invalid_request', {}, ['agreedOn'])
  const after = feeOf(written, context.clock.today(timeZone))
  const about = `reminder_fee:${creditorId}`
  return context.db.transaction(async (tx) => {
    const before = await readFee(tx, { instanceId, about })
    if (before.agreedOn === after.agreedOn && before.source === after.source)
      throw new Refusal('invalid_request', {}, ['agreedOn'])
    return propose(tx, context, principal, { kind: 'reminder_fee', about, creditorId, before, after })
  })
}

export const REMINDER_FEE_WORK: ProposalWork = {
  readNow: readFee,
  carryOut: async (tx, { context, principal: { instance }, proposal }) => {
    const { agreedOn, source } = proposal.after as FeeState
    const agreed = agreedOn === null ? null : { on: agreedOn, source: source ?? '' }
    const wanted = { creditor: creditorOf(proposal.about), agreed, by: `person:${proposal.proposedBy}` }
    await refusing(AgreementRefused, 'agreedOn', () =>
      agreeReminderFee(
        { ...context, db: within(tx) },
        { instanceId: instance.id, timeZone: instance.timeZone },
        wanted,
      ),
    )
  },
}

/** A later day than this is a slip: what is entered is never taken away. */
const FARTHEST_DAYS = 731

/** What holds on the day `at`; of its own only that day where nothing has been agreed. */
async function ownerOn(tx: Transaction, { instanceId, about }: At, at: string): Promise<ProposedState> {
  // Locks the creditor: whoever enters another waits.
  const creditorId = await findNamedCreditor(tx, instanceId, creditorOf(about))
  const holding = (await readChargeOwners(tx, instanceId, creditorId)).find(
    ({ from_day: day }) => day !== null && day <= at,
  )
  if (!holding) return { at }
  const { from_day: from, fees, interest, source } = holding
  return { at, from, fees, interest, source }
}

/**
 * Answers the proposal. Refuses `invalid_request` with the field that is wrong: a day that is past or too far, no source, or what is
 * agreed from that day on already.
 */
export async function proposeChargeOwner(
  context: Context,
  principal: OperatorMember,
  { creditorId, written }: { readonly creditorId: string; readonly written: WrittenOwner },
): Promise<string> {
  const { id: instanceId, timeZone } = principal.instance
  const { from, fees, interest } = written
  const source = written.source.trim()
  const today = context.clock.today(timeZone)
  if (!parseDocumentDay(from) || from < today || from > addDays(today, FARTHEST_DAYS))
    throw new Refusal('invalid_request', {}, ['from'])
  if (source === '') throw new Refusal('invalid_request', {}, ['source'])
  const about = `charge_owner:${creditorId}`
  const after = { from, fees, interest, source }
  return context.db.transaction(async (tx) => {
    const before = await ownerOn(tx, { instanceId, about }, from)
    if (isDeepStrictEqual(before, { at: from, ...after })) throw new Refusal('invalid_request', {}, ['from'])
    return propose(tx, context, principal, { kind: 'charge_owner', about, creditorId, before, after })
  })
}

export const CHARGE_OWNER_WORK: ProposalWork = {
  readNow: (tx, { before, ...at }) => ownerOn(tx, at, String(before['at'])),
  carryOut: async (tx, { context, principal: { instance }, proposal }) => {
    const wanted = {
      ...(proposal.after as WrittenOwner),
      creditor: creditorOf(proposal.about),
      by: `person:${proposal.proposedBy}`,
    }
    await refusing(OwnerRefused, 'from', () =>
      enterChargeOwner({ ...context, db: within(tx) }, instance, wanted),
    )
  },
}

/** What was right when it was proposed may have become too late. */
async function refusing(
  kind: new (...args: never[]) => Error,
  field: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof kind) throw new Refusal('invalid_request', {}, [field])
    throw error
  }
}
