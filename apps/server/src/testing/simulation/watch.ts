/** What the simulation expects of the books, from what it knows itself. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { brokenInvariants, type TestDatabase } from '../test-database.ts'
import type { FakeBank } from './fake-bank.ts'

/** Something is wrong with the books: what a run looks for. */
export class Violation extends Error {
  override name = 'Violation'
}

export type Watch = ReturnType<typeof openWatch>

const CHARGES = `('REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE', 'INTEREST')`

/** A fee was given back when the letter of its step was never sent. */
const FEE_STANDS = `not exists (select from ledger_transaction r where r.cause = 'unsent:' || split_part(t.cause, ':', 2))`

const minorOn = (
  kind: string,
  transaction: string,
): string => `coalesce((select sum(y.amount_minor) from posting y
     join ledger_account a on a.id = y.account_id and a.kind = '${kind}' where y.transaction_id = ${transaction}), 0)`

/**
 * Interest was given back with its letter when that gave back more than the fee. Else it stands: it was due without the
 * letter, because more was posted since or the invoice joined its claim.
 */
const INTEREST_STANDS = `not exists (select from ledger_transaction r where r.cause = 'unsent:' || split_part(t.cause, ':', 2)
     and ${minorOn('claims_on_debtors', 'r.id')} >= ${minorOn('interest', 't.id')} + coalesce((
       select ${minorOn('costs', 'f.id')} from ledger_transaction f where f.cause = 'step:' || split_part(t.cause, ':', 2)
         and not exists (select from ledger_transaction c where c.cause = 'credited:' || f.cause)), 0))`

/** Queries whose rows are violations, whatever happened before. What is denied on a bill comes back with the rest of its plan. */
const NEVER: Readonly<Record<string, string>> = {
  'a step before the day after the due date': `select s.id from collection_step s join invoice i on i.id = s.invoice_id
     where s.status = 'PERFORMED' and s.type in ('EXPIRED', 'REMINDER', 'DELAYED_PENALTY_FEE') and s.number = 1
       and s.performed_date <= i.sent_date + 5 and s.performed_date <= i.expire_date`,
  'more than one reminder fee, or more than 60,00 of it': `select t.invoice_id from ledger_transaction t
     join posting p on p.transaction_id = t.id and p.amount_minor > 0
     where t.kind = 'REMINDER' and t.invoice_id is not null and ${FEE_STANDS}
     group by t.invoice_id having count(*) > 1 or sum(p.amount_minor) > 6000`,
  'compensation more than once': `select t.invoice_id from ledger_transaction t
     where t.kind = 'DELAYED_PENALTY_FEE' group by t.invoice_id having count(*) > 1`,
  'more interest than the highest rate gives': `select t.invoice_id from ledger_transaction t
     join invoice i on i.id = t.invoice_id
     join posting p on p.transaction_id = t.id and p.amount_minor > 0
     where t.kind = 'INTEREST' and i.type = 'INVOICE' and t.cause not like 'withdrawal-interest:%' and ${INTEREST_STANDS}
     group by i.id, t.invoice_id, i.total_minor, i.issue_date
     having sum(p.amount_minor) > (i.total_minor + 100000) * 0.13 * (max(t.booked_on) - i.issue_date) / 365 + 100`,
  'interest twice for the same days': `select t.invoice_id, d.day::date, sum(p."principalMinor") from ledger_transaction t
     join invoice i on i.id = t.invoice_id
     cross join lateral jsonb_to_recordset(t.periods) as p ("principalMinor" bigint, "from" date, "to" date)
     cross join lateral generate_series(p."from", p."to", interval '1 day') as d (day)
     where t.kind = 'INTEREST' and i.type = 'INVOICE' and t.cause not like 'withdrawal-interest:%' and ${INTEREST_STANDS}
     group by t.invoice_id, i.id, i.total_minor, d.day
     having sum(p."principalMinor") > i.total_minor + coalesce((select sum(x.amount_minor) from ledger_transaction o
       join posting x on x.transaction_id = o.id and x.amount_minor > 0
       where o.kind = 'DENIED_TAX_REDUCTION_NOTIFICATION' and o.invoice_id in (select i.id union all
         select n.invoice_id from part_payment_member m join part_payment_instalment n using (part_payment_id)
         where m.invoice_id = i.id)), 0)`,
  'a plan that ended without a missed instalment': `select p.id from part_payment p where p.status = 'DEFAULTED'
     and not exists (select from part_payment_instalment n join invoice i on i.id = n.invoice_id
       where n.part_payment_id = p.id and i.expire_date + 31 <= p.ended_on)`,
  'fees of a plan that was withdrawn from': `select p.id from part_payment p
     join part_payment_instalment n on n.part_payment_id = p.id
     join ledger_transaction t on t.invoice_id = n.invoice_id and t.kind in ('START_FEE', 'ADMIN_FEE')
     where p.status = 'WITHDRAWN'
       and not exists (select from ledger_transaction r where r.cause = 'fees-back:' || n.invoice_id)`,
  'in a plan that is over': `select i.id from invoice i
     join part_payment_member m on m.invoice_id = i.id
     join part_payment p on p.id = m.part_payment_id and p.status <> 'ACTIVE'
     where i.is_part_payment`,
}

