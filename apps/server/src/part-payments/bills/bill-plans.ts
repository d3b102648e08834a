/** Bills the next instalments of many plans at once, each under the lock of its plan and of what it pays. */
import { money } from '@kvitt/domain/money.ts'
import { issueReferences, insertReferenceRows } from '../../invoices/invoices.ts'
import { postBookings } from '../../ledger/ledger.ts'
import { readRestingOf } from '../../ledger/resting-debts.queries.ts'
import { queueBills } from '../../mail/mail.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { billOf, type Bill, type BillContext, type Due, type InstalmentBill } from './bill-instalment.ts'
import { addInstalment } from './extra-instalment.ts'
import {
  insertInstalmentInvoices,
  performStepRows,
  planStepRows,
  readCreditorCountries,
  shiftUnbilledRows,
} from './instalments.queries.ts'
import { lockMembersOf, type PlannedDebt } from '../planned-debt.ts'
import {
  lockPlanRows,
  readInstalmentsOf,
  removeUnbilledRows,
  type InstalmentRow,
  type PlanRow,
} from '../plans.queries.ts'
import { readSettingsById } from '../offers/settings.queries.ts'

/**
 * Makes the invoice of each plan's next instalment that is due on the bill's day. Once: the instalment's row names its
 * invoice. A plan one of whose debts is paused or disputed waits, and its later instalments come later by as much.
 * Answers how many were made.
 */
export async function billPlans(
  context: BillContext,
  tx: Transaction,
  instanceId: string,
  bills: readonly Bill[],
): Promise<number> {
  const ids = bills.map(({ planId }) => planId)
  const plans = (await lockPlanRows(tx, instanceId, ids)).filter((plan) => plan.status === 'ACTIVE')
  const running = plans.map((plan) => plan.id)
  const settings = await readSettingsById(tx, instanceId, [...new Set(plans.map((p) => p.setting_id))])
  const instalments = new Map<string, InstalmentRow[]>(running.map((id) => [id, []]))
  for (const row of await readInstalmentsOf(tx, instanceId, running)) {
    instalments.get(row.part_payment_id)?.push(row)
  }
  const members = await lockMembersOf(tx, instanceId, running)
  const resting = await readRestingOf(tx, instanceId, [...new Set(plans.map((p) => p.debtor_id))])
  const billOfPlan = new Map(bills.map((bill) => [bill.planId, bill]))
  const due: Due[] = []
  for (const plan of plans) {
    const bill = billOfPlan.get(plan.id)
    const setting = settings.find(({ id }) => id === plan.setting_id)
    const parts = { all: instalments.get(plan.id) ?? [], members: members.get(plan.id) ?? [] }
    if (resting.has(plan.debtor_id)) continue
    const found = bill && setting && (await findDue(context, tx, { plan, setting, bill, ...parts }))
    if (found) due.push(found)
  }
  if (due.length > 0) await writeBills(context, tx, instanceId, due)
  return due.length
}

type Plan = Pick<Due, 'plan' | 'setting' | 'bill'> & {
  readonly all: readonly InstalmentRow[]
  readonly members: readonly PlannedDebt[]
}

/** The plan's next instalment, if it can be billed today. Takes away what never will be. */
async function findDue(context: BillContext, tx: Transaction, of: Plan): Promise<Due | undefined> {
  const { plan, setting, bill, all, members } = of
  if (members.some((m) => m.state === 'resting')) return undefined
  const open = members.filter((m) => m.state === 'open')
  const left = money(
    open.reduce((total, m) => total + m.balanceMinor, 0),
    plan.currency,
  )
  if (left.minor === 0) {
    await removeUnbilledRows(tx, plan)
    return undefined
  }
  const [first, after] = all.filter((row) => row.invoice_id === null)
  const extra = { id: newId(context.clock.now()), plan, debt: open[0]?.debt, left }
  const next = first ?? (await addInstalment(tx, { ...extra, number: all.length + 1, day: bill.day }))
  return next.send_date > bill.day ? undefined : { plan, setting, next, after, open, left, bill }
}

async function writeBills(
  context: BillContext,
  tx: Transaction,
  instanceId: string,
  due: readonly Due[],
): Promise<void> {
  const references = await takeReferences(tx, instanceId, due)
  const bills = due.map((one) => billOf(context, one, references.get(one.plan.id) ?? ''))
  const invoices = bills.map(({ invoice }) => invoice)
  if ((await insertInstalmentInvoices(tx, instanceId, invoices)) !== bills.length) {
    throw new Error('an instalment was billed under its plan’s lock')
  }
  const bookings = bills.flatMap((bill) => bill.bookings)
  await postBookings(tx, instanceId, bookings, context.clock)
  await queueBills(tx, instanceId, bills.map(toldOf))
  const performed = bills.flatMap((bill) => bill.performed)
  await performStepRows(tx, instanceId, performed)
  const later = due.map(({ plan }, index) => ({ planId: plan.id, days: bills[index]?.laterBy ?? 0 }))
  await shiftUnbilledRows(
    tx,
    instanceId,
    later.filter(({ days }) => days > 0),
  )
  const planned = bills.flatMap((bill) => bill.planned)
  await planStepRows(tx, instanceId, planned)
}

function toldOf({ invoice, debtorId }: InstalmentBill) {
  const cause = `instalment:${invoice.instalmentId}`
  return { kind: 'plan_instalment' as const, invoiceId: invoice.id, debtorId, cause }
}

/** A reference for each plan's instalment: the one it is given when that is free, else one of ours. */
async function takeReferences(
  tx: Transaction,
  instanceId: string,
  due: readonly Due[],
): Promise<Map<string, string>> {
  const given = due.flatMap(({ plan, next, bill }) => {
    const reference = bill.identityOf?.(next.number)?.reference
    return reference === undefined ? [] : [{ plan, reference }]
  })
  const rows = given.map(({ plan, reference }) => ({ reference, ...ownersOf(plan) }))
  const free = rows.length > 0 ? await insertReferenceRows(tx, instanceId, rows) : new Set()
  const references = new Map(
    given.flatMap(({ plan, reference }) => (free.has(reference) ? [[plan.id, reference]] : [])),
  )
  const countries = await readCreditorCountries(tx, instanceId, [
    ...new Set(due.map(({ plan }) => plan.creditor_id)),
  ])
  const others = due.flatMap(({ plan }) =>
    references.has(plan.id)
      ? []
      : [
          {
            planId: plan.id,
            country: countries.get(plan.creditor_id) ?? '',
            debtorId: plan.debtor_id,
            creditorId: plan.creditor_id,
          },
        ],
  )
  for (const [{ planId }, reference] of await issueReferences(tx, instanceId, others)) {
    references.set(planId, reference)
  }
  return references
}

function ownersOf(plan: PlanRow): { debtor_id: string; creditor_id: string } {
  return { debtor_id: plan.debtor_id, creditor_id: plan.creditor_id }
}
