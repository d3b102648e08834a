/** The SQL of what steps of the collection tell debtors. */
import type { ClaimStatus } from '@kvitt/domain/claims/claim.ts'
import type { InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Connection, type Transaction } from '../platform/database.ts'
import type { MailKind } from './compose-mail.ts'

export type StepNews = {
  readonly stepId: string
  readonly debtorId: string
  readonly debt: Debt
  readonly kind: MailKind
  /** A letter when there is no e-mail address; else an SMS, when there is a phone. */
  readonly onPaper: boolean
}

const insertSteps = statement(
  'mail.insertSteps',
  `insert into mail_outbox (instance_id, id, channel, kind, cause, invoice_id, claim_id, step_id)
   select $1, gen_random_uuid(), w.channel, n.kind, 'step:' || n.step_id, n.invoice_id, n.claim_id, n.step_id
   from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::boolean[])
     as n (step_id, debtor_id, invoice_id, claim_id, kind, on_paper)
   join debtor d on d.instance_id = $1 and d.id = n.debtor_id
   cross join lateral (select case when d.email <> '' then 'EMAIL' when n.on_paper then 'LETTER'
     when d.phone <> '' then 'SMS' end as channel) w
   where w.channel is not null
   on conflict (instance_id, cause, kind, channel) do nothing`,
)

/** Queues what steps tell: by e-mail, else on paper when it belongs there, else by SMS, else not at all. */
export async function insertStepMailRows(
  tx: Transaction,
  instanceId: string,
  news: readonly StepNews[],
): Promise<void> {
  if (news.length === 0) return
  await tx.rows(insertSteps, [
    instanceId,
    news.map((n) => n.stepId),
    news.map((n) => n.debtorId),
    news.map((n) => ('invoiceId' in n.debt ? n.debt.invoiceId : null)),
    news.map((n) => ('claimId' in n.debt ? n.debt.claimId : null)),
    news.map((n) => n.kind),
    news.map((n) => n.onPaper),
  ])
}

export type StepStateRow = {
  invoice_id: string | null
  claim_id: string | null
  /** Null for a step of a claim. */
  invoice_status: InvoiceStatus | null
  /** Of the step's claim, or the one that its invoice has joined. */
  claim_status: ClaimStatus | null
  balance_minor: number
  debtor_name: string
  address: string | null
  address2: string | null
  zip: string
  city: string | null
  country: string
  creditor_country: string
}

const stepState = statement(
  'mail.stepState',
  `select s.invoice_id, s.claim_id, i.status as invoice_status, k.status as claim_status,
     coalesce(k.balance_minor, i.balance_minor) as balance_minor, d.name as debtor_name, d.address, d.address2, d.zip,
     d.city, d.country, c.country as creditor_country
   from collection_step s
   left join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
   left join claim k on k.instance_id = s.instance_id and k.id = coalesce(s.claim_id, i.claim_id)
   join debtor d on d.instance_id = s.instance_id and d.id = coalesce(i.debtor_id, k.debtor_id)
   join creditor c on c.instance_id = s.instance_id and c.id = coalesce(i.creditor_id, k.creditor_id)
   where s.instance_id = $1 and s.id = $2`,
)

/** How what a step was about stands now, and where its debtor lives. */
export async function readStepState(
  db: Connection,
  instanceId: string,
  stepId: string,
): Promise<StepStateRow> {
  const row = (await db.rows<StepStateRow>(stepState, [instanceId, stepId]))[0]
  if (!row) throw new Error(`there is no step ${stepId}`)
  return row
}

export type StagedState = { id: string; status: string; tries: number }

const statesOf = statement(
  'mail.statesOf',
  'select id, status, tries from mail_outbox where id = any($1::uuid[])',
)

/** How messages stand, by their identifiers: what lies in the print queue names no instance. */
export function readStates(db: Connection, ids: readonly string[]): Promise<StagedState[]> {
  return db.rows<StagedState>(statesOf, [ids])
}
