/** The SQL of late days that are known anew, because money was told of late. */
import { debtId } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Transaction } from '../platform/database/database.ts'
import type { DebtKey } from './late-days.queries.ts'

/** `which`: of what came, or of what was taken back; the latter's principal is less than nothing. */
const restated = (name: string, which: string, minor: string) =>
  statement(
    `lateDays.${name}`,
    `update late_days l set principal_minor = case when n.minor = 0 then l.principal_minor else ${minor} end,
     status = case when n.minor = 0 then 'DROPPED' else l.status end,
     bill_id = case when n.minor = 0 then null else l.bill_id end
   from unnest($3::uuid[], $4::bigint[]) as n (payment_id, minor)
   where l.instance_id = $1 and l.debt_id = $2 and l.payment_id = n.payment_id and ${which} and not l.by_plan
     and l.status in ('WAITING', 'SMALL', 'BILLED') and l.principal_minor <> ${minor}`,
  )
const restate = restated('restate', 'not l.is_back', 'n.minor')
const restateBack = restated('restateBack', 'l.is_back', '-n.minor')
/** Money that had paid charges alone left no days; now that they fall it pays what was bought. */
const first = (
  name: string,
  of: 'invoice' | 'claim',
  {
    isBack,
    postedTo,
    bears,
  }: { readonly isBack: boolean; readonly postedTo: string; readonly bears: string },
) =>
  statement(
    `lateDays.${name}.${of}`,
    `insert into late_days (instance_id, payment_id, is_back, ${of}_id, principal_minor, from_day, to_day)
     select d.instance_id, n.payment_id, ${isBack}, d.id, ${isBack ? '-n.minor' : 'n.minor'}, ${postedTo} + 1, n.to_day
     from ${of} d, unnest($3::uuid[], $4::bigint[], $5::date[]) as n (payment_id, minor, to_day)
     where d.instance_id = $1 and d.id = $2 and not d.is_part_payment and n.minor > 0 and ${bears}
       and not exists (select from late_days l where l.instance_id = d.instance_id and l.payment_id = n.payment_id
         and ${isBack ? 'l.is_back' : 'not l.is_back'})`,
  )
const OF_INVOICE = {
  postedTo: 'greatest(d.interest_posted_to, d.expire_date)',
  bears: `d.type in ('INVOICE', 'MEMBERSHIP_FEE') and d.expire_date < n.to_day`,
}
const OF_CLAIM = { postedTo: 'd.interest_posted_to', bears: 'd.opened_on < n.to_day' }
const FIRST = {
  invoice: first('firstRestated', 'invoice', { ...OF_INVOICE, isBack: false }),
  claim: first('firstRestated', 'claim', { ...OF_CLAIM, isBack: false }),
}
const FIRST_BACK = {
  invoice: first('firstBack', 'invoice', { ...OF_INVOICE, isBack: true }),
  claim: first('firstBack', 'claim', { ...OF_CLAIM, isBack: true }),
}

type RestatedPayment = {
  readonly shareId: string
  readonly principalMinor: number
  readonly to: string
  /** Until when it looked paid, when it was taken back. */
  readonly until: string | undefined
}

/**
 * What payments of the debt, by their shares, did to the principal until their days is known anew; and what those that were taken
 * back looked as if they had. What a posting has counted stays.
 */
export async function restateLateDays(
  tx: Transaction,
  { instanceId, debt }: DebtKey,
  payments: readonly RestatedPayment[],
): Promise<void> {
  if (payments.length === 0) return
  const key = [instanceId, debtId(debt)]
  const of = 'claimId' in debt ? 'claim' : 'invoice'
  const columns = (rows: readonly RestatedPayment[]) => [
    rows.map(({ shareId }) => shareId),
    rows.map(({ principalMinor }) => principalMinor),
  ]
  await tx.rows(restate, [...key, ...columns(payments)])
  await tx.rows(FIRST[of], [...key, ...columns(payments), payments.map(({ to }) => to)])
  const back = payments.filter(({ until }) => until !== undefined)
  if (back.length === 0) return
  await tx.rows(restateBack, [...key, ...columns(back)])
  await tx.rows(FIRST_BACK[of], [...key, ...columns(back), back.map(({ until }) => until)])
}
