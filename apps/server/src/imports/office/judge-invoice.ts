/** What the rows of one invoice say together: an invoice as a draft or a document would be, or why it cannot be taken. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { INVOICE_COLUMNS, type ImportColumn } from '@kvitt/domain/imports/import-column.ts'
import type { ImportProblem, ImportProblemCode } from '@kvitt/domain/imports/import-problem.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { invoiceDraft } from '@kvitt/domain/invoices/draft.contract.ts'
import { asParsed, canBeSentOn, readDraft, type DraftBody } from '../draft-invoice.ts'
import { firstReminderDay, mostOfReminder, type ReminderTerms } from '../earlier-reminder.ts'
import { describeRefusal, ImportRefusal } from '../import-refusal.ts'
import { describeFile, type AlreadySent, type DraftTerms, type ReadFile } from '../import-run.ts'
import type { ParsedInvoice } from '../parsed-invoice.ts'
import { parseInvoice } from '../ubl.ts'
import type { ImportRow } from './import-rows.queries.ts'
import { readRow, type Sheet, type Values } from './row-values.ts'

/** Whose file it is, and what is said of all its invoices. */
export type Judging = {
  readonly sheet: Sheet
  readonly creditor: Parameters<typeof asParsed>[0]
  readonly identity: string
  /** The creditor has sent what says nothing of it itself. */
  readonly alreadySent: AlreadySent | null
  /** By what its reminders may have cost something. */
  readonly reminderTerms: ReminderTerms
}

export type JudgedInvoice = {
  readonly rows: readonly ImportRow[]
  /** By the row's number; a row without any of its own is wrong with the others. */
  readonly problems: ReadonlyMap<number, readonly ImportProblem[]>
  /** Where nothing is wrong. */
  readonly file?: ReadFile & { readonly terms: DraftTerms }
}

const MOST_ROWS = 500
/** What a due date is proposed after, where the file's cannot be used. */
const USUAL_DAYS = 30

const problem = (
  code: ImportProblemCode,
  field: ImportColumn | null,
  more: Omit<Partial<ImportProblem>, 'code' | 'field'> = {},
): ImportProblem => ({ code, field, mends: [], ...more })

/** Judges the rows of one invoice number: of a table they are one invoice, of an archive each is a document. */
export async function judgeInvoice(rows: readonly ImportRow[], judging: Judging): Promise<JudgedInvoice[]> {
  if (rows.some(({ document }) => document !== null)) {
    return Promise.all(rows.map((row) => judgeDocument(row, judging)))
  }
  if (rows[0]?.invoice_number === '') return rows.map((row) => judgeRows([row], judging))
  return [judgeRows(rows, judging)]
}

export function tooMany(rows: readonly ImportRow[]): JudgedInvoice {
  const found = [problem('too_many_rows', 'invoice_number')]
  return { rows, problems: new Map(rows.map(({ number }) => [number, found])) }
}

function judgeRows(rows: readonly ImportRow[], judging: Judging): JudgedInvoice {
  if (rows.length > MOST_ROWS) return tooMany(rows)
  const read = rows.map((row) => ({ number: row.number, ...readRow(row, judging.sheet) }))
  const [first] = read
  if (!first) return { rows, problems: new Map() }
  const problems = new Map<number, readonly ImportProblem[]>(
    read.map((row) => [row.number, [...row.problems, ...differences(row.values, first)]]),
  )
  if ([...problems.values()].every((found) => found.length === 0)) {
    problems.set(first.number, dayProblems(daysOf(first.values), judging))
  }
  if ([...problems.values()].some((found) => found.length > 0)) return { rows, problems }
  const draft = draftOf(
    read.map(({ values }) => values),
    judging,
  )
  if (!('mends' in draft)) return { rows, problems: new Map(), file: draft }
  const number = read[draft.row ?? 0]?.number ?? first.number
  return { rows, problems: new Map([[number, [draft]]]) }
}

/** What a later row says of the invoice has to be what its first row says. */
function differences(
  values: Values,
  first: { readonly number: number; readonly values: Values },
): ImportProblem[] {
  if (values === first.values) return []
  return INVOICE_COLUMNS.flatMap((column) => {
    const [said, before] = [values[column], first.values[column]]
    if (said === undefined || before === undefined || said === before) return []
    return problem('differs', column, {
      params: { row: String(first.number), value: before },
      mends: [before],
    })
  })
}

type Days = {
  readonly invoice: string
  readonly due: string
  readonly sent: string | undefined
  readonly isCredit: boolean
}

const daysOf = (values: Values): Days => ({
  invoice: values.invoice_date ?? '',
  due: values.due_date ?? '',
  sent: values.sent_date,
  isCredit: values.type === 'CREDIT_NOTE',
})

