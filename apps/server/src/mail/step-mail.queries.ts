/** The SQL that queues what is composed when it is sent: what steps tell, and bills. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Transaction } from '../platform/database/database.ts'
import type { MailKind } from './compose-mail.ts'

/** Which of an instance's orders of ways it goes by. */
export type Sort = 'letter' | 'bill' | 'news'

export type News = {
  readonly kind: MailKind
  readonly sort: Sort
  readonly cause: string
  readonly debt: Debt
  readonly debtorId: string
  readonly stepId: string | null
}

const insertNews = statement(
  'mail.insertNews',
  `insert into mail_outbox (instance_id, id, channel, next_channels, kind, cause, invoice_id, claim_id, step_id)
   select $1, gen_random_uuid(), w.ways[1], w.ways[2:], n.kind, n.cause, n.invoice_id, n.claim_id, n.step_id
   from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[])
     as n (debtor_id, invoice_id, claim_id, step_id, kind, cause, sort)
   join instance i on i.id = $1
   join debtor d on d.instance_id = $1 and d.id = n.debtor_id
   left join acting_guardian g on g.instance_id = $1 and g.debtor_id = d.id
   left join invoice v on v.instance_id = $1 and v.id = n.invoice_id and n.sort = 'bill'
   cross join lateral (
     select array_agg(o.way order by (o.way = v.distribution) desc nulls last, o.place) as ways
     from unnest(case n.sort when 'letter' then i.letter_channels when 'bill' then i.bill_channels
       else i.news_channels end) with ordinality as o (way, place)
     where case o.way when 'EMAIL' then case when g.id is null then d.email else g.email end <> ''
       when 'SMS' then case when g.id is null then d.phone else g.phone end <> ''
       when 'DIGITAL_MAILBOX' then g.id is null and d.identification_number <> ''
       when 'ELECTRONIC_INVOICE' then g.id is null and d.electronic_address <> '' else true end
   ) w
   where w.ways is not null
   on conflict (instance_id, cause, kind) do nothing`,
)

const dropLettersOf = statement(
  'mail.dropLettersOf',
  `with dropped as (
     update mail_outbox m set status = 'DROPPED', last_error = $3
     from collection_step s
   where m.instance_id = $1 and m.cause = 'step:' || s.id and m.step_id = s.id and m.status = 'WAITING'
     and s.instance_id = $1 and s.debt_id = any(array(
       select $2::uuid union all select i.id from invoice i where i.instance_id = $1 and i.claim_id = $2))
   returning m.step_id, s.performed_date)
   select step_id from dropped order by performed_date desc`,
)

/** Drops what waits to be told of the steps of an invoice, or of a claim and its invoices. Answers the steps, the last first. */
export async function dropLetterRows(
  tx: Transaction,
  instanceId: string,
  { debt, reason }: { debt: Debt; reason: string },
): Promise<string[]> {
  const values = [instanceId, debtId(debt), reason]
  return (await tx.rows<{ step_id: string }>(dropLettersOf, values)).map((row) => row.step_id)
}

const waitingLetters = statement(
  'mail.waitingLetters',
  `select m.step_id from collection_step s
   join mail_outbox m on m.instance_id = $1 and m.cause = 'step:' || s.id and m.step_id = s.id and m.status = 'WAITING'
   where s.instance_id = $1 and s.debt_id = any(array(
     select $2::uuid union all select i.id from invoice i where i.instance_id = $1 and i.claim_id = $2))
   order by s.id`,
)

/** The steps of an invoice, or of a claim and its invoices, that wait to be told. */
export async function readWaitingLetters(tx: Transaction, instanceId: string, debt: Debt): Promise<string[]> {
  const rows = await tx.rows<{ step_id: string }>(waitingLetters, [instanceId, debtId(debt)])
  return rows.map((row) => row.step_id)
}

/** Whether a letter about a step of the debt `id` is still here. */
export const hasUnsentLetter = (instance: string, id: string): string =>
  `exists (select from mail_outbox m where m.instance_id = ${instance} and coalesce(m.claim_id, m.invoice_id) = ${id}
       and m.status = 'WAITING' and m.step_id is not null and m.kind <> 'expired_notice')`

const forgetDrawn = statement(
  'mail.forgetDrawn',
  `update mail_outbox set file_id = null
   where instance_id = $1 and cause = 'step:' || $2::text and status = 'WAITING'`,
)

const forgetDocument = statement('mail.forgetDocument', 'select forget_drawn_letter($1, $2)')

/** What was kept of a letter, because it was to be handed over or was looked at, says another last day than it gives now. */
export async function forgetDrawnRow(tx: Transaction, instanceId: string, stepId: string): Promise<void> {
  await tx.rows(forgetDrawn, [instanceId, stepId])
  await tx.rows(forgetDocument, [instanceId, stepId])
}

const forgetKept = statement(
  'mail.forgetKept',
  `update mail_outbox m set file_id = null
   where m.instance_id = $1 and coalesce(m.claim_id, m.invoice_id) = $2 and m.status = 'WAITING' and m.file_id is not null`,
)

/** What was kept of any message about a debt that waits, because it was to be handed over. */
export async function forgetKeptRows(tx: Transaction, instanceId: string, debt: Debt): Promise<void> {
  await tx.rows(forgetKept, [instanceId, debtId(debt)])
}

/**
 * Queues news on the first of the instance's ways that the debtor has an address for, with the others to follow; not at
 * all when there is none.
 */
export async function insertNewsRows(
  tx: Transaction,
  instanceId: string,
  news: readonly News[],
): Promise<void> {
  if (news.length === 0) return
  await tx.rows(insertNews, [
    instanceId,
    news.map((n) => n.debtorId),
    news.map((n) => ('invoiceId' in n.debt ? n.debt.invoiceId : null)),
    news.map((n) => ('claimId' in n.debt ? n.debt.claimId : null)),
    news.map((n) => n.stepId),
    news.map((n) => n.kind),
    news.map((n) => n.cause),
    news.map((n) => n.sort),
  ])
}
