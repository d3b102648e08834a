/** The SQL of messages to debtors. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Language } from '../platform/texts.ts'
import { isNotRestingAnywhere } from '../ledger/resting-debts.queries.ts'
import { RESTING_MAIL_KINDS, SECRET_MAIL_KINDS } from './compose-mail.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

/** Ways that a message can go. */
export const CHANNELS = ['EMAIL', 'SMS', 'LETTER', 'DIGITAL_MAILBOX', 'ELECTRONIC_INVOICE'] as const
export type Channel = (typeof CHANNELS)[number]

/** A message that is written down whole. */
export type NewMail = {
  readonly instanceId: string
  readonly id: string
  readonly channel: Channel
  /** Where it goes when that way is closed. */
  readonly nextChannels: readonly Channel[]
  readonly kind: string
  readonly cause: string
  /** What it is about; of a message to staff, nothing. */
  readonly debt: Debt | undefined
  readonly recipient: string
  /** The guardian whose address that is; null: another's. */
  readonly representativeId: string | null
  readonly language: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
}

const insertMail = statement(
  'mail.insert',
  `insert into mail_outbox (instance_id, id, channel, next_channels, kind, cause, recipient, language, subject,
     text_body, html_body, invoice_id, claim_id, representative_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
   on conflict (instance_id, cause, kind) do nothing`,
)

/** Writes a message down. The same cause is told once, on whichever way. */
export function insertMailRow(tx: Transaction, m: NewMail): void {
  tx.send(insertMail, [
    m.instanceId, m.id, m.channel, m.nextChannels, m.kind, m.cause, m.recipient, m.language, m.subject, m.text, m.html,
    m.debt && 'invoiceId' in m.debt ? m.debt.invoiceId : null, m.debt && 'claimId' in m.debt ? m.debt.claimId : null,
    m.representativeId,
  ]) // biome-ignore format: in the order of the columns
}

export type AddresseeRow = {
  name: string
  email: string | null
  phone: string | null
  /** The guardian that these are of. */
  representative_id: string | null
  /** The last day on which the guardian acts. */
  represented_until: string | null
  /** Where the telephone is. */
  phone_country: string
  debtor_country: string
  debtor_kind: 'PERSON' | 'COMPANY'
  identification_number: string | null
  electronic_address: string | null
  /** The invoice's or the claim's. */
  number: string
  /** In which the creditor wants the debtor to be written to. */
  language: Language | null
  creditor_name: string
  creditor_email: string | null
  creditor_country: string
  instance_name: string
  time_zone: string
  /** That of the portal's start page. */
  instance_language: string
  instance_phone: string
  instance_email: string
  url_alias: string
  url_domain: string
  is_default: boolean
  fill: string
  on_fill: string
  /** The instance's order of ways for what is good to know. */
  news_channels: Channel[]
}

/** A creditor writes to where it was told itself; `k` is missing where nothing was ever imported. */
const own = (field: 'email' | 'phone'): string => `case when g.id is not null then g.${field}
    when k.debtor_id is null then d.${field} else k.${field} end as ${field}`
/** Of whom a guardian acts for, `g`, the letters go to the guardian, and never to the debtor's own mailboxes (M-37). */
const COLUMNS = `coalesce(g.name, k.name, d.name) as name, ${own('email')}, ${own('phone')}, g.id as representative_id,
  g.until_day::text as represented_until, coalesce(g.country, d.country) as phone_country, n.time_zone,
  d.country as debtor_country, d.kind as debtor_kind, case when g.id is null then d.identification_number end as identification_number,
  case when g.id is null then d.electronic_address end as electronic_address, c.name as creditor_name, c.email as creditor_email,
  c.country as creditor_country,
  n.name as instance_name, n.language as instance_language, n.phone as instance_phone, n.email as instance_email, n.url_alias, n.url_domain,
  n.is_default, n.palette ->> 'fill' as fill, n.palette ->> 'onFill' as on_fill, n.news_channels`
const PARTIES = `join debtor d on d.instance_id = o.instance_id and d.id = o.debtor_id
  join creditor c on c.instance_id = o.instance_id and c.id = o.creditor_id
  join instance n on n.id = o.instance_id
  left join debtor_contact k on k.instance_id = o.instance_id and k.creditor_id = o.creditor_id and k.debtor_id = o.debtor_id
  left join acting_guardian g on g.instance_id = o.instance_id and g.debtor_id = o.debtor_id
  where o.instance_id = $1 and o.id = $2`

