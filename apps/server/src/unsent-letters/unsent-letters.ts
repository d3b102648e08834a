/**
 * A reminder or demand that was never sent has not happened: its step comes again, and what it charged is taken back. A
 * fee's ground is the letter (lag 1981:739 2 and 4 §§).
 */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'
import { bookChargesBack } from '@kvitt/domain/ledger/correction.ts'
import type { Debt, Parties } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import {
  lockClaim,
  lockInvoiceAndClaim,
  moveClaim,
  readNextStep,
  type LockedClaim,
} from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { endOpenDispute, moveInvoice, type InvoiceRow } from '../invoices/invoices.ts'
import { bookingsBack, postBookings, readWrittenOff, unpostLateDays } from '../ledger/ledger.ts'
import { dropLetters } from '../mail/mail.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { lockStepOwner, type Owner } from './step-owner.ts'
import {
  planLetterAgain,
  readChargesOfStep,
  readWaitingCharges,
  releaseHeldRows,
  setInterestDayBack,
  undoStepRow,
  type UndoneStep,
} from './unsent-letters.queries.ts'

export { dateLetter } from './leaving-letters.ts'

/** Steps that are nothing without their letter. */
const LETTERS: readonly StepType[] = ['REMINDER', 'COLLECTION_NOTIFICATION', 'COLLECTION_CLAIM']

type Unsent = {
  readonly instanceId: string
  readonly stepId: string
  readonly on: CalendarDate
  /** How the step comes again when its debt goes on: at once, or held until a person has mended what kept it here. */
  readonly again?: 'PLANNED' | 'ON_HOLD'
}

/**
 * Drops the message about a step or gives it up, and takes the step back when that was a letter: nothing that was to follow
 * it comes before it. `drop` answers false when somebody else has sent or dropped the message: then nothing happens.
 */
export function dropStepMail(
  context: Pick<Context, 'db' | 'clock'>,
  unsent: Unsent,
  drop: (tx: Transaction) => Promise<boolean>,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const where = await lockStepOwner(tx, unsent)
    if (await drop(tx)) await takeStepBack(context, tx, unsent, where)
  })
}

type Dropped = {
  readonly instanceId: string
  readonly debt: Debt
  readonly on: CalendarDate
  /** One word for whoever looks. */
  readonly reason: 'disputed' | 'planned' | 'due later' | 'written off' | 'resting'
  readonly again?: Unsent['again']
}

/** The letters about a debt that wait to be sent never will be. Under the locks of `debt`. */
export async function dropLettersOf(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  { instanceId, debt, on, reason, again }: Dropped,
): Promise<void> {
  for (const stepId of await dropLetters(tx, instanceId, { debt, reason })) {
    const unsent = { instanceId, stepId, on, ...(again ? { again } : {}) }
    await takeStepBack(context, tx, unsent, await lockStepOwner(tx, unsent))
  }
}

/**
 * How much less will be owed of an invoice or claim when the letters that wait are dropped: a plan is made of what is
 * owed without them. In minor units of its currency.
 */
export function chargesOfWaitingLetters(
  db: Connection,
  owed: { readonly instanceId: string; readonly debt: Debt },
): Promise<number> {
  return readWaitingCharges(db, owed, LETTERS)
}

/** Letters that nobody took come again on `day` once the tasks that they left are done. */
export async function releaseHeldLetters(
  db: Connection,
  of: { readonly instanceId: string; readonly day: CalendarDate },
): Promise<void> {
  await releaseHeldRows(db, of, LETTERS)
}

/**
 * An application that came to nothing (rejected, withdrawn, never made) cost nothing: its step did not happen, and what it
 * charged is taken back; what was paid of that is owed back.
 */
export async function takeApplicationBack(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  taken: Omit<Unsent, 'again'>,
): Promise<void> {
  const owner = await lockStepOwner(tx, taken)
  const step = await undoStepRow(tx, taken, ['BAILIFF_PAYMENT_INJUCTION'])
  const row = owner.claim
  if (step && row) await bookBack(context, tx, taken, { step, owner, row, hasJoined: false })
}

