/** Judges the invoices of an import against what is here already, and keeps what was found of their rows. */
import type { ImportProblem } from '@kvitt/domain/imports/import-problem.ts'
import { readCreditor } from '../../creditors/creditors.ts'
import type { Connection, Transaction } from '../../platform/database/database.ts'
import { findCreditedStatus } from '../credit-notes.queries.ts'
import { isCreditable } from '../credit-notes.ts'
import { readCreditorIdentity } from '../drafts.queries.ts'
import { judgeByReminderTerms } from '../earlier-reminder.ts'
import type { AlreadySent, ReadFile } from '../import-run.ts'
import { readHeldDocuments } from '../imports.queries.ts'
import { readOwners } from '../parties.queries.ts'
import { judgeRows as keepJudged, type ImportRow, type JudgedRow } from './import-rows.queries.ts'
import { judgeInvoice, tooMany, type JudgedInvoice, type Judging } from './judge-invoice.ts'
import type { ImportKey, LockedImport } from './office-imports.queries.ts'
import { DOCUMENT_MAPPING } from './read-import-file.ts'

/** What is needed to judge the rows of an import. */
export async function openJudging(
  db: Transaction,
  { instance_id: instanceId, creditor_id: creditorId, ...one }: LockedImport,
  {
    today,
    alreadySent,
  }: { readonly today: Judging['sheet']['today']; readonly alreadySent: AlreadySent | null },
): Promise<Judging> {
  const creditor = await readCreditor(db, instanceId, creditorId)
  const identity = await readCreditorIdentity(db, instanceId, creditorId)
  const isOfDocuments = one.format === 'UBL' || one.format === 'ZIP'
  const mapping = isOfDocuments ? DOCUMENT_MAPPING : one.mapping
  return {
    sheet: { columns: one.columns, mapping, country: creditor.country, today },
    creditor,
    identity,
    alreadySent,
    reminderTerms: await judgeByReminderTerms(db, { instanceId, creditorId }),
  }
}

/** Rows of one invoice number after each other, as one group for each. */
export function groupRows(rows: readonly ImportRow[]): ImportRow[][] {
  const groups: ImportRow[][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last?.[0]?.invoice_number === row.invoice_number) last.push(row)
    else groups.push([row])
  }
  return groups
}

/**
 * Without the last invoice of a full batch, whose other rows may be in the next; one that fills the whole batch has too many
 * rows in any case, and each part of it says so.
 */
export function wholeInvoices(rows: readonly ImportRow[], limit: number): readonly ImportRow[] {
  const last = rows.at(-1)?.invoice_number
  if (rows.length < limit || last === '') return rows
  const whole = rows.filter(({ invoice_number: number }) => number !== last)
  return whole.length === 0 ? rows : whole
}

type Groups = {
  readonly groups: readonly (readonly ImportRow[])[]
  readonly judging: Judging
  /** The invoice that filled the batch before: what is left of it here is of the same, and too many. */
  readonly continued: string
}

type Of = { readonly instanceId: string; readonly creditorId: string }

/** Judges groups, each by itself, and then by what its creditor has here already. */
export async function judgeGroups(
  db: Connection,
  of: Of,
  { groups, judging, continued }: Groups,
): Promise<(JudgedInvoice & { readonly isHeld?: boolean })[]> {
  const invoices: JudgedInvoice[] = []
  for (const group of groups) {
    const isContinued = continued !== '' && group[0]?.invoice_number === continued
    invoices.push(...(isContinued ? [tooMany(group)] : await judgeInvoice(group, judging)))
  }
  const files = invoices.flatMap(({ file }) => file ?? [])
  const held = await readHeld(db, of, files)
  const isPayee = await readPayees(db, of, files)
  const first = new Map<string, ReadFile>()
  const judged: (JudgedInvoice & { readonly isHeld?: boolean })[] = []
  for (const invoice of invoices) {
    const { file } = invoice
    if (!file) {
      judged.push(invoice)
      continue
    }
    const hash = held.get(file.documentKey) ?? first.get(file.documentKey)?.hash
    if (!first.has(file.documentKey)) first.set(file.documentKey, file)
    const found =
      hash === undefined
        ? (accountProblem(file, isPayee) ?? (await creditProblem(db, of, file)))
        : file.hash.equals(hash)
          ? undefined
          : taken(file)
    if (found)
      judged.push({ rows: invoice.rows, problems: new Map([[invoice.rows[0]?.number ?? 0, [found]]]) })
    else judged.push({ ...invoice, isHeld: hash !== undefined })
  }
  return judged
}

const taken = ({ invoice }: ReadFile): ImportProblem => ({
  code: 'number_taken',
  field: 'invoice_number',
  params: { number: invoice.invoiceNumber },
  mends: [],
})

