/** Lines of bank files that are kept and not booked yet: each is placed by itself, once. */
import type { Currency } from '@kvitt/domain/money.ts'
import type { Instance } from '../instances/instances.ts'
import { BANK_LINE_MATTER, quarantine } from '../tasks/tasks.ts'
import { readWaitingLines } from './bank-files.queries.ts'
import { placeLine, type Placed } from './place-line.ts'
import type { PlaceContext } from './tell-holder.ts'

export type BankFileResult = {
  readonly file: string
  /** Its place in the file; null for what is true of the file. */
  readonly line: number | null
  readonly outcome: Placed['outcome'] | 'unchanged' | 'refused'
  readonly amountMinor: number | null
  readonly currency: Currency | null
  readonly paymentReference: string | null
  /** The number of the invoice or claim that it is booked on. */
  readonly number: string | null
  /** Why a person has to place it, as a code; why a file was refused, as a sentence. */
  readonly reason: string | null
}

/** Places what is kept and not booked, in the order in which it came. */
export async function* placeWaiting(
  context: PlaceContext,
  { id, timeZone }: Pick<Instance, 'id' | 'timeZone'>,
): AsyncIterable<BankFileResult> {
  for (const lineId of await readWaitingLines(context.db, id)) {
    const place = (): Promise<Placed | undefined> =>
      placeLine(context, { instanceId: id, lineId }, context.clock.today(timeZone))
    // One that cannot be booked holds up no other: it waits for the next import, and a person is asked.
    const placed = await quarantine(context, { instanceId: id, about: `${BANK_LINE_MATTER}${lineId}` }, place)
    if (placed) yield describe(placed)
  }
}

function describe({ line, outcome, number, reason }: Placed): BankFileResult {
  return {
    file: line.file_name,
    line: line.number,
    outcome,
    amountMinor: line.kind === 'PAYMENT' ? line.amount_minor : -line.amount_minor,
    currency: line.currency,
    paymentReference: line.payment_references[0] ?? null,
    number,
    reason,
  }
}
