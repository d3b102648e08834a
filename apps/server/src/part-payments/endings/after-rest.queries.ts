/** The SQL of what waited to be sent while its debtor's debts rested (M-34). */
import { statement, type Transaction } from '../../platform/database/database.ts'

type OfDebtor = { readonly instanceId: string; readonly debtorId: string }

const waitingBills = statement(
  'partPayments.waitingBills',
  `select m.id as "mailId", i.id, i.sent_date::text as "sentOn", i.expire_date::text as due,
     (select n.part_payment_id from part_payment_instalment n where n.instance_id = $1 and n.invoice_id = i.id) as "planId"
   from invoice i join mail_outbox m on m.instance_id = $1 and m.invoice_id = i.id
     and m.status = 'WAITING' and m.kind in ('plan_instalment', 'interest_invoice')
   where i.instance_id = $1 and i.debtor_id = $2 and i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION') and i.balance_minor > 0
   order by i.id`,
)

export type WaitingBill = {
  readonly mailId: string
  readonly id: string
  readonly sentOn: string
  readonly due: string
  /** Whose instalment it is; of an interest invoice, null. */
  readonly planId: string | null
}

/** Bills of ours to a debtor that have not left. */
export function readWaitingBills(
  tx: Transaction,
  { instanceId, debtorId }: OfDebtor,
): Promise<WaitingBill[]> {
  return tx.rows<WaitingBill>(waitingBills, [instanceId, debtorId])
}

const forgetDrawn = statement(
  'partPayments.forgetDrawnBill',
  `update mail_outbox set file_id = null where instance_id = $1 and id = $2 and status = 'WAITING'`,
)

/** A bill that has not left is drawn anew when it does. */
export async function forgetDrawnBill(tx: Transaction, instanceId: string, mailId: string): Promise<void> {
  await tx.rows(forgetDrawn, [instanceId, mailId])
}

const dropEnded = statement(
  'partPayments.dropEndedNews',
  `update mail_outbox m set status = 'DROPPED', last_error = 'resting'
   where m.instance_id = $1 and m.status = 'WAITING' and m.kind = 'plan_ended' and coalesce(m.invoice_id, m.claim_id) = any (array(
     select i.id from invoice i where i.instance_id = $1 and i.debtor_id = $2
     union all select c.id from claim c where c.instance_id = $1 and c.debtor_id = $2))
   returning m.id, m.cause, m.invoice_id as "invoiceId", m.claim_id as "claimId"`,
)

export type EndedNews = {
  readonly id: string
  readonly cause: string
  readonly invoiceId: string | null
  readonly claimId: string | null
}

/** Word that a plan has ended which has not left never will: it says a day that is over. */
export function dropEndedNews(tx: Transaction, { instanceId, debtorId }: OfDebtor): Promise<EndedNews[]> {
  return tx.rows<EndedNews>(dropEnded, [instanceId, debtorId])
}
