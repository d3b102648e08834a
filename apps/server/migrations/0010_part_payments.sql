-- Part payments: what is offered, the plans that were agreed, and their instalments.

-- Offers are dated data: a row is never changed. Of the rows of one code the newest that has begun counts; a
-- creditor's own row takes the place of its instance's.
create table part_payment_setting (
  instance_id uuid not null references instance (id),
  id uuid not null,
  creditor_id uuid,
  code text not null check (code ~ '^[A-Z0-9_]{1,40}$'),
  variant text not null check (variant in ('PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT')),
  currency char(3) not null,
  -- Null for an account: it lasts until it is paid off.
  months smallint check (months between 1 and 120),
  start_fee_minor bigint not null check (start_fee_minor >= 0),
  -- The administration fee of each instalment.
  monthly_fee_minor bigint not null check (monthly_fee_minor >= 0),
  -- Nominal, yearly, in percent.
  percent numeric(5, 2) not null check (percent >= 0),
  interest_free_days smallint not null default 0 check (interest_free_days >= 0),
  -- Days between an instalment's invoice and its due date.
  terms_days smallint not null check (terms_days between 1 and 28),
  -- An account's instalment in percent of its balance.
  threshold_percent numeric(5, 2) check (threshold_percent > 0 and threshold_percent <= 100),
  add_to_existing boolean not null default false,
  legal_visible boolean not null,
  terms_visible boolean not null,
  smallest_balance_minor bigint not null check (smallest_balance_minor > 0),
  -- False takes the code off the list from valid_from on.
  is_offered boolean not null default true,
  valid_from date not null,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  check ((variant = 'PART_PAYMENT_ACCOUNT') = (months is null)),
  check ((variant = 'PART_PAYMENT_ACCOUNT') = (threshold_percent is not null)),
  check (variant = 'PART_PAYMENT_ACCOUNT' or not add_to_existing),
  check (variant <> 'ONGOING_PAYMENT' or percent = 0)
);
create unique index part_payment_setting_once on part_payment_setting
  (instance_id, creditor_id, code, valid_from) nulls not distinct;

