/** What an operator's people do with a payment: take it back, move it, and ask its gateway again. */
import { z } from 'zod'
import { adminCall, amount } from '../contract.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { typedLines } from '../typed-text.contract.ts'
import { officePayment } from './office-payment.contract.ts'
import { PAYMENT_STATUSES } from './payment.ts'

/** A debt by its number, reference or id; or money of a bank's file waits in suspense. One of the three. */
const to = z.strictObject({
  invoice: z.string().trim().min(1).max(60).nullish(),
  collectionBatch: z.string().trim().min(1).max(60).nullish(),
  suspense: z.literal(true).nullish(),
})
export type MoveTarget = z.output<typeof to>

const reason = typedLines(500)

const REVERSE_REFUSALS = [
  'act_not_open',
  'owed_in_plan',
  'payment_signed',
  'money_on_statement',
  'money_sent_back',
] as const
const MOVE_REFUSALS = [
  ...REVERSE_REFUSALS,
  'debt_unknown',
  'debt_ambiguous',
  'debt_of_other_creditor',
  'debt_in_other_currency',
  'nothing_left',
] as const

const acting = { right: 'bank_files', method: 'POST' } as const
/** Above the limit nothing changes yet: the answer is the proposal, which another decides (202). */
const limited = {
  ...acting,
  mayPropose: true,
  takesKey: true,
  response: z.union([officePayment, proposal]),
} as const

/**
 * A payment that its gateway called paid, and whose money did not come: what it had paid is owed again and the debtor is told. What
 * the creditor entered as paid to itself is the creditor's to take back. `money_on_statement` where a bank's file has told of the money.
 */
export const reversePayment = adminCall({
  ...limited,
  name: 'reversePayment',
  path: '/payments/:id/reverse',
  body: z.strictObject({ reason }),
  refusals: [...REVERSE_REFUSALS, 'why_required', 'proposal_open', 'idempotency_key_reused'],
})

/** All of the money leaves what it had paid, which is owed again, and pays another debt, or waits in suspense. `act_not_open` on `to`: it is there. */
export const movePayment = adminCall({
  ...limited,
  name: 'movePayment',
  path: '/payments/:id/move',
  body: z.strictObject({ to, reason }),
  refusals: [...MOVE_REFUSALS, 'why_required', 'proposal_open', 'idempotency_key_reused'],
})

const debt = z.strictObject({
  type: z.enum(['invoices', 'collection-batches']),
  id: z.uuid(),
  number: z.string(),
  /** What it owes now, and then. */
  owed: amount,
  owedThen: amount,
})

/** What taking it back, or moving it when `to` is there, would change. Nothing changes. */
export const previewPaymentAct = adminCall({
  ...acting,
  name: 'previewPaymentAct',
  path: '/payments/:id/preview',
  body: z.strictObject({ to: to.nullish() }),
  response: z.strictObject({
    /** All of the money: a payment that was split leaves every debt that it had paid. */
    amount,
    currency: z.string(),
    debts: z.array(debt),
    /** What of it the other debt does not owe, and is owed back to its debtor. */
    owedBack: amount,
    /** With what was done by hand for the debtor today it is above the limit: another decides. */
    needsAnother: z.boolean(),
  }),
  refusals: MOVE_REFUSALS,
})

/** Asks the gateway now what has become of a payment under way, and does what follows. `isLate`: it should still have ended long ago. */
export const askGatewayAgain = adminCall({
  ...acting,
  name: 'askGatewayAgain',
  path: '/payments/:id/ask',
  response: z.strictObject({
    status: z.enum(PAYMENT_STATUSES),
    isAnswered: z.boolean(),
    isLate: z.boolean(),
  }),
  refusals: ['act_not_open'],
})
