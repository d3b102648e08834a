/**
 * M-22: overdue invoices of one debtor, creditor and currency are handed over together, and become one claim with
 * one demand and one fee. What they owe, interest up to the day included, moves to the claim.
 */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { lastPayDateOf, nextClaimStep } from '@kvitt/domain/collection/schedule.ts'
import { add, money } from '@kvitt/domain/money.ts'
import {
  claimTermsOf,
  openClaims,
  reserveClaimNumbers,
  type ClaimToOpen,
  type NameClaim,
} from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { holdFigures } from '../country-figures/country-figures.ts'
import type { Awaited } from '../creditors/creditors.ts'
import { postBookings } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { inBatches } from '../tasks/tasks.ts'
import { insertPlannedRows } from './collection.queries.ts'
import type { DueStep } from './due-steps.queries.ts'
import { decideStep, isBehindLetter, WAIT } from './decide-step.ts'
import { lockHandOverSteps, readDueHandOvers } from './hand-over.queries.ts'
import { askAboutMissing, bookingsOf, endDecided, type Decided } from './perform-steps.ts'

export type HandOver = {
  readonly db: Context['db']
  readonly clock: Context['clock']
  readonly log: Context['log']
  readonly instanceId: string
  readonly day: CalendarDate
  readonly awaited: Awaited
  readonly nameClaim?: NameClaim | undefined
  readonly waitsForLetters?: boolean | undefined
}

/** Debtors of one transaction. All due invoices of one debtor and creditor are in the same. */
const BATCH_GROUPS = 500

/** Hands over what is due on the day. Answers how many invoices were. */
export async function handOverDue(night: HandOver): Promise<number> {
  const { db, instanceId } = night
  const items = await readDueHandOvers(db, night)
  const about = ([stepId]: readonly string[]): string => `hand over step ${stepId ?? ''}`
  return inBatches(night, { instanceId, items, size: BATCH_GROUPS, about }, async (groups) => {
    const firstNumber = await reserveClaimNumbers(db, instanceId, groups.length)
    return db.transaction((tx) => handOver(tx, { ...night, firstNumber }, groups.flat()))
  })
}

async function handOver(
  tx: Transaction,
  night: HandOver & { readonly firstNumber: number },
  stepIds: readonly string[],
): Promise<number> {
  const { instanceId, day, clock } = night
  const rows = await lockHandOverSteps(tx, { instanceId, day }, stepIds)
  const figures = await holdFigures(tx, instanceId)
  const wanted = rows.map((row) => ({
    row,
    debt: { invoiceId: row.invoice_id },
    decision: isBehindLetter(night, row) ? WAIT : decideStep({ row, figures }, day),
  }))
  const decided = await endDecided(tx, night, wanted)
  const joining = decided.filter(({ decision }) => decision.kind === 'perform')
  await askAboutMissing(tx, night, decided)
  if (joining.length === 0) return 0
  // Before the transfers: what is posted together is told in the order of its identifiers.
  const interest = joining.flatMap((one) => bookingsOf(night, one))
  const claims = claimsOf(joining, day)
  const opened = await openClaims(
    tx,
    night,
    claims.map(({ claim }) => claim),
  )
  const transfers = opened.flatMap(({ bookings }) => bookings)
  await postBookings(tx, instanceId, [...interest, ...transfers], clock)
  await insertPlannedRows(
    tx,
    instanceId,
    opened.flatMap(({ claimId }, index) => {
      const first = claims[index]?.first
      return first ? [{ id: newId(clock.now()), debt: { claimId }, ...first }] : []
    }),
  )
  return joining.length
}

function claimsOf(joining: readonly Decided<DueStep>[], day: CalendarDate) {
  const groups = new Map<string, Decided<DueStep>[]>()
  for (const one of joining) {
    const key = [one.row.debtor_id, one.row.creditor_id, one.row.currency].join(' ')
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].flatMap((group) => {
    const [head] = group
    return head ? [claimOf(head.row, group, day)] : []
  })
}

function claimOf(head: DueStep, group: readonly Decided<DueStep>[], day: CalendarDate) {
  const terms = claimTermsOf({ ...head, opened_on: day })
  const claim: ClaimToOpen = {
    creditorId: head.creditor_id,
    debtorId: head.debtor_id,
    country: head.country,
    currency: head.currency,
    debtorZip: head.debtor_zip,
    dueDate: lastPayDateOf(terms, 'COLLECTION_CLAIM', day) ?? day,
    invoices: group.map(({ row, decision }) => ({
      invoiceId: row.invoice_id,
      invoiceNumber: row.invoice_number,
      totalMinor: row.total_minor,
      isForInterest: row.invoice_type === 'INTEREST_INVOICE',
      restParts: (decision.kind === 'perform' && decision.restParts) || 0,
      owed: {
        principal: money(row.principal_minor, row.currency),
        costs: money(row.costs_minor, row.currency),
        interest: add(
          money(row.interest_minor, row.currency),
          money(decision.kind === 'perform' ? decision.interestMinor : 0, row.currency),
        ),
      },
    })),
  }
  return { claim, first: nextClaimStep(terms, []) }
}
