/** Documents that credit: applied to the invoice they are about, or kept as a credit invoice of their own. */
import { createHash } from 'node:crypto'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { CreditedRow } from '@kvitt/domain/invoices/credit-rows.ts'
import { IN_PLANS } from '@kvitt/domain/invoices/acts.ts'
import { isOpen } from '@kvitt/domain/invoices/invoice.ts'
import { amountText, money, type Money } from '@kvitt/domain/money.ts'
import { creditInvoice, lockInvoiceAndClaim, type Credited } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { lockInvoiceRow, type InvoiceRow } from '../invoices/invoices.ts'
import { queueMail } from '../mail/mail.ts'
import { endAnyPlanForCredit, lockRunningPlan } from '../part-payments/part-payments.ts'
import { readCreditedSum } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'
import { printedAmount } from '../platform/printed-amount.ts'
import {
  findCreditedInvoice,
  insertCreditNoteRow,
  lockDocumentKey,
  readBilledMinor,
  readCreditedRows,
} from './credit-notes.queries.ts'
import { readNextNumber } from './drafts.ts'
import { ImportRefusal } from './import-refusal.ts'
import {
  compareWithHeld,
  refuseOtherCreditor,
  type ImportResult,
  type ImportRun,
  type ReadFile,
} from './import-run.ts'
import { insertAttachments, readHeldDocuments } from './imports.queries.ts'
import { readCreditorIds } from './parties.queries.ts'
import { attachmentRows, writeInvoices } from './write-invoices.ts'

/**
 * Writes one crediting document. A credit note about one invoice that we hold is applied to it (M-05). Everything
 * else becomes an invoice of type CREDIT_INVOICE with a negative total (D-21). Throws ImportRefusal, and
 * OvertakenError as writeInvoices does.
 */
export async function writeCrediting(tx: Transaction, run: ImportRun, file: ReadFile): Promise<ImportResult> {
  const { answer, target } = await findCredited(tx, run, file)
  if (answer) return answer
  if (!target) return keep(tx, run, file, severalWarning(file))
  if (isCreditable(target.invoice)) return applyCreditNote(tx, run, file, target)
  refuseUnapplied(target.invoice)
  const what = `Invoice ${target.invoice.invoice_number} is ${target.invoice.status.toLowerCase()} already`
  return keep(tx, run, file, `${what}, so the credit note is kept as a credit invoice of its own.`)
}

/**
 * As writeCrediting, but keeps nothing that is not applied: throws ImportRefusal there. Answers what it was applied to, and
 * undefined when the outcome is another than `created`.
 */
export async function applyCrediting(
  tx: Transaction,
  run: ImportRun,
  file: ReadFile,
): Promise<{ readonly outcome: ImportResult['outcome']; readonly credited?: Credited }> {
  const { answer, target } = await findCredited(tx, run, file)
  if (answer) return answer
  if (!target || !isCreditable(target.invoice)) {
    if (target) refuseUnapplied(target.invoice)
    const number = file.invoice.billingReferences.join(', ')
    throw new ImportRefusal(
      `The document cannot be applied to invoice ${number}.`,
      {},
      { code: 'credit_not_applied', params: { number } },
    )
  }
  const { outcome } = await applyCreditNote(tx, run, file, target)
  return { outcome, credited: target }
}

