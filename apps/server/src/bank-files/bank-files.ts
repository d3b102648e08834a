/** Payments from the files of banks: kept whole, booked line by line, each once. */
import { endFoundFiles } from '../creditors/creditors.ts'
import { endPlacedLines } from './bank-files.queries.ts'
import type { Instance } from '../instances/instances.ts'
import { ImportRefusal, reasonOf, type ImportInput } from '../imports/imports.ts'
import { keepFile } from './keep-file.ts'
import { placeWaiting, type BankFileResult } from './place-waiting.ts'
import type { PlaceContext } from './tell-holder.ts'
import { readBankFile, type ReadBankFile } from './read-bank-file.ts'

export type { BankFileResult } from './place-waiting.ts'
export { openBankFolder } from './folder/bank-folder.ts'
export { PAYMENT_ACT_WORK } from './office/payment-acts.ts'
export { placeLeftLines } from './office/receive-bank-file.ts'
export { askAboutOverdueClearing } from './overdue-clearing.ts'
export { PlacementRefused } from './placement-refused.ts'
export { placeSuspense, type Placement, type Settled } from './place-suspense.ts'
export { lockBankFiles } from './bank-files.queries.ts'
export { all, textAt } from './camt/camt-elements.ts'
export {
  BANK_RETURN,
  expectMoneyOut,
  expectOrdered,
  orderByHand,
  orderMoneyOut,
  sayItLeft,
  takeBackMoneyOut,
} from './money-out.ts'
export { takeLateDebits } from './late/late-debits.ts'
export {
  maybePaid,
  isDebitedUnexplained,
  requireUnpaid,
  requireUntold,
  takeOrderBack,
} from './late/not-ordered.ts'
export { lockDebtsOfAbouts, lockDebtsOfOrders } from './late/lock-debts.ts'
export { previewIn } from './late/preview.ts'
export { takeBackWaiting } from './late/take-back.ts'
export { takeUpOrder } from './late/take-up-order.ts'
export { BANK_ENTRY_WORK } from './office/enter-suspense.ts'
export { returnAdvance } from './own-money/enter-line.ts'
export { moveGatewayPayment, type GatewayMove } from './moves/move-gateway-payment.ts'
export { movePayment, type Move } from './moves/move-payment.ts'
export { reverseByHand } from './moves/reverse-by-hand.ts'
export { HolderRefused, tellHolder } from './tell-holder.ts'
export { takeBackAndTell } from './moves/tell-undone.ts'
export { readCreditorAccounts, type CreditorAccountRow } from './holder.queries.ts'
export { readSuspenseRows, type SuspenseRow } from './suspense.queries.ts'

const OF_FILE = { line: null, amountMinor: null, currency: null, paymentReference: null, number: null }

/**
 * Takes in files and answers one result for each line as soon as it is in the books. A file is taken whole or refused;
 * one that is here already is unchanged. Lines that an interrupted import has kept are placed first. Throws only when
 * the database cannot be reached.
 */
export async function* importBankFiles(
  context: PlaceContext,
  instance: Pick<Instance, 'id' | 'timeZone'>,
  inputs: Iterable<ImportInput>,
): AsyncIterable<BankFileResult> {
  yield* placeWaiting(context, instance)
  for (const input of inputs) {
    const file = await keep(context, instance, input)
    if (file) yield file
    else yield* placeWaiting(context, instance)
  }
  await endFoundFiles(context.db, instance.id)
  await endPlacedLines(context.db, instance.id)
}

/** What is to be said of the whole file; undefined when its lines say it. */
async function keep(
  context: PlaceContext,
  { id }: Pick<Instance, 'id'>,
  input: ImportInput,
): Promise<BankFileResult | undefined> {
  const refused = (reason: string): BankFileResult => ({
    ...OF_FILE,
    file: input.name,
    outcome: 'refused',
    reason,
  })
  let read: ReadBankFile
  try {
    read = await readBankFile(input)
  } catch (error) {
    return refused(reasonOf(context, input.name, error))
  }
  try {
    const { clock } = context
    const { lines } = await context.db.transaction((tx) =>
      keepFile(tx, { instanceId: id, clock, by: null }, read),
    )
    return lines > 0 ? undefined : { ...OF_FILE, file: input.name, outcome: 'unchanged', reason: null }
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    return refused(reasonOf(context, input.name, error))
  }
}