/** Over Easter, with a bank day before it. */
const MOST_DAYS_OF_THREE_BANK_DAYS = 8
const DEBTS_OF_PLAN = `(select m.debt_id as id from part_payment_member m where m.part_payment_id = p.id
     union select n.invoice_id from part_payment_instalment n where n.part_payment_id = p.id)`

/**
 * Right after a night: a plan that should have ended (unless what it pays rested until just now: M-10, M-12), a bill that should
 * have been sent, a letter that waits for nobody.
 */
const LEFT_LYING: Readonly<Record<string, string>> = {
  'a plan goes on though an instalment was missed': `select p.id, i.id as bill, i.expire_date from part_payment p
     join part_payment_instalment n on n.part_payment_id = p.id
     join invoice i on i.id = n.invoice_id and i.status = 'ACTIVATED' and i.balance_minor > 0
     join collection_step s on s.invoice_id = i.id and s.type = 'PART_PAYMENT_NOTIFICATION' and s.status = 'PERFORMED'
     where p.status = 'ACTIVE' and i.expire_date + 31 < (select max(day) from collection_night)
       and s.performed_date + 28 < (select max(day) from collection_night)
       and not exists (select from part_payment_member m join invoice o on o.id = m.invoice_id
         where m.part_payment_id = p.id and o.status in ('PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION'))
       and not exists (select from ${DEBTS_OF_PLAN} d join dispute x on x.debt_id = d.id
         where x.status in ('REJECTED', 'UPHELD_PART') and x.decided_on + 14 >= (select max(day) from collection_night))
       and not exists (select from ${DEBTS_OF_PLAN} d join invoice o on o.id = d.id
         where o.resume_date <= (select max(day) from collection_night)
           and o.resume_date + ${MOST_DAYS_OF_THREE_BANK_DAYS} >= (select max(day) from collection_night))
       and not exists (select from payment y join part_payment_instalment b on b.invoice_id = y.invoice_id
         where b.part_payment_id = p.id and (y.status not in ('COMPLETED', 'FAILED') or y.is_outcome_unknown))`,
  'a letter waits, and nobody is asked about it': `select s.id, s.type from collection_step s
     join invoice i on i.id = s.invoice_id and i.status = 'ACTIVATED'
     where s.status = 'ON_HOLD' and s.type in ('REMINDER', 'COLLECTION_NOTIFICATION') and not exists (
       select from task k join mail_outbox m on k.about = 'mail:' || m.id
       join collection_step u on m.cause = 'step:' || u.id
       where k.kind = 'mail_undeliverable' and k.done_at is null and u.invoice_id = i.id)`,
}

