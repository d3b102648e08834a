/** The SQL of plans that are behind, over, or to be ended. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { DAYS_AFTER_DISPUTE, lastOverRespite } from '@kvitt/domain/collection/schedule.ts'
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { invoiceWaits, type Awaited } from '../../creditors/creditors.ts'
import { isOfNobodyResting } from '../../ledger/resting-debts.queries.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'

type PlanKey = { readonly instance_id: string; readonly id: string }

const LATE = `from part_payment_instalment n
   join part_payment p on p.instance_id = n.instance_id and p.id = n.part_payment_id and p.status = 'ACTIVE'
   join invoice i on i.instance_id = n.instance_id and i.id = n.invoice_id and i.status = 'ACTIVATED'
     and i.balance_minor > 0
   where n.instance_id = $1 and ${isOfNobodyResting('p.debtor_id')}`

/** What was paid in parts is paused, disputed, or signed for: its plan cannot end, and nobody is told that it may. */
const RESTS = `exists (select from part_payment_member m
     left join invoice mi on mi.instance_id = m.instance_id and mi.id = m.invoice_id
     left join claim mc on mc.instance_id = m.instance_id and mc.id = m.claim_id
     where m.instance_id = p.instance_id and m.part_payment_id = p.id
       and (mi.status in ('PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION') or mc.status in ('PAUSED', 'DISPUTED')))`

/** A dispute of what the plan pays, or of the instalment, left something to pay: no step comes before so many days. Of the day $2. */
const JUST_ANSWERED = `exists (select from dispute d where d.instance_id = p.instance_id
     and d.status in ('REJECTED', 'UPHELD_PART') and d.decided_on > $2::date - ${DAYS_AFTER_DISPUTE}
     and (d.debt_id = i.id or d.debt_id in (select m.debt_id from part_payment_member m
       where m.instance_id = p.instance_id and m.part_payment_id = p.id)))`

/**
 * A respite of what the plan pays, or of the instalment, is over for less than three bank days (M-10). $7 has by country the last
 * day on which one may have ended.
 */
const JUST_RESUMED = `exists (select from (
       select i.resume_date as day, i.creditor_id
       union all select coalesce(mi.resume_date, mc.resume_date), coalesce(mi.creditor_id, mc.creditor_id) from part_payment_member m
         left join invoice mi on mi.instance_id = m.instance_id and mi.id = m.invoice_id
         left join claim mc on mc.instance_id = m.instance_id and mc.id = m.claim_id
         where m.instance_id = p.instance_id and m.part_payment_id = p.id
       union all select f.over_on, p.creditor_id from rest_over f
         where f.instance_id = p.instance_id and f.debtor_id = p.debtor_id) r
     join creditor k on k.instance_id = p.instance_id and k.id = r.creditor_id
     where r.day <= $2::date and r.day > coalesce($7::jsonb ->> k.country, $7::jsonb ->> 'OTHER')::date)`
/** Those with bank days of their own, and all others. */
const COUNTRIES = ['SE', 'NO', 'DK', 'FI', 'OTHER']

const performLate = statement(
  'partPayments.performLate',
  `insert into collection_step (instance_id, id, invoice_id, type, number, planned_date, performed_date, status)
   select $1, gen_random_uuid(), i.id, $3, 1, i.expire_date + $4::int, $2::date, 'PERFORMED'
   ${LATE} and i.expire_date + $4::int <= $2::date and not ${invoiceWaits('i', '$5', '$6')}
     and not exists (select from collection_step s where s.instance_id = i.instance_id and s.invoice_id = i.id
       and s.type = $3 and s.status = 'PERFORMED')
     and ($3 = 'EXPIRED' or not (${RESTS} or ${JUST_ANSWERED} or ${JUST_RESUMED}))
   on conflict do nothing
   returning invoice_id, (select i.balance_minor from invoice i where i.instance_id = $1 and i.id = invoice_id),
     (select i.expire_date from invoice i where i.instance_id = $1 and i.id = invoice_id),
     (select i.currency from invoice i where i.instance_id = $1 and i.id = invoice_id)`,
)

export type NoticedInstalment = {
  invoice_id: string
  balance_minor: number
  expire_date: string
  currency: string
}

const lockLate = statement(
  'partPayments.lockLate',
  `select i.id ${LATE} and i.expire_date + $3::int <= $2::date and not exists (select from collection_step s
     where s.instance_id = i.instance_id and s.invoice_id = i.id and s.type = $4 and s.status = 'PERFORMED')
   order by i.id for no key update of i`,
)

/**
 * Performs a step on every instalment that is `days` late and waits for nobody's file. Answers those; each gets it once.
 */
