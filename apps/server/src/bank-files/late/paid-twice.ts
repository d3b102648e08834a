/**
 * A debit in suspense is of rows that two people had said were not executed, and what they paid has gone another way since: they were paid
 * twice. One person says so, another agrees; what whoever got it owes back stands on an account of its own until it has come.
 */
import type { SuspenseCase } from '@kvitt/domain/bank-files/suspense.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { bookOutOfSuspense } from '@kvitt/domain/ledger/arrival.ts'
import { PAID_TWICE } from '@kvitt/domain/ledger/own-money.ts'
import { amountText, money } from '@kvitt/domain/money.ts'
import { lockPayouts, sayPaidTwice } from '../../payouts/payouts.ts'
import type { Replayed } from '../../platform/http/replayed.ts'
import { newId } from '../../platform/identity.ts'
import { propose, type ProposalWork, type ProposedState } from '../../proposals/proposals.ts'
import { requireFreshSignIn } from '../../staff/staff.ts'
import { openTask } from '../../tasks/tasks.ts'
import { lockBankFiles } from '../bank-files.queries.ts'
import { settleRows } from '../money-out.ts'
import { namesRow } from '../money-out.queries.ts'
import { lineState, once, openLine, type Act, type Seen } from '../office/work-suspense.ts'
import { note, type PlacementWork } from '../place-suspense.ts'
import { readLine } from '../suspense.queries.ts'
import { readFileOfOrder } from './late-orders.queries.ts'
import { lockDebtsOfOrders } from './lock-debts.ts'
import { insertPaidTwiceRow, isPaidTwice } from './paid-twice.queries.ts'
import { previewIn } from './preview.ts'
import { namedTwice, rowsOfDebit, type RowsOfDebit } from './rows-of-debit.ts'
import type { OutWork } from './take-up-order.ts'

type Line = PlacementWork['line']
type Reading = Pick<OutWork, 'tx' | 'instanceId'>
type Found = RowsOfDebit & {
  readonly fileId: string
  /** What the file is called at the bank. */
  readonly messageId: string
  /** The debit names the row. */
  readonly isNamed: boolean
}

/**
 * What the debit is of, with its debts and rows locked. Refuses `not_in_suspense`, `paid_twice_already` for one more debit of a row that is
 * known to be paid twice, `entry_not_open` for what is no debit of client funds or
 * names a row that is not said to be not executed, `file_sum_differs`, `nothing_paid_twice` where all of it is owed
 * still, and `other_payment_under_way` until the other way has left. Ask under lockBankFiles.
 * @param file null for the row that the debit names
 */
async function lockTwice(work: Reading, line: Line, file: string | null): Promise<Found> {
  const { tx, instanceId } = work
  if (line.status !== 'SUSPENSE') throw new Refusal('not_in_suspense')
  if (line.kind !== 'OUTGOING' || line.holder !== 'INSTANCE' || line.is_doubtful)
    throw new Refusal('entry_not_open')
  const isNamed = await namesRow(tx, instanceId, line.named_payment_id)
  if (isNamed !== (file === null)) throw new Refusal('entry_not_open')
  const fileId = file ?? (await readFileOfOrder(tx, instanceId, line.named_payment_id ?? ''))
  await lockDebtsOfOrders(tx, instanceId, { fileId })
  const [row] = await lockPayouts(tx, instanceId, fileId)
  const found = isNamed ? await namedTwice(work, line) : await rowsOfDebit(work, line, fileId)
  if (!isNamed && !found) throw new Refusal('file_sum_differs', {}, ['file'])
  if (!found && (await isPaidTwice(tx, instanceId, line.named_payment_id)))
    throw new Refusal('paid_twice_already')
  if (!found || found.twice.length === 0) throw new Refusal('nothing_paid_twice')
  // It may be refused or taken back: the debit is what has paid then.
  if (found.isUnderWay) throw new Refusal('other_payment_under_way')
  return { ...found, fileId, messageId: row?.messageId ?? '', isNamed }
}

const outOf = ({ context: { clock }, tx, line, today }: PlacementWork): OutWork => {
  return { tx, clock, instanceId: line.instance_id, today }
}