/** Right after a night every overdue invoice has something ahead of it. */
const FORGOTTEN = `select i.id, i.balance_minor, i.expire_date,
       (select json_agg(json_build_array(s.type, s.status, s.planned_date, s.performed_date) order by s.planned_date)
         from collection_step s where s.invoice_id = i.id) as steps from invoice i
     where i.status = 'ACTIVATED' and i.claim_id is null and not i.is_part_payment and i.type = 'INVOICE'
       and i.expire_date < (select max(day) from collection_night) - 1
       and not exists (select from collection_step s where s.invoice_id = i.id and s.status in ('PLANNED', 'ON_HOLD'))
       and not exists (select from ledger_transaction t where t.invoice_id = i.id
         and t.kind in ('PAYMENT', 'DENIED_TAX_REDUCTION_NOTIFICATION'))`

/**
 * What each invoice should owe: what was charged less what was credited and what the bank has really moved. What was paid too
 * much and given up for a refund before a tax reduction was denied pays nothing of that any more.
 */
const OWED = `select i.id, i.balance_minor::int as balance,
     coalesce((select sum(p.amount_minor) from ledger_transaction t
       join posting p on p.transaction_id = t.id
       join ledger_account a on a.id = p.account_id and a.invoice_id = i.id
       where t.invoice_id = i.id and (t.cause ~ '^(refund:)?(unsent|restated|fees-back):' or t.cause like 'credit-used:%' or t.kind in ('INVOICE', 'REMINDER', 'DELAYED_PENALTY_FEE',
         'INTEREST', 'DENIED_TAX_REDUCTION_NOTIFICATION', 'TRANSFER_TO_PLAN', 'START_FEE', 'ADMIN_FEE')
         or (t.cause like 'refund:payment:%' and exists (select from ledger_transaction d where d.invoice_id = t.invoice_id
           and d.kind = 'DENIED_TAX_REDUCTION_NOTIFICATION' and d.posted_at > t.posted_at)))), 0)::int as charged,
     coalesce((select array_agg(p.id::text) from payment p where p.invoice_id = i.id and (p.status = 'COMPLETED' or p.arrived_on is not null)
       and not exists (select from ledger_transaction r where r.cause = 'reversal:payment:' || p.id)), '{}') as paid
   from invoice i
   where i.claim_id is null and i.type <> 'INTEREST_INVOICE'
     and not exists (select from ledger_transaction t where t.invoice_id = i.id and t.kind = 'CREDIT_INVOICE')`

