/** Documents that credit: applied to the invoice they are about, or kept as a credit invoice of their own. */
import { isOpen } from '@kvitt/domain/invoices/invoice.ts'
import { bookCredit } from '@kvitt/domain/ledger/booking.ts'
import { owedAfterCredit } from '@kvitt/domain/ledger/correction.ts'
import { amountText, money, type Money } from '@kvitt/domain/money.ts'
import { lockClaim, lockInvoiceAndClaim, moveClaim, type LockedClaim } from '../claims/claims.ts'
import { endOpenDispute, lockInvoiceRow, moveInvoice, type InvoiceRow } from '../invoices/invoices.ts'
import { endPlanForCredit, lockRunningPlan } from '../part-payments/part-payments.ts'
import { postBookings, readCreditedSum } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import { bookChargesLost, readChargesLost } from './credited-charges.ts'
import { findCreditedInvoice, insertCreditNoteRow, lockDocumentKey } from './credit-notes.queries.ts'
import { ImportRefusal } from './import-refusal.ts'
import {
  compareWithHeld,
  refuseOtherCreditor,
  type ImportResult,
  type ImportRun,
  type ReadFile,
} from './import-run.ts'
import { insertAttachments, insertPerformedSteps, readHeldDocuments } from './imports.queries.ts'
import { readCreditorIds } from './parties.queries.ts'
import { attachmentRows, writeInvoices } from './write-invoices.ts'

/**
 * Writes one crediting document. A credit note about one invoice that we hold is applied to it (I5). Everything
 * else becomes an invoice of type CREDIT_INVOICE with a negative total (D-21). Throws ImportRefusal, and
 * OvertakenError as writeInvoices does.
 */
export async function writeCrediting(tx: Transaction, run: ImportRun, file: ReadFile): Promise<ImportResult> {
  await lockDocumentKey(tx, `${run.instanceId}|${file.documentKey}`)
  const identity = file.creditorIdentity
  const creditorId = (await readCreditorIds(tx, run.instanceId, [identity])).get(identity)
  const refused = refuseOtherCreditor(file, creditorId, run.options)
  if (refused) return refused
  if (creditorId !== undefined) {
    const number = file.invoice.invoiceNumber
    const [held] = await readHeldDocuments(tx, run.instanceId, [
      { creditorId, type: 'CREDIT_INVOICE', number },
    ])
    if (held) return compareWithHeld(file, held)
    const target = await findTarget(tx, run, file, creditorId)
    if (target && isOpen(target.invoice.status)) return applyCreditNote(tx, run, file, target)
    if (target) return keepUnapplied(tx, run, file, target.invoice)
  }
  return keep(tx, run, file, severalWarning(file))
}

async function keep(
  tx: Transaction,
  run: ImportRun,
  file: ReadFile,
  warning: string | null,
): Promise<ImportResult> {
  const [result] = await writeInvoices(tx, run, [file])
  if (!result) throw new Error('a credit invoice was not answered for')
  return warning === null ? result : { ...result, warnings: [...result.warnings, warning] }
}

function severalWarning({ invoice }: ReadFile): string | null {
  return invoice.document === 'CreditNote' && new Set(invoice.billingReferences).size > 1
    ? 'The credit note names several invoices, so it is kept as a credit invoice of its own.'
    : null
}

type Target = { readonly invoice: InvoiceRow; readonly claim: LockedClaim | undefined }

/** The invoice that a credit note is about, locked with its claim; undefined when it names none, several, or one we do not hold. */
async function findTarget(
  tx: Transaction,
  run: ImportRun,
  { invoice }: ReadFile,
  creditorId: string,
): Promise<Target | undefined> {
  const [number, ...others] = new Set(invoice.billingReferences)
  const isApplied =
    invoice.document === 'CreditNote' && invoice.payableMinor > 0 && run.options.as === 'distributed'
  if (!isApplied || number === undefined || others.length > 0) return undefined
  const id = await findCreditedInvoice(tx, run.instanceId, creditorId, number)
  if (id === undefined) return undefined
  const key = { instanceId: run.instanceId, invoiceId: id }
  await lockRunningPlan(tx, key)
  return lockInvoiceAndClaim(tx, key)
}

function keepUnapplied(
  tx: Transaction,
  run: ImportRun,
  file: ReadFile,
  target: InvoiceRow,
): Promise<ImportResult> {
  switch (target.status) {
    case 'PENDING_AUTHORIZATION':
      throw new ImportRefusal(
        `A payment of invoice ${target.invoice_number} is being settled by the bank. Import the credit note when it is done.`,
      )
    case 'CREATED':
    case 'PENDING':
      throw new ImportRefusal(
        `Invoice ${target.invoice_number} has not been sent yet. Withdraw it instead of crediting it.`,
      )
    default: {
      const what = `Invoice ${target.invoice_number} is ${target.status.toLowerCase()} already`
      return keep(tx, run, file, `${what}, so the credit note is kept as a credit invoice of its own.`)
    }
  }
}