export async function performLateSteps(
  tx: Transaction,
  { instanceId, day, awaited }: { instanceId: string; day: CalendarDate; awaited: Awaited },
  step: { type: string; days: number },
): Promise<NoticedInstalment[]> {
  // Under their locks it is asked anew whose debts all rest.
  await tx.rows(lockLate, [instanceId, day, step.days, step.type])
  const { accountIds, currencies } = awaited
  const over = COUNTRIES.map((country) => [country, lastOverRespite(country, day)] as const)
  return tx.rows<NoticedInstalment>(performLate, [
    instanceId,
    day,
    step.type,
    step.days,
    accountIds,
    currencies,
    JSON.stringify(Object.fromEntries(over)),
  ])
}

const behind = statement(
  'partPayments.behind',
  `select p.id, i.expire_date as due_date, s.performed_date as notice_on
   from part_payment_instalment n
   join part_payment p on p.instance_id = n.instance_id and p.id = n.part_payment_id and p.status = 'ACTIVE'
   join invoice i on i.instance_id = n.instance_id and i.id = n.invoice_id and i.status = 'ACTIVATED'
     and i.balance_minor > 0
   join collection_step s on s.instance_id = i.instance_id and s.invoice_id = i.id
     and s.type = 'PART_PAYMENT_NOTIFICATION' and s.status = 'PERFORMED'
   where n.instance_id = $1 and ${isOfNobodyResting('p.debtor_id')} and i.expire_date < $2::date and not ${invoiceWaits('i', '$3', '$4')}
   order by p.id, i.expire_date`,
)

export type LateInstalment = { id: string; due_date: string; notice_on: string }

/** Instalments that are overdue, were noticed and wait for nobody's file, by their plan. */
export function readLateInstalments(
  db: Connection,
  { instanceId, day, awaited }: { instanceId: string; day: string; awaited: Awaited },
): Promise<LateInstalment[]> {
  return db.rows<LateInstalment>(behind, [instanceId, day, awaited.accountIds, awaited.currencies])
}

const finished = statement(
  'partPayments.finished',
  `select p.id from part_payment p
   where p.instance_id = $1 and p.status = 'ACTIVE'
     and not exists (select from part_payment_instalment n
       left join invoice i on i.instance_id = n.instance_id and i.id = n.invoice_id
       where n.instance_id = p.instance_id and n.part_payment_id = p.id and n.invoice_id is not null
         and i.balance_minor > 0 and i.status <> 'STOPPED')
     and (not exists (select from part_payment_instalment n
         where n.instance_id = p.instance_id and n.part_payment_id = p.id and n.invoice_id is null)
       or not exists (select from part_payment_member m
         left join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id
         left join claim c on c.instance_id = m.instance_id and c.id = m.claim_id
         where m.instance_id = p.instance_id and m.part_payment_id = p.id
           and coalesce(i.status, c.status) not in ('CLOSED', 'STOPPED', 'ARCHIVED')
           and coalesce(i.balance_minor, c.balance_minor) > 0))
   order by p.id`,
)

/** Running plans that have nothing to bill and nothing to be paid any more. */
export async function readFinishedPlans(db: Connection, instanceId: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(finished, [instanceId])).map((row) => row.id)
}

const billedInvoices = statement(
  'partPayments.billedInvoices',
  `select n.invoice_id as id from part_payment_instalment n
   where n.instance_id = $1 and n.part_payment_id = $2 and n.invoice_id is not null order by n.invoice_id`,
)

/** The instalments' invoices, in the order in which they are locked. */
export async function readBilledIds(db: Connection, plan: PlanKey): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(billedInvoices, [plan.instance_id, plan.id])
  return rows.map((row) => row.id)
}

const sharers = statement(
  'partPayments.sharers',
  `select m.id as member_id, n.id as instalment_id
   from unnest($2::uuid[]) as n (id) cross join unnest($3::uuid[]) as m (id)
   join ledger_transaction t on t.instance_id = $1 and t.cause = 'plan:' || n.id || ':' || m.id
   order by n.id desc`,
)

/** Which of a plan's debts these instalments took something from, each with the first such instalment. */
export async function readSharers(
  db: Connection,
  plan: PlanKey,
  { instalments, members }: { instalments: readonly string[]; members: readonly string[] },
): Promise<Map<string, string>> {
  type Row = { member_id: string; instalment_id: string }
  const rows = await db.rows<Row>(sharers, [plan.instance_id, instalments, members])
  return new Map(rows.map((row) => [row.member_id, row.instalment_id]))
}

const heir = statement(
  'partPayments.heir',
  `select invoice_id, claim_id from ledger_transaction where instance_id = $1 and cause = 'plan-end-to:' || $2::uuid`,
)

/** The debt that took over what an instalment owed when its plan ended; undefined when none did. */
export async function findHeir(
  tx: Transaction,
  instanceId: string,
  instalmentInvoiceId: string,
): Promise<Debt | undefined> {
  type Row = { invoice_id: string | null; claim_id: string | null }
  const row = (await tx.rows<Row>(heir, [instanceId, instalmentInvoiceId]))[0]
  if (!row) return undefined
  return row.claim_id === null ? { invoiceId: row.invoice_id ?? '' } : { claimId: row.claim_id }
}