async function readHeld(
  db: Connection,
  { instanceId, creditorId }: Of,
  files: readonly ReadFile[],
): Promise<Map<string, Buffer>> {
  if (files.length === 0) return new Map()
  const wanted = files.map(({ type, invoice }) => ({ creditorId, type, number: invoice.invoiceNumber }))
  const keys = new Map(files.map((file) => [`${file.type}|${file.invoice.invoiceNumber}`, file.documentKey]))
  const held = await readHeldDocuments(db as Transaction, instanceId, wanted)
  return new Map(
    held.flatMap(({ type, number, content_hash: hash }) => {
      const key = keys.get(`${type}|${number}`)
      return key === undefined ? [] : [[key, hash ?? Buffer.alloc(0)] as const]
    }),
  )
}

/** Which of the accounts that these files print are the creditor's, or the provider's own. */
async function readPayees(
  db: Connection,
  { instanceId, creditorId }: Of,
  files: readonly ReadFile[],
): Promise<(numberKey: string) => boolean> {
  const printed = new Map(
    files.flatMap(({ invoice: { account } }) => (account ? [[account.numberKey, account]] : [])),
  )
  const owners = printed.size === 0 ? new Map<string, never>() : await readOwners(db, instanceId, printed)
  return (key) => {
    const owner = owners.get(key)
    return owner !== undefined && (owner.creditor_id === null || owner.creditor_id === creditorId)
  }
}

/** Whom debtors pay is decided by two people, never by a file. */
function accountProblem(
  { type, invoice: { account } }: ReadFile,
  isPayee: (numberKey: string) => boolean,
): ImportProblem | undefined {
  if (!account || type === 'CREDIT_INVOICE' || isPayee(account.numberKey)) return undefined
  const number = account.accountNumber ?? account.iban ?? ''
  return { code: 'account_unknown', field: null, params: { number }, mends: [] }
}

/** A credit note is about one invoice that has been sent. */
async function creditProblem(
  db: Connection,
  { instanceId, creditorId }: Of,
  file: ReadFile,
): Promise<ImportProblem | undefined> {
  if (file.type !== 'CREDIT_INVOICE') return undefined
  const [number, ...others] = file.invoice.billingReferences
  const status =
    number === undefined || others.length > 0
      ? undefined
      : await findCreditedStatus(db, { instanceId, creditorId, number })
  const params = { number: file.invoice.billingReferences.join(', ') || '–' }
  if (status === undefined) return { code: 'credited_unknown', field: 'credited_invoice', params, mends: [] }
  const isUnsent = status === 'CREATED' || status === 'PENDING' || status === 'ARCHIVED'
  if (isUnsent) return { code: 'credited_unsent', field: 'credited_invoice', params, mends: [] }
  // What waits for the bank can be credited once that is done. An invoice below zero is no credit note of another.
  const { document, payableMinor } = file.invoice
  const isApplied =
    document === 'CreditNote' &&
    payableMinor > 0 &&
    (status === 'PENDING_AUTHORIZATION' || isCreditable({ status }))
  return isApplied ? undefined : { code: 'credit_not_applied', field: 'credited_invoice', params, mends: [] }
}

const OTHER_ROW: readonly ImportProblem[] = [{ code: 'other_row', field: null, mends: [] }]

/** What is kept of the rows of an invoice. */
export function rowsOf({
  rows,
  problems,
  file,
  isHeld,
}: JudgedInvoice & { readonly isHeld?: boolean }): JudgedRow[] {
  const sum =
    file &&
    (file.type === 'CREDIT_INVOICE' ? -Math.abs(file.invoice.payableMinor) : file.invoice.payableMinor)
  return rows.map(({ number }, index) => ({
    number,
    state: file ? (isHeld ? 'UNCHANGED' : 'READY') : 'WRONG',
    problems: file ? [] : problems.get(number)?.length ? (problems.get(number) ?? []) : OTHER_ROW,
    totalMinor: index === 0 ? (sum ?? null) : null,
    currency: index === 0 ? (file?.invoice.currency ?? null) : null,
  }))
}

/** Judges the rows that are read, and keeps what was found. */
export async function judgeAndKeep(
  tx: Transaction,
  key: ImportKey,
  {
    rows,
    creditorId,
    ...asked
  }: Omit<Groups, 'groups'> & { readonly rows: readonly ImportRow[]; readonly creditorId: string },
): Promise<void> {
  const of = { instanceId: key.instanceId, creditorId }
  const judged = await judgeGroups(tx, of, { groups: groupRows(rows), ...asked })
  await keepJudged(tx, key, judged.flatMap(rowsOf))
}
