/** The SQL of what has been charged on a debt, whether it was paid or not: ceilings and offsets are read from it. */
import { CAPPED_COUNTRIES, COUNTING_STEPS } from '@kvitt/domain/collection/country-params.ts'
import { lostMinor } from './restated.queries.ts'

/** Financial events that are costs of collecting a debt, or of a plan. What a court costs has no part in their ceilings. */
const COSTS = `('REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE', 'START_FEE', 'ADMIN_FEE')`

const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ')

/** Country, kind of debtor and step. */
const COUNTING = COUNTING_STEPS.map(
  ({ country, debtorKind, step }) =>
    `(${quoted([country, debtorKind === 'consumer' ? 'PERSON' : 'COMPANY', step])})`,
).join(', ')

/**
 * The charge `t` has been taken back: its letter was never sent, a credit took its ground, or a decision for the debtor took
 * back all that the debt had been charged until then. What was waived counts as charged (M-27), but not of a letter that was never
 * sent: its step did not happen, and nothing was left to take back. Whoever adds a way to take a charge back names its cause here.
 */
const takenBack = (decidedOn: string): string => `(
     exists (select from ledger_transaction r where r.instance_id = t.instance_id
       and r.cause in ('credited:' || t.cause, 'unsent:' || substr(t.cause, length('step:') + 1)))
     or exists (select from collection_step u where u.instance_id = t.instance_id and u.status = 'SKIPPED'
       and u.id = case when t.cause like 'step:%' then substr(t.cause, length('step:') + 1)::uuid end)
     or exists (select from ledger_transaction r where r.instance_id = t.instance_id and ${decidedOn}
       and (r.cause like 'dispute-fees:%' or r.cause like 'upheld:%') and r.posted_at >= t.posted_at))`

const OF_INVOICE = {
  charged: 't.invoice_id = i.id',
  decided: 'r.invoice_id = i.id',
  members: `m.invoice_id = i.id`,
}
const OF_CLAIM = {
  charged: `t.id in (select x.id from ledger_transaction x where x.instance_id = c.instance_id and x.claim_id = c.id
       union select x.id from ledger_transaction x join invoice i on i.instance_id = x.instance_id and i.id = x.invoice_id
         where i.instance_id = c.instance_id and i.claim_id = c.id)`,
  decided: `(r.claim_id = c.id or r.invoice_id = t.invoice_id)`,
  members: `(m.claim_id = c.id
       or m.invoice_id in (select i.id from invoice i where i.instance_id = c.instance_id and i.claim_id = c.id))`,
}

/**
 * `charged_minor`, the costs charged and not taken back, for the row's step `s` of debtor `d` and creditor `creditor`; zero where
 * the fee does not depend on them. On invoice `i`, or on claim `c` and all its invoices. Where a ceiling is for all costs,
 * what plans of the debt have billed and not taken back counts too.
 */
function chargedCosts(debt: 'i' | 'c', creditor: string): string {
  const of = debt === 'i' ? OF_INVOICE : OF_CLAIM
  return `case when (${creditor}.country, d.kind, s.type) in (${COUNTING}) then (
     select coalesce(sum(p.amount_minor - ${lostMinor('t')}), 0) from ledger_transaction t
     join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id and p.amount_minor > 0
     where t.instance_id = ${debt}.instance_id and t.kind in ${COSTS} and ${of.charged} and not ${takenBack(of.decided)}
   ) + case when ${creditor}.country in (${quoted(CAPPED_COUNTRIES)}) then (
     select coalesce(sum(n.fee_minor + n.start_fee_minor), 0) from part_payment_instalment n
     where n.instance_id = ${debt}.instance_id and n.invoice_id is not null
       and n.part_payment_id in (select m.part_payment_id from part_payment_member m
         where m.instance_id = ${debt}.instance_id and ${of.members})
       and not exists (select from ledger_transaction b where b.instance_id = n.instance_id and b.cause = 'fees-back:' || n.invoice_id)
   ) else 0 end else 0 end::bigint as charged_minor`
}

export const CHARGED_ON_INVOICE = chargedCosts('i', 'c')
export const CHARGED_ON_CLAIM = chargedCosts('c', 'k')
