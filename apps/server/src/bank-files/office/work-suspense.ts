/** What an operator's person does with money in suspense: each act in one transaction, once for each `Idempotency-Key`. */
import type { PlacementBody, SuspenseCase } from '@kvitt/domain/bank-files/suspense.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount, amountText, parseAmount, type Currency } from '@kvitt/domain/money.ts'
import type { Context } from '../../context.ts'
import { tryAgain } from '../../imports/imports.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Replayed } from '../../platform/http/replayed.ts'
import { onceByOperator } from '../../staff/staff.ts'
import { actorOf, type AskedOnce, type OperatorMember } from '../../staff/staff.ts'
import { payParts, type Part } from '../place-parts.ts'
import { openPlacement, perform, type Named, type PlacementWork } from '../place-suspense.ts'
import { PlacementRefused } from '../placement-refused.ts'
import { CODES } from './placement-codes.ts'
import { readPaidNow, readPreview } from './preview.queries.ts'
import { findSuspense, presentCase, type SuspenseLine } from './suspense-case.ts'

type Target = { readonly to: Named } | { readonly parts: readonly Part[] }

export type Act = {
  readonly context: Context
  readonly principal: OperatorMember
  readonly row: SuspenseLine
  readonly asked: AskedOnce
}
type Acted = Loosen<SuspenseCase> | Replayed<Loosen<SuspenseCase>>

/** Books the money on a debt or on several. Answers the case as it is then. */
export function placeMoney(act: Act, body: PlacementBody): Promise<Acted> {
  return once(act, {}, (work) => placeOn(work, targetOf(body, act.row.currency)))
}

/** Has it sent back to whoever paid; a task asks for that. */
export function sendMoneyBack(act: Act, reason: string | undefined): Promise<Acted> {
  return once(act, { reason }, async (work) => {
    // Whoever sends back what goes back already is told so, unless it is the same act again.
    if (work.line.status === 'SENT_BACK') throw new Refusal('not_in_suspense')
    await perform(work, 'back')
  })
}

/** Under a key once; the twin that comes second finds the money gone. */
export async function once(
  { context, principal, row, asked }: Act,
  { reason }: { readonly reason?: string | undefined },
  work: (placement: PlacementWork) => Promise<void>,
): Promise<Acted> {
  const { isReplayed } = await tryAgain(() =>
    onceByOperator(context, principal, asked, async (tx) => {
      const line = { context, principal, lineId: row.id }
      await asRefusals(async () => work(await openLine(tx, line, reason)))
      return row.id
    }),
  )
  const answer = await presentCase(context, principal, await findSuspense(context, principal, row.id))
  return isReplayed ? new Replayed(answer) : answer
}

/** The line under the lock of whoever places lines. */
export function openLine(
  tx: Transaction,
  { context, principal, lineId }: Omit<Act, 'asked' | 'row'> & { readonly lineId: string },
  reason?: string,
): Promise<PlacementWork> {
  const { instance } = principal
  return openPlacement(context, tx, {
    placement: { instanceId: instance.id, lineId, by: actorOf(principal), reason },
    today: context.clock.today(instance.timeZone),
  })
}

/** A line as a proposal about it has it. The payer's name stays out of what can never be erased. */
export function lineState(line: PlacementWork['line']) {
  const { amount_minor: minor, currency, bank_date: bankDate, account_key: account, status } = line
  return { amount: amountText(minor), currency, bankDate, account, status }
}

async function placeOn(work: PlacementWork, target: Target): Promise<void> {
  // Another person may have placed it, on the same debt even: only the same act again is harmless.
  if (work.line.status !== 'SUSPENSE') throw new Refusal('not_in_suspense')
  await asRefusals(
    async () => void (await ('to' in target ? perform(work, target.to) : payParts(work, target.parts))),
    target,
  )
}

/** Ends the transaction of a preview: what it has written is read, and never stays. */
class NeverKept extends Error {}

export type Seen = {
  postings: { account: string; number: string | null; name: string | null; amount: Amount }[]
  after: { type: 'invoices' | 'collection-batches'; id: string; number: string; owed: Amount }[]
}

/** What placing it so would write in the books. */
export function previewMoney(act: Omit<Act, 'asked'>, body: PlacementBody): Promise<Seen> {
  const target = targetOf(body, act.row.currency)
  return previewWork(act, (work) => placeOn(work, target))
}

/** What `work` would write about the line: it is done, read and taken back before anybody sees it. */
export async function previewWork(
  { context, principal, row }: Omit<Act, 'asked'>,
  work: (placement: PlacementWork) => Promise<void>,
): Promise<Seen> {
  const { id: instanceId } = principal.instance
  let seen: Seen | undefined
  try {
    await context.db.transaction(async (tx) => {
      await work(await openLine(tx, { context, principal, lineId: row.id }))
      const owed = await readPaidNow(tx, instanceId, row.id)
      const postings = await readPreview(
        tx,
        { instanceId, lineId: row.id },
        owed.map(({ id }) => id),
      )
      seen = {
        postings: postings.map(({ minor, ...posting }) => ({ ...posting, amount: new Amount(minor) })),
        after: owed.map(({ owed_minor: minor, ...debt }) => ({ ...debt, owed: new Amount(minor) })),
      }
      throw new NeverKept()
    })
  } catch (error) {
    if (!(error instanceof NeverKept)) throw error
  }
  if (!seen) throw new Error('a preview was not read')
  return seen
}

/** Refuses a body that names no debt, or more than one without parts. */
function targetOf({ invoice, collectionBatch, parts }: PlacementBody, currency: Currency): Target {
  if (parts === null || parts === undefined) return { to: namedBy({ invoice, collectionBatch }, '') }
  if (invoice || collectionBatch) throw new Refusal('invalid_request', {}, ['parts'])
  return {
    parts: parts.map((part, index) => {
      const amount = parseAmount(String(part.amount), currency)
      if (!amount) throw new Refusal('amount_malformed', {}, [`parts.${index}.amount`])
      return { ...namedBy(part, `parts.${index}.`), amountMinor: amount.minor }
    }),
  }
}

function namedBy(
  { invoice, collectionBatch }: Pick<PlacementBody, 'invoice' | 'collectionBatch'>,
  at: string,
): Named {
  if (Boolean(invoice) === Boolean(collectionBatch))
    throw new Refusal('invalid_request', {}, [`${at}invoice`, `${at}collectionBatch`])
  return invoice ? { kind: 'invoice', name: invoice } : { kind: 'claim', name: collectionBatch ?? '' }
}

/** The field of a part, or of the whole body, that a refusal is about. */
function fieldOf({ code, part }: PlacementRefused, target: Target | undefined): string[] {
  if (CODES[code] === 'not_in_suspense' || CODES[code] === 'not_found') return []
  if (code === 'parts_differ') return ['parts']
  const meant = target && ('to' in target ? target.to : target.parts[part ?? 0])
  const debt = meant?.kind === 'claim' ? 'collectionBatch' : 'invoice'
  const name = code === 'part_too_large' ? 'amount' : debt
  return [part === undefined ? name : `parts.${part}.${name}`]
}

async function asRefusals<Done>(work: () => Promise<Done>, target?: Target): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PlacementRefused)) throw error
    throw new Refusal(CODES[error.code], error.params, fieldOf(error, target))
  }
}