const ofInvoice = statement(
  'mail.addresseeOfInvoice',
  `select ${COLUMNS}, o.invoice_number as number, o.language from invoice o ${PARTIES}`,
)
const ofClaim = statement(
  'mail.addresseeOfClaim',
  `select ${COLUMNS}, o.claim_number as number, null as language from claim o ${PARTIES}`,
)

/** Whom a message about an invoice or claim goes to, and in whose name. */
export async function readAddressee(db: Connection, instanceId: string, debt: Debt): Promise<AddresseeRow> {
  const [sql, id] = 'claimId' in debt ? [ofClaim, debt.claimId] : [ofInvoice, debt.invoiceId]
  const row = (await db.rows<AddresseeRow>(sql, [instanceId, id]))[0]
  if (!row) throw new Error(`there is no debt ${id}`)
  return row
}

type Waiting = {
  instance_id: string
  id: string
  channel: Channel
  next_channels: Channel[]
  kind: string
  tries: number
  created_at: string
  invoice_id: string | null
  claim_id: string | null
  step_id: string | null
  /** The letter as it was handed over first. */
  file_id: string | null
  /** The address that it was written to; null: the debtor's own, as it is when it is sent. */
  recipient: string | null
  /** The guardian whose address that is. */
  representative_id: string | null
  sender_name: string
  /** The provider's alias. */
  sender_alias: string
  /** Null: the installation's. */
  sender_address: string | null
  reply_to: string
}
type Written = { subject: string; text_body: string; html_body: string | null }
type Unwritten = { subject: null; text_body: null; html_body: null }
/** A message that waits: written down whole, or still to be composed. */
export type WaitingMail = Waiting & (Written | Unwritten)
export type UnwrittenMail = Waiting & Unwritten

const claimMail = statement(
  'mail.claim',
  `update mail_outbox m set tries = m.tries + 1, next_at = now() + interval '5 minutes'
   from (
     select o.instance_id, o.id, n.name as sender_name, n.url_alias as sender_alias, n.mail_from as sender_address, n.email as reply_to
     from mail_outbox o join instance n on n.id = o.instance_id
     where o.status = 'WAITING' and o.next_at <= now() and o.channel = any($1::text[])
       and (coalesce(o.claim_id, o.invoice_id) is null or o.kind <> all ($2::text[])
         or ${isNotRestingAnywhere('coalesce(o.claim_id, o.invoice_id)')})
     order by o.next_at limit 20 for update of o skip locked
   ) due
   where m.instance_id = due.instance_id and m.id = due.id
   returning m.instance_id, m.id, m.channel, m.next_channels, m.kind, m.recipient, m.representative_id, m.subject, m.text_body, m.html_body,
     m.tries, m.step_id, m.invoice_id, m.claim_id, m.file_id, m.created_at, due.sender_name, due.sender_alias,
     due.sender_address, due.reply_to`,
)

/**
 * Takes messages that are due, the oldest first, so that nobody else sends them for the next five minutes. Whoever's debts all rest is
 * asked for nothing.
 */
export async function claimMailRows(db: Connection, channels: readonly Channel[]): Promise<WaitingMail[]> {
  const rows = await db.rows<WaitingMail>(claimMail, [channels, RESTING_MAIL_KINDS])
  return rows.toSorted((a, b) => a.created_at.localeCompare(b.created_at))
}

type MailKey = { readonly instance_id: string; readonly id: string }
/** One try on one way: whoever has taken the message over since is another. */
type MailTry = MailKey & { readonly channel: Channel; readonly tries: number }

const resendDead = statement(
  'mail.resendDead',
  `update mail_outbox m set status = 'WAITING', tries = 0, next_at = now(), last_error = null, refusals = '{}',
     channel = w.ways[1], next_channels = w.ways[2:],
     recipient = case when coalesce(m.claim_id, m.invoice_id) is null or m.kind like 'dispute%' then m.recipient end
   from (select array(select split_part(r, ' ', 1) from unnest(refusals) with ordinality u (r, n) order by n)
       || channel || next_channels as ways
     from mail_outbox where instance_id = $1 and id = $2) w
   where m.instance_id = $1 and m.id = $2 and m.status = 'DEAD' and (m.step_id is null or m.kind = 'expired_notice')
   returning m.id`,
)
const dropDead = statement(
  'mail.dropDead',
  `update mail_outbox set status = 'DROPPED', last_error = 'dropped by a person'
   where instance_id = $1 and id = $2 and status = 'DEAD' and (step_id is null or kind = 'expired_notice') returning id`,
)

