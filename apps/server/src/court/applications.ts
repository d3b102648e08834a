/** Applications to an authority: asked for, recorded once they were made, and taken back where nobody made one. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { isOpenClaim } from '@kvitt/domain/claims/claim.ts'
import { DAYS_BEFORE_COURT } from '@kvitt/domain/collection/schedule-table.ts'
import { caseKey } from '@kvitt/domain/court/court.ts'
import { noteDeed, type DeedKind } from '../audit/audit.ts'
import { lockClaim, type ClaimKey, type LockedClaim } from '../claims/claims.ts'
import { performRecordedStep, reschedule } from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { readRestingSince } from '../ledger/resting-debts.queries.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { endTask, openTask, reopenTasks } from '../tasks/tasks.ts'
import { takeApplicationBack } from '../unsent-letters/unsent-letters.ts'
import { CourtRefused } from './court-refused.ts'
import {
  askRow,
  insertApplicationRow,
  readApplications,
  readDemandTime,
  readUnrecordedStep,
  type ApplicationRow,
  type By,
} from './court.queries.ts'

export type CourtContext = Pick<Context, 'db' | 'clock' | 'config'>

export type Application = {
  /** The day on which it was made. */
  readonly on: CalendarDate
  readonly authority: string
  readonly caseNumber: string
}

/** A claim that nothing stands against taking to an authority. Throws CourtRefused. */
function requireRunning(claim: LockedClaim): void {
  const { claim_number: number, status } = claim
  if (!isOpenClaim(status) || claim.balance_minor <= 0)
    throw new CourtRefused('not_open', `Nothing is asked for on claim ${number}: withdraw the application.`)
  if (status === 'DISPUTED')
    throw new CourtRefused('disputed', `Claim ${number} is disputed: answer the objection first.`)
  if (status === 'PAUSED')
    throw new CourtRefused(
      'paused',
      `Claim ${number} is paused: let it go on first, or withdraw the application.`,
    )
  if (claim.is_part_payment)
    throw new CourtRefused('in_a_plan', `Claim ${number} is paid in instalments: the plan comes first.`)
}

/** Whose debts all rest is not taken to an authority: what was filed before that day is recorded all the same. */
async function refuseResting(tx: Transaction, claim: LockedClaim, on: CalendarDate): Promise<void> {
  const since = await readRestingSince(tx, claim.instance_id, claim.debtor_id)
  if (since !== undefined && on >= since)
    throw new CourtRefused(
      'rests',
      `All debts of the debtor of claim ${claim.claim_number} rest: answer the flag first.`,
    )
}

/** Nobody applies to an authority before the demand and the time that it gives (SE inkassolagen 6 §). */
async function requireTime(tx: Transaction, claim: LockedClaim, on: CalendarDate): Promise<void> {
  const lastDay = await readDemandTime(tx, { instanceId: claim.instance_id, claimId: claim.id })
  const earliest = lastDay === null ? undefined : addDays(date(lastDay), DAYS_BEFORE_COURT + 1)
  if (earliest === undefined || on < earliest)
    throw new CourtRefused(
      'too_early',
      `The demand of claim ${claim.claim_number} gives time until ${lastDay ?? 'it is sent'}: no application before ${earliest ?? 'that'}.`,
    )
}

/**
 * The creditor wants the claim taken to an authority: somebody is asked to do it. It costs the debtor nothing. The same again
 * changes nothing. Throws CourtRefused.
 */
export function applyToCourt(
  { db }: CourtContext,
  key: ClaimKey,
  { today, by }: { readonly today: CalendarDate; readonly by: By },
): Promise<void> {
  return db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    requireRunning(claim)
    await refuseResting(tx, claim, today)
    await requireTime(tx, claim, today)
    const { instanceId, claimId } = key
    if (!(await askRow(tx, key)))
      throw new CourtRefused(
        'schedule_running',
        `The schedule of claim ${claim.claim_number} has not come to its end, or an application stands.`,
      )
    const about = `claim:${claimId}`
    await endTask(tx, { instanceId, kind: 'schedule_ended', about })
    const isNew = await openTask(tx, {
      instanceId,
      kind: 'court_to_file',
      about,
      details: { on: today, wantedBy: by.actor },
    })
    if (isNew) await note(tx, key, 'court_asked_for', by)
  })
}

/**
 * It cannot be filed as it is: the creditor is asked again what comes next, with the reason why. Throws CourtRefused where nobody
 * has been asked to file it.
 */
export function returnInstruction(
  { db }: CourtContext,
  key: ClaimKey,
  { today, by }: { readonly today: CalendarDate; readonly by: By },
): Promise<void> {
  return db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    const { instanceId, claimId } = key
    const about = `claim:${claimId}`
    if (!(await endTask(tx, { instanceId, kind: 'court_to_file', about })))
      throw new CourtRefused('not_wanted', `Nobody has asked to file claim ${claim.claim_number}.`)
    await reopenTasks(tx, [
      {
        instanceId,
        kind: 'schedule_ended',
        about,
        details: { on: today, returnedOn: today, returnedReason: by.reason },
      },
    ])
    await note(tx, key, 'court_instruction_returned', by)
  })
}

