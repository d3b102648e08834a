-- Money that a gateway has moved for a payment that was given up here: the payment stays FAILED, its money is booked.

-- The day on which that money was booked.
alter table payment add column arrived_on date;
alter table payment add check (arrived_on is null or status = 'FAILED');
grant update (arrived_on) on payment to kvitt_app;
-- Given up, and perhaps paid all the same: asked about until the gateway says how it ended.
create index payment_late_to_check on payment (checked_at) where status = 'FAILED' and is_outcome_unknown;

-- As before; what a bank's file had told of before its gateway is booked there, once.
create or replace view inv_i4_settled_payments_are_booked_once as
  select p.instance_id, p.id as payment_id, p.status, p.amount_minor, count(t.id) as bookings, sum(c.amount_minor) as booked_minor
  from payment p
  left join ledger_transaction t on t.instance_id = p.instance_id and t.payment_id = p.id and t.kind = 'PAYMENT'
  left join (
    select o.instance_id, o.transaction_id, o.currency, sum(o.amount_minor) as amount_minor
    from posting o join ledger_account a on a.instance_id = o.instance_id and a.id = o.account_id
    where a.kind = 'clearing' group by 1, 2, 3) c
    on c.instance_id = t.instance_id and c.transaction_id = t.id and c.currency = p.currency
  left join bank_line l on l.instance_id = p.instance_id and l.payment_id = p.id and l.status in ('BOOKED', 'REVERSED')
    and l.amount_minor = p.amount_minor and l.currency = p.currency
  group by p.instance_id, p.id, p.status, p.arrived_on, p.amount_minor, l.id
  having (p.status = 'COMPLETED' or p.arrived_on is not null) and l.id is null
      and (count(t.id) <> 1 or sum(c.amount_minor) is distinct from p.amount_minor)
    or ((p.status <> 'COMPLETED' and p.arrived_on is null) or l.id is not null) and count(t.id) <> 0;
