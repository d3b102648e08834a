-- Settlements are paid out: in files that two people have approved, until the bank's statement tells of each payout.

-- PAYOUT: money held for a creditor leaves for it, or is the operator's from then on.
alter table ledger_transaction drop constraint ledger_transaction_kind_check;
alter table ledger_transaction add constraint ledger_transaction_kind_check check (kind in ('INVOICE',
  'CREDIT_INVOICE', 'REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE', 'INTEREST', 'START_FEE', 'ADMIN_FEE', 'COURT_FEE',
  'PAYMENT', 'REFUND', 'WRITE_OFF', 'TRANSFER_TO_CLAIM', 'TRANSFER_TO_PLAN', 'REVERSAL',
  'DENIED_TAX_REDUCTION_NOTIFICATION', 'PAYOUT')) not valid;
alter table ledger_transaction validate constraint ledger_transaction_kind_check;

create table payout_file (
  instance_id uuid not null references instance (id),
  id uuid not null,
  message_id text not null check (message_id ~ '^[0-9A-Za-z]{1,35}$'),
  currency char(3) not null,
  -- The account of client funds that it leaves.
  account_id uuid not null,
  from_account text not null,
  execution_on date not null,
  payout_count integer not null check (payout_count > 0),
  amount_minor bigint not null check (amount_minor > 0),
  -- The bytes that the bank gets, the same each time.
  content text not null,
  proposal_id uuid not null,
  made_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, message_id),
  unique (instance_id, proposal_id),
  foreign key (instance_id, account_id) references payment_account (instance_id, id),
  foreign key (instance_id, proposal_id) references proposal (instance_id, id)
);
create trigger payout_file_append_only before update or delete or truncate on payout_file
  for each statement execute function refuse_change();
grant select, insert on payout_file to kvitt_app;

-- An attempt to pay one settlement. Its id travels with the money (EndToEndId).
create table payout (
  instance_id uuid not null,
  id uuid not null,
  file_id uuid not null,
  settlement_id uuid not null,
  account_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  status text not null default 'SENT' check (status in ('SENT', 'ACCEPTED', 'PAID', 'REFUSED')),
  reason text,
  primary key (instance_id, id),
  foreign key (instance_id, file_id) references payout_file (instance_id, id),
  foreign key (instance_id, settlement_id) references settlement (instance_id, id),
  foreign key (instance_id, account_id) references payout_account (instance_id, id),
  check (reason is null or status = 'REFUSED')
);
-- A settlement leaves once, until the bank has refused it.
create unique index payout_of_settlement on payout (instance_id, settlement_id) where status <> 'REFUSED';
create index payout_settlement on payout (instance_id, settlement_id);
create index payout_file_payouts on payout (instance_id, file_id);
grant select, insert on payout to kvitt_app;
grant update (status, reason) on payout to kvitt_app;

-- The bank's answers, each once.
create table payout_answer (
  instance_id uuid not null,
  content_hash bytea not null,
  file_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (instance_id, content_hash),
  foreign key (instance_id, file_id) references payout_file (instance_id, id)
);
grant select, insert on payout_answer to kvitt_app;

-- What was to leave and has been refused by the bank is expected no more.
alter table money_out add column returned_on date check (returned_on is null or line_id is null and left_on is null);
grant update (returned_on) on money_out to kvitt_app;

create or replace view inv_i27_money_out_is_expected as
  select coalesce(a.instance_id, m.instance_id) as instance_id, coalesce(a.currency, m.currency) as currency,
    a.minor as account_minor, m.minor as expected_minor
  from (
    select instance_id, currency, gateway, -sum(balance_minor) as minor from ledger_account
    where kind = 'clearing' and gateway in ('BANK_RETURN', 'BANK_PAYOUT') group by 1, 2, 3) a
  full join (
    select instance_id, currency, case when about like 'payout:%' then 'BANK_PAYOUT' else 'BANK_RETURN' end as gateway,
      sum(amount_minor) as minor from money_out
    where line_id is null and left_on is null and returned_on is null group by 1, 2, 3) m
    on m.instance_id = a.instance_id and m.currency = a.currency and m.gateway = a.gateway
  where coalesce(a.minor, 0) <> coalesce(m.minor, 0);

