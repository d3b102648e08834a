-- As before; money of a gateway that was booked on the wrong debt is taken back and booked anew, whole, so that at most one of
-- its bookings stands.
create or replace view inv_i4_settled_payments_are_booked_once as
  select p.instance_id, p.id as payment_id, p.status, p.amount_minor, count(t.id) as bookings, sum(c.amount_minor) as booked_minor
  from payment p
  left join ledger_transaction t on t.instance_id = p.instance_id and t.payment_id = p.id and t.kind = 'PAYMENT'
  left join ledger_transaction r on r.instance_id = t.instance_id and r.cause = 'reversal:' || t.cause
  left join (
    select o.instance_id, o.transaction_id, o.currency, sum(o.amount_minor) as amount_minor
    from posting o join ledger_account a on a.instance_id = o.instance_id and a.id = o.account_id
    where a.kind = 'clearing' group by 1, 2, 3) c
    on c.instance_id = t.instance_id and c.transaction_id = t.id and c.currency = p.currency
  left join bank_line l on l.instance_id = p.instance_id and l.payment_id = p.id and l.status in ('BOOKED', 'REVERSED')
    and coalesce(l.invoice_id, l.claim_id) is not null and l.amount_minor = p.amount_minor and l.currency = p.currency
  group by p.instance_id, p.id, p.status, p.arrived_on, p.amount_minor, l.id
  having (p.status = 'COMPLETED' or p.arrived_on is not null) and l.id is null
      and (count(t.id) = 0 or count(t.id) - count(r.id) > 1
        or count(t.id) filter (where c.amount_minor is distinct from p.amount_minor) > 0)
    or ((p.status <> 'COMPLETED' and p.arrived_on is null) or l.id is not null) and count(t.id) <> 0;