const underWay = statement(
  'partPayments.paymentUnderWay',
  `select exists (select from payment p where p.instance_id = $1 and p.invoice_id = any($2)
     and (p.status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED') or p.is_outcome_unknown)) as is_under_way`,
)

/** Somebody is at the bank with one of these invoices: money may be coming for it. */
export async function hasPaymentUnderWay(
  tx: Transaction,
  instanceId: string,
  invoiceIds: readonly string[],
): Promise<boolean> {
  const rows = await tx.rows<{ is_under_way: boolean }>(underWay, [instanceId, invoiceIds])
  return rows[0]?.is_under_way ?? false
}

const unmarkInvoices = statement(
  'partPayments.unmarkInvoices',
  `update invoice set is_part_payment = false,
     part_payment_variant = case when balance_minor = 0 then part_payment_variant end
   where instance_id = $1 and id = any($2)`,
)
const unmarkClaims = statement(
  'partPayments.unmarkClaims',
  `update claim set is_part_payment = false,
     part_payment_variant = case when balance_minor = 0 then part_payment_variant end
   where instance_id = $1 and id = any($2)`,
)
const unmarkOpen = statement(
  'partPayments.unmarkOpen',
  `update invoice set part_payment_variant = null
   where instance_id = $1 and id = any($2) and status in ('ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION')`,
)

/**
 * What the plan paid is an ordinary debt again, and so are instalments that could not be taken back. What is paid
 * keeps the name of how it was paid.
 */
export async function unmark(
  tx: Transaction,
  instanceId: string,
  { members, billed }: { members: readonly string[]; billed: readonly string[] },
): Promise<void> {
  await tx.rows(unmarkInvoices, [instanceId, members])
  await tx.rows(unmarkClaims, [instanceId, members])
  await tx.rows(unmarkOpen, [instanceId, billed])
}

const DUE_DAY = `expire_date = $3::date, interest_posted_to = greatest($3::date, interest_posted_to)
   where instance_id = $1 and id = $2`
const setInvoiceDueDate = statement(
  'partPayments.setInvoiceDueDate',
  `update invoice set first_expire_date = coalesce(first_expire_date, expire_date), ${DUE_DAY}`,
)
const setClaimDueDate = statement('partPayments.setClaimDueDate', `update claim set ${DUE_DAY}`)

/** A new due date, up to which no late interest is added. The day on which an invoice first fell due stays known. */
export async function setDueDateRow(
  tx: Transaction,
  { instanceId, debt }: { instanceId: string; debt: Debt },
  dueDate: string,
): Promise<void> {
  const update = 'claimId' in debt ? setClaimDueDate : setInvoiceDueDate
  await tx.rows(update, [instanceId, debtId(debt), dueDate])
}

const PERFORMED = `(select coalesce(json_agg(json_build_object('type', x.type, 'number', x.number, 'performedDate', x.performed_date,
         'lastPayDate', x.last_pay_date) order by x.performed_date, x.number), '[]')
       from collection_step x where x.instance_id = i.instance_id and x.debt_id = i.id and x.status = 'PERFORMED'
         and x.type not in ('INVOICE', 'CREDIT_INVOICE', 'PART_INVOICE', 'PART_PAYMENT_NOTIFICATION')) as performed`
const PARTIES = `join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
   where i.instance_id = $1 and i.id = $2`

const invoiceTerms = statement(
  'partPayments.invoiceTerms',
  `select c.country, coalesce(c.reminder_fee_agreed_on <= i.issue_date, false) as reminder_fee_agreed, d.kind, i.expire_date, coalesce(i.sent_date, i.issue_date) as sent_date,
     coalesce((select t.booked_on from ledger_transaction t
       where t.instance_id = i.instance_id and t.cause = 'invoice:' || i.id), i.expire_date) as booked_on,
     ${PERFORMED}
   from invoice i ${PARTIES}`,
)
const claimTerms = statement(
  'partPayments.claimTerms',
  `select c.country, false as reminder_fee_agreed, d.kind, i.expire_date, i.opened_on as sent_date,
     i.opened_on as booked_on, ${PERFORMED}
   from claim i ${PARTIES}`,
)

export type TermsRow = {
  country: string
  reminder_fee_agreed: boolean
  kind: 'PERSON' | 'COMPANY'
  expire_date: string
  sent_date: string
  booked_on: string
  performed: { type: string; number: number; performedDate: string; lastPayDate: string | null }[]
}

/** What the next step in the schedule of an invoice or claim is computed from; a claim was booked when it opened. */
export async function readTerms(tx: Transaction, instanceId: string, debt: Debt): Promise<TermsRow> {
  const terms = 'claimId' in debt ? claimTerms : invoiceTerms
  const row = (await tx.rows<TermsRow>(terms, [instanceId, debtId(debt)]))[0]
  if (!row) throw new Error(`debt ${debtId(debt)} does not exist`)
  return row
}
