/**
 * What is agreed about what debtors are charged: since when a creditor's reminder fee is, and who owns fees and interest. One person
 * proposes it, another decides (staff.md 1).
 */
import { parseDate } from '@kvitt/domain/calendar.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type * as contract from '@kvitt/domain/creditors/client.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import {
  agreeReminderFee,
  AgreementRefused,
  enterChargeOwner,
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
  if (!parseDate(agreedOn) || agreedOn > today) throw new Refusal('invalid_request', {}, ['agreedOn'])
  const told = source?.trim() ?? ''
  if (told === '') throw new Refusal('invalid_request', {}, ['source'])
  return { agreedOn, source: told }
}

async function readFee(tx: Transaction, { instanceId, about }: At): Promise<FeeState> {
  const { agreed_on: agreedOn, source } = await readFeeAgreement(tx, instanceId, creditorOf(about))
  return { agreedOn, source }
}

/** Answers the proposal. What holds already is refused as `invalid_request`. */
export async function proposeReminderFee(
  context: Context,
  principal: OperatorMember,
  { creditorId, written }: { readonly creditorId: string; readonly written: WrittenFee },
): Promise<string> {
  const { id: instanceId, timeZone } = principal.instance
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

/** The latest word; nothing where nothing has been agreed. */
async function readOwner(tx: Transaction, { instanceId, about }: At): Promise<ProposedState> {
  const [last] = await readChargeOwners(tx, instanceId, creditorOf(about))
  if (!last?.from_day) return {}
  const { from_day: from, fees, interest, source } = last
  return { from, fees, interest, source }
}

/** Answers the proposal. Refuses `invalid_request` with the field that is wrong: a day that is past, or no source. */
export async function proposeChargeOwner(
  context: Context,
  principal: OperatorMember,
  { creditorId, written }: { readonly creditorId: string; readonly written: WrittenOwner },
): Promise<string> {
  const { id: instanceId, timeZone } = principal.instance
  const { from, fees, interest } = written
  const source = written.source.trim()
  if (!parseDate(from) || from < context.clock.today(timeZone))
    throw new Refusal('invalid_request', {}, ['from'])
  if (source === '') throw new Refusal('invalid_request', {}, ['source'])
  const about = `charge_owner:${creditorId}`
  const after = { from, fees, interest, source }
  return context.db.transaction(async (tx) => {
    const before = await readOwner(tx, { instanceId, about })
    return propose(tx, context, principal, { kind: 'charge_owner', about, creditorId, before, after })
  })
}

export const CHARGE_OWNER_WORK: ProposalWork = {
  readNow: readOwner,
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
