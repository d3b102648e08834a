/** A creditor's disputes, and its answers to them. */
import { date } from '@kvitt/domain/calendar.ts'
import type { BodyOf, Loosen } from '@kvitt/domain/contract.ts'
import { LONGEST_REASON } from '@kvitt/domain/disputes/dispute.ts'
import type {
  decideOfficeDispute,
  OfficeDisputeDetail,
} from '@kvitt/domain/disputes/office-dispute.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { Amount, amountText, parseAmount } from '@kvitt/domain/money.ts'
import { manyLines } from '@kvitt/domain/plain-text.ts'
import { deadlineOf } from '@kvitt/domain/tasks/task-kind.ts'
import { decideDispute, DecisionRefused } from '../../collection/collection.ts'
import type { Context } from '../../context.ts'
import { listFilesForStaff } from '../../documents/documents.ts'
import { within } from '../../platform/database/within.ts'
import type { Listed } from '../../platform/http/paging.ts'
import { Replayed } from '../../platform/http/replayed.ts'
import type { OfficeQuery } from '../../staff/office-list.ts'
import {
  actorOf,
  onceUnderKey,
  rightsOf,
  type AskedOnce,
  type ClientPrincipal,
  type OfficePrincipal,
} from '../../staff/staff.ts'
import {
  readOfficeDispute,
  searchDisputeRows,
  type OfficeDisputeDetailRow,
  type OfficeDisputeRow,
} from './office-disputes.queries.ts'

type Detail = Loosen<OfficeDisputeDetail>
type Acted = Pick<Detail, 'id' | 'version' | 'status'> & Partial<Detail>
type Listing = Omit<
  Detail,
  'email' | 'totalToPay' | 'paymentReference' | 'expireDate' | 'taskId' | 'files' | 'thread'
>

export async function searchOfficeDisputes(
  context: Context,
  principal: OfficePrincipal,
  query: OfficeQuery,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<Listed<Listing>> {
  const { items, total, page } = await searchDisputeRows(context, principal, query, body)
  return { items: items.map(({ text }) => present(JSON.parse(text) as OfficeDisputeRow)), total, page }
}

function present({ country, balances, ...row }: OfficeDisputeRow): Listing {
  const isOpen = row.status === 'OPEN'
  return {
    ...row,
    deadline: isOpen ? deadlineOf('dispute_to_answer', date(row.openedOn), country) : null,
    balances: {
      total: new Amount(balances.total),
      principal: new Amount(balances.principal),
      costs: new Amount(balances.costs),
      interest: new Amount(balances.interest),
    },
  }
}

/** Refuses `not_found`: another creditor's dispute does not exist. */
export async function findOfficeDispute(
  { db }: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<OfficeDisputeDetailRow> {
  const found = await readOfficeDispute(db, principal, id)
  if (!found) throw new Refusal('not_found')
  return found
}

export async function presentOfficeDispute(
  context: Context,
  principal: ClientPrincipal,
  row: OfficeDisputeDetailRow,
): Promise<Detail> {
  const listed = present(JSON.parse(row.json) as OfficeDisputeRow)
  const asked = { from: 'DEBTOR', text: listed.reason, date: listed.openedOn, by: null } as const
  const { decision, decided_by: decidedBy } = row
  const answered =
    decision === null || decidedBy === null || listed.decidedOn === null
      ? []
      : [{ from: 'CREDITOR', text: decision, at: null, date: listed.decidedOn, by: row.decider } as const]
  return {
    ...listed,
    email: row.email,
    totalToPay: new Amount(row.total_minor),
    paymentReference: row.reference,
    expireDate: row.expire_date,
    taskId: row.task_id,
    files: await listFilesForStaff(context, principal, listed.id),
    thread: [{ ...asked, at: new Date(row.created_at).toISOString() }, ...answered],
  }
}

type Wish = BodyOf<typeof decideOfficeDispute>

/**
 * The creditor's answer, once: under a key that has been used for it, the answer that stands. Refuses `dispute_answered`, and
 * `answer_required`, `reason_too_long` and `amount_invalid` before anything changes.
 */
export async function decideOffice(
  context: Context,
  principal: ClientPrincipal,
  row: OfficeDisputeDetailRow,
  { wish, asked }: { readonly wish: Wish; readonly asked: AskedOnce },
): Promise<Acted | Replayed<Acted>> {
  const { id } = JSON.parse(row.json) as OfficeDisputeRow
  const { isReplayed } = await onceUnderKey(context, principal, asked, async (tx) => {
    await decideWithin({ ...context, db: within(tx) }, principal, row, wish)
    return id
  })
  const whole = await presentOfficeDispute(
    context,
    principal,
    await findOfficeDispute(context, principal, id),
  )
  const { version, status, balances, currency } = whole
  // A program that may not read learns nobody's words by answering.
  const now: Acted = rightsOf(principal).includes('see') ? whole : { id, version, status, balances, currency }
  return isReplayed ? new Replayed(now) : now
}

async function decideWithin(
  context: Context,
  principal: ClientPrincipal,
  row: OfficeDisputeDetailRow,
  wish: Wish,
): Promise<void> {
  const { id, status, currency } = JSON.parse(row.json) as OfficeDisputeRow
  if (status !== 'OPEN') throw new Refusal('dispute_answered')
  const answer = manyLines(wish.answer)
  if (!saysSomething(answer)) throw new Refusal('answer_required', {}, ['answer'])
  if (answer.length > LONGEST_REASON)
    throw new Refusal('reason_too_long', { most: String(LONGEST_REASON) }, ['answer'])
  const amount = amountOf(wish, { currency, openMinor: row.principal_minor })
  const { decision } = wish
  const of = { instanceId: principal.instance.id, disputeId: id, by: actorOf(principal) }
  try {
    const done = await decideDispute(context, { ...of, decision, amount, answer })
    if (!done.isNew) throw new Refusal('dispute_answered')
  } catch (error) {
    if (!(error instanceof DecisionRefused)) throw error
    const now = await findOfficeDispute(context, principal, id)
    const isOpen = (JSON.parse(now.json) as OfficeDisputeRow).status === 'OPEN'
    throw isOpen ? amountInvalid(now.principal_minor) : new Refusal('dispute_answered')
  }
}

/** As decimal text, of what is upheld in part only. */
function amountOf(
  { decision, amount }: Wish,
  { currency, openMinor }: { currency: OfficeDisputeRow['currency']; openMinor: number },
): string | undefined {
  if (decision !== 'UPHOLD_PART') {
    if (amount === null || amount === undefined) return undefined
    throw new Refusal('invalid_request', {}, ['amount'])
  }
  const read = parseAmount(String(amount ?? ''), currency)
  if (read && read.minor > 0 && read.minor < openMinor) return amountText(read.minor)
  throw amountInvalid(openMinor)
}

const amountInvalid = (openMinor: number): Refusal =>
  new Refusal('amount_invalid', { most: amountText(openMinor) }, ['amount'])
