/** The SQL that finds what a line of a bank file is about. */
import type { Candidate } from '@kvitt/domain/bank-files/choose-debt.ts'
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { writtenAs } from '@kvitt/domain/account-address.ts'
import { readAddresses } from '../creditors/creditors.ts'
import { IN_BANK_FILES } from '../payments/payments.ts'
import { statement, type Transaction } from '../platform/database/database.ts'
import { NOT_HIDDEN } from '../sign-in/shown.ts'
import { tasksOf } from '../tasks/tasks.ts'
import type { LineRow } from './bank-files.queries.ts'
import { REVERSAL } from './camt/camt.ts'

type CandidateRow = {
  invoice_id: string | null
  claim_id: string | null
  creditor_id: string
  debtor_id: string
  currency: Currency
  owed_minor: number
  is_planned: boolean
  due_date: string
  /** Of an invoice for interest: the day on which it was made. */
  billed_on: string | null
  /** Of what a plan pays: the day on which that began. */
  planned_on: string | null
}

const plannedOn = (debt: 'i' | 'c'): string => `(select p.started_on from part_payment_member m
       join part_payment p on p.instance_id = m.instance_id and p.id = m.part_payment_id and p.status = 'ACTIVE'
       where m.instance_id = $1 and m.debt_id = ${debt}.id and ${debt}.is_part_payment)`

/**
 * What carries the reference; an invoice in a claim is its claim, and an instalment whose plan has ended is the debt that took
 * over what it owed. Of what a plan pays, the plan's invoices that are
 * unpaid come along.
 */
const candidates = statement(
  'bankFiles.candidates',
  `with called as (
     select i.id, i.claim_id, i.balance_minor from invoice i
     where i.instance_id = $1 and (i.payment_reference = any($2) or i.original_reference = any($2))
       and i.type <> 'CREDIT_INVOICE' and ${NOT_HIDDEN}
   ), heirs as (
     select n.id as instalment_id, t.invoice_id, t.claim_id from called n
     join ledger_transaction t on t.instance_id = $1 and t.cause = 'plan-end-to:' || n.id
     where n.balance_minor <= 0
   ), named as (
     select id, claim_id from called where id not in (select instalment_id from heirs)
     union
     select i.id, i.claim_id from heirs h join invoice i on i.instance_id = $1 and i.id = h.invoice_id
       and i.status <> 'ARCHIVED'
   ), claims as (
     select c.id from claim c where c.instance_id = $1 and c.payment_reference = any($2)
     union select claim_id from named where claim_id is not null
     union select claim_id from heirs where claim_id is not null
   ), billed as (
     select n.invoice_id as id from part_payment_member m
     join part_payment_instalment n on n.instance_id = m.instance_id and n.part_payment_id = m.part_payment_id
     where m.instance_id = $1 and m.debt_id in (select id from named union all select id from claims)
   ), wanted as (
     select id, false as must_owe from named
     union all
     select id, true from billed where id is not null
   )
   select distinct i.id as invoice_id, null::uuid as claim_id, i.creditor_id, i.debtor_id, i.currency,
     i.balance_minor as owed_minor, i.is_part_payment as is_planned, i.expire_date as due_date,
     case when i.type = 'INTEREST_INVOICE' then i.issue_date end as billed_on, ${plannedOn('i')} as planned_on
   from wanted w join invoice i on i.instance_id = $1 and i.id = w.id
   where i.claim_id is null and (i.balance_minor > 0 or not w.must_owe)
   union all
   select null, c.id, c.creditor_id, c.debtor_id, c.currency, c.balance_minor, c.is_part_payment,
     coalesce(c.expire_date, 'epoch'::date), null, ${plannedOn('c')}
   from claims w join claim c on c.instance_id = $1 and c.id = w.id`,
)

/**
 * Money that was there on `day` is not for an invoice for interest that was made later, but for what that is about; nor for an
 * instalment of a plan that began later, but for what the plan pays.
 */
export async function findCandidates(
  tx: Transaction,
  instanceId: string,
  references: readonly string[],
  { day, amountMinor }: { readonly day: CalendarDate; readonly amountMinor: number },
): Promise<Candidate[]> {
  const all = await tx.rows<CandidateRow>(candidates, [instanceId, references])
  const unplanned = all.flatMap((row) =>
    row.planned_on !== null && day < row.planned_on && amountMinor < row.owed_minor
      ? [{ ...row, is_planned: false }]
      : [],
  )
  const made = all.filter(({ billed_on: on }) => on === null || on <= day)
  const rows = unplanned.length > 0 ? unplanned : made.length > 0 ? made : all
  return rows.map((row) => ({
    debt: row.claim_id === null ? { invoiceId: row.invoice_id ?? '' } : { claimId: row.claim_id },
    creditorId: row.creditor_id,
    debtorId: row.debtor_id,
    currency: row.currency,
    owedMinor: row.owed_minor,
    isPlanned: row.is_planned,
    dueDate: date(row.due_date),
  }))
}

const knownPayment = statement(
  'bankFiles.knownPayment',
  `select p.id, p.gateway from (
     select id from payment where instance_id = $1 and id = $7
     union all
     select id from payment where instance_id = $1 and $7::uuid is null and payment_reference = any($2)
       and (status = 'COMPLETED' or arrived_on is not null) and payee_scheme || ' ' || payee_account = any($3)
       and $6::date between least(execution_date, arrived_on) - 5 and greatest(execution_date, arrived_on) + 10) found
   join payment p on p.instance_id = $1 and p.id = found.id
   where (p.status = 'COMPLETED' or p.arrived_on is not null) and p.gateway = any($8)
     and p.amount_minor = $4 and p.currency = $5 and p.reversed_on is null
     and not exists (select from bank_line l where l.instance_id = p.instance_id and l.payment_id = p.id)
     and not exists (select from bank_line_share s where s.instance_id = p.instance_id and s.payment_id = p.id)
   order by p.created_at limit 1`,
)

