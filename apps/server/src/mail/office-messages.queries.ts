/** The SQL of what a debtor was told about an invoice or a claim. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import type { Channel } from './outbox.queries.ts'

type SentMessage = {
  readonly id: string
  readonly kind: string
  readonly date: string
  readonly channel: Channel
  readonly status: 'WAITING' | 'SENT' | 'DEAD' | 'DROPPED'
  readonly sentAt: string | null
  readonly closedChannels: string[]
  readonly representative: string | null
}

// What goes to the creditor is a debtor's business as little as it is a message to one.
const messages = statement(
  'mail.messagesOf',
  `select m.id, m.kind, coalesce(s.performed_date, (m.created_at at time zone n.time_zone)::date) as date, m.channel, m.status,
     m.sent_at as "sentAt",
     array(select split_part(r, ' ', 1) from unnest(m.refusals) with ordinality u (r, place) order by place) as "closedChannels",
     (select r.name from representative r where r.instance_id = m.instance_id and r.id = m.representative_id) as representative
   from mail_outbox m
   join instance n on n.id = m.instance_id
   left join collection_step s on s.instance_id = m.instance_id and s.id = m.step_id
   where m.instance_id = $1 and coalesce(m.claim_id, m.invoice_id) = $2 and m.kind <> 'dispute_opened'
   order by m.created_at desc, m.id desc`,
)

/** What the debtor of an invoice or a claim was told, the newest first. The caller has looked whose it is. */
export function readMessages(db: Connection, instanceId: string, debt: Debt): Promise<SentMessage[]> {
  return db.rows<SentMessage>(messages, [instanceId, debtId(debt)])
}