/**
 * What nobody took goes again, from its first way on and to the debtor's own address as it is by then (but for who wrote from
 * another one, and staff), or is given up for good. Answers false when it is not dead, or the
 * letter of a step, which has not happened then and comes again by itself.
 */
export async function endDeadRow(db: Connection, mail: MailKey, how: 'resend' | 'drop'): Promise<boolean> {
  return (await db.rows(how === 'resend' ? resendDead : dropDead, [mail.instance_id, mail.id])).length > 0
}

const markSent = statement(
  'mail.markSent',
  `update mail_outbox set status = 'SENT', sent_at = now(), last_error = null, recipient = $5, representative_id = $7,
     text_body = case when kind = any($6::text[]) then '' else text_body end,
     html_body = case when kind = any($6::text[]) then null else html_body end
   where instance_id = $1 and id = $2 and status = 'WAITING' and channel = $3 and tries = $4 returning id`,
)

/** Answers false when somebody else has taken the message over since this try began. */
export async function markSentRow(
  db: Connection,
  mail: MailTry,
  { recipient, representativeId }: { readonly recipient: string; readonly representativeId: string | null },
): Promise<boolean> {
  const rows = await db.rows(markSent, [
    mail.instance_id,
    mail.id,
    mail.channel,
    mail.tries,
    recipient,
    SECRET_MAIL_KINDS,
    representativeId,
  ])
  return rows.length > 0
}

const drop = statement(
  'mail.drop',
  `update mail_outbox set status = 'DROPPED', last_error = $3
   where instance_id = $1 and id = $2 and status = 'WAITING' returning id`,
)

/** There is nothing to say any more. `reason` is one word for whoever looks. Answers false when it waited no more. */
export async function dropRow(db: Connection, mail: MailKey, reason: string): Promise<boolean> {
  return (await db.rows(drop, [mail.instance_id, mail.id, reason])).length > 0
}

const putBack = statement(
  'mail.putBack',
  `update mail_outbox set next_at = now() + make_interval(secs => $3), last_error = $4, tries = tries - $5
   where instance_id = $1 and id = $2 and status = 'WAITING'`,
)

/** To be tried again. `isTry` false: nobody was asked, and it does not count. */
export async function putBackRow(
  db: Connection,
  mail: MailKey,
  { inSeconds, error, isTry }: { inSeconds: number; error: string; isTry: boolean },
): Promise<void> {
  await db.rows(putBack, [mail.instance_id, mail.id, inSeconds, error, isTry ? 0 : 1])
}

const goNextWay = statement(
  'mail.goNextWay',
  `update mail_outbox set channel = next_channels[1], next_channels = next_channels[2:], tries = 0, next_at = now(),
     recipient = null, last_error = $5, refusals = refusals || (channel || ' ' || $5)
   where instance_id = $1 and id = $2 and status = 'WAITING' and channel = $3 and tries = $4
     and cardinality(next_channels) > 0`,
)

/** This way is closed for the message: it goes the next one, at once. Once, whoever else tries it. */
export async function goNextWayRow(db: Connection, mail: MailTry, error: string): Promise<void> {
  await db.rows(goNextWay, [mail.instance_id, mail.id, mail.channel, mail.tries, error])
}

const giveUp = statement(
  'mail.giveUp',
  `update mail_outbox set status = 'DEAD', last_error = $3
   where instance_id = $1 and id = $2 and status = 'WAITING'
   returning channel, kind, cause, tries, refusals`,
)

/** What a person who is asked about a message is told of it. */
export type DeadMail = {
  readonly channel: string
  readonly kind: string
  readonly cause: string
  readonly tries: number
  readonly refusals: string[]
}

/** Nobody will try again: the message is dead. Answers undefined when it waited no more. */
export async function giveUpRow(db: Connection, mail: MailKey, error: string): Promise<DeadMail | undefined> {
  return (await db.rows<DeadMail>(giveUp, [mail.instance_id, mail.id, error]))[0]
}
