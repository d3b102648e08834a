/** Money of one transfer that a person shares out over several debts: all of it, once. */
import { valueDayOf } from '@kvitt/domain/ledger/value-day.ts'
import { clearingOf } from '@kvitt/domain/ledger/holder.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { MOST_SHARES } from '@kvitt/domain/payments/shares.ts'
import { readSharesOf } from '../collection/collection.ts'
import type { NamedDebt } from '../claims/claims.ts'
import { applyReceived, lockDebtOf, type LockedDebt } from '../payments/payments.ts'
import { endLineRow } from './bank-files.queries.ts'
import { countPlaced } from './moves/count-moved.ts'
import { dayOfMoney, debtOf } from './place-line.ts'
import {
  findDebt,
  leaveSuspense,
  note,
  requirePayable,
  requireSuspense,
  type Named,
  type PlacementWork,
} from './place-suspense.ts'
import { PlacementRefused } from './placement-refused.ts'

/** What of the money is for this debt. */
export type Part = Named & { readonly amountMinor: number }

type Ready = { readonly part: Part; readonly named: NamedDebt; readonly locked: LockedDebt }

/** Books each part on its debt. Throws PlacementRefused, of a part with its place. */
export async function payParts(work: PlacementWork, parts: readonly Part[]): Promise<void> {
  const { context, tx, line, today } = work
  requireSuspense(work)
  const ready = await lockParts(work, parts)
  // It may have been on other debts before: then these are its next shares.
  const from = (await readSharesOf(tx, line.instance_id, line.id)).length
  if (from + ready.length > MOST_SHARES)
    throw new PlacementRefused('not_in_suspense', 'It has been moved too often: send it back.')
  await leaveSuspense(work, clearingOf(line.holder), {
    kind: 'REVERSAL',
    cause: `placed:bank-line:${line.id}${from === 0 ? '' : `:${from + 1}`}`,
  })
  const [first] = ready
  if (!first) throw new PlacementRefused('parts_differ', 'Name at least one debt.')
  await endLineRow(
    tx,
    line,
    { status: 'BOOKED', debt: debtOf(first.locked), paymentId: line.payment_id ?? undefined },
    'SUSPENSE',
  )
  const valueOn = valueDayOf([dayOfMoney(line)], today)
  for (const [index, { part, named, locked: before }] of ready.entries()) {
    // What an earlier part has paid may have moved this one: it is read anew under its lock.
    const locked = index === 0 ? before : await lockOf(work, part, named)
    const share = { amount_minor: part.amountMinor, share: from + index + 1 }
    const payment = { ...line, ...share, gateway: clearingOf(line.holder), isFromFile: true as const }
    await applyReceived(context, tx, { locked, payment, today, valueOn })
  }
  await countPlaced(tx, line, today)
  await note(work, 'money_placed', {
    parts: ready.map(({ part, locked }) => ({ ...debtOf(locked), amountMinor: part.amountMinor })),
  })
}

function lockOf({ tx, line }: PlacementWork, part: Part, { id }: NamedDebt): Promise<LockedDebt> {
  return lockDebtOf(tx, {
    id: line.id,
    instance_id: line.instance_id,
    invoice_id: part.kind === 'invoice' ? id : null,
    claim_id: part.kind === 'claim' ? id : null,
  })
}

/** All are locked and looked at before anything is booked. */
async function lockParts(work: PlacementWork, parts: readonly Part[]): Promise<Ready[]> {
  const { line } = work
  const sumMinor = parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const seen = new Set<string>()
  const ready: Ready[] = []
  for (const [index, part] of parts.entries()) {
    const one = await atPart(index, () => lockPart(work, part))
    ready.push(one)
    seen.add((one.locked.claim ?? one.locked.invoice).id)
  }
  if (sumMinor === line.amount_minor && seen.size === parts.length) return ready
  const params = { sum: amountText(sumMinor), amount: amountText(line.amount_minor), currency: line.currency }
  throw new PlacementRefused(
    'parts_differ',
    `The parts come to ${params.sum} and the money is ${params.amount}; each debt is named once.`,
    params,
  )
}

async function lockPart(work: PlacementWork, part: Part): Promise<Ready> {
  const { tx, line } = work
  const named = await findDebt(tx, line, part)
  const locked = await lockOf(work, part, named)
  requirePayable(line, named, locked)
  const { balance_minor: owedMinor } = locked.claim ?? locked.invoice
  const mostMinor = Math.min(owedMinor, line.amount_minor)
  if (part.amountMinor <= 0 || part.amountMinor > mostMinor)
    throw new PlacementRefused(
      'part_too_large',
      `At most ${amountText(mostMinor)} can be placed on ${named.number}.`,
      {
        amount: amountText(mostMinor),
        currency: line.currency,
      },
    )
  return { part, named, locked }
}

async function atPart<Done>(index: number, work: () => Promise<Done>): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PlacementRefused) error.part = index
    throw error
  }
}
