-- Money that a creditor was paid itself, as its staff has entered it. In the books it stands as `payment:<id>`, on the creditor's
-- own account.
create table direct_payment (
  instance_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  -- From when it counts.
  paid_on date not null,
  note text check (length(note) <= 500),
  entered_by text not null check (length(entered_by) <= 100),
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id)
);
create index direct_payment_invoice on direct_payment (instance_id, invoice_id);
create trigger direct_payment_append_only before update or delete or truncate on direct_payment
  for each statement execute function refuse_change();
grant select, insert on direct_payment to kvitt_app;

-- What a creditor's staff has entered is in the books once, with its amount.
create view inv_i32_direct_payments_are_booked as
  select d.instance_id, d.id, d.amount_minor, coalesce(sum(p.amount_minor), 0) as booked_minor
  from direct_payment d
  left join ledger_transaction t on t.instance_id = d.instance_id and t.cause = 'payment:' || d.id
  left join ledger_account a on a.instance_id = d.instance_id and a.kind = 'clearing' and a.gateway = 'CREDITOR_ACCOUNT'
    and a.currency = d.currency
  left join posting p on p.instance_id = d.instance_id and p.transaction_id = t.id and p.account_id = a.id
  group by d.instance_id, d.id, d.amount_minor
  having coalesce(sum(p.amount_minor), 0) <> d.amount_minor;
grant select on inv_i32_direct_payments_are_booked to kvitt_app;
