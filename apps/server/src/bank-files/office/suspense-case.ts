/** Money that nobody could place, with what it may be meant for and what speaks for that. */
import {
  byEvidence,
  evidenceFor,
  namesInMessage,
  namesOfPayer,
  slipsOf,
  type Said,
} from '@kvitt/domain/bank-files/bank-desk.ts'
import { referenceForms } from '@kvitt/domain/bank-files/choose-debt.ts'
import type { SuspenseCandidate, SuspenseCase } from '@kvitt/domain/bank-files/suspense.contract.ts'
import { parseDate } from '@kvitt/domain/calendar.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount } from '@kvitt/domain/money.ts'
import type { Context } from '../../context.ts'
import { openProposalOf } from '../../proposals/proposals.ts'
import type { OperatorMember } from '../../staff/staff.ts'
import { findGoingBack, readTakesBack } from '../late/late-orders.queries.ts'
import { readNamedTwice, readFilesWithTwice } from '../late/rows-of-debit.ts'
import { readOwedBack } from '../late/paid-twice.queries.ts'
import { readDrawable, readEntry, readShort } from '../own-money/own-money.queries.ts'
import { findMaybeMeant, type CandidateRow } from './candidates.queries.ts'
import { presentOn } from './payment-batches.ts'
import { readSuspense, type SuspenseJson } from './suspense-rows.queries.ts'

/** Number keys choose among them. */
const MOST_CANDIDATES = 9

const NOT_TWICE = { isTwice: false, isUnderWay: false }

export type SuspenseLine = SuspenseJson & { readonly id: string }

/** Refuses `not_found`: what never lay in suspense, or is another provider's, does not exist. */
export async function findSuspense(
  { db }: Pick<Context, 'db'>,
  principal: OperatorMember,
  id: string,
): Promise<SuspenseLine> {
  const json = await readSuspense(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return { ...(JSON.parse(json) as SuspenseJson), id }
}

/** The line with its candidates, the likeliest first; or with where it went. */
export async function presentCase(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  line: SuspenseLine,
): Promise<Loosen<SuspenseCase>> {
  const { listed } = line
  const row = JSON.parse(listed) as Omit<
    SuspenseCase,
    | 'candidates'
    | 'on'
    | 'entry'
    | 'isEnterable'
    | 'short'
    | 'drawable'
    | 'files'
    | 'isTwice'
    | 'isUnderWay'
    | 'claims'
    | 'goesBack'
    | 'isTakeable'
    | 'proposal'
  >
  const { id: instanceId } = instance
  const isOpen = line.status === 'SUSPENSE' && line.holder === 'INSTANCE' && line.kind !== 'DEDUCTION'
  const { currency, accountId, amountMinor } = line
  const [entry, short, drawable, files, claims, named, proposal] = await Promise.all([
    readEntry(db, instanceId, line.id),
    isOpen && line.kind === 'PAYMENT' ? readShort(db, instanceId, line.currency) : [],
    isOpen && line.kind === 'OUTGOING' ? readDrawable(db, instanceId, line.currency) : null,
    isOpen && line.kind === 'OUTGOING'
      ? readFilesWithTwice(db, instanceId, { currency, accountId, amountMinor })
      : [],
    isOpen && line.kind === 'PAYMENT' ? readOwedBack(db, instanceId, { currency, payoutId: null }) : [],
    isOpen && line.kind === 'OUTGOING' ? readNamedTwice(db, instanceId, line.id) : NOT_TWICE,
    openProposalOf(db, instanceId, `bank-line:${line.id}`),
  ])
  const isDeduction = line.status === 'SUSPENSE' && line.kind === 'DEDUCTION'
  const taken = isDeduction ? await readTakesBack(db, instanceId, line.id) : undefined
  const goesBack = taken === undefined ? undefined : await findGoingBack(db, instanceId, taken)
  const isPlaceable = line.status === 'SUSPENSE' && line.kind === 'PAYMENT'
  const signedMinor = line.kind === 'PAYMENT' ? line.amountMinor : -line.amountMinor
  return {
    ...row,
    amount: new Amount(signedMinor),
    candidates: isPlaceable ? await findCandidates(db, instance.id, line) : [],
    on: presentOn(line.on),
    entry: entry
      ? {
          kind: entry.kind,
          creditor: entry.creditorId === null ? null : { id: entry.creditorId, name: entry.creditor ?? '' },
          file: entry.file,
        }
      : null,
    isEnterable: isOpen,
    short: short.map(({ minor, ...creditor }) => ({ creditor, amount: new Amount(minor) })),
    drawable: drawable === null ? null : new Amount(Math.max(0, drawable)),
    files,
    ...named,
    claims: claims.map(({ minor, ...claim }) => ({ ...claim, amount: new Amount(minor) })),
    goesBack: goesBack ?? null,
    isTakeable: isDeduction && goesBack === undefined,
    proposal,
  }
}

async function findCandidates(
  db: Context['db'],
  instanceId: string,
  line: SuspenseLine,
): Promise<Loosen<SuspenseCandidate>[]> {
  const { amountMinor, payer, message } = line
  const references = line.references.flatMap((text) => referenceForms(text, line.format === 'bgmax'))
  const said: Said = { amountMinor, payer, message, references }
  const named = namesInMessage(message)
  const rows = await findMaybeMeant(db, instanceId, {
    references: [...references, ...line.references.flatMap(slipsOf), ...named],
    numbers: [...line.references, ...named],
    names: namesOfPayer(payer),
  })
  const weighed = rows
    .map((row) => ({ row, dueDate: row.due_date, evidence: evidenceFor(said, debtOf(row)) }))
    .filter(({ evidence }) => evidence.some((kind) => kind !== 'AMOUNT'))
  return byEvidence(weighed)
    .slice(0, MOST_CANDIDATES)
    .map(({ row, evidence }) => ({
      type: row.type,
      id: row.id,
      number: row.number,
      paymentReference: row.reference,
      creditor: { id: row.creditor_id, name: row.creditor_name },
      debtor: { id: row.debtor_id, name: row.debtor_name },
      currency: row.currency,
      owed: new Amount(row.owed_minor),
      dueDate: row.due_date,
      evidence: [...evidence],
      refusal: refusalOf(row, line),
    }))
}

const debtOf = (row: CandidateRow) => ({
  number: row.number,
  reference: row.reference,
  owedMinor: row.owed_minor,
  debtorName: row.debtor_name,
  dueDate: row.due_date === null ? null : (parseDate(row.due_date) ?? null),
})

/** Why the money cannot be placed there; placing it asks again under the locks. */
function refusalOf(row: CandidateRow, { currency, creditorIds }: SuspenseLine): SuspenseCandidate['refusal'] {
  if (row.currency !== currency) return 'debt_in_other_currency'
  if (creditorIds !== null && !creditorIds.includes(row.creditor_id)) return 'debt_of_other_creditor'
  if (row.status === 'CREATED' || row.status === 'PENDING') return 'act_not_open'
  if (row.owed_minor <= 0) return 'nothing_left'
  return row.is_planned ? 'owed_in_plan' : null
}