function checkCredit(target: InvoiceRow, credit: Money, creditedMinor: number): void {
  if (credit.currency !== target.currency) {
    throw new ImportRefusal(
      `The credit note is in ${credit.currency} and invoice ${target.invoice_number} in ${target.currency}.`,
    )
  }
  if (credit.minor + creditedMinor > target.total_minor) {
    const before = creditedMinor === 0 ? '' : `, of which ${amountText(creditedMinor)} is credited already`
    throw new ImportRefusal(
      `The credit of ${amountText(credit.minor)} is more than invoice ${target.invoice_number} is over ` +
        `(${amountText(target.total_minor)} ${target.currency}${before}).`,
    )
  }
}

/**
 * I5, under the lock of the invoice. The credit may not exceed what the invoice was over, and what was charged for the
 * principal that it takes away goes with it.
 */
async function applyCreditNote(
  tx: Transaction,
  run: ImportRun,
  file: ReadFile,
  { invoice: seen, claim }: Target,
): Promise<ImportResult> {
  const { instanceId, clock, today } = run
  const { invoice } = file
  const credit = money(invoice.payableMinor, invoice.currency)
  checkCredit(seen, credit, await readCreditedSum(tx, { instanceId, invoiceId: seen.id }))
  const ofInvoice = { instanceId, invoiceId: seen.id, claimId: seen.claim_id, creditMinor: credit.minor }
  const lost = await readChargesLost(tx, ofInvoice)
  const goneMinor = lost.reduce((all, back) => all + back.costsMinor + back.interestMinor, credit.minor)
  const target = await endPlanForCredit(run, tx, seen, { creditMinor: goneMinor, on: today })
  const debt = claim ?? target
  const owed = {
    principal: money(debt.principal_minor, target.currency),
    costs: money(debt.costs_minor, target.currency),
    interest: money(debt.interest_minor, target.currency),
  }
  // What an invoice in a claim owes is owed on the claim.
  const parties = {
    ...(claim ? { claimId: claim.id } : { invoiceId: target.id }),
    creditorId: target.creditor_id,
    debtorId: target.debtor_id,
  }
  const transactionId = newId(clock.now())
  await postBookings(
    tx,
    instanceId,
    [
      {
        id: transactionId,
        kind: 'CREDIT_INVOICE',
        bookedOn: today,
        cause: `credit-note:${target.creditor_id}:${invoice.invoiceNumber}`,
        invoiceId: target.id,
        claimId: target.claim_id,
        paymentId: null,
        lines: bookCredit(parties, credit, owed),
      },
      ...bookChargesLost(run, lost, {
        parties,
        owed: owedAfterCredit(credit, owed),
        currency: target.currency,
        on: today,
      }),
    ],
    clock,
  )
  await moveCredited(tx, run, { target, claim, noteNumber: invoice.invoiceNumber })
  await insertPerformedSteps(tx, instanceId, [
    {
      id: newId(clock.now()),
      invoice_id: target.id,
      type: 'CREDIT_INVOICE',
      performed_date: invoice.issueDate,
    },
  ])
  await insertAttachments(tx, instanceId, attachmentRows(run, file, target.id))
  await insertCreditNoteRow(tx, instanceId, {
    creditorId: target.creditor_id,
    number: invoice.invoiceNumber,
    invoiceId: target.id,
    transactionId,
    hash: file.hash,
  })
  return {
    file: file.file,
    outcome: 'created',
    invoiceNumber: invoice.invoiceNumber,
    paymentReference: target.payment_reference,
    zip: target.zip,
    reason: null,
    warnings: invoice.warnings,
  }
}

type Credited = {
  readonly target: InvoiceRow
  readonly claim: LockedClaim | undefined
  readonly noteNumber: string
}

/** The invoice, or the claim that holds what it owed, is closed when nothing is left. */
async function moveCredited(
  tx: Transaction,
  { instanceId, today }: ImportRun,
  { target, claim, noteNumber }: Credited,
): Promise<void> {
  const key = { instanceId, ...(claim ? { claimId: claim.id } : { invoiceId: target.id }) }
  const left = 'claimId' in key ? await lockClaim(tx, key) : await lockInvoiceRow(tx, instanceId, target.id)
  const isSettled = left.balance_minor === 0
  if (isSettled) {
    await endOpenDispute(tx, key, { status: 'UPHELD', on: today, decision: noteNumber })
  }
  if (claim) {
    const move = isSettled ? 'creditedInFull' : 'credited'
    return moveClaim(tx, claim, { move, to: isSettled ? 'CLOSED' : claim.status })
  }
  const done = { move: 'creditedInFull', to: 'CLOSED' } as const
  return moveInvoice(tx, target, isSettled ? done : { move: 'credited', to: target.status })
}