-- As before; what leaves for a creditor is of no settlement.
create or replace view inv_i33_settlements_are_of_the_books as
  with held as (
    select e.instance_id, e.settlement_id, -sum(p.amount_minor) as minor
    from settlement_entry e
    join posting p on p.instance_id = e.instance_id and p.transaction_id = e.transaction_id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'held_for_creditor'
    group by 1, 2
  ), lines as (
    select instance_id, settlement_id,
      sum(amount_minor) filter (where kind in ('COMMISSION', 'COMMISSION_ON_DIRECT', 'PAYMENT_PRICE', 'CASE_PRICE', 'DEBTOR_FEE')) as fees,
      sum(amount_minor) filter (where kind = 'VAT') as vat,
      sum(amount_minor) filter (where kind in ('COURT_OUTLAY', 'CARRIED_IN', 'CARRIED_OUT')) as corrections,
      sum(amount_minor) filter (where kind = 'CARRIED_IN') as carried_in,
      sum(amount_minor) filter (where kind = 'CARRIED_OUT') as carried_out
    from settlement_line group by 1, 2
  ), counted as (
    select s.*, coalesce(h.minor, 0) as held, coalesce(l.fees, 0) as fees, coalesce(l.vat, 0) as vat,
      coalesce(l.corrections, 0) as corrections, coalesce(l.carried_in, 0) as carried_in, coalesce(l.carried_out, 0) as carried_out
    from settlement s
    left join held h on h.instance_id = s.instance_id and h.settlement_id = s.id
    left join lines l on l.instance_id = s.instance_id and l.settlement_id = s.id
    where s.status <> 'COUNTING'
  )
  select instance_id, id as settlement_id, 'sums' as violation from counted
  where held <> collected_minor - (corrections_minor - corrections) or fees <> fees_minor or vat <> vat_minor
  union all
  select c.instance_id, c.id, 'carried' from counted c
  left join counted b on b.instance_id = c.instance_id and b.creditor_id = c.creditor_id and b.currency = c.currency
    and b.number = c.number - 1
  where c.carried_in <> -coalesce(b.carried_out, 0)
  union all
  select e.instance_id, e.settlement_id, 'another''s entry' from settlement_entry e
  join settlement s on s.instance_id = e.instance_id and s.id = e.settlement_id
  join posting p on p.instance_id = e.instance_id and p.transaction_id = e.transaction_id
  join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
    and a.kind in ('held_for_creditor', 'paid_to_creditor', 'claims_on_debtors')
  where a.creditor_id <> s.creditor_id or a.currency <> s.currency
  union all
  -- What was booked by the last day of a settlement and is in none was booked while it was made: the next takes it.
  select t.instance_id, t.id, 'forgotten' from ledger_transaction t
  join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
  join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'held_for_creditor'
  where t.kind <> 'PAYOUT'
    and not exists (select from settlement_entry e where e.instance_id = t.instance_id and e.transaction_id = t.id)
    and 1 < (select count(*) from settlement s where s.instance_id = a.instance_id and s.creditor_id = a.creditor_id
      and s.currency = a.currency and s.period_to >= t.booked_on and s.created_at > t.posted_at + interval '1 hour');

-- What the operator keeps of a settlement that is paid out: its own, and that of those before it that were carried into it.
create function operators_part(of_instance uuid, of_settlement uuid) returns bigint language sql stable
  set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(sum(s.fees_minor + s.vat_minor + coalesce((select sum(l.amount_minor) from settlement_line l
    where l.instance_id = s.instance_id and l.settlement_id = s.id and l.kind = 'COURT_OUTLAY'), 0)), 0)::bigint
  from settlement n
  join settlement s on s.instance_id = n.instance_id and s.creditor_id = n.creditor_id and s.currency = n.currency
    and s.number <= n.number and s.number > coalesce((select max(b.number) from settlement b where b.instance_id = n.instance_id
      and b.creditor_id = n.creditor_id and b.currency = n.currency and b.number < n.number and b.status <> 'CARRIED'), 0)
  where n.instance_id = of_instance and n.id = of_settlement
$$;

-- Payouts, settlements and postings agree: what is on its way or paid has left what is held, once and to the öre; what was refused has
-- come back; the operator's part has left with the first payout of its settlement; and each state of a settlement is that of its payout.
create view inv_i34_payouts_are_posted as
  with posted as (
    select t.instance_id, t.cause, a.creditor_id, a.currency, sum(p.amount_minor) as minor from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'held_for_creditor'
    where t.kind = 'PAYOUT' group by 1, 2, 3, 4
  ), wanted as (
    select o.instance_id, 'payout:' || o.id as cause, s.creditor_id, s.currency, o.amount_minor as minor
    from payout o join settlement s on s.instance_id = o.instance_id and s.id = o.settlement_id
    union all
    select o.instance_id, 'payout-back:' || o.id, s.creditor_id, s.currency, -o.amount_minor
    from payout o join settlement s on s.instance_id = o.instance_id and s.id = o.settlement_id where o.status = 'REFUSED'
    union all
    select s.instance_id, 'fees:settlement:' || s.id, s.creditor_id, s.currency, operators_part(s.instance_id, s.id)
    from settlement s where operators_part(s.instance_id, s.id) <> 0
      and exists (select from payout o where o.instance_id = s.instance_id and o.settlement_id = s.id)
  )
  select coalesce(p.instance_id, w.instance_id) as instance_id, coalesce(p.cause, w.cause) as about, 'posting' as violation
  from posted p full join wanted w on w.instance_id = p.instance_id and w.cause = p.cause and w.creditor_id = p.creditor_id
    and w.currency = p.currency and w.minor = p.minor
  where p.cause is null or w.cause is null
  union all
  select s.instance_id, 'settlement:' || s.id, 'state' from settlement s
  left join payout o on o.instance_id = s.instance_id and o.settlement_id = s.id and o.status <> 'REFUSED'
  where s.status not in ('COUNTING', 'CARRIED', 'TO_APPROVE')
    and (case o.status when 'SENT' then 'SENT' when 'ACCEPTED' then 'SENT' when 'PAID' then 'PAID' end)
      is distinct from (case when s.status in ('SENT', 'PAID') then s.status end)
    or o.amount_minor <> s.paid_out_minor
    or s.status = 'REFUSED' and not exists (select from payout r where r.instance_id = s.instance_id and r.settlement_id = s.id)
  union all
  select o.instance_id, 'payout:' || o.id, 'bank' from payout o
  left join money_out m on m.instance_id = o.instance_id and m.about = 'payout:' || o.id
  where m.id is null or (o.status = 'PAID') <> (m.line_id is not null or m.left_on is not null)
    or (o.status = 'REFUSED') <> (m.returned_on is not null) or m.amount_minor <> o.amount_minor;
grant select on inv_i34_payouts_are_posted to kvitt_app;
