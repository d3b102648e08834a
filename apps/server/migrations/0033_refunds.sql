-- Money that goes back the way it came: written down before the gateway is asked, booked when the gateway has sent it.

create table refund (
  instance_id uuid not null,
  -- Travels to the gateway, which takes it once.
  id uuid not null,
  payment_id uuid not null,
  -- The task that says what is owed back.
  about text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  -- CREATED until the gateway has it, SENT until it says how it ended.
  status text not null default 'CREATED' check (status in ('CREATED', 'SENT', 'PAID', 'FAILED')),
  failure text,
  callback_secret text not null unique,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  tries integer not null default 0,
  -- One program at a time gives it to the gateway: a refusal is the end only when no other try is on its way.
  given_until timestamptz,
  primary key (instance_id, id),
  foreign key (instance_id, payment_id) references payment (instance_id, id),
  check ((status = 'FAILED') = (failure is not null))
);
-- One at a time: what is under way is what a repeat means.
create unique index refund_one_under_way on refund (instance_id, payment_id) where status in ('CREATED', 'SENT');
create index refund_of_payment on refund (instance_id, payment_id);
create index refund_to_check on refund (checked_at) where status in ('CREATED', 'SENT');

grant select, insert on refund to kvitt_app;
grant update (status, failure, changed_at, checked_at, tries, given_until) on refund to kvitt_app;

-- What was sent back is in the books once, with its sum, and never more than was paid.
create view inv_i23_refunds_are_booked_once as
  select r.instance_id, r.id as refund_id, r.status, r.amount_minor, count(t.id) as bookings, sum(c.amount_minor) as booked_minor
  from refund r
  left join ledger_transaction t on t.instance_id = r.instance_id and t.cause = 'sent:refund:' || r.id
  left join (
    select o.instance_id, o.transaction_id, o.currency, sum(o.amount_minor) as amount_minor
    from posting o join ledger_account a on a.instance_id = o.instance_id and a.id = o.account_id
    where a.kind = 'clearing' group by 1, 2, 3) c
    on c.instance_id = t.instance_id and c.transaction_id = t.id and c.currency = r.currency
  group by r.instance_id, r.id, r.status, r.amount_minor
  having (r.status = 'PAID' and (count(t.id) <> 1 or sum(c.amount_minor) is distinct from -r.amount_minor))
    or (r.status <> 'PAID' and count(t.id) <> 0)
  union all
  select p.instance_id, p.id, p.status, p.amount_minor, count(*), sum(r.amount_minor)
  from payment p join refund r on r.instance_id = p.instance_id and r.payment_id = p.id and r.status <> 'FAILED'
  group by p.instance_id, p.id, p.status, p.amount_minor
  having sum(r.amount_minor) > p.amount_minor;
grant select on inv_i23_refunds_are_booked_once to kvitt_app;

-- The lengths of lists are I20.
alter view inv_i20_audit_events_are_chained rename to inv_i21_audit_events_are_chained;
