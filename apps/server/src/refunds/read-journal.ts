/**
 * The journal of payments read back, after the database was put back to an earlier moment (decision 050): each payment, and right after it
 * the refunds of it, before anybody could order them once more. Run twice it changes nothing the second time.
 */
import {
  readJournalLine,
  type JournalLine,
  type MadeLine,
  type PaymentLine,
  type RefundLine,
} from '@kvitt/domain/payments/journal-line.ts'
import { isFinal } from '@kvitt/domain/payments/payment.ts'
import { noteDeed } from '../audit/audit.ts'
import { lockBankFiles } from '../bank-files/bank-files.ts'
import type { Context } from '../context.ts'
import {
  GatewayUnavailable,
  lockDebtOf,
  lookAtPayment,
  orFailed,
  OUTCOMES,
  providersHere,
  recordPaymentResult,
  restorePayments,
  type Outcome,
  type SeenPayment,
} from '../payments/payments.ts'
import { isUniqueViolation, type Connection } from '../platform/database/database.ts'
import { keptDays, readLines } from '../platform/store/line-journal.ts'
import { openStore } from '../platform/store/open-store.ts'
import { endTasks, openTask } from '../tasks/tasks.ts'
import { followRefund } from './follow-refund.ts'
import {
  findInstanceOfPayment,
  insertRefundRow,
  isKnownRefund,
  readOwedBack,
  type RefundRow,
} from './refunds.queries.ts'

const NONE = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Readonly<Record<Outcome, number>>

export type Summary = {
  /** By what became of them. */
  readonly payments: Readonly<Record<Outcome, number>>
  readonly refunds: Readonly<Record<Outcome, number>>
  /** Lines of files that were cut off in the middle, or are none of ours. */
  readonly unreadable: number
}

type Asked = PaymentLine | RefundLine
/** Hears of each line as it is done. */
export type Hearing = (line: Asked, outcome: Outcome) => void

/**
 * The journal of the last `days` days, of all instances. `by` is who reads it, for the audit log. Throws StoreUnavailable; what fails of one
 * line is its outcome.
 */
export async function readJournal(
  context: Context,
  { by, days, hear = () => {} }: { readonly by: string; readonly days: number; readonly hear?: Hearing },
): Promise<Summary> {
  const store = openStore(context.config.stores.journal)
  const read = await readLines(store, keptDays(context.clock, days))
  const lines = read.lines.flatMap((line) => readJournalLine(line) ?? [])
  const unreadable = read.unreadable + read.lines.length - lines.length
  const counts = new Map<string, { payments: Record<Outcome, number>; refunds: Record<Outcome, number> }>()
  for await (const { line, outcome } of restoreAll(context, lines)) {
    const of = counts.get(line.instance) ?? { payments: { ...NONE }, refunds: { ...NONE } }
    of[line.kind === 'payment' ? 'payments' : 'refunds'][outcome] += 1
    counts.set(line.instance, of)
    hear(line, outcome)
  }
  const providers = await providersHere(context, lines)
  for (const [instanceId, after] of counts)
    if (providers.has(instanceId))
      await noteDeed(context.db, { instanceId, kind: 'journal_read', by, about: 'payment-journal', after })
  const sum = (kind: 'payments' | 'refunds'): Record<Outcome, number> => {
    const total = { ...NONE }
    for (const of of counts.values()) for (const outcome of OUTCOMES) total[outcome] += of[kind][outcome]
    return total
  }
  return { payments: sum('payments'), refunds: sum('refunds'), unreadable }
}

/** Each payment, then its refunds; at the end those of payments that no line of these days tells of. */
async function* restoreAll(
  context: Context,
  lines: readonly JournalLine[],
): AsyncGenerator<{ readonly line: Asked; readonly outcome: Outcome }> {
  const refunds = new Map<string, RefundLine[]>()
  for (const refund of once(lines.filter(isOf('refund'))))
    refunds.set(refund.payment, [...(refunds.get(refund.payment) ?? []), refund])
  const providers = await providersHere(context, lines)
  const restoreOf = async (line: RefundLine, ofPayment: Outcome | undefined): Promise<Outcome> => {
    if (!providers.has(line.instance)) return 'no_provider'
    return orFailed(context, line, () => restoreRefund(context, line, ofPayment))
  }
  for await (const { line, outcome } of restorePayments(context, paymentsOf(lines))) {
    yield { line, outcome }
    for (const refund of refunds.get(line.id) ?? [])
      yield { line: refund, outcome: await restoreOf(refund, outcome) }
    refunds.delete(line.id)
  }
  for (const refund of [...refunds.values()].flat())
    yield { line: refund, outcome: await restoreOf(refund, undefined) }
}

