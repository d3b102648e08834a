/** Money that nobody could place, and what an operator's people do about it (staff.md 3: `suspense`). */
import { z } from 'zod'
import { adminCall, amount, amountIn, day, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { BANK_LINE_KINDS, BANK_LINE_STATUSES, EVIDENCE, SUSPENSE_REASONS } from './bank-desk.ts'
import { bookedOn } from './payment-batch.contract.ts'
import { typedLines } from '../typed-text.contract.ts'

const listed = {
  id: z.uuid(),
  version: z.number().int(),
  kind: z.enum(BANK_LINE_KINDS),
  status: z.enum(BANK_LINE_STATUSES),
  /** Below zero for what left the account or was taken back. */
  amount,
  currency: z.string(),
  bankDate: day,
  account: z.string(),
  references: z.array(z.string()),
  payer: z.string().nullable(),
  message: z.string().nullable(),
  /** Null once it lies there no more. */
  reason: z.enum(SUSPENSE_REASONS).nullable(),
  batch: z.strictObject({ id: z.uuid(), name: z.string() }),
}

export const suspenseRow = z.strictObject(listed)
export type SuspenseRow = z.output<typeof suspenseRow>

const candidate = z.strictObject({
  type: z.enum(['invoices', 'collection-batches']),
  id: z.uuid(),
  number: z.string(),
  paymentReference: z.string(),
  creditor: creditorOfRow,
  debtor: z.strictObject({ id: z.uuid(), name: z.string() }),
  currency: z.string(),
  owed: amount,
  dueDate: day.nullable(),
  /** What speaks for it, the strongest first. */
  evidence: z.array(z.enum(EVIDENCE)),
  /** Why the money cannot be placed there, as a code; null when it can. */
  refusal: z
    .enum([
      'debt_of_other_creditor',
      'debt_in_other_currency',
      'act_not_open',
      'nothing_left',
      'owed_in_plan',
    ])
    .nullable(),
})

/** Once it lies there no more: where it went. `candidates` are empty then. */
export const suspenseCase = z.strictObject({
  ...listed,
  candidates: z.array(candidate),
  on: z.array(bookedOn),
})
export type SuspenseCase = z.output<typeof suspenseCase>
export type SuspenseCandidate = SuspenseCase['candidates'][number]

export const searchSuspense = adminCall({
  name: 'searchSuspense',
  right: 'see',
  method: 'POST',
  path: '/suspense/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(suspenseRow),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getSuspense = adminCall({
  name: 'suspense',
  right: 'see',
  path: '/suspense/:id',
  response: suspenseCase,
})

/** A debt by its number, reference or id. */
const name = z.string().trim().min(1).max(60)
const reason = typedLines(500)

/** One of `invoice` and `collectionBatch`, or `parts` that come to all of the money. */
const placement = z.strictObject({
  invoice: name.nullish(),
  collectionBatch: name.nullish(),
  parts: z
    .array(z.strictObject({ invoice: name.nullish(), collectionBatch: name.nullish(), amount: amountIn }))
    .min(1)
    .max(40)
    .nullish(),
})
export type PlacementBody = z.output<typeof placement>

const PLACE_REFUSALS = [
  'not_in_suspense',
  'debt_unknown',
  'debt_ambiguous',
  'debt_of_other_creditor',
  'debt_in_other_currency',
  'act_not_open',
  'nothing_left',
  'owed_in_plan',
  'amount_malformed',
  'amount_too_large',
  'parts_do_not_add_up',
] as const

/** What placing it so would write in the books. Nothing changes. */
export const previewPlacement = adminCall({
  name: 'previewSuspensePlacement',
  right: 'bank_files',
  method: 'POST',
  path: '/suspense/:id/preview',
  body: placement,
  response: z.strictObject({
    /** Debit above zero, credit below; they come to zero. */
    postings: z.array(
      z.strictObject({
        account: z.string(),
        number: z.string().nullable(),
        name: z.string().nullable(),
        amount,
      }),
    ),
    /** What each debt owes then. */
    after: z.array(
      z.strictObject({
        type: z.enum(['invoices', 'collection-batches']),
        id: z.uuid(),
        number: z.string(),
        owed: amount,
      }),
    ),
  }),
  refusals: PLACE_REFUSALS,
})

/** Books it on a debt, or on several. What is too much for the one debt is owed back to its debtor. */
export const placeSuspended = adminCall({
  name: 'placeSuspense',
  right: 'bank_files',
  method: 'POST',
  path: '/suspense/:id/place',
  takesKey: true,
  body: placement,
  response: suspenseCase,
  refusals: [...PLACE_REFUSALS, 'idempotency_key_reused'],
})

/** Takes it out of suspense: it goes back to whoever paid, which a task asks somebody to do at the bank. */
export const sendSuspendedBack = adminCall({
  name: 'sendSuspenseBack',
  right: 'bank_files',
  method: 'POST',
  path: '/suspense/:id/send-back',
  takesKey: true,
  body: z.strictObject({ reason: reason.nullish() }).optional(),
  response: suspenseCase,
  refusals: ['not_in_suspense', 'idempotency_key_reused'],
})