async function takeStepBack(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  unsent: Unsent,
  owner: Owner,
): Promise<void> {
  const { instanceId } = unsent
  const step = await undoStepRow(tx, unsent, LETTERS)
  const row = owner.claim ?? owner.invoice
  if (!step || !row) return
  const hasJoined = 'invoiceId' in owner.debt && owner.claim !== undefined
  await bookBack(context, tx, unsent, { step, owner, row, hasJoined })
  const status = hasJoined ? undefined : againAs(await lockStepOwner(tx, unsent), unsent.again)
  if (!status) return
  // What a later letter stands for is not written any more: nothing changes for what was planned.
  const next = await readNextStep(tx, { instanceId, ...owner.debt })
  if (!next || !LETTERS.includes(next.type)) return
  const id = newId(context.clock.now())
  await planLetterAgain(tx, { instanceId, debt: owner.debt, id, status }, next)
}

function againAs({ invoice, claim }: Owner, wanted: Unsent['again']): Unsent['again'] {
  const row = claim ?? invoice
  if (!row || row.balance_minor <= 0 || row.is_part_payment) return undefined
  if (row.status === 'PAUSED') return 'ON_HOLD'
  return ['ACTIVATED', 'OPEN', 'RESUME'].includes(row.status) ? wanted : undefined
}

type Taken = {
  readonly step: UndoneStep
  readonly owner: Owner
  readonly row: InvoiceRow | LockedClaim
  /** An invoice's step, and the invoice is in a claim: what is owed of it is owed there. */
  readonly hasJoined: boolean
}

async function bookBack(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  { instanceId, stepId, on }: Unsent,
  { step, owner, row, hasJoined }: Taken,
): Promise<void> {
  const debt: Debt = owner.claim ? { claimId: owner.claim.id } : owner.debt
  const charges = await readChargesOfStep(tx, { instanceId, stepId }, debt)
  const writtenOff = Math.min(charges.written_off_minor, await readWrittenOff(tx, instanceId, debt))
  const { currency } = row
  const parties: Parties = { ...debt, creditorId: row.creditor_id, debtorId: row.debtor_id }
  // When the invoice joined its claim, or more interest was posted since, this interest was due without the letter.
  const before =
    hasJoined || charges.interest_minor === 0
      ? undefined
      : await setInterestDayBack(tx, { instanceId, debt }, step)
  if (before !== undefined)
    await unpostLateDays(tx, { instanceId, debt, stepId }, { postedTo: step.performed_date, before })
  const charged = {
    costs: money(charges.costs_minor, currency),
    interest: money(before === undefined ? 0 : charges.interest_minor, currency),
    writtenOff: money(writtenOff, currency),
  }
  const back = bookChargesBack(parties, charged, {
    principal: money(row.principal_minor, currency),
    costs: money(row.costs_minor, currency),
    interest: money(row.interest_minor, currency),
  })
  const of = {
    bookedOn: on,
    cause: `unsent:${stepId}`,
    invoiceId: 'invoiceId' in debt ? debt.invoiceId : null,
    claimId: 'claimId' in debt ? debt.claimId : null,
  }
  const bookings = bookingsBack(context.clock, of, back)
  if (bookings.length === 0) return
  await postBookings(tx, instanceId, bookings, context.clock)
  await closeIfSettled(tx, { instanceId, on }, owner)
}

/** When nothing but the charges was left, nothing is left, and whoever objected to them was right. */
async function closeIfSettled(
  tx: Transaction,
  { instanceId, on }: Pick<Unsent, 'instanceId' | 'on'>,
  { debt, invoice, claim }: Owner,
): Promise<void> {
  if (claim) {
    const now = await lockClaim(tx, { instanceId, claimId: claim.id })
    if (now.balance_minor > 0 || now.status === 'CLOSED' || now.status === 'STOPPED') return
    if (now.is_part_payment) return
    const key = { instanceId, claimId: claim.id }
    await endOpenDispute(tx, key, { status: 'UPHELD', on, decision: null })
    return moveClaim(tx, now, { move: 'creditedInFull', to: 'CLOSED' })
  }
  if (!invoice || !('invoiceId' in debt)) return
  const { invoice: now } = await lockInvoiceAndClaim(tx, { instanceId, ...debt })
  const isOpen = now.status === 'ACTIVATED' || now.status === 'PAUSED' || now.status === 'DISPUTED'
  if (!isOpen || now.balance_minor > 0 || now.is_part_payment) return
  await endOpenDispute(tx, { instanceId, ...debt }, { status: 'UPHELD', on, decision: null })
  await moveInvoice(tx, now, { move: 'creditedInFull', to: 'CLOSED' })
}
