/** What an operator's person says that a line in suspense is: of the bank's own or the operator's money. Two people above the limit, and where money comes in. */
import { alwaysByTwo } from '@kvitt/domain/bank-files/bank-entry.ts'
import type { SuspenseCase } from '@kvitt/domain/bank-files/suspense.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Entered } from '@kvitt/domain/ledger/own-money.ts'
import { mostByOnePerson } from '@kvitt/domain/refunds/refund.ts'
import type { Replayed } from '../../platform/http/replayed.ts'
import { propose, type ProposalWork } from '../../proposals/proposals.ts'
import { requireFreshSignIn } from '../../staff/staff.ts'
import { lockBankFiles } from '../bank-files.queries.ts'
import { lockDebtsOfOrders } from '../late/lock-debts.ts'
import { readFileOfOrder } from '../late/late-orders.queries.ts'
import { rowsOfDebit } from '../late/rows-of-debit.ts'
import { settleRows } from '../money-out.ts'
import { namesRow } from '../money-out.queries.ts'
import { enterLine, requireEnterable } from '../own-money/enter-line.ts'
import { readEnteredOn, readShort } from '../own-money/own-money.queries.ts'
import { note, type PlacementWork } from '../place-suspense.ts'
import { readLine } from '../suspense.queries.ts'
import { lineState, once, openLine, previewWork, type Act, type Seen } from './work-suspense.ts'

/** Enters it; above the limit it is proposed, and what comes in as the operator's own money always. */
export function enterMoney(
  act: Act,
  entered: Entered,
): Promise<Loosen<SuspenseCase> | Replayed<Loosen<SuspenseCase>>> {
  return once(act, {}, async (work) => {
    await requireEnterable(work, entered)
    if (!alwaysByTwo(entered.kind, work.line.kind) && !(await isAboveLimit(work)))
      return enterLine(work, entered)
    const { context, principal } = act
    requireFreshSignIn(context, principal)
    const before = lineState(work.line)
    const after = { ...before, status: 'SETTLED', entry: entered.kind, ...(await ofWhom(work, entered)) }
    const about = `bank-line:${work.line.id}`
    await propose(work.tx, context, principal, { kind: 'bank_entry', about, creditorId: null, before, after })
  })
}

/**
 * It is the debit of a whole file, or of a row of it: that has left. Refuses `file_sum_differs`, `entry_not_open` for what cannot be one, and
 * `rows_paid_twice` where a row of it has gone another way: two people say that; `other_payment_under_way` until that has left.
 */
export function enterFile(
  act: Act,
  fileId: string,
): Promise<Loosen<SuspenseCase> | Replayed<Loosen<SuspenseCase>>> {
  return once(act, {}, async (work) => {
    const { context, tx, line, today } = work
    const { instance_id: instanceId } = line
    if (line.status !== 'SUSPENSE') throw new Refusal('not_in_suspense')
    const isOurs = line.kind === 'OUTGOING' && line.holder === 'INSTANCE' && !line.is_doubtful
    if (!isOurs || (await namesRow(tx, instanceId, line.named_payment_id)))
      throw new Refusal('entry_not_open')
    await lockDebtsOfOrders(tx, instanceId, { fileId })
    const out = { tx, clock: context.clock, instanceId, today }
    const found = await rowsOfDebit(out, line, fileId)
    if (!found) throw new Refusal('file_sum_differs', {}, ['file'])
    if (found.isUnderWay) throw new Refusal('other_payment_under_way', {}, ['file'])
    if (found.twice.length > 0) throw new Refusal('rows_paid_twice', {}, ['file'])
    await settleRows(out, line, found)
    await note(work, 'money_entered', { file: fileId })
  })
}

/** What entering it so would write in the books. Nothing stays. */
export function previewEntry(act: Omit<Act, 'asked'>, entered: Entered): Promise<Seen> {
  return previewWork(act, async (work) => {
    await requireEnterable(work, entered)
    await enterLine(work, entered)
  })
}

/** Manual postings above it, summed for a day, take two people. */
async function isAboveLimit({ tx, line, today }: PlacementWork): Promise<boolean> {
  const { instance_id: instanceId, currency, amount_minor: minor } = line
  return (await readEnteredOn(tx, instanceId, { on: today, currency })) + minor > mostByOnePerson(currency)
}

async function ofWhom({ tx, line }: PlacementWork, entered: Entered): Promise<object> {
  if (entered.kind === 'PAID_BACK') {
    const { payoutId } = entered
    return { payoutId, payoutFile: await readFileOfOrder(tx, line.instance_id, payoutId) }
  }
  if (entered.kind !== 'ADVANCE') return {}
  const short = await readShort(tx, line.instance_id, line.currency)
  const { creditorId } = entered
  return { creditorId, creditor: short.find(({ id }) => id === creditorId)?.name ?? '' }
}

function enteredAs(after: {
  readonly entry: Entered['kind']
  readonly creditorId?: string
  readonly payoutId?: string
}): Entered {
  if (after.entry === 'ADVANCE') return { kind: after.entry, creditorId: after.creditorId ?? '' }
  if (after.entry === 'PAID_BACK') return { kind: after.entry, payoutId: after.payoutId ?? '' }
  return { kind: after.entry }
}

const lineOf = (about: string): string => about.slice(about.indexOf(':') + 1)

/** An entry that takes two people is booked when another has approved it. */
export const BANK_ENTRY_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, about }) => {
    await lockBankFiles(tx, instanceId)
    return lineState(await readLine(tx, instanceId, lineOf(about)))
  },
  carryOut: async (tx, { context, principal, proposal }) => {
    const entered = enteredAs(proposal.after as Parameters<typeof enteredAs>[0])
    const work = await openLine(tx, { context, principal, lineId: lineOf(proposal.about) })
    await requireEnterable(work, entered)
    await enterLine(work, entered)
  },
}
