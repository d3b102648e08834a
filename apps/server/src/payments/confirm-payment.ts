/** The payer hears that the money is here, or that the creditor has said that it has it. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { shareCause } from '@kvitt/domain/payments/shares.ts'
import type { Context } from '../context.ts'
import { queueMail, type MailKind } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { printedAmount } from '../platform/printed-amount.ts'
import type { Received } from './payable.ts'

function kindOf({
  of,
  restMinor,
  surplusMinor,
}: {
  readonly of: 'direct_payment' | 'payment_received'
  readonly restMinor: number
  readonly surplusMinor: number
}): MailKind {
  if (surplusMinor > 0) return `${of}_too_much`
  return restMinor === 0 ? of : `${of}_in_part`
}

/** Writes the confirmation of a settled payment down. `restMinor` is what is still owed on `debt`, `surplusMinor` what is owed back. */
export function confirmByMail(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  {
    payment,
    debt,
    restMinor,
    surplusMinor,
  }: { payment: Received; debt: Debt; restMinor: number; surplusMinor: number },
): Promise<void> {
  return queueMail(context, tx, {
    kind: kindOf({
      of: payment.holder === 'CREDITOR' ? 'direct_payment' : 'payment_received',
      restMinor,
      surplusMinor,
    }),
    cause: shareCause(payment.id, payment.share ?? 1),
    instanceId: payment.instance_id,
    debt,
    params: (language) => ({
      amount: printedAmount(payment.amount_minor, payment.currency, language),
      rest: printedAmount(restMinor, payment.currency, language),
      surplus: printedAmount(surplusMinor, payment.currency, language),
    }),
  })
}
