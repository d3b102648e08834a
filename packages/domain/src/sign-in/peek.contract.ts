/** Peeks: one of an operator's staff sees the debtor portal as a debtor sees it, for ten minutes, and changes nothing there. */
import { z } from 'zod'
import { adminCall, instant, openCall, type AnswerOf, type Contract } from '../contract.ts'
import { typedLines } from '../typed-text.contract.ts'

/**
 * Makes a ticket for one look. The deed stands in the audit log with the person and the reason. The address holds the ticket in its
 * fragment: no server and no `Referer` sees it. It opens once, until `openUntil`.
 */
export const startPeek = adminCall({
  name: 'startPeek',
  right: 'view_as_debtor',
  method: 'POST',
  path: '/debtors/:id/view',
  status: 201,
  body: z.strictObject({ reason: typedLines(500).min(1) }),
  response: z.strictObject({ address: z.string(), openUntil: instant, endsAt: instant }),
  refusals: ['not_found', 'person_protected'],
})

/** Uses a ticket up. The token counts behind the debtor's door alone, together with the cookie of this answer, and reads. */
export const openPeek = openCall({
  name: 'openPeek',
  method: 'POST',
  path: '/public/views',
  status: 201,
  body: z.strictObject({ ticket: z.string().max(100) }),
  response: z.strictObject({
    id_token: z.string(),
    token_type: z.literal('Bearer'),
    /** Who looks, and as whom. */
    staff: z.string(),
    debtor: z.string(),
    endsAt: instant,
  }),
  refusals: ['view_link_over'],
})

export type OpenedPeek = AnswerOf<typeof openPeek>

/** Does a call change nothing, so that whoever only looks makes it too? */
export function isReading({ method, reads }: Pick<Contract, 'method' | 'reads'>): boolean {
  return method === 'GET' || reads === true
}
