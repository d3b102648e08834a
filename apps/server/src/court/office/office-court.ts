/** What is recorded of a claim before an authority from the operator's portal: by the use cases of the command, each in one transaction, once. */
import { addDays, date, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { DAYS_BEFORE_COURT } from '@kvitt/domain/collection/schedule-table.ts'
import type { AnswerOf, BodyOf, Loosen } from '@kvitt/domain/contract.ts'
import type {
  getClaimCourt,
  recordApplication as applicationCall,
  recordDecision as decisionCall,
} from '@kvitt/domain/court/office-court.contract.ts'
import { Refusal, type ErrorCode } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { Amount } from '@kvitt/domain/money.ts'
import { getOfficeClaim, type OfficeClaim } from '../../claims/office/office-claims.ts'
import { costOfRecorded } from '../../collection/collection.ts'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { within } from '../../platform/database/within.ts'
import type { JsonText } from '../../platform/http/json.ts'
import { Replayed } from '../../platform/http/replayed.ts'
import { actorOf, onceUnderKey, type AskedOnce, type ClientPrincipal } from '../../staff/staff.ts'
import { recordApplication, recordNoApplication, returnInstruction } from '../applications.ts'
import { CourtRefused, type CourtCode } from '../court-refused.ts'
import { readApplications, readDemandTime, type By } from '../court.queries.ts'
import { recordDecision } from '../decisions.ts'
import { readAsked, readDecisions, readUnfiled } from './office-court.queries.ts'

export async function presentCourt(
  { db, clock }: Context,
  { instance }: ClientPrincipal,
  { id: claimId }: OfficeClaim,
): Promise<Loosen<AnswerOf<typeof getClaimCourt>>> {
  const key = { instanceId: instance.id, claimId }
  const day = clock.today(instance.timeZone)
  const [applications, decisions, lastDay, cost, asked, unfiled] = await Promise.all([
    readApplications(db, key),
    readDecisions(db, key),
    readDemandTime(db, key),
    costOfRecorded(db, key, { type: 'BAILIFF_PAYMENT_INJUCTION', day }),
    readAsked(db, key),
    readUnfiled(db, key),
  ])
  return {
    applications: applications.map(({ id, applied_on: on, authority, case_number: caseNumber, status }) => ({
      date: on,
      authority,
      caseNumber,
      status,
      decisions: decisions
        .filter(({ application_id: of }) => of === id)
        .map(({ kind, decided_on: decidedOn }) => ({ kind, date: decidedOn })),
    })),
    cost: cost === null ? null : new Amount(cost),
    earliest: lastDay === null ? null : addDays(date(lastDay), DAYS_BEFORE_COURT + 1),
    isWanted: asked.isWanted,
    unfiled: unfiled === undefined ? null : { on: unfiled.on, amount: new Amount(unfiled.minor) },
    returned: asked.returned,
  }
}

export type CourtAct = {
  readonly context: Context
  readonly principal: ClientPrincipal
  readonly row: OfficeClaim
  readonly asked: AskedOnce
}
type Acted = JsonText | Replayed<JsonText>

type Work = {
  /** The use case's own transaction is the act's. */
  readonly context: Context
  readonly tx: Transaction
  readonly key: { readonly instanceId: string; readonly claimId: string }
  readonly today: CalendarDate
}

async function once(
  { context, principal, row, asked }: CourtAct,
  work: (work: Work) => Promise<unknown>,
): Promise<Acted> {
  const { id: instanceId, timeZone } = principal.instance
  const today = context.clock.today(timeZone)
  const { isReplayed } = await onceUnderKey(context, principal, asked, async (tx) => {
    const key = { instanceId, claimId: row.id }
    await asRefusals(() => work({ context: { ...context, db: within(tx) }, tx, key, today }), today)
    return row.id
  })
  const answer = await getOfficeClaim(context, principal, row.id)
  return isReplayed ? new Replayed(answer) : answer
}

const byOf = (principal: ClientPrincipal, note: string | null | undefined, otherwise: string): By => ({
  actor: actorOf(principal),
  reason: note?.trim() || otherwise,
})

export function recordFiled(act: CourtAct, body: BodyOf<typeof applicationCall>): Promise<Acted> {
  const { authority, caseNumber, note } = body
  const on = dayOf(body.date)
  const by = byOf(act.principal, note, 'filed')
  return once(act, ({ context, key, today }) =>
    recordApplication(context, key, { application: { on, authority, caseNumber }, today, by }),
  )
}

export function recordDecided(act: CourtAct, body: BodyOf<typeof decisionCall>): Promise<Acted> {
  const { kind, caseNumber, note } = body
  const on = dayOf(body.date)
  const by = byOf(act.principal, note, 'decided')
  return once(act, ({ context, key, today }) =>
    recordDecision(context, key, { decided: { kind, on, caseNumber }, today, by }),
  )
}

/** What was charged by schedule is taken back, by the use case of the command. */
export function recordUnfiled(act: CourtAct, note: string | null | undefined): Promise<Acted> {
  const by = byOf(act.principal, note, 'nobody had filed it')
  return once(act, ({ context, key, today }) => recordNoApplication(context, key, { today, by }))
}

export function giveBack(act: CourtAct, reason: string): Promise<Acted> {
  if (!saysSomething(reason)) throw new Refusal('why_required', {}, ['reason'])
  const by = byOf(act.principal, reason, '')
  return once(act, ({ context, key, today }) => returnInstruction(context, key, { today, by }))
}

function dayOf(text: string): CalendarDate {
  const day = parseDate(text)
  if (day === undefined) throw new Refusal('invalid_request', {}, ['date'])
  return day
}

const CODES: Readonly<Record<CourtCode, ErrorCode>> = {
  no_such_claim: 'not_found',
  no_such_creditor: 'not_found',
  several_claims: 'not_found',
  no_case_number: 'invalid_request',
  not_open: 'act_not_open',
  in_a_plan: 'owed_in_plan',
  rests: 'debtor_rests',
  disputed: 'court_rests',
  paused: 'court_rests',
  too_early: 'court_not_yet',
  in_the_future: 'day_out_of_reach',
  schedule_running: 'act_not_open',
  not_wanted: 'act_not_open',
  application_stands: 'court_application_stands',
  recorded_otherwise: 'court_recorded_otherwise',
  case_of_another_claim: 'court_case_taken',
  no_such_case: 'court_case_unknown',
  not_after_that: 'court_decision_impossible',
  nothing_charged: 'act_not_open',
}

/** What of the body is wrong. */
const FIELDS: Readonly<Partial<Record<CourtCode, readonly string[]>>> = {
  no_case_number: ['caseNumber'],
  too_early: ['date'],
  in_the_future: ['date'],
  recorded_otherwise: ['date'],
  case_of_another_claim: ['caseNumber'],
  no_such_case: ['caseNumber'],
  not_after_that: ['date'],
}

/** What a person is told in a sentence at a command is refused by code. */
async function asRefusals(work: () => Promise<unknown>, today: CalendarDate): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof CourtRefused)) throw error
    // A day to come: any day of the last year may be it.
    const reach = error.code === 'in_the_future' ? { from: addDays(today, -365), to: today } : {}
    throw new Refusal(CODES[error.code], reach, FIELDS[error.code] ?? [])
  }
}