/**
 * An application that somebody has made: from now on the claim costs what it costs, once for its case number, and tells of it.
 * The same again answers the same and changes nothing. Throws CourtRefused.
 */
export function recordApplication(
  context: CourtContext,
  key: ClaimKey,
  { application, today, by }: { application: Application; today: CalendarDate; by: By },
): Promise<ApplicationRow> {
  return context.db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    const wanted = rowOf(key, application)
    const before = await findRecorded(tx, claim, wanted)
    if (before) return before
    if (application.on > today)
      throw new CourtRefused(
        'in_the_future',
        `${application.on} is still to come: record it when it was made.`,
      )
    // What was charged by schedule, before applications were recorded, is this one.
    const charged = await readUnrecordedStep(tx, key)
    if (charged === undefined) {
      requireRunning(claim)
      await refuseResting(tx, claim, application.on)
      await requireTime(tx, claim, application.on)
    }
    const step = { type: 'BAILIFF_PAYMENT_INJUCTION', happenedOn: application.on, day: today } as const
    const stepId = charged ?? (await performRecordedStep(context, tx, key, step))
    const row = { ...wanted, id: newId(context.clock.now()), step_id: stepId }
    await insertApplicationRow(tx, row, by)
    await note(tx, key, 'court_application_recorded', by)
    return { ...row, status: 'FILED' }
  })
}

type NewApplication = Omit<ApplicationRow, 'id' | 'step_id' | 'status'>

function rowOf(
  { instanceId, claimId }: ClaimKey,
  { on, authority, caseNumber }: Application,
): NewApplication {
  const [authorityKey, key] = [caseKey(authority), caseKey(caseNumber)]
  if (authorityKey === '' || key === '')
    throw new CourtRefused('no_case_number', 'An application has an authority and a case number.')
  return {
    instance_id: instanceId,
    claim_id: claimId,
    applied_on: on,
    authority: authority.trim(),
    authority_key: authorityKey,
    case_number: caseNumber.trim(),
    case_key: key,
  }
}

async function findRecorded(
  tx: Transaction,
  claim: LockedClaim,
  wanted: NewApplication,
): Promise<ApplicationRow | undefined> {
  const { instance_id: instanceId, claim_id: claimId, authority_key: authorityKey, case_key: key } = wanted
  const all = await readApplications(tx, { instanceId, claimId, authorityKey, caseKey: key })
  const same = all.find((row) => row.claim_id === claimId && row.case_key === key)
  if (same && same.authority_key === authorityKey && same.applied_on === wanted.applied_on) return same
  if (same)
    throw new CourtRefused(
      'recorded_otherwise',
      `Case ${same.case_number} is recorded as of ${same.applied_on} at ${same.authority}.`,
    )
  if (all.some((row) => row.claim_id !== claimId))
    throw new CourtRefused('case_of_another_claim', `Case ${wanted.case_number} belongs to another claim.`)
  const standing = all.find(({ status }) => status !== 'REJECTED' && status !== 'WITHDRAWN')
  if (standing)
    throw new CourtRefused(
      'application_stands',
      `Claim ${claim.claim_number} is before ${standing.authority} as ${standing.case_number}: record what became of that first.`,
    )
  return undefined
}

/**
 * Nobody made the application that was charged by schedule, before applications were recorded: its cost is taken back, and a
 * person is asked what comes next. Throws CourtRefused.
 */
export function recordNoApplication(
  context: CourtContext,
  key: ClaimKey,
  { today, by }: { today: CalendarDate; by: By },
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    const stepId = await readUnrecordedStep(tx, key)
    if (stepId === undefined)
      throw new CourtRefused(
        'nothing_charged',
        `Nothing was charged on claim ${claim.claim_number} without a recorded application.`,
      )
    await takeApplicationBack(context, tx, { instanceId: key.instanceId, stepId, on: today })
    await askAgain(context, tx, key, today)
    await note(tx, key, 'court_application_recorded', by)
  })
}

/** What comes next is to be decided anew, if the claim is still asked for. */
export async function askAgain(
  context: CourtContext,
  tx: Transaction,
  key: ClaimKey,
  today: CalendarDate,
): Promise<void> {
  const { status, balance_minor: owed } = await lockClaim(tx, key)
  if (isOpenClaim(status) && status !== 'DISPUTED' && owed > 0) await reschedule(context, tx, key, today)
}

export async function note(
  tx: Transaction,
  { instanceId, claimId }: ClaimKey,
  kind: DeedKind,
  { actor, reason }: By,
): Promise<void> {
  // Staff and programs are named as what they are; a command knows a person's name alone.
  const by = actor.includes(':') ? actor : `person:${actor}`
  await noteDeed(tx, { instanceId, kind, by, reason, about: `claim:${claimId}` })
}
