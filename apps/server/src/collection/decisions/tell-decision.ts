/** What a debtor hears of the answer to a dispute. Written down in the transaction of the decision (mail.ts). */
import { resumeAfterDispute } from '@kvitt/domain/collection/schedule.ts'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import type { Context } from '../../context.ts'
import { queueMail } from '../../mail/mail.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { printedAmount } from '../../platform/printed-amount.ts'
import type { OpenDisputeRow } from './decisions.queries.ts'

/** Without settings there is nowhere for a message to lead: decisions that are made in tests alone tell nobody. */
export type DecisionContext = Pick<Context, 'db' | 'clock'> & Partial<Pick<Context, 'config'>>

export type Told = {
  readonly instanceId: string
  readonly debt: Debt
  readonly dispute: OpenDisputeRow
  /** In the words of whoever decided. */
  readonly answer: string
  readonly on: CalendarDate
} & (
  | { readonly outcome: 'rejected' | 'upheld' }
  | {
      readonly outcome: 'upheld_in_part'
      readonly creditMinor: number
      readonly currency: Currency
      /** What is left and until when; undefined when nothing is, or a plan goes on with it. */
      readonly rest: { readonly minor: number; readonly dueDate: CalendarDate } | undefined
    }
)

/** Tells whoever made the dispute, where its confirmation went, else the debtor at its own addresses. */
export async function tellDecision(
  { clock, config }: Omit<DecisionContext, 'db'>,
  tx: Transaction,
  told: Told,
): Promise<void> {
  if (!config) return
  const { instanceId, debt, dispute, answer, on } = told
  await queueMail({ clock, config }, tx, {
    kind: `dispute_${told.outcome}`,
    cause: `dispute:${dispute.id}`,
    instanceId,
    debt,
    ...(dispute.email === '' ? {} : { to: dispute.email }),
    params: (language) => {
      // An empty line would end the paragraph.
      const words = { answer: answer.trim().replaceAll(/\s*\n\s*/g, '\n') }
      if (told.outcome !== 'upheld_in_part') return { ...words, day: resumeAfterDispute(on) }
      const { creditMinor, currency, rest } = told
      return {
        ...words,
        amount: printedAmount(creditMinor, currency, language),
        left: rest ? 'yes' : 'no',
        rest: printedAmount(rest?.minor ?? 0, currency, language),
        day: rest?.dueDate ?? on,
      }
    },
  })
}
