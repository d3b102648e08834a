/** Money that nobody could place, and what an operator's people do about it. */
import { z } from 'zod'
import { adminCall, amount, amountIn, day, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { BANK_COSTS, BANK_ENTRY_KINDS } from './bank-entry.ts'
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
  /** What a person has said that it was, of the bank's own or the operator's money. */
  entry: z
    .strictObject({
      kind: z.enum(BANK_ENTRY_KINDS),
      creditor: creditorOfRow.nullable(),
      /** The file of what has come back. */
      file: z.uuid().nullable(),
    })
    .nullable(),
  /** It lies on an account of client funds, and can be entered as that. */
  isEnterable: z.boolean(),
  /** Of money that came: creditors whose own does not cover what was taken, and what is missing. */
  short: z.array(z.strictObject({ creditor: creditorOfRow, amount })),
  /** Of money that left: the operator's fees that may be drawn; null of what came. */
  drawable: amount.nullable(),
  /** Of money that left: the files to the bank whose rows, as far as no line has told of them, come to it. */
  files: z.array(
    z.strictObject({
      id: z.uuid(),
      executionDate: day,
      isWhole: z.boolean(),
      count: z.number().int(),
      /** How many of those rows were said to be not executed and have gone another way since: with this debit they are paid twice. */
      twice: z.number().int(),
      /** One of them is under way that other way still: nobody says that it was paid twice before it has left. */
      isUnderWay: z.boolean(),
    }),
  ),
  /** Of money that left: the row that it names was said to be not executed, and what it paid has gone another way since. */
  isTwice: z.boolean(),
  /** That other way has not left, as far as anybody has told: nobody says that it was paid twice before. */
  isUnderWay: z.boolean(),
  /** Of money that came: what was paid twice and has not come back. */
  claims: z.array(
    z.strictObject({ payout: z.uuid(), file: z.uuid(), name: z.string(), saidOn: day, amount }),
  ),
  /** Of what the bank has taken back: what goes back to the payer of the same money, by its row in the list of refunds; null where nothing does. */
  goesBack: z.uuid().nullable(),
  /** Of what the bank has taken back: what it had paid can be undone by a person. */
  isTakeable: z.boolean(),
  /** The proposal that waits for another person. */
  proposal: z.uuid().nullable(),
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

/** What an act would write in the books. */
export const seen = z.strictObject({
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
})

/** What placing it so would write in the books. Nothing changes. */
export const previewPlacement = adminCall({
  name: 'previewSuspensePlacement',
  right: 'bank_files',
  method: 'POST',
  path: '/suspense/:id/preview',
  body: placement,
  response: seen,
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

const ENTER_REFUSALS = [
  'not_in_suspense',
  'entry_not_open',
  'nothing_to_advance',
  'more_than_booked',
  'more_than_fees',
  'more_than_paid_twice',
] as const
const entering = {
  right: 'bank_files',
  method: 'POST',
  takesKey: true,
  response: suspenseCase,
  refusals: [...ENTER_REFUSALS, 'sign_in_again', 'proposal_open', 'idempotency_key_reused'],
} as const

/** The bank's own charge or interest for the account of client funds. Above the limit it is proposed, as the two below. */
export const enterBankCost = adminCall({
  ...entering,
  name: 'enterBankCost',
  path: '/suspense/:id/bank-cost',
  body: z.strictObject({ kind: z.enum(BANK_COSTS) }),
})

/** The operator's own money, for a creditor of whom less than nothing is held. */
export const enterAdvance = adminCall({
  ...entering,
  name: 'enterAdvance',
  path: '/suspense/:id/advance',
  body: z.strictObject({ creditor: z.uuid() }),
})

/** The operator's fees, that have gone to its own account: no more than settlements have left for it, less its bank's charges. */
export const enterFeesDrawn = adminCall({
  ...entering,
  name: 'enterFeesDrawn',
  path: '/suspense/:id/fees-drawn',
})

/** The bank has debited a whole file as one, or a row of it without its name: what the debit is of has left with it. */
export const enterFile = adminCall({
  name: 'enterFileDebit',
  right: 'bank_files',
  method: 'POST',
  takesKey: true,
  path: '/suspense/:id/file',
  body: z.strictObject({ file: z.uuid() }),
  response: suspenseCase,
  refusals: [
    'not_in_suspense',
    'entry_not_open',
    'file_sum_differs',
    'rows_paid_twice',
    'other_payment_under_way',
    'idempotency_key_reused',
  ],
})

/** What was paid twice has come back, or a part of it, from whoever got it or from the operator. Another person agrees. */
export const enterPaidBack = adminCall({
  ...entering,
  name: 'enterPaidBack',
  path: '/suspense/:id/paid-back',
  body: z.strictObject({ payout: z.uuid() }),
})

/** What entering it so would write in the books. Nothing changes. `creditor` of an advance alone, `payout` of what comes back alone. */
export const previewEntry = adminCall({
  name: 'previewSuspenseEntry',
  right: 'bank_files',
  method: 'POST',
  path: '/suspense/:id/preview-entry',
  body: z.strictObject({
    kind: z.enum(BANK_ENTRY_KINDS),
    creditor: z.uuid().nullish(),
    payout: z.uuid().nullish(),
  }),
  response: seen,
  refusals: [...ENTER_REFUSALS, 'invalid_request'],
})

const TAKING = ['not_in_suspense', 'entry_not_open', 'refund_under_way'] as const

/**
 * The bank has taken back money that was on its way back to the payer then: what it had paid is undone now, and nothing is sent. Refuses
 * `refund_under_way` while it is ordered still: then somebody says first that it was not.
 */
export const takeBackSuspended = adminCall({
  name: 'takeSuspenseBack',
  right: 'bank_files',
  method: 'POST',
  takesKey: true,
  path: '/suspense/:id/take-back',
  response: suspenseCase,
  refusals: [...TAKING, 'idempotency_key_reused'],
})

/** What taking it back would write in the books. Nothing changes. */
export const previewTakeBack = adminCall({
  name: 'previewSuspenseTakeBack',
  right: 'bank_files',
  method: 'POST',
  path: '/suspense/:id/preview-take-back',
  response: seen,
  refusals: TAKING,
})
