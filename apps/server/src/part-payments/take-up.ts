/** How a plan takes up what an invoice or a claim owes, whichever plan it is. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { withdrawUntil } from '@kvitt/domain/part-payments/part-payment.ts'
import type { Context } from '../context.ts'
import { endPlannedSteps } from '../invoices/invoices.ts'
import { insertPlannedDays } from '../ledger/ledger.ts'
import { queueMail } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { textOf } from '../platform/texts.ts'
import { dropLettersOf } from '../unsent-letters/unsent-letters.ts'
import { planStepRows } from './bills/instalments.queries.ts'
import type { FoundOffers } from './offers/offers.ts'
import { lockPlannedDebt, wakeUp, type PlannedDebt } from './planned-debt.ts'
import { readInstalments } from './plans.queries.ts'

/** Ends a payment that nobody has signed, at its gateway first; refuses when it is signed or cannot be ended. */
export type EndPayment = (
  context: Context,
  payment: { readonly instanceId: string; readonly paymentId: string },
) => Promise<void>

/** Somebody may be about to sign for what a plan is to take up. Outside the transaction it can be ended. */
export class PaymentsUnderWay extends Error {
  override readonly name = 'PaymentsUnderWay'
  readonly paymentIds: readonly string[]
  constructor(paymentIds: readonly string[]) {
    super('payments are under way')
    this.paymentIds = paymentIds
  }
}

const MOST_ROUNDS = 4

/**
 * Does `work`, which starts a plan, and again after every payment that was opened and not signed has been ended: its link would pay
 * what the plan bills. Refuses `provider_unavailable` when there are always others.
 */
export async function endingPayments<T>(
  context: Context,
  { instanceId, endPayment }: { readonly instanceId: string; readonly endPayment: EndPayment },
  work: () => Promise<T>,
): Promise<T> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PaymentsUnderWay)) throw error
      for (const paymentId of error.paymentIds) await endPayment(context, { instanceId, paymentId })
    }
  }
  throw new Refusal('provider_unavailable')
}

export type TakingUp = {
  readonly instanceId: string
  readonly debt: Debt
  readonly today: CalendarDate
  readonly found: Pick<FoundOffers, 'facts' | 'isConsumer'>
}

/**
 * Puts a locked debt into the plan that `open` makes: letters that wait are dropped, its steps end, its first instalment is planned,
 * and the debtor is told. Answers the plan. Throws PaymentsUnderWay, for endingPayments.
 */
export async function takeUp(
  context: Context,
  tx: Transaction,
  { instanceId, debt, today, found }: TakingUp,
  open: (planned: PlannedDebt) => Promise<string>,
): Promise<string> {
  if (found.facts.open_payments.length > 0) throw new PaymentsUnderWay(found.facts.open_payments)
  await dropLettersOf(context, tx, { instanceId, debt, on: today, reason: 'planned' })
  // Without what these letters cost, as in the figures of the offer.
  const planned = await lockPlannedDebt(tx, instanceId, debt)
  await insertPlannedDays(tx, { instanceId, debt, id: newId(context.clock.now()), on: today })
  await wakeUp(tx, planned)
  await endPlannedSteps(tx, { instanceId, ...planned.debt }, 'SKIPPED')
  const planId = await open(planned)
  const plan = { instance_id: instanceId, id: planId }
  const next = (await readInstalments(tx, plan)).find((instalment) => instalment.invoice_id === null)
  if (!next) throw new Error(`plan ${planId} has nothing to bill`)
  const step = { type: 'PART_INVOICE', number: next.number, day: next.send_date }
  await planStepRows(tx, instanceId, [{ debt: planned.debt, ...step }])
  await queueMail(context, tx, {
    kind: 'plan_started',
    cause: `plan:${planId}:${Object.values(planned.debt).join()}`,
    instanceId,
    debt: planned.debt,
    params: (language) => ({
      day: next.send_date,
      withdrawal: found.isConsumer
        ? textOf(language, 'mail.plan_withdrawal', { day: withdrawUntil(today) })
        : '',
    }),
  })
  return planId
}