/** As its proposal has it, by ids and sums: a name could never be erased from there. */
function stateOf(line: Line, found: Found): ProposedState {
  const { fileId, isNamed, outs, late, twice } = found
  const sumOf = (rows: readonly { readonly amount_minor: number }[]) =>
    amountText(rows.reduce((sum, { amount_minor: minor }) => sum + minor, 0))
  const shown = (rows: readonly { readonly id: string | null; readonly amount_minor: number }[]) =>
    rows.map(({ id, amount_minor: minor }) => ({ id, amount: amountText(minor) }))
  const others = [...outs.map(({ order_id: id, amount_minor }) => ({ id, amount_minor })), ...late]
  const rows = { twice: shown(twice), others: shown(others) }
  return {
    ...lineState(line),
    name: found.messageId,
    count: twice.length,
    paidTwice: sumOf(twice),
    ...(others.length === 0 ? {} : { leftWith: sumOf(others) }),
    payoutFile: fileId,
    isNamed,
    ...rows,
  }
}

const fileOf = ({ payoutFile, isNamed }: ProposedState): string | null =>
  isNamed ? null : String(payoutFile)

/** Proposes it. Refuses as lockTwice, a sign-in that is not fresh, and `proposal_open`. */
export function proposePaidTwice(
  act: Act,
  file: string | null,
): Promise<Loosen<SuspenseCase> | Replayed<Loosen<SuspenseCase>>> {
  return once(act, {}, async (work) => {
    const { context, principal } = act
    const found = await lockTwice(outOf(work), work.line, file)
    requireFreshSignIn(context, principal)
    const before = stateOf(work.line, found)
    const { payoutFile: _file, isNamed: _isNamed, twice: _twice, others: _others, ...shown } = before
    const after = { ...shown, status: 'PAID_TWICE' }
    const about = `bank-line:${work.line.id}`
    await propose(work.tx, context, principal, { kind: 'paid_twice', about, creditorId: null, before, after })
  })
}

/** What it would write in the books. No proposal is written for it, and nothing stays. */
export function previewPaidTwice(
  { context, principal, row }: Omit<Act, 'asked'>,
  file: string | null,
): Promise<Seen> {
  return previewIn(context, principal.instance.id, async (tx) => {
    const work = await openLine(tx, { context, principal, lineId: row.id })
    const found = await lockTwice(outOf(work), work.line, file)
    // The rows ask for their proposal when the transaction ends. This one never does, so that none has to be written.
    await bookTwice(work, found, newId(context.clock.now()))
  })
}

async function bookTwice(work: PlacementWork, found: Found, proposalId: string): Promise<void> {
  const { tx, line, today: on } = work
  const { instance_id: instanceId, id: lineId, currency } = line
  const minor = found.twice.reduce((sum, { amount_minor: one }) => sum + one, 0)
  await settleRows(outOf(work), line, found, bookOutOfSuspense(PAID_TWICE, money(-minor, currency)))
  for (const { id: payoutId, amount_minor: amountMinor } of found.twice) {
    await sayPaidTwice(tx, instanceId, payoutId)
    await insertPaidTwiceRow(tx, instanceId, { payoutId, lineId, amountMinor, currency, on, proposalId })
    await openTask(tx, {
      instanceId,
      kind: 'paid_twice',
      about: `payout:${payoutId}`,
      details: { amountMinor, currency },
    })
  }
  const twice = found.twice.map(({ id }) => id)
  await note(work, 'money_entered', { file: found.fileId, paidTwice: twice })
}

const lineOf = (about: string): string => about.slice(about.indexOf(':') + 1)

/** It is booked when another has agreed, of the rows that were proposed and of no others. */
export const PAID_TWICE_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, about, before }) => {
    await lockBankFiles(tx, instanceId)
    const line = await readLine(tx, instanceId, lineOf(about))
    return stateOf(line, await lockTwice({ tx, instanceId }, line, fileOf(before)))
  },
  carryOut: async (tx, { context, principal, proposal }) => {
    const work = await openLine(tx, { context, principal, lineId: lineOf(proposal.about) })
    await bookTwice(work, await lockTwice(outOf(work), work.line, fileOf(proposal.before)), proposal.id)
  },
}
