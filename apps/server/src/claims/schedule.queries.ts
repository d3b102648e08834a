/** The SQL of what the schedule of an invoice or a claim is read with. */
import type { InvoiceType } from '@kvitt/domain/invoices/invoice.ts'
import type { InvoiceKey } from '../invoices/invoices.ts'
import { statement, type Transaction } from '../platform/database/database.ts'
import type { ClaimKey } from './move-claim.ts'

type Schedule = {
  kind: 'PERSON' | 'COMPANY'
  country: string
  performed: { type: string; number: number; performedDate: string; lastPayDate: string | null }[]
}

/** What of an invoice its schedule depends on. */
export type InvoiceSchedule = Schedule & {
  invoice_type: InvoiceType
  expire_date: string
  sent_date: string
  booked_on: string
  reminder_fee_agreed: boolean
  /** Its creditor wants it handed over as early as the law allows. */
  is_hastened: boolean
}

export type ClaimSchedule = Schedule & { opened_on: string }

/** From where the performed steps of the debt `id` are read, as x. */
export const performedSteps = (instance: string, id: string): string =>
  `from collection_step x where x.instance_id = ${instance} and x.debt_id = ${id}
         and x.status = 'PERFORMED' and x.type not in ('INVOICE', 'CREDIT_INVOICE')`

/** Performed steps of the debt `id`, oldest first, as JSON. */
export const performedAsJson = (instance: string, id: string): string =>
  `(select coalesce(json_agg(json_build_object('type', x.type, 'number', x.number, 'performedDate', x.performed_date,
         'lastPayDate', x.last_pay_date) order by x.performed_date, x.number), '[]')
       ${performedSteps(instance, id)}) as performed`

const scheduleOfInvoice = statement(
  'claims.scheduleOfInvoice',
  `select d.kind, c.country, i.type as invoice_type, i.expire_date, coalesce(i.sent_date, i.issue_date) as sent_date, coalesce(c.reminder_fee_agreed_on <= i.issue_date, false) as reminder_fee_agreed,
     i.to_collection_on is not null as is_hastened,
     (select t.booked_on from ledger_transaction t
       where t.instance_id = i.instance_id and t.cause = 'invoice:' || i.id) as booked_on,
     ${performedAsJson('i.instance_id', 'i.id')}
   from invoice i
   join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
   where i.instance_id = $1 and i.id = $2`,
)

export async function readInvoiceSchedule(
  tx: Transaction,
  { instanceId, invoiceId }: InvoiceKey,
): Promise<InvoiceSchedule> {
  const row = (await tx.rows<InvoiceSchedule>(scheduleOfInvoice, [instanceId, invoiceId]))[0]
  if (!row) throw new Error(`invoice ${invoiceId} does not exist`)
  return row
}

const scheduleOfClaim = statement(
  'claims.scheduleOfClaim',
  `select d.kind, k.country, c.opened_on, ${performedAsJson('c.instance_id', 'c.id')}
   from claim c
   join creditor k on k.instance_id = c.instance_id and k.id = c.creditor_id
   join debtor d on d.instance_id = c.instance_id and d.id = c.debtor_id
   where c.instance_id = $1 and c.id = $2`,
)

export async function readClaimSchedule(
  tx: Transaction,
  { instanceId, claimId }: ClaimKey,
): Promise<ClaimSchedule> {
  const row = (await tx.rows<ClaimSchedule>(scheduleOfClaim, [instanceId, claimId]))[0]
  if (!row) throw new Error(`claim ${claimId} does not exist`)
  return row
}
