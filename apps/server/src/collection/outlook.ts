/** What happens to an invoice if nobody pays: the steps to come as the nights would take them, decided by the same rules. */
import { addDays, date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { feeOn, type Figures } from '@kvitt/domain/collection/country-params.ts'
import {
  lastPayDateOf,
  nextClaimStep,
  nextStep,
  type PerformedStep,
  type PlannedStep,
} from '@kvitt/domain/collection/schedule.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'
import { IN_PLANS } from '@kvitt/domain/invoices/acts.ts'
import { debtorKindOf, performedOf, termsOf } from '../claims/claims.ts'
import { readFigures } from '../country-figures/country-figures.ts'
import { isResting } from '../ledger/resting-debts.queries.ts'
import type { Connection } from '../platform/database/database.ts'
import { decideStep, isInCountryCurrency, type Performing } from './decide-step.ts'
import type { DueStep } from './due-steps.queries.ts'
import { readOutlookRow, type OutlookRow } from './outlook.queries.ts'

export type ComingStep = {
  readonly type: StepType
  /** 1 for the first of its type. */
  readonly number: number
  readonly date: CalendarDate
  /** What it adds, in minor units; null where it is not known yet. */
  readonly feeMinor: number | null
  readonly lastPayDate: CalendarDate | null
}

export type Outlook = {
  readonly steps: readonly ComingStep[]
  /** The same if it is handed over today; null where that cannot be done. */
  readonly toCollection: readonly ComingStep[] | null
}

/** More than any schedule has. */
const MOST_STEPS = 30

/** The steps to come until the schedule of the claim ends. Nothing comes to what is not owed by itself, or rests. */
export async function readOutlook(
  db: Connection,
  key: { readonly instanceId: string; readonly invoiceId: string },
  today: CalendarDate,
): Promise<Outlook> {
  const row = await readOutlookRow(db, key, today)
  const rests = row !== undefined && (await isResting(db, key.instanceId, row.debtor_id))
  if (!row || rests || !isRunning(row)) return { steps: [], toCollection: null }
  const figures = await readFigures(db, key.instanceId)
  const hastened = { ...row, is_hastened: true }
  const soonest = nextStep({ ...termsOf(hastened), notBefore: addDays(today, 1) }, performedOf(hastened))
  return {
    steps: walk({ row, figures }, plannedOf(row, today)),
    toCollection: walk({ row: hastened, figures }, soonest),
  }
}

/** Owed by itself, on its own schedule: not in a claim, not in a plan. */
function isRunning({ status, balance_minor, claim_id, is_part_payment, invoice_type }: OutlookRow): boolean {
  const isOwn = claim_id === null && !is_part_payment && !IN_PLANS.includes(invoice_type)
  return status === 'ACTIVATED' && balance_minor > 0 && isOwn
}

/** The step that is planned; before the due date none is, and the schedule says which one will be. */
function plannedOf(row: OutlookRow, today: CalendarDate): PlannedStep | undefined {
  if (row.step_type !== null) {
    const plannedDate = laterOf(date(row.planned_date), today)
    return { type: row.step_type as StepType, number: row.number, plannedDate }
  }
  // What has begun and has nothing planned waits for a decision.
  return row.performed.length === 0 ? nextStep({ ...termsOf(row), notBefore: today }, []) : undefined
}

type Charged<R> = { readonly row: R; readonly figures: Figures }

function walk({ row, figures }: Charged<OutlookRow>, first: PlannedStep | undefined): ComingStep[] {
  const found: ComingStep[] = []
  let step = first
  let now = row
  while (step && found.length < MOST_STEPS) {
    const { type, number, plannedDate: day } = step
    const due = { ...now, step_type: type, number, planned_date: day }
    const decided = decideStep({ row: due, figures }, day)
    if (decided.kind === 'skip') break
    if (decided.kind === 'wait')
      return [...found, { type, number, date: day, feeMinor: decided.missing ? null : 0, lastPayDate: null }]
    const { feeMinor, lastPayDate = null } = decided
    found.push({ type, number, date: day, feeMinor, lastPayDate })
    now = afterStep(due, decided)
    if (type === 'COLLECTION') return [...found, ...walkClaim({ row: now, figures }, day)]
    step = decided.next
  }
  return found
}

/** The invoice as it is once the step is in the books. */
function afterStep(row: DueStep, { feeMinor, interestMinor, restParts, lastPayDate }: Performing): DueStep {
  const { step_type: type, number, planned_date: performedDate } = row
  const isSettled = restParts !== undefined
  return {
    ...row,
    balance_minor: row.balance_minor + feeMinor + interestMinor,
    costs_minor: row.costs_minor + feeMinor,
    charged_minor: row.charged_minor + feeMinor,
    interest_minor: row.interest_minor + interestMinor,
    ...(isSettled ? { interest_posted_to: performedDate, interest_rest: restParts, late_days: [] } : {}),
    performed: [...row.performed, { type, number, performedDate, lastPayDate: lastPayDate ?? null }],
  }
}

/** Of a claim that has this invoice alone, until its creditor is asked what comes next. */
function walkClaim({ row, figures }: Charged<OutlookRow>, openedOn: CalendarDate): ComingStep[] {
  const of = { country: row.country, debtorKind: debtorKindOf(row) }
  const isCharged = isInCountryCurrency(row) && row.invoice_type !== 'INTEREST_INVOICE'
  const found: ComingStep[] = []
  const performed: PerformedStep[] = []
  let chargedMinor = row.charged_minor
  while (found.at(-1)?.type !== 'SCHEDULE_END' && found.length < MOST_STEPS) {
    const step = nextClaimStep({ ...of, openedOn }, performed)
    if (!step) break
    const { type, number, plannedDate: day } = step
    const asked = { ...of, step: type, number, date: day, principalMinor: row.principal_minor, chargedMinor }
    const fee = isCharged ? feeOn({ ...asked, isLive: row.is_live, figures }) : { amountMinor: 0 }
    chargedMinor += fee?.amountMinor ?? 0
    const lastPayDate = lastPayDateOf(of, type, day) ?? null
    found.push({ type, number, date: day, feeMinor: fee?.amountMinor ?? null, lastPayDate })
    performed.push({ type, number, performedDate: day })
  }
  return found
}
