/** What a debtor was told about an invoice or a claim, and how it got there, as staff see it. */
import { z } from 'zod'
import { day, instant } from '../contract.ts'

export const sentMessage = z.strictObject({
  id: z.uuid(),
  /** What it tells, such as `reminder`. */
  kind: z.string(),
  /** The same in the reader's language, as the debtor's own message is headed. */
  subject: z.string(),
  /** The day of what it tells, in the instance's time zone. */
  date: day,
  /** The way that it goes, or went. */
  channel: z.enum(['EMAIL', 'SMS', 'LETTER', 'DIGITAL_MAILBOX', 'ELECTRONIC_INVOICE']),
  /** WAITING: it has not left. DEAD: nobody took it. DROPPED: there was nothing to say any more. */
  status: z.enum(['WAITING', 'SENT', 'DEAD', 'DROPPED']),
  /** When whoever carries it took it. */
  sentAt: instant.nullable(),
  /** The ways that were closed before, the first one first. */
  closedChannels: z.array(z.string()),
  /** Who got it in the debtor's place (M-37); null: the debtor. */
  representative: z.string().nullable(),
})