function dayProblems(
  { invoice, due, sent, isCredit }: Days,
  { sheet: { today }, alreadySent }: Judging,
): ImportProblem[] {
  const later = (from: string): CalendarDate => addDays(from as CalendarDate, USUAL_DAYS)
  const mend = later(invoice > today ? invoice : today)
  // Nobody pays a credit note: it has no day but its own.
  if (isCredit) return invoice > today ? [problem('sent_date_wrong', 'invoice_date', { mends: [today] })] : []
  if (due < invoice) return [problem('due_before_invoice', 'due_date', { mends: [mend] })]
  const sentDate = sent ?? alreadySent?.sentDate
  if (sentDate === undefined) return due < today ? [problem('due_passed', 'due_date', { mends: [mend] })] : []
  const isRight = sentDate <= today && canBeSentOn(sentDate, { invoiceDate: invoice, expireDate: due })
  return isRight
    ? []
    : [problem('sent_date_wrong', 'sent_date', { mends: invoice <= today ? [invoice] : [] })]
}

const FIELD_COLUMNS: Readonly<Record<string, ImportColumn>> = {
  invoiceNumber: 'invoice_number', invoiceDate: 'invoice_date', expireDate: 'due_date', currency: 'currency',
  paymentReference: 'reference', 'debtor.type': 'debtor_type', 'debtor.name': 'debtor_name',
  'debtor.identificationNumber': 'debtor_id', 'debtor.email': 'email', 'debtor.phone': 'phone',
  'debtor.address': 'address', 'debtor.zip': 'zip', 'debtor.city': 'city', 'debtor.countryCode': 'country',
  'debtor.customerNumber': 'customer_number', 'debtor.language': 'language', 'alreadySent.sentDate': 'sent_date',
  description: 'description', quantity: 'quantity', unitPrice: 'unit_price', vatPercent: 'vat_percent',
  vatReason: 'vat_reason',
} // biome-ignore format: a table

/** The problem of a field that the checks of drafts have refused, and in which row it stands. */
function refused(field: string): ImportProblem & { readonly row?: number } {
  const [, row, name] = /^rows\.(\d+)\.(\w+)$/.exec(field) ?? []
  const column = FIELD_COLUMNS[name ?? field] ?? null
  const code = field.startsWith('alreadySent')
    ? 'sent_date_wrong'
    : field === 'rows'
      ? 'total_wrong'
      : 'text_wrong'
  const found = problem(code, code === 'total_wrong' ? 'unit_price' : column)
  return row === undefined ? found : { ...found, row: Number(row) }
}

function bodyOf(rows: readonly Values[], judging: Judging): DraftBody {
  const first = rows[0] ?? {}
  const isCredit = first.type === 'CREDIT_NOTE'
  const said = isCredit ? first.invoice_date : first.sent_date
  const sign =
    isCredit && rows.reduce((sum, row) => sum + Number(row.quantity) * Number(row.unit_price), 0) < 0 ? -1 : 1
  const body = {
    invoiceNumber: first.invoice_number,
    debtor: {
      type: first.debtor_type,
      name: first.debtor_name,
      identificationNumber: first.debtor_id,
      email: first.email,
      phone: first.phone,
      address: first.address,
      zip: first.zip,
      city: first.city,
      countryCode: first.country,
      customerNumber: first.customer_number,
      language: first.language,
    },
    invoiceDate: first.invoice_date,
    expireDate: isCredit ? first.invoice_date : first.due_date,
    currency: first.currency,
    paymentReference: isCredit ? undefined : first.reference,
    alreadySent: said === undefined ? sentBefore(first, judging) : { sentDate: said },
    rows: rows.map((row) => ({
      description: row.description,
      quantity: sign < 0 ? negated(row.quantity ?? '') : row.quantity,
      unitPrice: row.unit_price,
      vatPercent: row.vat_percent,
      vatReason: row.vat_reason,
    })),
  }
  return body as DraftBody
}

function sentBefore({ debtor_type: type, due_date: due }: Values, judging: Judging) {
  const kind = type === 'COMPANY' ? 'COMPANY' : 'PERSON'
  const sent = due === undefined ? judging.alreadySent : sentOf(judging, { kind, dueDate: date(due) })
  return (
    sent && {
      sentDate: sent.sentDate,
      remindedOn: sent.remindedOn,
      reminderFee: amountText(sent.reminderFeeMinor),
    }
  )
}

