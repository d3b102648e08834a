/** The SQL of what is composed when it is sent: how it stands by then, and the letter that was handed over. */
import type { ClaimStatus } from '@kvitt/domain/claims/claim.ts'
import type { InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import { statement, type Connection, type Database } from '../platform/database/database.ts'

export type MatterRow = {
  /** Null for what is about a claim alone. */
  invoice_status: InvoiceStatus | null
  /** Of the claim that it is about, or the one that its invoice has joined. */
  claim_status: ClaimStatus | null
  balance_minor: number
  /** Of the step that it tells of. */
  step_status: string | null
  /** The last day to pay that it gives. */
  last_pay_date: string | null
  time_zone: string
  /** It is paid in instalments. */
  is_part_payment: boolean
  /** Of the invoice. */
  total_minor: number | null
  expire_date: string | null
  currency: string
  debtor_name: string
  address: string | null
  address2: string | null
  zip: string
  city: string | null
  country: string
  creditor_country: string
}

const matter = statement(
  'mail.matter',
  `select i.status as invoice_status, k.status as claim_status, coalesce(k.balance_minor, i.balance_minor) as balance_minor,
     coalesce(k.is_part_payment, i.is_part_payment) as is_part_payment, s.status as step_status,
     s.last_pay_date, n.time_zone, i.total_minor, i.expire_date, coalesce(i.currency, k.currency) as currency, coalesce(h.name, d.name) as debtor_name,
     case when g.id is not null then 'c/o ' || g.name when h.debtor_id is null then d.address else h.address end as address,
     case when g.id is not null then concat_ws(', ', g.address, g.address2) when h.debtor_id is null then d.address2
       else h.address2 end as address2,
     coalesce(g.zip, h.zip, d.zip) as zip, case when g.id is not null then g.city when h.debtor_id is null then d.city else h.city end as city,
     coalesce(g.country, d.country) as country, c.country as creditor_country
   from mail_outbox m
   join instance n on n.id = m.instance_id
   left join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id
   left join claim k on k.instance_id = m.instance_id and k.id = coalesce(m.claim_id, i.claim_id)
   join debtor d on d.instance_id = m.instance_id and d.id = coalesce(i.debtor_id, k.debtor_id)
   join creditor c on c.instance_id = m.instance_id and c.id = coalesce(i.creditor_id, k.creditor_id)
   left join debtor_contact h on h.instance_id = d.instance_id and h.creditor_id = c.id and h.debtor_id = d.id
   left join acting_guardian g on g.instance_id = d.instance_id and g.debtor_id = d.id
   left join collection_step s on s.instance_id = m.instance_id and s.id = m.step_id
   where m.instance_id = $1 and m.id = $2`,
)

/** How what a message is about stands now, and where its debtor lives. */
export async function readMatter(
  db: Connection,
  mail: { readonly instance_id: string; readonly id: string },
): Promise<MatterRow> {
  const row = (await db.rows<MatterRow>(matter, [mail.instance_id, mail.id]))[0]
  if (!row) throw new Error(`message ${mail.id} is about nothing`)
  return row
}

const insertKept = statement(
  'mail.insertKept',
  `insert into file (instance_id, id, mime_type, content) values ($1, $2, 'application/pdf', $3)`,
)
const nameKept = statement(
  'mail.nameKept',
  'update mail_outbox set file_id = $3 where instance_id = $1 and id = $2 and file_id is null returning id',
)
const kept = statement(
  'mail.kept',
  `select f.content from mail_outbox m join file f on f.instance_id = m.instance_id and f.id = m.file_id
   where m.instance_id = $1 and m.id = $2`,
)

/** Keeps a letter as it is about to be handed over, and answers the one that is kept: an earlier one, if there is. */
export function keepLetter(
  db: Database,
  mail: { readonly instance_id: string; readonly id: string; readonly file_id: string | null },
  letter: { readonly id: string; readonly bytes: Uint8Array },
): Promise<Uint8Array> {
  const key = [mail.instance_id, mail.id]
  return db.transaction(async (tx) => {
    const earlier = async () => (await tx.rows<{ content: Buffer }>(kept, key))[0]?.content
    const found = await earlier()
    if (found) return found
    await tx.rows(insertKept, [mail.instance_id, letter.id, letter.bytes])
    const isFirst = (await tx.rows(nameKept, [...key, letter.id])).length > 0
    return isFirst ? letter.bytes : ((await earlier()) ?? letter.bytes)
  })
}

export type StagedState = { id: string; status: string; tries: number }

const statesOf = statement(
  'mail.statesOf',
  'select id, status, tries from mail_outbox where id = any($1::uuid[])',
)

/** How messages stand, by their identifiers: what lies in the print queue names no instance. */
export function readStates(db: Connection, ids: readonly string[]): Promise<StagedState[]> {
  return db.rows<StagedState>(statesOf, [ids])
}
