-- What the operator takes for its work for a creditor, from a day on (staff.md 6). Without a row: no commission, no price, no VAT.
create table creditor_agreement (
  instance_id uuid not null,
  id bigint generated always as identity,
  creditor_id uuid not null,
  from_day date not null,
  -- Of what is the creditor's, in hundredths of a per cent: of invoices, and of claims.
  invoice_commission_bp integer not null check (invoice_commission_bp between 0 and 10000),
  claim_commission_bp integer not null check (claim_commission_bp between 0 and 10000),
  -- Of prices and of the smallest payout; what is settled in another bears commission alone.
  currency char(3) not null,
  payment_price_minor bigint not null check (payment_price_minor >= 0),
  case_price_minor bigint not null check (case_price_minor >= 0),
  vat_bp integer not null check (vat_bp between 0 and 10000),
  period text not null check (period in ('WEEK', 'MONTH')),
  smallest_payout_minor bigint not null check (smallest_payout_minor >= 0),
  source text not null check (source <> ''),
  entered_by text not null check (entered_by <> ''),
  entered_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);
create index creditor_agreement_of_creditor on creditor_agreement (instance_id, creditor_id, from_day, id);
create trigger creditor_agreement_append_only before update or delete or truncate on creditor_agreement
  for each statement execute function refuse_change();
grant select, insert on creditor_agreement to kvitt_app;

-- A period of one creditor in one currency: what came, what the operator takes, and what is paid out.
create table settlement (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  currency char(3) not null,
  -- 1, 2, 3 of the creditor and currency: each takes what those before have left.
  number integer not null check (number > 0),
  period_from date not null,
  period_to date not null,
  status text not null check (status in ('COUNTING', 'TO_APPROVE', 'APPROVED', 'SENT', 'PAID', 'REFUSED', 'CARRIED')),
  collected_minor bigint not null default 0,
  fees_minor bigint not null default 0,
  vat_minor bigint not null default 0,
  corrections_minor bigint not null default 0,
  paid_out_minor bigint not null default 0 check (paid_out_minor >= 0),
  created_at timestamptz not null default now(),
  counted_at timestamptz,
  primary key (instance_id, id),
  unique (instance_id, creditor_id, currency, number),
  unique (instance_id, creditor_id, currency, period_to),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  check (period_from <= period_to),
  check (collected_minor - fees_minor - vat_minor - corrections_minor = paid_out_minor),
  check ((status = 'COUNTING') = (counted_at is null))
);
create index settlement_counting on settlement (instance_id, id) where status = 'COUNTING';

-- Which entries of the books a settlement has taken up: each of them once. What comes later is in the next, whatever its day.
create table settlement_entry (
  instance_id uuid not null,
  transaction_id uuid not null,
  settlement_id uuid not null,
  primary key (instance_id, transaction_id),
  foreign key (instance_id, settlement_id) references settlement (instance_id, id)
);
create index settlement_entry_settlement on settlement_entry (instance_id, settlement_id);
create trigger settlement_entry_append_only before update or delete or truncate on settlement_entry
  for each statement execute function refuse_change();

-- What a settlement has besides the money that moved: that stands in the books.
create table settlement_line (
  instance_id uuid not null,
  settlement_id uuid not null,
  line integer not null,
  kind text not null check (kind in ('COMMISSION', 'COMMISSION_ON_DIRECT', 'PAYMENT_PRICE', 'CASE_PRICE', 'DEBTOR_FEE', 'VAT',
    'COURT_OUTLAY', 'CARRIED_IN', 'CARRIED_OUT')),
  day date not null,
  invoice_id uuid,
  claim_id uuid,
  -- What the amount is a part of, and which part in hundredths of a per cent; of a fee of debtors the rate of its VAT.
  base_minor bigint,
  rate_bp integer,
  -- Positive is taken off what is paid out.
  amount_minor bigint not null,
  primary key (instance_id, settlement_id, line),
  foreign key (instance_id, settlement_id) references settlement (instance_id, id)
);
create trigger settlement_line_append_only before update or delete or truncate on settlement_line
  for each statement execute function refuse_change();
create index settlement_line_invoice on settlement_line (instance_id, invoice_id) where invoice_id is not null;
create index settlement_line_claim on settlement_line (instance_id, claim_id) where claim_id is not null;

-- The last day on which all that had ended by then was settled.
create table settlement_run (
  instance_id uuid primary key references instance (id),
  day date not null
);

create index ledger_transaction_booked on ledger_transaction (instance_id, booked_on);

grant select, insert on settlement, settlement_entry, settlement_line, settlement_run to kvitt_app;
grant update (status, collected_minor, fees_minor, vat_minor, corrections_minor, paid_out_minor, counted_at) on settlement to kvitt_app;
grant update (day) on settlement_run to kvitt_app;

-- A settlement is what its entries and lines come to; its entries are of its creditor and currency; what is carried out of one is
-- carried into the next.
create view inv_i33_settlements_are_of_the_books as
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
  where not exists (select from settlement_entry e where e.instance_id = t.instance_id and e.transaction_id = t.id)
    and 1 < (select count(*) from settlement s where s.instance_id = a.instance_id and s.creditor_id = a.creditor_id
      and s.currency = a.currency and s.period_to >= t.booked_on and s.created_at > t.posted_at + interval '1 hour');
grant select on inv_i33_settlements_are_of_the_books to kvitt_app;
