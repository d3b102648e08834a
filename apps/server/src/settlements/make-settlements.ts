/**
 * Makes the settlements of periods that have ended. First it takes up the entries of the books, which then belong to a settlement
 * for good; then it counts them, and may be cut off in between. Whoever comes at the same time makes nothing twice.
 */
import { addDays, addMonths, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { agreementOn, type Agreement } from '@kvitt/domain/settlements/agreement.ts'
import {
  countSettlement,
  type CountedSettlement,
  type OperatorsFee,
  type SettlementEntry,
} from '@kvitt/domain/settlements/count-settlement.ts'
import { operatorsChanges, operatorsShare, type ChargeEntry } from '@kvitt/domain/settlements/paid-charges.ts'
import { canMoveSettlement, LINE_PARTS, nextPeriod, periodOf } from '@kvitt/domain/settlements/settlement.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { readFamily } from '../ledger/ledger.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { readAgreements } from './agreements.queries.ts'
import { openTask } from '../tasks/tasks.ts'
import {
  lockCounting,
  readCharged,
  readMade,
  readMoney,
  readTaken,
  readTouched,
  readWithCharges,
  type ChargedRow,
  type CountingRow,
} from './counting.queries.ts'
import {
  insertSettlementRows,
  keepCountedRows,
  keepRunRow,
  readLastRun,
  readUnsettled,
  takeUpEntries,
  type NewSettlement,
} from './making.queries.ts'
import { issueVatInvoiceRow } from './vat-invoices.queries.ts'

type MakingContext = Pick<Context, 'db' | 'clock' | 'log'>

const BEGINNING = date('0100-01-01')
/** No transaction is under way for so long. */
const SLOW_DAYS = 31

type Due = NewSettlement & { readonly takenFrom: CalendarDate }

/** All settlements of periods that have ended before `today`. Answers how many were counted here. */
export async function makeSettlements(
  context: MakingContext,
  { id: instanceId }: Pick<Instance, 'id'>,
  today: CalendarDate,
): Promise<number> {
  const { db } = context
  const lastDay = await readLastRun(db, instanceId)
  // On that day all was taken up that had ended then: what is left is of no earlier month than the one before.
  const from = lastDay === undefined ? BEGINNING : addMonths(periodOf(lastDay, 'MONTH').from, -1)
  let counted = await countAll(context, instanceId, today)
  // Each time round a period further, so that a start after months makes all of them.
  for (;;) {
    const due = await findDue(context, instanceId, { from, today })
    if (due.length === 0) break
    await begin(context, instanceId, due)
    counted += await countAll(context, instanceId, today)
  }
  await keepRunRow(db, instanceId, today)
  return counted
}

/**
 * Settles at once, out of turn, what was booked for days so long ago that no settlement to come takes it up: of a creditor that has
 * something of it, everything up to `today`. The next begins on the day after. Answers how many were counted here.
 */
export async function settleLate(
  context: MakingContext,
  { id: instanceId }: Pick<Instance, 'id'>,
  today: CalendarDate,
): Promise<number> {
  const { db, clock } = context
  const open = await readUnsettled(db, instanceId, { from: BEGINNING, to: today })
  const due = open.flatMap(({ creditorId, currency, firstDay, number, lastTo }): Due[] => {
    if (lastTo === null || lastTo >= today || firstDay >= addDays(date(lastTo), -SLOW_DAYS)) return []
    const days = { from: addDays(date(lastTo), 1), to: today, takenFrom: BEGINNING }
    return [{ id: newId(clock.now()), creditorId, currency, number: (number ?? 0) + 1, ...days }]
  })
  if (due.length > 0) await begin(context, instanceId, due)
  return countAll(context, instanceId, today)
}

async function findDue(
  { db, clock }: Pick<MakingContext, 'db' | 'clock'>,
  instanceId: string,
  { from, today }: { from: string; today: CalendarDate },
): Promise<Due[]> {
  const open = await readUnsettled(db, instanceId, { from, to: addDays(today, -1) })
  const agreed = await agreementsOf(db, instanceId, open)
  return open.flatMap(({ creditorId, currency, firstDay, number, lastTo }) => {
    const agreements = agreed.get(creditorId) ?? []
    const period = nextPeriod(
      { firstDay: date(firstDay), lastTo: lastTo === null ? undefined : date(lastTo), today },
      (day) => agreementOn(agreements, day).period,
    )
    if (!period) return []
    // All that was booked by the end of the last is in it, but for what was booked while it was made.
    const takenFrom = lastTo === null ? BEGINNING : addDays(date(lastTo), -SLOW_DAYS)
    return [{ id: newId(clock.now()), creditorId, currency, number: (number ?? 0) + 1, ...period, takenFrom }]
  })
}

async function agreementsOf(
  db: Connection,
  instanceId: string,
  of: readonly { readonly creditorId: string }[],
): Promise<Map<string, Agreement[]>> {
  const agreements = new Map<string, Agreement[]>()
  const creditorIds = [...new Set(of.map(({ creditorId }) => creditorId))]
  if (creditorIds.length === 0) return agreements
  for (const row of await readAgreements(db, instanceId, creditorIds))
    agreements.set(row.creditorId, [...(agreements.get(row.creditorId) ?? []), row])
  return agreements
}

/** Of a creditor's first settlement every entry so far is taken up, whatever its day. */
async function begin(
  { db }: Pick<MakingContext, 'db'>,
  instanceId: string,
  due: readonly Due[],
): Promise<void> {
  const from = due.map(({ takenFrom }) => takenFrom).sort()[0] ?? BEGINNING
  const to =
    due
      .map((period) => period.to)
      .sort()
      .at(-1) ?? BEGINNING
  await db.transaction(async (tx) => {
    const ids = await insertSettlementRows(tx, instanceId, due)
    await takeUpEntries(tx, instanceId, { ids, from, to })
  })
}

/** Counts all that were begun, also by a process that has died since. One that fails stays for the next time, and stops no other. */
async function countAll(
  { db, log }: MakingContext,
  instanceId: string,
  today: CalendarDate,
): Promise<number> {
  let counted = 0
  const failed: string[] = []
  for (;;) {
    let id: string | undefined
    try {
      await db.transaction(async (tx) => {
        const row = await lockCounting(tx, instanceId, failed)
        id = row?.id
        if (row) await countOne(tx, { instanceId, today }, row)
      })
      if (id === undefined) return counted
      counted++
    } catch (error) {
      // Then it is none of them that fails.
      if (id === undefined) throw error
      failed.push(id)
      log.error({ err: error, instanceId, settlementId: id }, 'settlement not counted')
    }
  }
}

/** Its fees are invoiced with it, on the day on which it is counted. */
async function countOne(
  tx: Transaction,
  { instanceId, today }: { instanceId: string; today: CalendarDate },
  row: CountingRow,
): Promise<void> {
  const [one] = await count(tx, instanceId, [row])
  if (!one) throw new Error(`settlement ${row.id} was not counted`)
  const status = one.paidOutMinor > 0 ? 'TO_APPROVE' : 'CARRIED'
  if (!canMoveSettlement('COUNTING', status)) throw new Error(`a settlement cannot become ${status}`)
  keepCountedRows(tx, instanceId, [{ ...one, id: row.id, status }])
  if (one.lines.some(({ kind }) => LINE_PARTS[kind] === 'fees'))
    issueVatInvoiceRow(tx, { instanceId, settlementId: row.id, on: today })
  if (status !== 'TO_APPROVE') return
  const { creditorId, currency } = row
  const details = { amountMinor: one.paidOutMinor, currency, of: creditorId }
  await openTask(tx, { instanceId, kind: 'settlement_to_approve', about: `settlement:${row.id}`, details })
}

/** From the books alone. */
async function count(
  db: Connection,
  instanceId: string,
  rows: readonly CountingRow[],
): Promise<CountedSettlement[]> {
  const ids = rows.map(({ id }) => id)
  const agreed = await agreementsOf(db, instanceId, rows)
  const charged = new Set(await readWithCharges(db, instanceId, ids))
  const money = new Map<string, SettlementEntry[]>()
  for (const row of await readMoney(db, instanceId, ids)) {
    const { settlementId, invoiceId, claimId, agreedOn, isOnClaim, ...entry } = row
    const of = money.get(settlementId) ?? []
    of.push({ ...entry, agreed: { on: agreedOn, isClaim: isOnClaim }, debt: { invoiceId, claimId } })
    money.set(settlementId, of)
  }
  const counted: CountedSettlement[] = []
  for (const { id, creditorId, currency, to, carriedMinor, cases } of rows)
    counted.push(
      countSettlement({
        currency,
        to,
        carriedMinor,
        cases,
        agreements: agreed.get(creditorId) ?? [],
        entries: money.get(id) ?? [],
        fees: charged.has(id) ? await feesOf(db, instanceId, id) : [],
      }),
    )
  return counted
}

async function feesOf(db: Connection, instanceId: string, settlementId: string): Promise<OperatorsFee[]> {
  const debts = await readFamily(db, instanceId, await readTouched(db, instanceId, settlementId))
  const rows = await readCharged(db, instanceId, { settlementId, debts })
  const entries = new Map<string, ChargeEntry & Pick<ChargedRow, 'isNew' | 'agreedOn' | 'isOnClaim'>>()
  const isClaim = new Map<string, boolean>()
  for (const { id, debt, isClaim: is, principalMinor, costsMinor, interestMinor, ...entry } of rows) {
    const move = { debt, principalMinor, costsMinor, interestMinor }
    entries.set(id, { ...entry, moves: [...(entries.get(id)?.moves ?? []), move] })
    isClaim.set(debt, is)
  }
  const story = [...entries.values()]
  const shares = operatorsShare(story)
  const changes = operatorsChanges(story)
  const changesOf = (debt: string): OperatorsFee['changes'] =>
    story.flatMap(({ isNew, agreedOn, isOnClaim }, index) => {
      const minor = isNew ? changes[index]?.get(debt) : undefined
      return minor === undefined ? [] : [{ agreed: { on: agreedOn, isClaim: isOnClaim }, minor }]
    })
  const taken = await readTaken(db, instanceId, { settlementId, debts: [...shares.keys()] })
  return [...shares].map(([debt, shareMinor]) => ({
    debt: isClaim.get(debt) ? { invoiceId: null, claimId: debt } : { invoiceId: debt, claimId: null },
    shareMinor,
    taken: taken.filter((of) => of.debt === debt),
    changes: changesOf(debt),
  }))
}

/** Counts one anew, as the books were then; undefined where there is none. Changes nothing. */
export async function countAgain(
  { db }: { readonly db: Connection },
  instanceId: string,
  id: string,
): Promise<CountedSettlement | undefined> {
  const row = await readMade(db, instanceId, id)
  return row && (await count(db, instanceId, [row]))[0]
}