export function openWatch(test: TestDatabase, bank: FakeBank) {
  const ask = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await test.owner.query(text, values)).rows as Row[]

  /** The invariants of the schema, and what may never be. */
  async function books(): Promise<void> {
    const broken = await brokenInvariants(test.owner)
    if (Object.keys(broken).length > 0) throw new Violation(JSON.stringify(broken))
    for (const [what, query] of Object.entries(NEVER)) {
      const rows = await ask(query)
      if (rows.length > 0) throw new Violation(`${what}: ${JSON.stringify(rows[0])}`)
    }
  }

  /** Every settled order is booked once, or a person has been asked about it. */
  async function money(): Promise<void> {
    const settled = bank.orders.filter((o) => o.status === 'COMPLETED')
    const known = await ask<{ id: string; n: number }>(
      `select p.id, count(t.id)::int as n from payment p left join ledger_transaction t on t.payment_id = p.id and t.kind = 'PAYMENT'
       group by p.id`,
    )
    const asked = await ask<{ about: string }>(`select about from task where kind = 'payment_contradiction'`)
    for (const { order } of settled) {
      const booked = known.find((k) => k.id === order.paymentId)?.n ?? 0
      const isAsked = asked.some(({ about }) => about.includes(order.paymentId))
      if (booked !== 1 && !isAsked)
        throw new Violation(`order of ${order.paymentId} is booked ${booked} times`)
    }
    const [sum] = await ask<{ clearing: number; reversed: number }>(
      `select coalesce((select sum(p.amount_minor) from posting p join ledger_account a on a.id = p.account_id
         where a.kind = 'clearing'), 0)::int as clearing,
       coalesce((select sum(p.amount_minor) from payment p join ledger_transaction r on r.cause = 'reversal:payment:' || p.id), 0)::int as reversed`,
    )
    const moved = settled
      .filter(({ order }) => known.some((k) => k.id === order.paymentId && k.n === 1))
      .reduce((total, { order }) => total + order.amountMinor, 0)
    if (sum && sum.clearing !== moved - sum.reversed) {
      throw new Violation(
        `clearing has ${sum.clearing}, the bank moved ${moved} and ${sum.reversed} were reversed`,
      )
    }
  }

  async function balances(): Promise<void> {
    type Row = { id: string; balance: number; charged: number; paid: string[] }
    for (const { id, balance, charged, paid } of await ask<Row>(OWED)) {
      const amount = bank.orders
        .filter(({ order }) => paid.includes(order.paymentId))
        .reduce((total, { order }) => total + order.amountMinor, 0)
      const rest = Math.max(0, charged - amount)
      const mayBeWrittenOff = paid.length > 0 && rest <= 2500
      if (balance !== rest && !(mayBeWrittenOff && balance === 0)) {
        throw new Violation(`invoice ${id} owes ${balance}: ${charged} charged, ${amount} paid`)
      }
    }
  }

  /** Invoices that must not be charged now, with how many charges they have. */
  async function beforeNights(): Promise<Map<string, number>> {
    const rows = await ask<{ id: string; n: number }>(
      `select i.id, (select count(*)::int from ledger_transaction t where t.invoice_id = i.id and t.kind in ${CHARGES}) as n
       from invoice i where i.status in ('DISPUTED', 'CLOSED', 'STOPPED', 'PENDING_AUTHORIZATION')
         or (i.status = 'PAUSED' and i.resume_date is null)
         or exists (select from payment p where p.invoice_id = i.id and p.status = 'AUTHORIZED')`,
    )
    return new Map(rows.map(({ id, n }) => [id, n]))
  }

  return {
    books,
    async everything(): Promise<void> {
      await books()
      await money()
      await balances()
    },
    beforeNights,
    async afterNights(before: Map<string, number>): Promise<void> {
      const now = await beforeNights()
      for (const [id, n] of before) {
        if ((now.get(id) ?? n) !== n) throw new Violation(`invoice ${id} was charged while it was held`)
      }
      const [forgotten] = await ask(FORGOTTEN)
      if (forgotten) throw new Violation(`nobody goes after ${JSON.stringify(forgotten)}`)
      for (const [what, query] of Object.entries(LEFT_LYING)) {
        const [row] = await ask(query)
        if (row) throw new Violation(`${what}: ${JSON.stringify(row)}`)
      }
    },
    countEntries: async (): Promise<number> =>
      (await ask<{ n: number }>('select count(*)::int as n from ledger_transaction'))[0]?.n ?? 0,
    async expectNoNewEntries(count: number): Promise<void> {
      const now = (await ask<{ n: number }>('select count(*)::int as n from ledger_transaction'))[0]?.n
      if (now !== count) throw new Violation(`a night that was over made ${(now ?? 0) - count} entries`)
    },
    async afterRejection(invoiceId: string, earliest: CalendarDate): Promise<void> {
      const rows = await ask<{ day: string }>(
        `select planned_date::text as day from collection_step where invoice_id = $1 and status = 'PLANNED'`,
        [invoiceId],
      )
      if (rows.some(({ day }) => day < earliest))
        throw new Violation(`the next step comes before ${earliest}`)
    },
    async afterUpheld(invoiceId: string): Promise<void> {
      // What an instalment was billed with is part of that document, and what a plan cost may have come back with its rest.
      const rows = await ask(
        `select id from invoice i where id = $1 and (costs_minor > 0 or interest_minor > 0) and type = 'INVOICE'
           and not exists (select from part_payment_member m where m.invoice_id = i.id)`,
        [invoiceId],
      )
      if (rows.length > 0) throw new Violation(`fees stay on the upheld invoice ${invoiceId}`)
    },
  }
}
