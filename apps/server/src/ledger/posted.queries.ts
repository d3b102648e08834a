/** The SQL that reads what stands in the books about one invoice, for entries that put it right. */
import type { InterestPeriod } from '@kvitt/domain/collection/interest-periods.ts'
import type { Account, Debt, Line } from '@kvitt/domain/ledger/booking.ts'
import type { DebtEvent } from '@kvitt/domain/ledger/charge-reversals.ts'
import { money, type Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { familyOf } from './family.queries.ts'
import { restatedMinor, waivedMinor } from './restated.queries.ts'

type Key = { readonly instanceId: string; readonly invoiceId: string }

const creditedSum = statement(
  'ledger.creditedSum',
  `select coalesce(sum(p.amount_minor) filter (where p.amount_minor > 0), 0)::bigint as minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   where t.instance_id = $1 and t.invoice_id = $2 and t.kind = 'CREDIT_INVOICE'`,
)

/** What has been credited on the invoice of this alias, as SQL, in minor units; nothing counts too. */
export const creditedOn = (invoice: string): string => `coalesce((
     select sum(p.amount_minor) from ledger_transaction t
     join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id and p.amount_minor > 0
     where t.instance_id = ${invoice}.instance_id and t.invoice_id = ${invoice}.id and t.kind = 'CREDIT_INVOICE'), 0)`

/** What has been credited on an invoice so far, in minor units. */
export async function readCreditedSum(tx: Transaction, key: Key): Promise<number> {
  return (await tx.rows<{ minor: number }>(creditedSum, [key.instanceId, key.invoiceId]))[0]?.minor ?? 0
}

/*
 * A waiver that names no charge is of what a plan had cost, which is not counted either; what names one restates it.
 */
const chargedFees = statement(
  'ledger.chargedFees',
  `select greatest(0, coalesce(sum(p.amount_minor) filter (where t.kind in ('REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE', 'INTEREST')
        and not exists (select from part_payment_instalment n where n.instance_id = t.instance_id
          and n.invoice_id = t.invoice_id and t.cause = 'interest:' || n.id)), 0)
      - coalesce(sum(p.amount_minor) filter (where t.cause like 'dispute-fees:%' or t.cause like 'unsent:%'
        or t.cause like 'credited:%' or t.restates_id is not null), 0))::bigint as minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   where t.instance_id = $1 and t.invoice_id = $2 and p.amount_minor > 0`,
)

/**
 * Fees and interest that were charged on an invoice and not taken back, paid or not, in minor units. What an instalment
 * was billed with is part of the document itself.
 */
export async function readChargedFees(tx: Transaction, key: Key): Promise<number> {
  return (await tx.rows<{ minor: number }>(chargedFees, [key.instanceId, key.invoiceId]))[0]?.minor ?? 0
}

const chargedOnClaim = statement(
  'ledger.chargedOnClaim',
  `select greatest(0, coalesce(sum(p.amount_minor) filter (where t.kind in ('REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE', 'COURT_FEE', 'INTEREST')
        and not exists (select from part_payment_instalment n where n.instance_id = t.instance_id
          and n.invoice_id = t.invoice_id and t.cause = 'interest:' || n.id)), 0)
      - coalesce(sum(p.amount_minor) filter (where t.cause like 'dispute-fees:%' or t.cause like 'unsent:%'
        or t.cause like 'credited:%' or t.restates_id is not null or t.kind = 'REVERSAL' and t.cause like 'upheld:%'), 0))::bigint as minor
   from (
     select x.* from ledger_transaction x where x.instance_id = $1 and x.claim_id = $2
     union
     select x.* from ledger_transaction x join invoice i on i.instance_id = x.instance_id and i.id = x.invoice_id
     where i.instance_id = $1 and i.claim_id = $2
   ) t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id and p.amount_minor > 0`,
)

/** As readChargedFees, of a claim and all its invoices together. */
export async function readChargedOnClaim(
  tx: Transaction,
  key: { readonly instanceId: string; readonly claimId: string },
): Promise<number> {
  return (await tx.rows<{ minor: number }>(chargedOnClaim, [key.instanceId, key.claimId]))[0]?.minor ?? 0
}

const postedLines = statement(
  'ledger.postedLines',
  `select t.id, a.kind, a.invoice_id, a.claim_id, a.creditor_id, a.debtor_id, a.gateway, p.currency, p.amount_minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
   where t.instance_id = $1 and t.cause = any($2) order by t.id, p.line`,
)

type PostedRow = {
  kind: Account['kind']
  invoice_id: string | null
  claim_id: string | null
  creditor_id: string | null
  debtor_id: string | null
  gateway: string | null
  currency: Currency
  amount_minor: number
}

/** The lines that these causes have put in the books; none when they never happened. */
export async function readPostedLines(
  tx: Transaction,
  instanceId: string,
  causes: readonly string[],
): Promise<Line[]> {
  const rows = await tx.rows<PostedRow>(postedLines, [instanceId, causes])
  return rows.map((row) => ({ account: accountOf(row), amount: money(row.amount_minor, row.currency) }))
}

const moneyOfDebt = statement(
  'ledger.moneyOfDebt',
  `with family as (${familyOf('$2')})
   select coalesce(-sum(p.amount_minor) filter (where a.kind = 'held_for_creditor'), 0)::bigint as "heldMinor",
     coalesce(-sum(p.amount_minor) filter (where a.kind = 'paid_to_creditor'), 0)::bigint as "paidMinor"
   from (
     select t.instance_id, t.id from family f join ledger_transaction t on t.instance_id = $1 and t.invoice_id = f.id
     union
     select t.instance_id, t.id from family f join ledger_transaction t on t.instance_id = $1 and t.claim_id = f.id) t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
   where a.currency = $3 and a.kind in ('held_for_creditor', 'paid_to_creditor')`,
)

/**
 * What stands in the books of the money that paid these debts and all that they were paid as (familyOf): with us, and with the
 * creditor. Minor units.
 */
export async function readMoneyOfDebt(
  tx: Transaction,
  instanceId: string,
  { debts, currency }: { readonly debts: readonly string[]; readonly currency: Currency },
): Promise<{ heldMinor: number; paidMinor: number }> {
  const rows = await tx.rows<{ heldMinor: number; paidMinor: number }>(moneyOfDebt, [
    instanceId,
    debts,
    currency,
  ])
  return rows[0] ?? { heldMinor: 0, paidMinor: 0 }
}

function accountOf(row: PostedRow): Account {
  return {
    kind: row.kind,
    ...(row.invoice_id === null ? {} : { invoiceId: row.invoice_id }),
    ...(row.claim_id === null ? {} : { claimId: row.claim_id }),
    ...(row.creditor_id === null ? {} : { creditorId: row.creditor_id }),
    ...(row.debtor_id === null ? {} : { debtorId: row.debtor_id }),
    ...(row.gateway === null ? {} : { gateway: row.gateway }),
  } as Account
}

export type BucketEvent = {
  id: string
  kind: string
  cause: string
  booked_on: string
  posted_at: string
  principal_minor: number
  costs_minor: number
  interest_minor: number
  periods: InterestPeriod[] | null
}

const bucketEventsOf = (subject: 'invoice_id' | 'claim_id'): string =>
  `select t.id, t.kind, t.cause, t.booked_on, t.posted_at::text, t.periods,
     coalesce(sum(p.amount_minor) filter (where a.kind = 'principal'), 0)::bigint as principal_minor,
     coalesce(sum(p.amount_minor) filter (where a.kind = 'costs'), 0)::bigint as costs_minor,
     coalesce(sum(p.amount_minor) filter (where a.kind = 'interest'), 0)::bigint as interest_minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.${subject} = t.${subject}
   where t.instance_id = $1 and t.${subject} = $2
   group by t.id, t.kind, t.cause, t.booked_on, t.posted_at, t.periods order by t.booked_on, t.id`

const bucketEvents = statement('ledger.bucketEvents', bucketEventsOf('invoice_id'))
const bucketEventsOfMany = statement(
  'ledger.bucketEventsOfMany',
  `select q.invoice_id, e.* from unnest((select $2::uuid[])) q (invoice_id)
   cross join lateral (${bucketEventsOf('invoice_id').replace('$2', 'q.invoice_id')}) e`,
)
const claimBucketEvents = statement('ledger.claimBucketEvents', bucketEventsOf('claim_id'))

/** What moved each bucket of an invoice, oldest first. */
export function readBucketEvents(db: Connection, key: Key): Promise<BucketEvent[]> {
  return db.rows<BucketEvent>(bucketEvents, [key.instanceId, key.invoiceId])
}

/** As readBucketEvents, of each of many invoices. */
export function readBucketEventsOfMany(
  db: Connection,
  instanceId: string,
  invoiceIds: readonly string[],
): Promise<(BucketEvent & { invoice_id: string })[]> {
  return db.rows(bucketEventsOfMany, [instanceId, invoiceIds])
}

/** As readBucketEvents, of a claim. */
export function readClaimBucketEvents(
  db: Connection,
  instanceId: string,
  claimId: string,
): Promise<BucketEvent[]> {
  return db.rows<BucketEvent>(claimBucketEvents, [instanceId, claimId])
}

/** An unsent letter `r` of the step `s` took its interest along: else that was due without the letter, and stands. */
const MORE_THAN_FEE = `(select sum(p.amount_minor) from posting p
           where p.instance_id = r.instance_id and p.transaction_id = r.id and p.amount_minor > 0)
         > coalesce((select sum(p.amount_minor - ${restatedMinor('f')}) from ledger_transaction f
           join posting p on p.instance_id = f.instance_id and p.transaction_id = f.id and p.amount_minor > 0
           where f.instance_id = r.instance_id and f.cause = 'step:' || s.id and not exists (
             select from ledger_transaction c where c.instance_id = f.instance_id and c.cause = 'credited:' || f.cause)), 0)`

/**
 * What happened to each bucket of a debt, with what charges have lost since: to a letter not sent, a decision, a credit. What
 * was paid on an invoice and taken back in its claim belongs to that invoice.
 */
export const debtEventsOf = (subject: 'invoice_id' | 'claim_id'): string =>
  `select t.kind, t.cause,
     coalesce(t.invoice_id, (select o.invoice_id from ledger_transaction o
       where o.instance_id = t.instance_id and t.cause like 'reversal:%'
         and o.cause = substr(t.cause, length('reversal:') + 1))) as "invoiceId",
     coalesce(sum(p.amount_minor) filter (where a.kind = 'principal'), 0)::bigint as "principalMinor",
     coalesce(sum(p.amount_minor) filter (where a.kind = 'costs'), 0)::bigint as "costsMinor",
     coalesce(sum(p.amount_minor) filter (where a.kind = 'interest'), 0)::bigint as "interestMinor",
     coalesce(sum(p.amount_minor) filter (where t.kind = 'CREDIT_INVOICE' and p.amount_minor > 0), 0)::bigint as "creditedMinor",
     (select coalesce(sum(o.amount_minor), 0) from (
         select w.id from ledger_transaction w where w.instance_id = t.instance_id and w.cause = 'credited:' || t.cause
         union all
         select w.id from ledger_transaction w
         where w.instance_id = t.instance_id and w.claim_id = t.claim_id and w.cause like 'credited:' || t.cause || ':%'
         union all
         select w.id from ledger_transaction w where w.instance_id = t.instance_id and w.restates_id = t.id) r
       join posting o on o.instance_id = t.instance_id and o.transaction_id = r.id and o.amount_minor > 0)::bigint as "takenBackMinor",
     ${waivedMinor('t')}::bigint as "waivedMinor",
     s.id is not null as "isOfStep",
     (s.id is not null and not (s.status = 'SKIPPED' and t.cause like 'step:%')
       and not exists (select from ledger_transaction r where r.instance_id = t.instance_id
         and r.cause = 'unsent:' || s.id and (t.cause like 'step:%' or r.${subject} = t.${subject} and ${MORE_THAN_FEE}))
       and not exists (select from ledger_transaction r where r.instance_id = t.instance_id
         and (r.${subject} = t.${subject} or r.claim_id = (select m.claim_id from invoice m
           where m.instance_id = t.instance_id and m.id = t.invoice_id)) and (r.cause like 'dispute-fees:%' or r.cause like 'upheld:%')
         and r.posted_at >= t.posted_at)) as "isCharge"
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   left join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.${subject} = t.${subject}
   left join collection_step s on s.instance_id = t.instance_id and s.${subject} = t.${subject}
     and t.cause in ('step:' || s.id, 'interest:' || s.id)
   where t.instance_id = $1 and t.${subject} = $2
   group by t.instance_id, t.id, s.id, s.status`

const AS_POSTED = 'order by t.posted_at, t.id'
/** Money that was told of late comes before what was charged on its day or later: that was not charged for what it paid. */
const BY_DAY = `order by coalesce(t.value_on, t.booked_on), coalesce(t.value_on, t.booked_on) = t.booked_on, t.posted_at, t.id`

const debtEventsIn = (name: string, order: string) => ({
  invoice: statement(`ledger.invoice${name}`, `${debtEventsOf('invoice_id')} ${order}`),
  claim: statement(`ledger.claim${name}`, `${debtEventsOf('claim_id')} ${order}`),
})
const asPosted = debtEventsIn('DebtEvents', AS_POSTED)
const byDay = debtEventsIn('DebtEventsByDay', BY_DAY)

/**
 * The whole story of a debt: in the order in which it was `posted`, for whoever goes through it again, or of the `days` from which
 * money counts, for whoever has to know what a charge was for.
 */
export function readDebtEvents(
  tx: Transaction,
  instanceId: string,
  debt: Debt,
  order: 'posted' | 'days',
): Promise<DebtEvent[]> {
  const { invoice, claim } = order === 'posted' ? asPosted : byDay
  return 'claimId' in debt
    ? tx.rows<DebtEvent>(claim, [instanceId, debt.claimId])
    : tx.rows<DebtEvent>(invoice, [instanceId, debt.invoiceId])
}
