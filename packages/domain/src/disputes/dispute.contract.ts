/** The call that disputes an invoice (specification section 7). */
import { z } from 'zod'
import { invoiceCall } from '../contract.ts'

export const disputeInvoice = invoiceCall({
  name: 'disputeInvoice',
  method: 'POST',
  path: '/dispute',
  status: 201,
  body: z.object({ debtorEmail: z.string().max(1000), reason: z.string().max(200_000) }),
  response: z.strictObject({ id: z.uuid(), status: z.literal('OPEN') }),
  refusals: ['invalid_request', 'invalid_email', 'reason_required', 'reason_too_long', 'dispute_not_allowed'],
})
