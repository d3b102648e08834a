/** The calls that dispute an invoice (specification section 7) or a claim. */
import { z } from 'zod'
import { claimCall, invoiceCall } from '../contract.ts'

const objection = {
  power: 'disputes',
  method: 'POST',
  path: '/dispute',
  status: 201,
  body: z.object({ debtorEmail: z.string().max(1000), reason: z.string().max(200_000) }),
  response: z.strictObject({ id: z.uuid(), status: z.literal('OPEN') }),
  refusals: ['invalid_request', 'invalid_email', 'reason_required', 'reason_too_long', 'dispute_not_allowed'],
} as const

export const disputeInvoice = invoiceCall({ name: 'disputeInvoice', ...objection })

/** The same for a claim (D-13). */
export const disputeClaim = claimCall({ name: 'disputeClaim', ...objection })
