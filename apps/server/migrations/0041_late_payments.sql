-- Principal that was paid late, for the days that no posting of interest has counted (D-28): each sum of it once, as it
-- was when the money was booked. A night bills it or lets it be.

create table late_payment (
  instance_id uuid not null,
  -- The payment or the line of a bank's file, as the books name it.
  payment_id uuid not null,
  invoice_id uuid,
  claim_id uuid,
  debt_id uuid not null generated always as (coalesce(claim_id, invoice_id)) stored,
  principal_minor bigint not null check (principal_minor > 0),
  -- The first and the last day that bear interest.
  from_day date not null,
  paid_on date not null,
  status text not null default 'WAITING' check (status in ('WAITING', 'BILLED', 'DROPPED')),
  -- The interest invoice and its part of it.
  bill_id uuid,
  interest_minor bigint,
  booked_at timestamptz not null default now(),
  primary key (instance_id, payment_id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id),
  foreign key (instance_id, claim_id) references claim (instance_id, id),
  foreign key (instance_id, bill_id) references invoice (instance_id, id),
  check (num_nonnulls(invoice_id, claim_id) = 1),
  check (from_day <= paid_on),
  check ((status = 'BILLED') = (bill_id is not null) and (bill_id is null) = (interest_minor is null))
);
create index late_payment_waiting on late_payment (instance_id, debt_id) where status = 'WAITING';

grant select, insert on late_payment to kvitt_app;
grant update (status, bill_id, interest_minor) on late_payment to kvitt_app;

-- What nobody had settled yet: payments of invoices that they closed.
insert into late_payment (instance_id, payment_id, invoice_id, principal_minor, from_day, paid_on)
select t.instance_id, substr(t.cause, length('payment:') + 1)::uuid, i.id, -sum(p.amount_minor),
  greatest(i.interest_posted_to, i.expire_date) + 1, t.booked_on
from ledger_transaction t
join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'principal'
  and a.invoice_id = t.invoice_id
where t.kind = 'PAYMENT' and i.status = 'CLOSED' and not i.is_part_payment and i.type in ('INVOICE', 'MEMBERSHIP_FEE')
  and t.booked_on > greatest(i.expire_date, i.interest_posted_to)
  and not exists (select from ledger_transaction r where r.instance_id = t.instance_id and r.cause = 'reversal:' || t.cause)
group by t.instance_id, t.id, t.cause, t.booked_on, i.id, i.interest_posted_to, i.expire_date
having sum(p.amount_minor) < 0;

-- An interest invoice asks for what its payments' interest was, and no payment's twice.
create view inv_i25_late_interest_is_billed_once as
  select b.instance_id, b.id as bill_id, b.total_minor, l.interest_minor
  from invoice b
  join (select instance_id, bill_id, sum(interest_minor) as interest_minor from late_payment
    where bill_id is not null group by 1, 2) l on l.instance_id = b.instance_id and l.bill_id = b.id
  where b.total_minor <> l.interest_minor or b.type <> 'INTEREST_INVOICE';
grant select on inv_i25_late_interest_is_billed_once to kvitt_app;
