/** What was decided about an application, and what that means for its claim. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { isOpenClaim } from '@kvitt/domain/claims/claim.ts'
import { caseKey, statusAfter, type CourtDecision } from '@kvitt/domain/court/court.ts'
import { lockClaim, type ClaimKey, type LockedClaim } from '../claims/claims.ts'
import { performRecordedStep, rejectLockedDispute } from '../collection/collection.ts'
import { disputeLockedClaim } from '../disputes/disputes.ts'
import type { Transaction } from '../platform/database/database.ts'
import { takeApplicationBack } from '../unsent-letters/unsent-letters.ts'
import { askAgain, note, type CourtContext } from './applications.ts'
import { CourtRefused } from './court-refused.ts'
import {
  insertDecisionRow,
  readApplications,
  readDecisionDay,
  type ApplicationRow,
  type By,
} from './court.queries.ts'

export type Decided = {
  readonly kind: CourtDecision
  readonly on: CalendarDate
  readonly caseNumber: string
}

type Work = {
  readonly context: CourtContext
  readonly tx: Transaction
  readonly key: ClaimKey
  readonly claim: LockedClaim
  readonly application: ApplicationRow
  readonly decided: Decided
  readonly today: CalendarDate
}

/** Records it. The same again answers the same and changes nothing. Throws CourtRefused. */
export function recordDecision(
  context: CourtContext,
  key: ClaimKey,
  { decided, today, by }: { decided: Decided; today: CalendarDate; by: By },
): Promise<ApplicationRow> {
  return context.db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    const application = await findCase(tx, claim, decided)
    const day = await readDecisionDay(tx, application, decided.kind)
    if (day === decided.on) return application
    if (day !== undefined)
      throw new CourtRefused('recorded_otherwise', `${decided.kind} of ${day} is recorded already.`)
    if (decided.on > today)
      throw new CourtRefused(
        'in_the_future',
        `${decided.on} is still to come: record it when it was decided.`,
      )
    const to = statusAfter(application.status, decided.kind)
    if (to === undefined || decided.on < application.applied_on)
      throw new CourtRefused(
        'not_after_that',
        `${decided.kind} on ${decided.on} cannot be: case ${application.case_number} of ${application.applied_on} is ${application.status}.`,
      )
    await insertDecisionRow(tx, application, { kind: decided.kind, on: decided.on, to, ...by })
    // An objection that is told after the decision about it changes nothing any more.
    const isNews = to !== application.status
    if (isNews) await FOLLOWS[decided.kind]({ context, tx, key, claim, application, decided, today })
    await note(tx, key, 'court_decision_recorded', by)
    return { ...application, status: to }
  })
}

async function findCase(
  tx: Transaction,
  claim: LockedClaim,
  { caseNumber }: Decided,
): Promise<ApplicationRow> {
  const rows = await readApplications(tx, { instanceId: claim.instance_id, claimId: claim.id })
  const found = rows.find(({ case_key: key }) => key === caseKey(caseNumber))
  if (!found)
    throw new CourtRefused(
      'no_such_case',
      `Claim ${claim.claim_number} has no application with the case number ${caseNumber}: record that first.`,
    )
  return found
}

const nameOf = ({ authority, case_number: caseNumber }: ApplicationRow): string =>
  `${authority} ${caseNumber}`

/** The order decides about the objection, too. */
async function endObjection({ context, tx, claim, application, decided }: Work): Promise<void> {
  if (claim.status !== 'DISPUTED') return
  await rejectLockedDispute(context, tx, claim, { on: decided.on, answer: nameOf(application) })
}

/** Nobody has ordered the debtor to pay what the application cost. Who has paid the claim after it, has paid that with it. */
async function takeCostBack({ context, tx, key, claim, application, decided, today }: Work): Promise<void> {
  const wasPaid = claim.status === 'CLOSED' && decided.kind === 'WITHDRAWN'
  if (!wasPaid)
    await takeApplicationBack(context, tx, {
      instanceId: key.instanceId,
      stepId: application.step_id,
      on: today,
    })
  await askAgain(context, tx, key, today)
}

const FOLLOWS: Readonly<Record<CourtDecision, (work: Work) => Promise<void>>> = {
  OBJECTION: ({ context, tx, claim, application, today }) =>
    disputeLockedClaim(context, tx, claim, { on: today, reason: nameOf(application) }),
  ORDER: endObjection,
  REJECTED: takeCostBack,
  WITHDRAWN: takeCostBack,
  async NO_ASSETS(work) {
    const { context, tx, key, decided, today } = work
    await endObjection(work)
    const { status, balance_minor: owed, is_part_payment: isPlanned } = await lockClaim(tx, key)
    if (!isOpenClaim(status) || owed <= 0 || isPlanned) return
    const step = { type: 'MONITORING_DECISION', happenedOn: decided.on, day: today } as const
    await performRecordedStep(context, tx, key, step)
  },
}