const isOf =
  <Kind extends JournalLine['kind']>(kind: Kind) =>
  (line: JournalLine): line is Extract<JournalLine, { kind: Kind }> =>
    line.kind === kind

/** A line may have been written twice, where nobody knew whether it was. */
const once = <Line extends { readonly id: string }>(lines: readonly Line[]): Line[] => [
  ...new Map(lines.map((line) => [line.id, line])).values(),
]

/** In the order in which they were started: a later one may stand in an earlier one's place. */
function paymentsOf(lines: readonly JournalLine[]): {
  payments: PaymentLine[]
  made: Map<string, MadeLine>
} {
  const payments = once(lines.filter(isOf('payment'))).sort(
    (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt),
  )
  return { payments, made: new Map(lines.filter(isOf('made')).map((line) => [line.id, line])) }
}

/** Money that went back, or is on its way, though the database has forgotten who ordered it: else it would go back twice. */
async function restoreRefund(
  context: Context,
  line: RefundLine,
  ofPayment: Outcome | undefined,
): Promise<Outcome> {
  if (await isKnownRefund(context.db, line)) return 'known'
  // Of what nobody could ask about, nobody can say that it is not owed back: the next run tells.
  if (ofPayment === 'unreachable' || ofPayment === 'failed') return ofPayment
  const { instance: instanceId, id: refundId } = line
  if ((await findInstanceOfPayment(context.db, line.payment)) !== instanceId)
    return askForRefund(context, line, 'no_payment')
  const key = { instance_id: instanceId, id: line.payment }
  // What it is of may be on its way here still: what is owed back comes with its money.
  if (!isFinal((await lookAtPayment(context.db, key)).status))
    await recordPaymentResult(context, key, 'journal')
  const payment = await lookAtPayment(context.db, key)
  // Money has gone back of what has not come, says its gateway: it has not told all yet.
  const isOpen = !isFinal(payment.status)
  const refunds = context.gateways.find(({ code }) => code === payment.gateway)?.refunds
  if (!refunds) return askForRefund(context, line, 'no_gateway')
  try {
    const found = await refunds.read({ instanceId, refundId, payeeAccount: payment.payee_account })
    // No money has left: what is owed back is still asked for.
    if (!found || found.status === 'FAILED') {
      await endAsked(context.db, line)
      return 'never_made'
    }
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    return 'unreachable'
  }
  if (isOpen) return 'unreachable'
  const row = await insertLost(context, line, payment).catch((error: unknown) => {
    if (isUniqueViolation(error, 'refund_pkey')) return 'twin' as const
    // Another has been ordered since: two are on their way for one that is owed.
    if (isUniqueViolation(error, 'refund_one_under_way')) return undefined
    throw error
  })
  if (row === 'twin') return 'known'
  if (!row) return askForRefund(context, line, 'not_owed')
  await followRefund(context, row)
  return 'remade'
}

/** Undefined where it is not owed back any more. */
function insertLost(
  context: Context,
  line: RefundLine,
  payment: SeenPayment,
): Promise<RefundRow | undefined> {
  return context.db.transaction(async (tx) => {
    await lockBankFiles(tx, line.instance)
    const { claim, invoice } = await lockDebtOf(tx, payment)
    const debts = [payment.invoice_id, payment.claim_id, (claim ?? invoice).id].filter((id) => id !== null)
    const owed = (await readOwedBack(tx, payment, debts)).find(({ about }) => about === line.about)
    if (!owed || owed.left_minor < line.amountMinor) return undefined
    // An earlier run may have asked a person, before its payment was here.
    await endAsked(tx, line)
    return insertRefundRow(tx, {
      instance_id: line.instance,
      id: line.id,
      payment_id: line.payment,
      about: line.about,
      amount_minor: line.amountMinor,
      currency: line.currency,
      callback_secret: line.callbackSecret,
    })
  })
}

async function askForRefund(
  { db }: Context,
  { instance: instanceId, id, payment, amountMinor, currency }: RefundLine,
  why: 'no_payment' | 'no_gateway' | 'not_owed',
): Promise<Outcome> {
  const details = { why, payment, amountMinor, currency }
  await openTask(db, { instanceId, kind: 'payment_lost', about: `refund:${id}`, details })
  return 'asked'
}

async function endAsked(db: Connection, { instance: instanceId, id }: RefundLine): Promise<void> {
  await endTasks(db, { instanceId, kind: 'payment_lost', abouts: [`refund:${id}`] })
}