/** Under the document's lock: the answer when it is here already or another's, else the invoice that it is about. */
async function findCredited(
  tx: Transaction,
  run: ImportRun,
  file: ReadFile,
): Promise<{ readonly answer?: ImportResult; readonly target?: Credited | undefined }> {
  await lockDocumentKey(tx, `${run.instanceId}|${file.documentKey}`)
  const identity = file.creditorIdentity
  const creditorId = (await readCreditorIds(tx, run.instanceId, [identity])).get(identity)
  const refused = refuseOtherCreditor(file, creditorId, run.options)
  if (refused) return { answer: refused }
  if (creditorId === undefined) return {}
  const number = file.invoice.invoiceNumber
  const [held] = await readHeldDocuments(tx, run.instanceId, [{ creditorId, type: 'CREDIT_INVOICE', number }])
  if (held) return { answer: compareWithHeld(file, held) }
  return { target: await findTarget(tx, run, file, creditorId) }
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

/** What is paid can be credited too: then the money is owed back. */
export function isCreditable({ status }: Pick<InvoiceRow, 'status'>): boolean {
  return (isOpen(status) && status !== 'PENDING_AUTHORIZATION') || status === 'CLOSED'
}

/** The invoice that a credit note is about, locked with its claim; undefined when it names none, several, or one we do not hold. */
async function findTarget(
  tx: Transaction,
  run: ImportRun,
  { invoice }: ReadFile,
  creditorId: string,
): Promise<Credited | undefined> {
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

/** Throws where it has to wait, or be done in another way. */
function refuseUnapplied({ status, invoice_number: number }: InvoiceRow): void {
  if (status === 'PENDING_AUTHORIZATION') {
    throw new ImportRefusal(
      `A payment of invoice ${number} is being settled by the bank. Import the credit note when it is done.`,
      {},
      { code: 'credit_waits', params: { number } },
    )
  }
  if (status === 'CREATED' || status === 'PENDING') {
    throw new ImportRefusal(
      `Invoice ${number} has not been sent yet. Withdraw it instead of crediting it.`,
      {},
      { code: 'credited_unsent', params: { number } },
    )
  }
}

function checkCredit(target: InvoiceRow, credit: Money, creditedMinor: number): void {
  if (IN_PLANS.includes(target.type)) {
    throw new ImportRefusal(
      `${target.invoice_number} is what a plan bills. Credit the invoice that the plan is about.`,
    )
  }
  if (credit.currency !== target.currency) {
    throw new ImportRefusal(
      `The credit note is in ${credit.currency} and invoice ${target.invoice_number} in ${target.currency}.`,
      {},
      { code: 'credit_currency', params: { number: target.invoice_number, currency: target.currency } },
    )
  }
  if (credit.minor + creditedMinor > target.total_minor) {
    const before = creditedMinor === 0 ? '' : `, of which ${amountText(creditedMinor)} is credited already`
    throw new ImportRefusal(
      `The credit of ${amountText(credit.minor)} is more than invoice ${target.invoice_number} is over ` +
        `(${amountText(target.total_minor)} ${target.currency}${before}).`,
      {},
      {
        code: 'credit_too_large',
        params: {
          number: target.invoice_number,
          amount: amountText(target.total_minor - creditedMinor),
          currency: target.currency,
        },
      },
    )
  }
}

/** M-05: the credit may not exceed what the invoice was over. */
async function applyCreditNote(
  tx: Transaction,
  run: ImportRun,
  file: ReadFile,
  credited: Credited,
): Promise<ImportResult> {
  const { instanceId, today: on } = run
  const { invoiceNumber: number, payableMinor, currency, issueDate, warnings } = file.invoice
  const { id: invoiceId, creditor_id: creditorId, payment_reference: reference, zip } = credited.invoice
  const before = await readCreditedSum(tx, { instanceId, invoiceId })
  checkCredit(credited.invoice, money(payableMinor, currency), before)
  const transactionId = await creditInvoice(run, tx, credited, {
    number,
    creditMinor: payableMinor,
    issuedOn: issueDate,
    on,
    endPlan: (held, creditMinor) => endAnyPlanForCredit(run, tx, held, { creditMinor, on }),
  })
  await insertAttachments(tx, instanceId, attachmentRows(run, file, invoiceId))
  await insertCreditNoteRow(tx, instanceId, { creditorId, number, invoiceId, transactionId, hash: file.hash })
  return {
    file: file.file,
    outcome: 'created',
    invoiceNumber: number,
    paymentReference: reference,
    zip,
    reason: null,
    warnings,
  }
}

/** In minor units; `rows`: what earlier notes have taken of each. */
type LeftToCredit = { readonly minor: number; readonly rows: readonly CreditedRow[] }

export type CreditByHand = {
  readonly instanceId: string
  readonly invoiceId: string
  readonly today: CalendarDate
  /** Says how much is credited of a document, under its lock. */
  readonly priceOf: (
    invoice: InvoiceRow,
    left: LeftToCredit,
  ) => { readonly minor: number; readonly rows?: readonly CreditedRow[] | undefined }
}

/**
 * M-05: a credit note that somebody writes, with the next number of the creditor's series. Undefined when nothing can be
 * credited as the invoice stands.
 */
export async function creditByHand(
  context: Pick<ImportRun, 'clock'>,
  tx: Transaction,
  { instanceId, invoiceId, today: on, priceOf }: CreditByHand,
): Promise<
  { readonly number: string; readonly creditMinor: number; readonly credited: Credited } | undefined
> {
  const key = { instanceId, invoiceId }
  await lockRunningPlan(tx, key)
  const credited = await lockInvoiceAndClaim(tx, key)
  const { invoice } = credited
  if (!isCreditable(invoice) || invoice.type === 'CREDIT_INVOICE') return undefined
  const minor = invoice.total_minor - (await readCreditedSum(tx, key))
  const { minor: creditMinor, rows } = priceOf(invoice, { minor, rows: await readCreditedRows(tx, key) })
  const { creditor_id: creditorId } = invoice
  const number = await readNextNumber(tx, { instanceId, creditorId, kind: 'CREDIT_NOTE' })
  const transactionId = await creditInvoice(context, tx, credited, {
    number,
    creditMinor,
    issuedOn: on,
    on,
    endPlan: (held, minor) => endAnyPlanForCredit(context, tx, held, { creditMinor: minor, on }),
  })
  const hash = createHash('sha256')
    .update(JSON.stringify([number, invoiceId, creditMinor]))
    .digest()
  await insertCreditNoteRow(tx, instanceId, { creditorId, number, invoiceId, transactionId, hash, rows })
  return { number, creditMinor, credited }
}

/** The debtor gets its number, its amount, and what is left to pay of what it was about, with what its plan has billed. */
export async function tellCredited(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  {
    number,
    creditMinor,
    credited: { invoice, claim },
  }: { readonly number: string; readonly creditMinor: number; readonly credited: Credited },
): Promise<void> {
  const { instance_id: instanceId, id: invoiceId, currency } = invoice
  const now = claim ? undefined : await lockInvoiceRow(tx, instanceId, invoiceId)
  const billedMinor = now ? await readBilledMinor(tx, { instanceId, invoiceId }) : 0
  const restMinor = (now?.balance_minor ?? 0) + billedMinor
  await queueMail(context, tx, {
    kind: 'credited',
    cause: `credit-note:${invoice.creditor_id}:${number}`,
    instanceId,
    debt: { invoiceId },
    params: (language) => ({
      amount: printedAmount(creditMinor, currency, language),
      credit: number,
      left: claim ? 'elsewhere' : billedMinor > 0 ? 'plan' : restMinor > 0 ? 'yes' : 'no',
      billed: printedAmount(billedMinor, currency, language),
      rest: printedAmount(restMinor, currency, language),
    }),
  })
}
