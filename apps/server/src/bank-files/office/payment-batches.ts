/** Bank files as an operator's people see them: what was in each, and where every öre of it is. */
import { BANK_LINE_STATUSES } from '@kvitt/domain/bank-files/bank-desk.ts'
import type { PaymentBatch, PaymentBatchLine } from '@kvitt/domain/bank-files/payment-batch.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount } from '@kvitt/domain/money.ts'
import type { Context } from '../../context.ts'
import { readPage, type Listed } from '../../platform/http/paging.ts'
import type { OfficeQuery } from '../../staff/office-list.ts'
import type { OperatorMember } from '../../staff/staff.ts'
import {
  readBatch,
  readBatchLines,
  searchBatchRows,
  type BatchJson,
  type BatchLineRow,
  type OnJson,
  type Sums,
} from './batches.queries.ts'

const FIRST_LINES = 1000

export async function searchBatches(
  context: Context,
  principal: OperatorMember,
  query: OfficeQuery,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<Listed<Loosen<PaymentBatch>>> {
  const { items, total, page } = await searchBatchRows(context, principal, query, body)
  return { items: items.map(({ text }) => presentBatch(JSON.parse(text) as BatchJson)), total, page }
}

/** Refuses `not_found`: another provider's file does not exist. */
export async function findBatch(
  { db }: Pick<Context, 'db'>,
  principal: OperatorMember,
  id: string,
): Promise<BatchJson> {
  const json = await readBatch(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return JSON.parse(json) as BatchJson
}

/** The file with its first lines. */
export async function presentWithLines(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  row: BatchJson,
): Promise<Loosen<PaymentBatch & { lines: PaymentBatchLine[] }>> {
  const wanted = { statuses: null, limit: FIRST_LINES, offset: 0 }
  const { lines } = await readBatchLines(db, { instanceId: instance.id, fileId: row.id }, wanted)
  return { ...presentBatch(row), lines: lines.map(presentLine) }
}

/** Lines of the file in its order. Refuses `invalid_filter`. */
export async function listBatchLines(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  {
    row,
    query,
  }: { readonly row: BatchJson; readonly query: OfficeQuery & { readonly status?: string | undefined } },
): Promise<Listed<Loosen<PaymentBatchLine>>> {
  const statuses = query.status ? query.status.split('[OR]') : null
  const known: readonly string[] = BANK_LINE_STATUSES
  if (statuses?.some((status) => !known.includes(status))) throw new Refusal('invalid_filter', {}, ['status'])
  const page = readPage({ limit: query.limit ?? '1000', page: query.page }, true)
  const { lines, total } = await readBatchLines(
    db,
    { instanceId: instance.id, fileId: row.id },
    { statuses, limit: page.limit, offset: (page.page - 1) * page.limit },
  )
  return { items: lines.map(presentLine), total, page }
}

const sumsOf = ({ amountMinor, suspenseMinor, waitingMinor }: Omit<Sums, 'currency'>) => ({
  amount: new Amount(amountMinor),
  booked: new Amount(amountMinor - suspenseMinor - waitingMinor),
  suspense: new Amount(suspenseMinor),
  unplaced: new Amount(waitingMinor),
})

const NOTHING = { lines: 0, inSuspense: 0, waiting: 0, amountMinor: 0, suspenseMinor: 0, waitingMinor: 0 }

/** The file as the wire has it. */
export function presentBatch({ sums, accounts, ...row }: BatchJson): Loosen<PaymentBatch> {
  const [one, ...others] = sums
  const isOne = one !== undefined && others.length === 0
  const count = (name: 'lines' | 'inSuspense' | 'waiting'): number =>
    sums.reduce((all, each) => all + each[name], 0)
  return {
    ...row,
    accounts: [...accounts],
    payments: count('lines'),
    counts: {
      booked: count('lines') - count('inSuspense') - count('waiting'),
      suspense: count('inSuspense'),
      unplaced: count('waiting'),
    },
    currency: isOne ? one.currency : null,
    ...sumsOf(isOne ? one : NOTHING),
    sums: sums.map((each) => ({ currency: each.currency, ...sumsOf(each) })),
  }
}

/** What money is booked on, as the wire has it. */
export function presentOn(on: readonly OnJson[]) {
  return on.map(({ amountMinor, ...debt }) => ({ ...debt, amount: new Amount(amountMinor) }))
}

function presentLine(row: BatchLineRow): Loosen<PaymentBatchLine> {
  const { id, number, kind, status, currency, payer, message, match, reason } = row
  return {
    id,
    number,
    kind,
    status,
    amount: new Amount(row.signed_minor),
    currency,
    bankDate: row.bank_date,
    account: row.account_key,
    references: [...row.payment_references],
    payer,
    message,
    match,
    reason,
    on: presentOn(row.booked_on),
  }
}
