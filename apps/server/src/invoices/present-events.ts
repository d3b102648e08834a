/** The story of an invoice or a claim on the wire: steps of the collection schedule and movements of money. */
import type { Loosen } from '@kvitt/domain/contract.ts'
import type { InterestPeriod } from '@kvitt/domain/collection/interest-periods.ts'
import type { EventAnswer, InterestPeriodAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { mergeEvents } from '@kvitt/domain/invoices/timeline.ts'
import { Amount } from '@kvitt/domain/money.ts'
import type { FinancialEventRow } from '../ledger/ledger.ts'
import type { StepRow } from './steps.queries.ts'

export type EventSources = {
  readonly steps: readonly StepRow[]
  readonly financial: readonly FinancialEventRow[]
}

/** A fee or interest that is taken back because the money had come before it. */
const CAME_EARLIER = 'CAME_EARLIER'
/** Fees or interest that a person has waived (M-27). */
const WAIVED = 'WAIVED'

/** Both kinds merged into one row of events (domain/invoices/timeline.ts). */
export function presentEvents({ steps, financial }: EventSources): Loosen<EventAnswer>[] {
  const merged = mergeEvents(
    steps.map((s) => ({ id: s.id, type: s.type, performedDate: s.performed_date, status: s.status })),
    financial.map((f) => ({
      id: f.id,
      type: f.kind,
      date: f.booked_on,
      amountMinor: f.amount_minor,
      balanceMinor: f.balance_minor,
    })),
  )
  const periods = new Map(financial.map((f) => [f.id, f.periods]))
  const subTypes = new Map(
    financial.map((f) => [f.id, f.is_waived ? WAIVED : f.is_restated ? CAME_EARLIER : f.told]),
  )
  return merged.map((e) => ({
    topic: e.topic,
    type: e.type,
    subType: subTypes.get(e.id) ?? null,
    date: e.date,
    amount: e.amountMinor === null ? null : new Amount(e.amountMinor),
    balance: e.balanceMinor === null ? null : new Amount(e.balanceMinor),
    status: e.status,
    interest: presentInterest(periods.get(e.id)),
  }))
}

/** The periods of a posting, none when it is no interest. */
export function presentInterest(
  periods: readonly InterestPeriod[] | null | undefined,
): Loosen<InterestPeriodAnswer>[] {
  return (periods ?? []).map(({ percent, from, to, days, principalMinor, amountMinor }) => ({
    rate: percent,
    from,
    to,
    days,
    principal: new Amount(principalMinor),
    amount: new Amount(amountMinor),
  }))
}

export function presentFinancialEvents({ financial }: Pick<EventSources, 'financial'>) {
  return financial.map((e) => ({
    date: e.booked_on,
    type: e.kind,
    amounts: { total: new Amount(e.amount_minor) },
    balances: { total: new Amount(e.balance_minor) },
    interest: presentInterest(e.periods),
  }))
}

export function presentLedgerEvents({ steps }: Pick<EventSources, 'steps'>) {
  return steps.map((s) => ({
    type: s.type,
    plannedDate: s.planned_date,
    performedDate: s.performed_date,
    status: s.status,
  }))
}