/** What is said of the whole file, as it holds for one invoice: a reminder before its time was none, and cost nothing. */
function sentOf(
  { alreadySent, reminderTerms }: Judging,
  reminded: Parameters<typeof firstReminderDay>[1],
): AlreadySent | null {
  const on = alreadySent?.remindedOn
  if (!alreadySent || !on || on >= firstReminderDay(reminderTerms, reminded)) return alreadySent
  return { ...alreadySent, remindedOn: null, reminderFeeMinor: 0 }
}

/** What the creditor's reminder of an invoice may not have cost. */
function feeProblem(
  { invoice, terms: { alreadySent } }: ReadFile & { readonly terms: DraftTerms },
  { reminderTerms }: Judging,
): ImportProblem | undefined {
  if (!alreadySent?.remindedOn || alreadySent.reminderFeeMinor === 0) return undefined
  const { currency, issueDate, dueDate, payableMinor: totalMinor } = invoice
  const reminded = { kind: invoice.debtor.kind, currency, totalMinor, issueDate, dueDate }
  const { minor } = mostOfReminder(reminderTerms, reminded, date(alreadySent.remindedOn))
  if (alreadySent.reminderFeeMinor <= minor) return undefined
  return problem('reminder_fee_too_large', null, { params: { amount: amountText(minor), currency } })
}

const negated = (decimal: string): string => (decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`)

function draftOf(
  rows: readonly Values[],
  judging: Judging,
): (ReadFile & { readonly terms: DraftTerms }) | (ImportProblem & { readonly row?: number }) {
  const checked = invoiceDraft.safeParse(bodyOf(rows, judging))
  if (!checked.success) return refused(checked.error.issues[0]?.path.join('.') ?? '')
  try {
    const draft = readDraft(checked.data, judging.sheet.today)
    const { type, credited_invoice: credited } = rows[0] ?? {}
    const parsed = asParsed(judging.creditor, { ...draft, number: checked.data.invoiceNumber ?? '' })
    const invoice: ParsedInvoice =
      type === 'CREDIT_NOTE'
        ? { ...parsed, document: 'CreditNote', billingReferences: [credited ?? ''] }
        : parsed
    const file = { ...describeFile('draft', invoice, judging.identity), terms: draft.terms }
    return feeProblem(file, judging) ?? file
  } catch (error) {
    if (error instanceof Refusal) return refused(error.fields[0] ?? '')
    throw error
  }
}

/** What may be mended of a document: the rest of it stands as its creditor has signed it. */
export const MENDABLE_OF_DOCUMENT: readonly ImportColumn[] = ['invoice_number', 'due_date']

async function judgeDocument(row: ImportRow, judging: Judging): Promise<JudgedInvoice> {
  const found = await readDocument(row, judging)
  return 'code' in found
    ? { rows: [row], problems: new Map([[row.number, [found]]]) }
    : { rows: [row], problems: new Map(), file: found }
}

async function* whole(document: Uint8Array): AsyncGenerator<Uint8Array> {
  yield document
}

async function readDocument(
  { document, edits }: ImportRow,
  judging: Judging,
): Promise<(ReadFile & { readonly terms: DraftTerms }) | ImportProblem> {
  let parsed: ParsedInvoice
  try {
    parsed = await parseInvoice(whole(document ?? new Uint8Array()))
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    return problem('document_unreadable', null, {
      params: { detail: describeRefusal('', error).replace(/^, |^: /, '') },
    })
  }
  const invoice = {
    ...parsed,
    invoiceNumber: edits?.invoice_number?.trim() || parsed.invoiceNumber,
    dueDate: (edits?.due_date as CalendarDate | undefined) ?? parsed.dueDate,
  }
  const file = describeFile('document', invoice)
  if (file.creditorIdentity !== judging.identity) {
    return problem('other_creditor', null, { params: { name: invoice.creditor.name } })
  }
  const isCredit = file.type === 'CREDIT_INVOICE'
  if (invoice.payableMinor === 0) return problem('total_wrong', null)
  const { issueDate, dueDate, debtor } = invoice
  const [wrong] = dayProblems({ invoice: issueDate, due: dueDate, sent: undefined, isCredit }, judging)
  // When it was sent does not stand in a document: that is said of all of them.
  if (wrong) return wrong.field === 'sent_date' ? { ...wrong, field: null, mends: [] } : wrong
  const alreadySent = isCredit ? null : sentOf(judging, { kind: debtor.kind, dueDate })
  const terms = { ...NO_TERMS, customerNumber: customerOf(invoice), alreadySent }
  return feeProblem({ ...file, terms }, judging) ?? { ...file, terms }
}

const NO_TERMS = { distribution: null, language: null }
const customerOf = ({ customerNumber }: ParsedInvoice): string | null => customerNumber?.slice(0, 60) ?? null
