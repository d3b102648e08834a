/** Payments from the files of banks: kept whole, booked line by line, each once. */
import type { Currency } from '@kvitt/domain/money.ts'
import { endFoundFiles } from '../creditors/creditors.ts'
import type { Instance } from '../instances/instances.ts'
import { ImportRefusal, reasonOf, type ImportInput } from '../imports/imports.ts'
import { quarantine } from '../tasks/tasks.ts'
import { readWaitingLines } from './bank-files.queries.ts'
import { keepFile } from './keep-file.ts'
import { placeLine, type Placed } from './place-line.ts'
import type { PlaceContext } from './tell-holder.ts'
import { readBankFile, type ReadBankFile } from './read-bank-file.ts'

export { askAboutOverdueClearing } from './overdue-clearing.ts'
export { PlacementRefused, placeSuspense, type Placement, type Settled } from './place-suspense.ts'
export { lockBankFiles } from './bank-files.queries.ts'
export { BANK_RETURN, expectMoneyOut, sayItLeft } from './money-out.ts'
export { moveGatewayPayment, type GatewayMove } from './moves/move-gateway-payment.ts'
export { movePayment, type Move } from './moves/move-payment.ts'
export { reverseByHand } from './moves/reverse-by-hand.ts'
export { HolderRefused, tellHolder } from './tell-holder.ts'
export { takeBackAndTell } from './moves/tell-undone.ts'
export { readCreditorAccounts, type CreditorAccountRow } from './holder.queries.ts'
export { readSuspenseRows, type SuspenseRow } from './suspense.queries.ts'

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
    const kept = await context.db.transaction((tx) => keepFile(tx, { instanceId: id, clock }, read))
    return kept > 0 ? undefined : { ...OF_FILE, file: input.name, outcome: 'unchanged', reason: null }
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    return refused(reasonOf(context, input.name, error))
  }
}

async function* placeWaiting(
  context: PlaceContext,
  { id, timeZone }: Pick<Instance, 'id' | 'timeZone'>,
): AsyncIterable<BankFileResult> {
  for (const lineId of await readWaitingLines(context.db, id)) {
    const place = (): Promise<Placed | undefined> =>
      placeLine(context, { instanceId: id, lineId }, context.clock.today(timeZone))
    // One that cannot be booked holds up no other: it waits for the next import, and a person is asked.
    const placed = await quarantine(context, { instanceId: id, about: `place bank line ${lineId}` }, place)
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