/**
 * A payment that the bank had told of through its gateway: its money reaches the account once. It is the one that was
 * ordered with it (`namedId`), where the bank says that; else one with the same reference and amount, around the same day.
 */
export async function findKnownPayment(
  tx: Transaction,
  line: LineRow,
  { references, namedId }: { readonly references: readonly string[]; readonly namedId: string | undefined },
): Promise<{ id: string; gateway: string } | undefined> {
  const ids = line.account_id === null ? [] : [line.account_id]
  const addresses = await readAddresses(tx, line.instance_id, ids)
  const values = [
    line.instance_id,
    references,
    addresses.flatMap(({ address }) => writtenAs(address)),
    line.amount_minor,
    line.currency,
    line.bank_date,
    namedId ?? null,
    [...IN_BANK_FILES],
  ]
  return (await tx.rows<{ id: string; gateway: string }>(knownPayment, values))[0]
}

// As payments.toldByBank: each part finds its line by an index, for one reference at a time.
const takenBack = statement(
  'bankFiles.takenBack',
  `select l.id, l.status, l.payment_id, l.bank_date, found.rank from (
     select id, 1 as rank from bank_line where instance_id = $1 and account_id = $2 and deposit_key = $7
     union all
     select id, 1 from bank_line where instance_id = $1 and account_id is null and account_key = $9 and deposit_key = $7
     union all
     select id, 2 from bank_line where instance_id = $1 and named_payment_id = $8
     union all
     select b.line_id, 3 from unnest(array[$2::uuid::text, $9]) a (account) cross join unnest(array['BOOKED', 'SUSPENSE', 'KNOWN', 'SENT_BACK']) s (status)
     cross join lateral (
       select k.line_id from bank_line_key k where k.instance_id = $1 and k.reference = bare_reference($5) and k.account = a.account
         and k.amount_minor = $3 and k.currency = $4 and k.kind = 'PAYMENT' and k.status = s.status and k.bank_date <= $6::date
         and k.line_id <> all($11::uuid[]) and (k.status <> 'KNOWN' or (
           select l.payment_id from bank_line l where l.instance_id = $1 and l.id = k.line_id) is not null)
       order by k.bank_date desc, k.line_id desc limit 1) b) found
   join bank_line l on l.instance_id = $1 and l.id = found.id and l.kind = 'PAYMENT' and l.amount_minor = $3 and l.currency = $4
     and (l.status in ('BOOKED', 'SUSPENSE') or l.status = 'SENT_BACK' and l.holder is distinct from 'CREDITOR'
       or l.status = 'SETTLED' and exists (select from bank_entry e where e.instance_id = l.instance_id and e.line_id = l.id) or l.status = 'KNOWN' and l.payment_id is not null)
     and (l.account_id = $2 or l.account_id is null and l.account_key = $9) and l.bank_date <= $6::date
     and l.id <> all($11::uuid[])
   order by found.rank, coalesce(l.named_payment_id = $8, false) desc, l.payment_references && $10::text[] desc,
     l.bank_date desc, l.id desc limit 1`,
)

export type TakenBack = {
  readonly id: string
  readonly status: 'BOOKED' | 'SUSPENSE' | 'KNOWN' | 'SENT_BACK' | 'SETTLED'
  /** The gateway's payment whose money it is. */
  readonly payment_id: string | null
}

const takenByOthers = statement(
  'bankFiles.takenByOthers',
  `select k.details ->> 'takesBack' as id from ${tasksOf(['bank_line'])} k
   where k.instance_id = $1 and k.about <> 'bank-line:' || $2 and k.details ? 'takesBack'`,
)

/**
 * The line that a deduction takes back, and no other deduction in suspense: booked, in suspense, known, to be sent back by us, or entered as ours: that of the entry which it reverses by name, that which
 * was ordered as the same, else the latest with its account, amount and reference.
 */
export async function findTakenBack(tx: Transaction, line: LineRow): Promise<TakenBack | undefined> {
  const entry = line.deposit_key.endsWith(REVERSAL) ? line.deposit_key.slice(0, -REVERSAL.length) : null
  const { instance_id: instanceId, account_id: accountId, payment_references: references } = line
  const others = await tx.rows<{ id: string }>(takenByOthers, [instanceId, line.id])
  const taken = others.map(({ id }) => id)
  const found: (TakenBack & { readonly bank_date: string; readonly rank: number })[] = []
  for (const reference of references.length > 0 ? references : ['']) {
    const values = [
      instanceId,
      accountId,
      line.amount_minor,
      line.currency,
      reference,
      line.bank_date,
      entry,
      line.named_payment_id,
      line.account_key,
      references,
      taken,
    ]
    found.push(...(await tx.rows<(typeof found)[number]>(takenBack, values)))
  }
  const best = Math.min(...found.map(({ rank }) => rank))
  const orderOf = ({ bank_date: day, id }: (typeof found)[number]): string => `${day} ${id}`
  const alike = found.filter(({ rank }) => rank === best)
  return alike.toSorted((one, other) => (orderOf(one) > orderOf(other) ? -1 : 1))[0]
}
