/** The SQL of steps that are due: a page at a time, without those that wait for the files of an account. */
import type { InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { performedAsJson, type InvoiceSchedule } from '../claims/claims.ts'
import { claimWaits, invoiceWaits, type Awaited } from '../creditors/creditors.ts'
import { CHARGED_ON_INVOICE, FELL_DUE_ON, lateDaysOf, type LateDays } from '../ledger/ledger.ts'
import { isNotResting } from '../ledger/resting-debts.queries.ts'
import { hasUnsentLetter } from '../mail/mail.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

export type DueStep = InvoiceSchedule & {
  step_id: string
  step_type: string
  number: number
  planned_date: string
  invoice_id: string
  creditor_id: string
  debtor_id: string
  status: InvoiceStatus
  currency: Currency
  balance_minor: number
  principal_minor: number
  costs_minor: number
  interest_minor: number
  total_minor: number
  invoice_number: string
  claim_id: string | null
  debtor_zip: string
  is_part_payment: boolean
  /** The day on which it first fell due; staff may have given it a later one. */
  fell_due_on: string
  interest_posted_to: string | null
  /** What the postings have left over, in PARTS_OF_MINOR. */
  interest_rest: number
  late_days: LateDays[]
  /** Costs charged and not taken back, for a step whose fee depends on them. */
  charged_minor: number
  /** The instance's debts are real. */
  is_live: boolean
  has_authorized: boolean
  has_paid: boolean
  /** A letter about an earlier step has not left yet. */
  has_unsent_letter: boolean
}

/** Asked once for a statement whose $1 is the instance. */
export const IS_LIVE = `(select n.mode = 'live' from instance n where n.id = $1) as is_live`

/** Due steps `s` of a source, with their invoices `i` and what decides about them. */
export const dueStepsOf = (source: string, day: string): string =>
  `select s.id as step_id, s.type as step_type, s.number, s.planned_date, i.id as invoice_id, i.creditor_id, i.debtor_id,
     i.type as invoice_type, i.status, i.currency, i.balance_minor, i.principal_minor, i.costs_minor, i.interest_minor,
     i.total_minor, i.invoice_number, i.claim_id, d.zip as debtor_zip, i.expire_date, ${FELL_DUE_ON.invoice('i')},
     coalesce(i.sent_date, i.issue_date) as sent_date, i.is_part_payment, i.interest_posted_to, i.interest_rest,
     d.kind, c.country,
     coalesce(c.reminder_fee_agreed_on <= i.issue_date, false) as reminder_fee_agreed, i.to_collection_on is not null as is_hastened, ${IS_LIVE},
     (select t.booked_on from ledger_transaction t
       where t.instance_id = i.instance_id and t.cause = 'invoice:' || i.id) as booked_on,
     exists (select from payment p where p.instance_id = i.instance_id and p.invoice_id = i.id
       and (p.status = 'AUTHORIZED' or p.is_outcome_unknown)) as has_authorized,
     exists (select from ledger_transaction t where t.instance_id = i.instance_id and t.invoice_id = i.id
       and t.kind = 'PAYMENT') as has_paid,
     ${hasUnsentLetter('i.instance_id', 'i.id')} as has_unsent_letter,
     ${CHARGED_ON_INVOICE},
     ${lateDaysOf('i.instance_id', 'i.id', day)},
     ${performedAsJson('i.instance_id', 'i.id')}
   from (${source}) s
   join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
   join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id`

/** A step's place among those that are due. */
export type Place = { readonly date: string; readonly debt: string; readonly step: string }
export const FIRST_PLACE: Place = {
  date: '0001-01-01',
  debt: '00000000-0000-0000-0000-000000000000',
  step: '00000000-0000-0000-0000-000000000000',
}

export type DuePage = {
  readonly instanceId: string
  readonly day: string
  /** A page begins where the last one ended. */
  readonly after: Place
  readonly limit: number
  readonly types: readonly string[]
  readonly awaited: Awaited
}

const IN_ORDER = 's.planned_date, s.debt_id, s.id'

/**
 * A page of planned steps of some types, at most `most` of them, without those of whoever's debts all rest. Debts of one day in the order in which they came: what belongs to
 * neighbours lies together.
 */
const pageOf = (most: string): string => `select s.* from collection_step s
     where s.instance_id = $1 and s.status = 'PLANNED' and s.planned_date <= $2::date and s.type = any($6)
       and (s.planned_date, s.debt_id, s.id) > ($3::date, $4::uuid, $7::uuid) and ${isNotResting('s.debt_id')}
     order by ${IN_ORDER} limit ${most}`

/** So many times as many steps are looked at where most of them may wait: a page that finds few takes no longer than another. */
const LOOKED_AT = pageOf('$5 * 20')
const WAITS = {
  invoice: invoiceWaits('w', '$8', '$9'),
  claim: claimWaits('w', '$8', '$9'),
} as const
type Subject = keyof typeof WAITS

/** Those of the steps `from` whose debts wait for nobody's file. Each debt is looked up by its key. */
const othersOf = (subject: Subject, from: string): string => `select s.* from ${from} s
     where (select not ${WAITS[subject]} from ${subject} w
       where w.instance_id = s.instance_id and w.id = s.${subject}_id)
     order by ${IN_ORDER} limit $5`

type DueOf = (source: string) => string

/** The statements that lock a page of due steps, all or without those that wait. `dueOf` makes them of a page. */
export function lockingPages(subject: Subject, name: string, dueOf: DueOf) {
  const all = statement(`collection.${name}`, dueOf(pageOf('$5')))
  const others = statement(`collection.${name}OfOthers`, dueOf(othersOf(subject, `(${LOOKED_AT})`)))
  return <Row>(tx: Transaction, page: DuePage): Promise<Row[]> =>
    page.awaited.isNobody
      ? tx.rows<Row>(all, valuesOf(page))
      : tx.rows<Row>(others, [...valuesOf(page), page.awaited.accountIds, page.awaited.currencies])
}

function valuesOf({ instanceId, day, after, limit, types }: DuePage): unknown[] {
  return [instanceId, day, after.date, after.debt, limit, types, after.step]
}

const lockDue = lockingPages(
  'invoice',
  'dueSteps',
  (page) =>
    `${dueStepsOf(page, '$2::date')} order by s.planned_date, s.debt_id, s.id for no key update of i skip locked`,
)

/** Steps that are due on a day, their invoices locked. Invoices that somebody else holds are left for later. */
export function lockDueSteps(tx: Transaction, page: DuePage): Promise<DueStep[]> {
  return lockDue<DueStep>(tx, page)
}

const LAST = `planned_date as date, debt_id as debt, id as step`
const BACKWARDS = 'order by planned_date desc, debt_id desc, id desc limit 1'

const pageEnd = statement(
  'collection.pageEnd',
  `select ${LAST}, count(*) over ()::int as steps from (${pageOf('$5')}) p ${BACKWARDS}`,
)

/** A page that is not full ends with the last step that was looked at. */
const pageEndOfOthers = (subject: Subject) =>
  statement(
    `collection.pageEndOfOthers.${subject}`,
    `with looked_at as materialized (${LOOKED_AT}), others as materialized (${othersOf(subject, 'looked_at')}),
       counted as (select count(*)::int as steps from others)
     select ${LAST}, steps from counted cross join lateral (
       select * from others where steps = $5 union all select * from looked_at where steps < $5) p ${BACKWARDS}`,
  )
const PAGE_ENDS = { invoice: pageEndOfOthers('invoice'), claim: pageEndOfOthers('claim') }

/** Where a page ends, and how many steps it has, with those whose debts somebody else holds. Undefined when it is empty. */
export async function readPage(
  tx: Transaction,
  subject: Subject,
  page: DuePage,
): Promise<{ readonly last: Place; readonly steps: number } | undefined> {
  const { awaited } = page
  const [row] = awaited.isNobody
    ? await tx.rows<Place & { steps: number }>(pageEnd, valuesOf(page))
    : await tx.rows<Place & { steps: number }>(PAGE_ENDS[subject], [
        ...valuesOf(page),
        awaited.accountIds,
        awaited.currencies,
      ])
  return row && { last: { date: row.date, debt: row.debt, step: row.step }, steps: row.steps }
}
