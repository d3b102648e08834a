/** What of a debt was given up: as too little to ask for, or by a person (M-28). Nobody paid that. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Transaction } from '../platform/database/database.ts'
import { readUnpaidPartRows, readWrittenOffMinor, type UnpaidPart } from './given-up.queries.ts'

/** What of a debt itself was given up, and stays so, in minor units. */
export async function readWrittenOff(tx: Transaction, instanceId: string, debt: Debt): Promise<number> {
  return Math.max(0, await readWrittenOffMinor(tx, instanceId, debt))
}

/** What of a debt was given up, on itself or on an instalment that it was billed with, and stays so, in minor units. */
export async function readGivenUp(tx: Transaction, instanceId: string, debt: Debt): Promise<number> {
  const parts = await readUnpaidPartRows(tx, instanceId, debt)
  const own = await readWrittenOffMinor(tx, instanceId, debt)
  return Math.max(0, own + parts.reduce((sum, { givenUpMinor }) => sum + givenUpMinor, 0))
}

/** What of a debt is open on instalments that nobody asks for any more. */
export async function readStoppedParts(
  tx: Transaction,
  instanceId: string,
  debt: Debt,
): Promise<UnpaidPart[]> {
  const parts = await readUnpaidPartRows(tx, instanceId, debt)
  return parts.filter(({ stoppedMinor }) => stoppedMinor > 0)
}
