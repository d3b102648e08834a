/** The same facts come to the same, whenever a file tells of the money. */
import { expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { fileOf, rows, server, takeFiles, useBankFiles } from '../testing/files/bank-files.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { Chance } from '../testing/simulation/chance.ts'

useBankFiles()

const SEEDS = Number(process.env.SOAK_ROUNDS ?? (process.env.SOAK === undefined ? 6 : 400))
const FIRST_SEED = Number(process.env.SOAK_SEED ?? 1)
const DUE = date('2026-03-10')
const after = (days: number): CalendarDate => addDays(DUE, days)
const LAST = 20

type Money = { readonly minor: number; readonly day: number; readonly toldOn: number }

/** Nights from the due date on, and each file on its day, before the night of that day. */
async function live(totalMinor: number, money: readonly Money[]): Promise<BuiltInvoice> {
  server.clock.moveTo(date('2026-02-10'))
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, {
    dueDate: DUE,
    totalMinor,
  })
  for (let day = -3; day <= LAST; day++) {
    server.clock.moveTo(after(day))
    for (const { minor, day: on } of money.filter(({ toldOn }) => toldOn === day)) {
      const file = fileOf([{ reference: invoice.reference, amountMinor: minor }], { day: after(on) })
      await takeFiles(file)
      await takeFiles(file)
    }
    await performDailyRun(
      server.product.context,
      { id: server.instanceId, timeZone: 'Europe/Stockholm' },
      after(day),
    )
  }
  return invoice
}

/**
 * What debtor and creditor are left with. What is owed back less what is owed of interest bills: money of the same reference
 * pays an open bill. A small rest that was given up stays so when more money comes, to the debtor's favour.
 */
async function endOf({ id, debtorId }: BuiltInvoice): Promise<object> {
  const [state] = await rows<object>(
    `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest,
       interest_posted_to::text as posted_to, interest_rest::text as rest,
       (select coalesce(-sum(a.balance_minor), 0)::int from ledger_account a where a.kind = 'credit' and a.debtor_id = $2)
       - (select coalesce(sum(b.balance_minor), 0)::int from invoice b where b.type = 'INTEREST_INVOICE' and b.debtor_id = $2)
       + (select coalesce(sum(p.amount_minor), 0)::int from ledger_transaction t
         join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
         join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.invoice_id = $1
         where t.invoice_id = $1 and t.kind = 'WRITE_OFF') as net
     from invoice where id = $1`,
    id,
    debtorId,
  )
  return state ?? {}
}

/** Days that no posting has counted: what bears interest on each. */
async function waitingOf({ id }: BuiltInvoice): Promise<string[]> {
  const days = await rows<{ day: string }>(
    `select to_char(d, 'YYYY-MM-DD') || ' ' || sum(l.principal_minor) as day
     from late_days l cross join lateral generate_series(l.from_day::timestamp, l.to_day, '1 day') d
     where l.debt_id = $1 and l.status in ('WAITING', 'SMALL') group by d having sum(l.principal_minor) <> 0 order by d`,
    id,
  )
  return days.map(({ day }) => day)
}

const LATE_BY = [1, 3, 8]
const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index)

test.each(seeds)(
  'seed %i',
  async (seed) => {
    const chance = new Chance(seed)
    const totalMinor = chance.oneOf([100_000, 5_000_000, 50_000_000]) ?? 100_000
    const parts = [0.2, 0.4, 0.6, 0.99, 1, 1.1]
    const facts = Array.from({ length: chance.between(1, 3) }, () => ({
      minor: Math.round(totalMinor * (chance.oneOf(parts) ?? 1)) + chance.between(0, 3),
      day: chance.between(-2, 10),
    }))
    const inTime = facts.map((fact) => ({ ...fact, toldOn: fact.day }))
    const late = facts.map((fact) => ({ ...fact, toldOn: fact.day + (chance.oneOf(LATE_BY) ?? 1) }))
    const [first, second] = [await live(totalMinor, inTime), await live(totalMinor, late)]
    const told = JSON.stringify({ totalMinor, late })
    expect(await endOf(second), told).toEqual(await endOf(first))
    expect(await waitingOf(second), told).toEqual(await waitingOf(first))
  },
  120_000,
)