create table part_payment (
  instance_id uuid not null,
  id uuid not null,
  setting_id uuid not null,
  creditor_id uuid not null,
  debtor_id uuid not null,
  currency char(3) not null,
  status text not null check (status in ('ACTIVE', 'COMPLETED', 'DEFAULTED', 'WITHDRAWN', 'STOPPED')),
  -- What the numbers of its instalments' invoices begin with.
  number text not null,
  -- What was owed when it began; an account grows by what is added.
  amount_minor bigint not null check (amount_minor > 0),
  started_on date not null,
  withdraw_until date not null,
  ended_on date,
  -- The evidence: the offer's figures, the text agreed to, whether it was ticked, when, through which kind of
  -- session and from which network.
  agreement jsonb not null,
  idempotency_key text not null,
  request_hash bytea not null,
  primary key (instance_id, id),
  foreign key (instance_id, setting_id) references part_payment_setting (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  check ((status = 'ACTIVE') = (ended_on is null))
);
create index part_payment_debtor on part_payment (instance_id, debtor_id, creditor_id);
create index part_payment_active on part_payment (instance_id, id) where status = 'ACTIVE';

-- The invoices whose balance is paid by a plan; an account can have several. An invoice is in one plan, ever.
create table part_payment_member (
  instance_id uuid not null,
  invoice_id uuid not null,
  part_payment_id uuid not null,
  added_on date not null,
  -- What it brought into the plan.
  amount_minor bigint not null check (amount_minor > 0),
  primary key (instance_id, invoice_id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id),
  foreign key (instance_id, part_payment_id) references part_payment (instance_id, id)
);
create index part_payment_member_plan on part_payment_member (instance_id, part_payment_id);

create table part_payment_instalment (
  instance_id uuid not null,
  id uuid not null,
  part_payment_id uuid not null,
  number smallint not null check (number > 0),
  -- When its invoice is made, and when that is due.
  send_date date not null,
  due_date date not null,
  principal_minor bigint not null check (principal_minor >= 0),
  interest_minor bigint not null check (interest_minor >= 0),
  fee_minor bigint not null check (fee_minor >= 0),
  start_fee_minor bigint not null default 0 check (start_fee_minor >= 0),
  -- Its invoice, once there is one. From then on the invoice tells what is owed.
  invoice_id uuid,
  primary key (instance_id, id),
  unique (instance_id, part_payment_id, number),
  unique (instance_id, invoice_id),
  foreign key (instance_id, part_payment_id) references part_payment (instance_id, id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id),
  check (due_date >= send_date)
);
create index part_payment_instalment_due on part_payment_instalment (instance_id, send_date) where invoice_id is null;

grant select on part_payment_setting, part_payment, part_payment_member, part_payment_instalment to kvitt_app;
grant insert on part_payment_setting, part_payment, part_payment_member, part_payment_instalment to kvitt_app;
grant update (status, ended_on, amount_minor) on part_payment to kvitt_app;
grant update (send_date, due_date, invoice_id, principal_minor, interest_minor, fee_minor, start_fee_minor)
  on part_payment_instalment to kvitt_app;
grant delete on part_payment_instalment to kvitt_app;
grant update (is_part_payment, part_payment_variant, expire_date) on invoice to kvitt_app;

-- An instalment that was billed stays.
create function keep_billed_instalments() returns trigger language plpgsql as $$
begin
  raise exception 'an instalment that was billed cannot be changed or removed' using errcode = 'KV004';
end $$;
create trigger part_payment_instalment_billed before update or delete on part_payment_instalment
  for each row when (old.invoice_id is not null) execute function keep_billed_instalments();

-- As before; only a plan's own invoice may stand open without a balance: all of it is billed, not all is paid.
create or replace view inv_i15_status_agrees_with_balance as
  select i.instance_id, i.id as invoice_id, i.status, i.balance_minor
  from invoice i
  where (i.status in ('CLOSED', 'ARCHIVED') and i.balance_minor <> 0)
    or (i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION') and i.balance_minor = 0
      and not i.is_part_payment)
    or (i.status = 'PENDING_AUTHORIZATION' and not exists (
      select from payment p where p.instance_id = i.instance_id and p.invoice_id = i.id and p.status = 'AUTHORIZED'));

-- A running plan has its mark on its invoices and nobody else has; its schedule bills all that is left, and no more
-- than it took over.
create view inv_i10_plans_add_up as
  select i.instance_id, i.id as subject_id, 'mark' as wrong
  from invoice i
  left join part_payment_member m on m.instance_id = i.instance_id and m.invoice_id = i.id
  left join part_payment p on p.instance_id = m.instance_id and p.id = m.part_payment_id
  where i.is_part_payment <> (p.status is not null and p.status in ('ACTIVE', 'COMPLETED'))
    or (i.is_part_payment and i.part_payment_variant is null)
  union all
  select p.instance_id, p.id, 'sum'
  from part_payment p
  join (
    select instance_id, part_payment_id, sum(principal_minor) as all_minor,
      coalesce(sum(principal_minor) filter (where invoice_id is null), 0) as to_come_minor
    from part_payment_instalment group by 1, 2) n on n.instance_id = p.instance_id and n.part_payment_id = p.id
  where p.status = 'ACTIVE' and (n.all_minor > p.amount_minor or n.to_come_minor < (
    select sum(i.balance_minor) from part_payment_member m
    join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id and i.status not in ('STOPPED', 'ARCHIVED')
    where m.instance_id = p.instance_id and m.part_payment_id = p.id))
  union all
  select p.instance_id, p.id, 'members'
  from part_payment p
  where p.amount_minor <> (select coalesce(sum(m.amount_minor), 0) from part_payment_member m
    where m.instance_id = p.instance_id and m.part_payment_id = p.id)
  union all
  select p.instance_id, p.id, 'completed with money owed'
  from part_payment p
  where p.status = 'COMPLETED' and exists (
    select from part_payment_instalment n join invoice i on i.instance_id = n.instance_id and i.id = n.invoice_id
    where n.instance_id = p.instance_id and n.part_payment_id = p.id and i.balance_minor <> 0
      and i.status <> 'STOPPED');

-- Each krona counts once: what left a plan's invoices stands on its instalments' invoices, to the öre.
create view inv_i18_plan_money_counts_once as
  select p.instance_id, p.id as part_payment_id, sum(o.amount_minor) as sum_minor
  from part_payment p
  join (
    select instance_id, part_payment_id, invoice_id, false as is_instalment from part_payment_member
    union all
    select instance_id, part_payment_id, invoice_id, true from part_payment_instalment where invoice_id is not null
  ) x on x.instance_id = p.instance_id and x.part_payment_id = p.id
  join ledger_transaction t on t.instance_id = x.instance_id and t.invoice_id = x.invoice_id
    and (t.kind = 'TRANSFER_TO_PLAN' or (t.kind = 'INVOICE' and x.is_instalment))
  join posting o on o.instance_id = t.instance_id and o.transaction_id = t.id
  join ledger_account a on a.instance_id = o.instance_id and a.id = o.account_id and a.invoice_id = t.invoice_id
  group by p.instance_id, p.id
  having sum(o.amount_minor) <> 0;
grant select on inv_i10_plans_add_up, inv_i18_plan_money_counts_once to kvitt_app;
