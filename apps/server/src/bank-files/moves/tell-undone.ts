/** The debtor hears that money which had paid a debt does so no more. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { readSharesOf, takeBack } from '../../collection/collection.ts'
import type { Context } from '../../context.ts'
import { readPostedLines } from '../../ledger/ledger.ts'
import { queueMail } from '../../mail/mail.ts'
import { lockDebtOf } from '../../payments/payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { printedAmount } from '../../platform/printed-amount.ts'

type Undone = {
  readonly instanceId: string
  readonly paymentId: string
  readonly currency: Currency
  /** It belonged elsewhere, the payer's bank has it back, we send it back to who paid it, it did not come, or its creditor erred. */
  readonly why:
    | 'payment_moved'
    | 'payment_gone_back'
    | 'payment_sent_back'
    | 'payment_reversed'
    | 'direct_payment_reversed'
}

/** As takeBack; tells the debtor of each debt that it had paid, once, of their own debt alone. */
export async function takeBackAndTell(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  undone: Undone,
  on: CalendarDate,
): Promise<boolean> {
  const standing = await standingShares(tx, undone)
  if (!(await takeBack(context, tx, undone, on))) return false
  for (const share of standing) await tell(context, tx, undone, share)
  return true
}

type Standing = { readonly cause: string; readonly debt: Debt; readonly amountMinor: number }

async function standingShares(tx: Transaction, { instanceId, paymentId }: Undone): Promise<Standing[]> {
  const standing = []
  for (const share of await readSharesOf(tx, instanceId, paymentId)) {
    const { cause, invoice_id: invoiceId, claim_id: claimId } = share
    if ((await readPostedLines(tx, instanceId, [`reversal:${cause}`])).length > 0) continue
    const came = (await readPostedLines(tx, instanceId, [cause])).filter(
      ({ account }) => account.kind === 'clearing',
    )
    const amountMinor = came.reduce((sum, { amount }) => sum + amount.minor, 0)
    standing.push({ cause, amountMinor, debt: claimId ? { claimId } : { invoiceId: invoiceId ?? '' } })
  }
  return standing
}

async function tell(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { instanceId, paymentId, currency, why }: Undone,
  { cause, debt, amountMinor }: Standing,
): Promise<void> {
  const { claim, invoice } = await lockDebtOf(tx, {
    id: paymentId,
    instance_id: instanceId,
    invoice_id: 'invoiceId' in debt ? debt.invoiceId : null,
    claim_id: 'claimId' in debt ? debt.claimId : null,
  })
  await queueMail(context, tx, {
    kind: why,
    cause,
    instanceId,
    // What an invoice in a claim owes is the claim's.
    debt: claim ? { claimId: claim.id } : debt,
    params: (language) => ({
      amount: printedAmount(amountMinor, currency, language),
      // Of what has gone back: money that is moved may pay the same debt again at once.
      rest: printedAmount((claim ?? invoice).balance_minor, currency, language),
    }),
  })
}
