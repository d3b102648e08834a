/**
 * Bugs that somebody could really make: one statement of the product, changed. The simulation runs the product with
 * one of them and has to notice.
 */
import type { Database, Statement, Transaction } from '../../platform/database/database.ts'
import type { Chance } from './chance.ts'

export type PlantedBug = {
  readonly name: string
  readonly statement: string
  readonly change: (text: string) => string
}

const NOTHING = ' and false'

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'a disputed invoice keeps its planned steps',
    statement: 'steps.endPlanned',
    change: (text) => text + NOTHING,
  },
  {
    name: 'interest is counted again from the due date',
    statement: 'collection.setInterestDay',
    change: (text) => text + NOTHING,
  },
  {
    name: 'a paid invoice stays open',
    statement: 'invoices.move',
    change: () =>
      'select id from invoice where instance_id = $1 and id = $2 and status = $3 and $4::text is not null and ($5::text is null or true)',
  },
  {
    name: 'an invoice is late on its due date',
    statement: 'collection.planFirst',
    change: (text) =>
      text
        .replace('i.expire_date < $2::date', 'i.expire_date <= $2::date')
        .replace('greatest(i.expire_date, t.booked_on) + 1', 'greatest(i.expire_date, t.booked_on)')
        .replace('greatest(i.expire_date, t.booked_on) < $2', 'greatest(i.expire_date, t.booked_on) <= $2'),
  },
  {
    name: 'fees of a dispute that was upheld stay',
    statement: 'ledger.chargedFees',
    change: (text) => `select 0::bigint as minor where exists (${text})`,
  },
  {
    name: 'a signed payment does not hold the reminder back',
    statement: 'collection.dueSteps',
    change: (text) => text.replace(`p.status = 'AUTHORIZED'`, `p.status = 'NEVER'`),
  },
  {
    name: 'a schedule that is built anew forgets what was done',
    statement: 'claims.scheduleOfInvoice',
    change: (
      text,
    ) => `select q.kind, q.country, q.expire_date, q.sent_date, q.reminder_fee_agreed, q.booked_on,
      '[]'::json as performed from (${text}) q`,
  },
  {
    name: 'nobody asks about payments under way',
    statement: 'payments.claimForSweep',
    change: (text) => text.replace('where (status in', 'where false and (status in'),
  },
  {
    name: 'a reversal leaves out one line and evens it out on the next',
    statement: 'ledger.postedLines',
    change: (text) =>
      text.replace(
        'p.amount_minor\n',
        `(p.amount_minor + case p.line when 0 then -100 when 1 then 100 else 0 end)::bigint as amount_minor\n`,
      ),
  },
  {
    name: 'a reminder that was never sent keeps its fee',
    statement: 'unsentLetters.undoStep',
    change: (text) => text.replace("and s.status = 'PERFORMED'", "and s.status = 'PERFORMED' and false"),
  },
  {
    name: 'interest of a reminder that was never sent stays, and its days are counted again',
    statement: 'unsentLetters.interestBack.invoice',
    change: (text) => `with set_back as (${text}) select before from set_back where false`,
  },
  {
    name: 'the end of a dispute is not written down',
    statement: 'steps.endDispute',
    change: (text) => text + NOTHING,
  },
  {
    name: 'a missed instalment ends no plan',
    statement: 'partPayments.behind',
    change: (text) => text.replace('where n.instance_id = $1', 'where false and n.instance_id = $1'),
  },
  {
    name: 'what a plan paid stays in it when it is over',
    statement: 'partPayments.unmarkInvoices',
    change: (text) => text + NOTHING,
  },
  {
    name: 'a letter that nobody took is not written again',
    statement: 'unsentLetters.releaseHeld.invoice',
    change: (text) => text + NOTHING,
  },
  {
    name: 'money goes to the wrong bucket of another account',
    statement: 'ledger.insertPostings',
    change: (text) =>
      text
        .replace('p.* from', 'p.transaction_id, p.line, p.account_id, p.currency, p.amount_minor * 2 from')
        .replace(
          '$5::text[], $6::bigint[]) as p',
          '$5::text[], $6::bigint[]) as p (transaction_id, line, account_id, currency, amount_minor)',
        ),
  },
]

/** Broken off before the commit, or right after it, as when the process dies. */
export class PlannedCrash extends Error {
  override name = 'PlannedCrash'
  /** As a database that is going down: a process that dies sets no matter aside and goes on with the next. */
  readonly code = '57P01'
}

export type Trouble = { crashShare: number }

/** The product's database, with one statement changed, and a process that sometimes dies around a commit. */
export function troubledDatabase(
  db: Database,
  chance: Chance,
  trouble: Trouble,
  bug?: PlantedBug,
): Database & { readonly wasPlanted: () => boolean } {
  let planted = false
  const change = (statement: Statement): Statement => {
    if (!bug || statement.name !== bug.statement) return statement
    const text = bug.change(statement.text)
    if (text === statement.text) throw new Error(`the bug "${bug.name}" changes nothing`)
    planted = true
    return { name: `${statement.name}.planted`, text }
  }
  return {
    async rows<Row>(statement: Statement, values?: readonly unknown[]) {
      const rows = await db.rows<Row>(change(statement), values)
      // A write of its own is a transaction: the process dies before it learns that it is in the books.
      if (/\b(insert|update|delete)\b/.test(statement.text) && chance.happens(trouble.crashShare)) {
        throw new PlannedCrash()
      }
      return rows
    },
    transaction: (work) =>
      db.transaction(async (tx) => {
        const wrapped: Transaction = {
          isTransaction: true,
          rows: (statement, values) => tx.rows(change(statement), values),
          send: (statement, values) => tx.send(change(statement), values),
        }
        const result = await work(wrapped)
        if (chance.happens(trouble.crashShare)) throw new PlannedCrash()
        return result
      }),
    close: () => db.close(),
    wasPlanted: () => planted,
  }
}
