/** The SQL of what a provider has and what it still needs: one row of facts, each found with the first that fits. */
import { statement, type Connection } from '../platform/database/database.ts'
import { NOT_HIDDEN } from '../sign-in/shown.ts'

export type FactsRow = {
  readonly hasPostalAddress: boolean
  readonly hasLogo: boolean
  readonly hasFavicon: boolean
  readonly loginCodes: readonly string[]
  /** Kinds of counterparties that the provider has something of its own for. */
  readonly ownKinds: readonly string[]
  /** Of those that were tried: the last answer was of what holds now, and good. */
  readonly acceptedKinds: readonly string[]
  readonly fundsAccounts: number
  readonly payoutAccounts: number
  readonly approvers: number
  readonly creditors: number
  readonly agreements: number
  readonly reminderFees: number
  readonly vatAgreements: number
  readonly numbered: number
  readonly hasServiceText: boolean
  readonly plans: number
  readonly invoicesSent: number
  readonly invoicesPaid: number
  readonly bankFilesBooked: number
}

const countOf = (from: string): string => `(select count(*)::int from ${from})`
/** 1 when there is one, else 0. It is not counted: no step asks for more than one. */
const anyOf = (from: string): string => `(case when exists (select from ${from}) then 1 else 0 end)`
const kindsOf = (from: string): string => `coalesce((select array_agg(k.kind) from ${from}), '{}')`

/** A debt that somebody has paid until nothing was left, and whose payment still stands. */
const paidOf = (debt: 'invoice' | 'claim'): string =>
  anyOf(`${debt} n join ledger_transaction t on t.instance_id = n.instance_id and t.${debt}_id = n.id
       where n.instance_id = i.id and n.status = 'CLOSED' and t.kind = 'PAYMENT' and not exists (select from ledger_transaction r
         where r.instance_id = t.instance_id and r.cause = 'reversal:' || t.cause)`)

/** One creditor's agreement and another's account pay nobody: of all creditors, the one of whom most is there. */
const BEST_CREDITOR = `select * from (select
    ${anyOf('payout_account a where a.instance_id = c.instance_id and a.creditor_id = c.id')} as has_payout_account,
    ${anyOf('creditor_agreement a where a.instance_id = c.instance_id and a.creditor_id = c.id')} as has_agreement,
    greatest(${anyOf('reminder_fee_change f where f.instance_id = c.instance_id and f.creditor_id = c.id')},
      case when c.reminder_fee_agreed_on is not null then 1 else 0 end) as has_reminder_fee
   from creditor c where c.instance_id = i.id) e
   order by has_payout_account + has_agreement + has_reminder_fee desc, has_agreement desc, has_payout_account desc limit 1`

const facts = statement(
  'onboarding.facts',
  `select i.postal_address is not null as "hasPostalAddress", i.logo_name is not null as "hasLogo",
     i.favicon_name is not null as "hasFavicon", i.logins as "loginCodes",
     ${kindsOf('credential k where k.instance_id = i.id and k.is_current')} as "ownKinds",
     ${kindsOf(`credential_trial k where k.instance_id = i.id and k.is_accepted and k.version is not distinct from
       (select c.version from credential c where c.instance_id = i.id and c.kind = k.kind and c.is_current)`)} as "acceptedKinds",
     ${anyOf('payment_account a where a.instance_id = i.id and a.creditor_id is null and a.is_usable')} as "fundsAccounts",
     coalesce(b.has_payout_account, 0) as "payoutAccounts",
     (select count(distinct m.person_id)::int from membership m
      where m.instance_id = i.id and m.creditor_id is null and m.role in ('manager', 'approver') and m.ended_at is null
        and m.signed_in_at is not null) as "approvers",
     ${countOf('creditor c where c.instance_id = i.id')} as "creditors",
     coalesce(b.has_agreement, 0) as "agreements", coalesce(b.has_reminder_fee, 0) as "reminderFees",
     coalesce(b.has_agreement, 0) as "vatAgreements",
     greatest(${anyOf(`number_series s where s.instance_id = i.id and s.kind = 'INVOICE'`)},
       ${anyOf('invoice n where n.instance_id = i.id')}) as "numbered",
     i.service_texts ? i.language as "hasServiceText",
     ${anyOf('part_payment_setting s where s.instance_id = i.id and s.is_offered')} as "plans",
     ${anyOf(`(select i.* from invoice i where i.instance_id = $1 and ${NOT_HIDDEN}) n`)} as "invoicesSent",
     greatest(${paidOf('invoice')}, ${paidOf('claim')}) as "invoicesPaid",
     ${anyOf(`bank_line l where l.instance_id = i.id and l.status = 'BOOKED'`)} as "bankFilesBooked"
   from instance i left join lateral (${BEST_CREDITOR}) b on true where i.id = $1`,
)

/** Undefined when there is no such provider. */
export async function readFacts(db: Connection, instanceId: string): Promise<FactsRow | undefined> {
  return (await db.rows<FactsRow>(facts, [instanceId]))[0]
}
