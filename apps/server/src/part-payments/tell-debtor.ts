/** What debtors hear about their plans. Written down in the transaction of what it tells of (mail.ts). */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { printedAmount } from '../platform/printed-amount.ts'

/** Without settings there is nowhere for a message to lead: daily runs that are lived in tests alone tell nobody. */
export type TellContext = Pick<Context, 'clock'> & Partial<Pick<Context, 'config'>>

export type PlanNews = {
  readonly kind: 'plan_missed' | 'plan_ended'
  readonly instanceId: string
  /** The instalment's invoice, or what the plan paid. */
  readonly debt: Debt
  /** What it tells of; told once. */
  readonly cause: string
  readonly amount: { readonly minor: number; readonly currency: string }
  readonly days: Readonly<Record<string, string>>
}

/** Tells the debtor, if there is an address to tell. */
export async function tellDebtor(context: TellContext, tx: Transaction, news: PlanNews): Promise<void> {
  const { clock, config } = context
  if (!config) return
  const { kind, instanceId, debt, cause, amount, days } = news
  await queueMail({ clock, config }, tx, {
    kind,
    instanceId,
    debt,
    cause,
    params: (language) => ({ amount: printedAmount(amount.minor, amount.currency, language), ...days }),
  })
}
