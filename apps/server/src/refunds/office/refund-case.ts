/** What is owed back, with the ways that it can go, what has been tried, and whether one person may send it. */
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount } from '@kvitt/domain/money.ts'
import { mostByOnePerson } from '@kvitt/domain/refunds/refund.ts'
import type { RefundCase } from '@kvitt/domain/refunds/refund.contract.ts'
import type { Context } from '../../context.ts'
import { isTakenBack, readAccountBack, readOrdersOf, readWaits } from '../files/refund-files.queries.ts'
import { readRoom } from '../../manual-postings/manual-postings.ts'
import type { Connection } from '../../platform/database/database.ts'
import { openProposalOf } from '../../proposals/proposals.ts'
import { numberFor, type OperatorMember } from '../../staff/staff.ts'
import {
  readLineSaid,
  readRefundJson,
  readTries,
  readWays,
  type RefundJson,
  type WayRow,
} from './refund-rows.queries.ts'

export type OwedRefund = RefundJson & { readonly id: string }

export const aboutOf = ({ id }: OwedRefund): string => `refund:${id}`

/** Refuses `not_found`: another provider's does not exist. */
export async function findRefund(
  { db }: { readonly db: Connection },
  principal: OperatorMember,
  id: string,
): Promise<OwedRefund> {
  const json = await readRefundJson(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return { ...(JSON.parse(json) as RefundJson), id }
}

/** The payments that it can go back with from here, now. */
export async function findWays(
  db: Connection,
  { gateways }: Pick<Context, 'gateways'>,
  instanceId: string,
  row: OwedRefund,
): Promise<WayRow[]> {
  if (row.kind !== 'refund' || row.status !== 'OWED') return []
  if (await isTakenBack(db, instanceId, row.about)) return []
  const codes = gateways.filter(({ refunds }) => refunds).map(({ code }) => code)
  const ways: WayRow[] = []
  for (const way of await readWays(db, instanceId, row, codes))
    if (!(await isTakenBack(db, instanceId, `payment:${way.id}`))) ways.push(way)
  return ways
}

/** Whether another person has to decide about a sum of it: with what was done for the debtor by hand today it is above the limit (M-30). */
export async function readLimit(
  db: Connection,
  { instanceId, today }: { readonly instanceId: string; readonly today: string },
  { kind, debtorId, currency }: OwedRefund,
): Promise<(minor: number) => boolean> {
  // A creditor's own money is the creditor's to send; what was nobody's goes back to where it came from.
  if (kind !== 'refund' || debtorId === null) return () => false
  return readRoom(db, instanceId, { debtorIds: [debtorId], currency, on: today })
}

/** Whether another person has to agree that it was not ordered by hand: as whoever sends it would need one, each deed of a day counts. */
export function needsAnotherToTakeBack(
  { orderedOn, orderedMinor, currency }: OwedRefund,
  today: string,
  isAbove: (minor: number) => boolean,
): boolean {
  const minor = orderedMinor ?? 0
  // What was ordered today is among what has gone back today.
  return minor > mostByOnePerson(currency) || isAbove(orderedOn === today ? 0 : minor)
}

export async function presentRefund(
  context: Pick<Context, 'db' | 'clock' | 'gateways'>,
  principal: OperatorMember,
  row: OwedRefund,
): Promise<Loosen<RefundCase>> {
  const { db, clock } = context
  const { instance } = principal
  const shown = numberFor(principal)
  const { id: instanceId } = instance
  const at = { instanceId, today: clock.today(instance.timeZone) }
  const [ways, tries, line, isAbove, proposal, account, files, waits] = await Promise.all([
    findWays(db, context, instanceId, row),
    readTries(db, instanceId, row.about),
    readLineSaid(db, instanceId, row.about),
    readLimit(db, at, row),
    openProposalOf(db, instanceId, aboutOf(row)),
    row.kind === 'creditor_refund' ? undefined : readAccountBack(db, instanceId, row.id),
    readOrdersOf(db, instanceId, row.id),
    readWaits(db, instanceId, row.id),
  ])
  const { orderedOn, orderedMinor, leftOn } = row
  return {
    ...(JSON.parse(row.listed) as Omit<RefundCase, 'ways' | 'tries' | 'bankLine' | 'transfer' | 'files'>),
    amount: new Amount(row.totalMinor),
    left: new Amount(row.leftMinor),
    ways: ways.map(({ id, gateway, paid_minor: paid, paid_on: paidOn, room_minor: room }) => ({
      payment: id,
      gateway,
      paid: new Amount(paid),
      paidOn,
      most: new Amount(Math.min(room, row.leftMinor)),
      needsAnother: isAbove(Math.min(room, row.leftMinor)),
    })),
    bankLine: line ?? null,
    tries: tries.map(({ amount_minor: minor, ...tried }) => ({ ...tried, amount: new Amount(minor) })),
    transfer: orderedOn === null ? null : { amount: new Amount(orderedMinor ?? 0), orderedOn, leftOn },
    account: account ? { ...account, number: shown(account.number) } : null,
    files: files.map(({ amountMinor: minor, number, ...file }) => ({
      ...file,
      number: shown(number),
      amount: new Amount(minor),
    })),
    waits,
    isByHand: row.isByHand,
    notOrderedNeedsAnother: row.isByHand && needsAnotherToTakeBack(row, at.today, isAbove),
    needsAnother: row.status === 'OWED' && isAbove(row.leftMinor),
    proposal,
  }
}
