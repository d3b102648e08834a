/** A debit in suspense whose rows had gone another way: what two people say of it. */
import { z } from 'zod'
import { adminCall } from '../contract.ts'
import { seen, suspenseCase } from './suspense.contract.ts'

/** Without a file it is the row that the debit names. */
const twice = z.strictObject({ file: z.uuid().nullish() })
const TWICE = [
  'not_in_suspense',
  'entry_not_open',
  'file_sum_differs',
  'nothing_paid_twice',
  'other_payment_under_way',
  'paid_twice_already',
] as const

/**
 * The bank has debited rows that two people had said were not executed, and what they paid has gone another way since: they were paid
 * twice. What else the debit is of has left with it. While that other payment is under way, nobody can say so. One person says so and another agrees.
 */
export const proposePaidTwice = adminCall({
  name: 'proposePaidTwice',
  right: 'bank_files',
  method: 'POST',
  takesKey: true,
  path: '/suspense/:id/paid-twice',
  body: twice,
  response: suspenseCase,
  refusals: [...TWICE, 'sign_in_again', 'proposal_open', 'idempotency_key_reused'],
})

/** What it would write in the books. Nothing changes. */
export const previewPaidTwice = adminCall({
  name: 'previewPaidTwice',
  right: 'bank_files',
  method: 'POST',
  path: '/suspense/:id/preview-paid-twice',
  body: twice,
  response: seen,
  refusals: TWICE,
})
