-- The bank has debited a row that two people had said was not executed, and what it paid had gone another way by then: it was paid twice.
-- Whoever got it owes it to the operator, and the operator owes it to client funds until then.
alter table payout drop constraint payout_status_check;
alter table payout add constraint payout_status_check check (status in
  ('SENT', 'ACCEPTED', 'PAID', 'REFUSED', 'RETURNED', 'NOT_EXECUTED', 'PAID_TWICE')) not valid;
alter table payout validate constraint payout_status_check;
alter table payout add constraint payout_paid_twice check (status <> 'PAID_TWICE' or not_executed_by is not null and not is_told_after) not valid;
alter table payout validate constraint payout_paid_twice;
drop index payout_of_settlement;
create unique index payout_of_settlement on payout (instance_id, settlement_id)
  where status not in ('REFUSED', 'RETURNED', 'NOT_EXECUTED', 'PAID_TWICE');
drop index payout_of_refund;
create unique index payout_of_refund on payout (instance_id, about)
  where about is not null and status not in ('REFUSED', 'RETURNED', 'NOT_EXECUTED', 'PAID_TWICE');

create table paid_twice (
  instance_id uuid not null,
  payout_id uuid not null,
  -- The debit, which may be of other rows of the file too.
  line_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  said_on date not null,
  proposal_id uuid not null,
  primary key (instance_id, payout_id),
  foreign key (instance_id, payout_id) references payout (instance_id, id),
  foreign key (instance_id, line_id) references bank_line (instance_id, id),
  foreign key (instance_id, proposal_id) references proposal (instance_id, id) deferrable initially deferred
);
create index paid_twice_of_line on paid_twice (instance_id, line_id);
create index paid_twice_of_proposal on paid_twice (instance_id, proposal_id);
create trigger paid_twice_append_only before update or delete or truncate on paid_twice
  for each statement execute function refuse_change();
grant select, insert on paid_twice to kvitt_app;

-- Money that has come back of what was paid twice.
alter table bank_entry drop constraint bank_entry_kind_check;
alter table bank_entry add constraint bank_entry_kind_check
  check (kind in ('FEE', 'INTEREST', 'ADVANCE', 'FEES_DRAWN', 'PAID_BACK')) not valid;
alter table bank_entry validate constraint bank_entry_kind_check;
alter table bank_entry add column payout_id uuid;
alter table bank_entry add foreign key (instance_id, payout_id) references paid_twice (instance_id, payout_id);
alter table bank_entry add constraint bank_entry_paid_back check ((kind = 'PAID_BACK') = (payout_id is not null)) not valid;
alter table bank_entry validate constraint bank_entry_paid_back;
create index bank_entry_of_payout on bank_entry (instance_id, payout_id) where payout_id is not null;

-- How a round is named in the causes of the books: what came back in it, and what began it after the first (round-names.ts has the same).
create function back_in_round(id uuid, round int) returns text language sql immutable as $$
  select id || case round when 1 then '' when 2 then ':again' else ':again:' || round end $$;
create function again_in_round(id uuid, round int) returns text language sql immutable as $$
  select id || case round when 2 then '' else ':' || round end $$;

-- As before (0378), with what was paid twice.
create or replace view inv_i34_payouts_are_posted as
  with posted as (
    select t.instance_id, t.cause, a.creditor_id, a.currency, sum(p.amount_minor) as minor from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'held_for_creditor'
    where t.kind = 'PAYOUT' group by 1, 2, 3, 4
  ), paid as (
    select o.instance_id, o.id, s.creditor_id, s.currency, o.amount_minor as minor, o.round,
      (o.status in ('REFUSED', 'RETURNED', 'NOT_EXECUTED', 'PAID_TWICE'))::int as is_back
    from payout o join settlement s on s.instance_id = o.instance_id and s.id = o.settlement_id
  ), wanted as (
    select instance_id, 'payout:' || id as cause, creditor_id, currency, minor from paid
    union all
    select instance_id, 'payout-back:' || back_in_round(id, n), creditor_id, currency, -minor
    from paid cross join generate_series(1, round - 1 + is_back) n
    union all
    select instance_id, 'payout-again:' || again_in_round(id, n), creditor_id, currency, minor
    from paid cross join generate_series(2, round) n
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
  left join payout o on o.instance_id = s.instance_id and o.settlement_id = s.id
    and o.status not in ('REFUSED', 'RETURNED', 'NOT_EXECUTED', 'PAID_TWICE')
  where s.status not in ('COUNTING', 'CARRIED', 'TO_APPROVE')
    and (case o.status when 'SENT' then 'SENT' when 'ACCEPTED' then 'SENT' when 'PAID' then 'PAID' end)
      is distinct from (case when s.status in ('SENT', 'PAID') then s.status end)
    or o.amount_minor <> s.paid_out_minor
    or s.status = 'REFUSED' and not exists (select from payout r where r.instance_id = s.instance_id and r.settlement_id = s.id)
  union all
  select o.instance_id, 'payout:' || o.id, 'bank' from payout o
  left join lateral (select * from money_out x where x.instance_id = o.instance_id and x.about = 'payout:' || o.id
    order by x.id desc limit 1) m on true
  where o.settlement_id is not null and (m.id is null or (o.status in ('PAID', 'RETURNED')) <> (m.line_id is not null or m.left_on is not null)
    or (o.status in ('REFUSED', 'NOT_EXECUTED', 'PAID_TWICE')) <> (m.returned_on is not null)
    or (o.status = 'RETURNED') <> (m.back_line_id is not null) or m.amount_minor <> o.amount_minor);

create or replace view inv_i48_refund_files_are_posted as
  select o.instance_id, o.id as order_id, 'bank' as violation
  from payout o
  join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
  left join lateral (select * from money_out x where x.instance_id = o.instance_id and x.order_id = o.id order by x.id desc limit 1) m on true
  where o.about is not null and (
    m.id is null and not (o.status in ('REFUSED', 'NOT_EXECUTED', 'PAID_TWICE') and o.cause is null)
    or m.amount_minor <> o.amount_minor or m.about <> o.about or m.currency <> f.currency
    or m.id is not null and (
      (o.status in ('PAID', 'RETURNED')) <> (m.line_id is not null or m.left_on is not null)
      or (o.status in ('REFUSED', 'NOT_EXECUTED', 'PAID_TWICE')) <> (m.returned_on is not null)
      or (o.status = 'RETURNED') <> (m.back_line_id is not null)))
  union all
  select o.instance_id, o.id, 'posting'
  from payout o
  join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
  left join lateral (
    select coalesce(sum(p.amount_minor), 0) as minor from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'credit' and a.currency = f.currency
    where t.instance_id = o.instance_id and t.cause in (
      select o.cause
      union all select 'refund-back:' || back_in_round(o.id, n)
        from generate_series(1, o.round) n
      union all select 'refund-again:' || again_in_round(o.id, n) from generate_series(2, o.round) n)) b on true
  where o.cause is not null
    and b.minor <> case when o.status in ('REFUSED', 'RETURNED', 'NOT_EXECUTED', 'PAID_TWICE') then 0 else o.amount_minor end
  union all
  select f.instance_id, f.id, 'sum' from payout_file f
  join payout o on o.instance_id = f.instance_id and o.file_id = f.id
  where f.kind = 'REFUND' or o.about is not null
  group by f.instance_id, f.id, f.kind, f.amount_minor, f.payout_count
  having sum(o.amount_minor) <> f.amount_minor or count(*) <> f.payout_count or count(o.about) <> count(*) or f.kind <> 'REFUND';

-- As before (0370), with what has come back of what was paid twice.
create or replace view inv_i50_only_fees_are_drawn as
  select a.instance_id, a.currency::text as about, 'drawn above fees' as violation from ledger_account a
  where a.kind = 'clearing' and a.gateway = 'OPERATOR_FEES' and a.balance_minor > 0
  union all
  select e.instance_id, 'bank-line:' || e.line_id, 'entry' from bank_entry e
  join bank_line l on l.instance_id = e.instance_id and l.id = e.line_id
  left join ledger_transaction t on t.instance_id = e.instance_id and t.cause = 'explained:bank-line:' || e.line_id
  left join (
    select p.instance_id, p.transaction_id, a.kind, a.gateway, a.creditor_id, a.currency, p.amount_minor from posting p
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind <> 'suspense') o
    on o.instance_id = t.instance_id and o.transaction_id = t.id
  where l.status <> 'SETTLED' or l.amount_minor <> e.amount_minor or l.currency <> e.currency or o.currency is distinct from e.currency
    or o.amount_minor is distinct from (case l.kind when 'PAYMENT' then -e.amount_minor else e.amount_minor end)
    or case e.kind when 'FEE' then 'BANK_FEES' when 'INTEREST' then 'BANK_INTEREST' when 'FEES_DRAWN' then 'OPERATOR_FEES'
      when 'PAID_BACK' then 'PAID_TWICE' end is distinct from o.gateway
    or e.creditor_id is distinct from o.creditor_id;

-- As before (0378): what was paid twice had been said to be not executed too.
create or replace view inv_i52_not_executed_by_two as
  select r.instance_id, r.payout_id from payout_round r
  join payout o on o.instance_id = r.instance_id and o.id = r.payout_id
  join proposal x on x.instance_id = r.instance_id and x.id = r.proposal_id
  where x.kind <> 'file_not_executed' or x.status <> 'APPROVED' or x.decided_by is null or x.decided_by = x.proposed_by
    or x.about <> 'payout-file:' || o.file_id or r.round > o.round
    or (x.before -> 'payouts' @> jsonb_build_array(jsonb_build_object('id', o.id::text))) is not true
  union all
  select r.instance_id, r.payout_id from payout_round r group by r.instance_id, r.payout_id, r.proposal_id having count(*) > 1
  union all
  select o.instance_id, o.id from payout o
  where (o.round > 1 or o.not_executed_by is not null) and (
    (select count(*) from payout_round r where r.instance_id = o.instance_id and r.payout_id = o.id and r.round < o.round) <> o.round - 1
    or o.not_executed_by is distinct from (select r.proposal_id from payout_round r
      where r.instance_id = o.instance_id and r.payout_id = o.id order by r.round desc limit 1)
    or (o.status in ('NOT_EXECUTED', 'PAID_TWICE') or o.round > 1 and not o.is_told_after) and not exists (
      select from payout_round r where r.instance_id = o.instance_id and r.payout_id = o.id and r.round = o.round));

-- Two people said what was paid twice, the proposal names the row, its sum stands on an account of its own until it has come back, and a
-- task asks for it until then. The debit is of it and of rows of the same file that have left with it, and of nothing else.
create view inv_i53_paid_twice_is_owed_back as
  select w.instance_id, 'payout:' || w.payout_id as about, 'row' as violation from paid_twice w
  join payout o on o.instance_id = w.instance_id and o.id = w.payout_id
  join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
  join bank_line l on l.instance_id = w.instance_id and l.id = w.line_id
  where o.status <> 'PAID_TWICE' or o.amount_minor <> w.amount_minor or f.currency <> w.currency or l.currency <> w.currency
    or l.kind <> 'OUTGOING' or l.status <> 'SETTLED'
    or l.amount_minor <> (select sum(x.amount_minor) from paid_twice x where x.instance_id = w.instance_id and x.line_id = w.line_id)
      + coalesce((select sum(m.amount_minor) from money_out m where m.instance_id = w.instance_id and m.line_id = w.line_id), 0)
  union all
  select o.instance_id, 'payout:' || o.id, 'no row' from payout o where o.status = 'PAID_TWICE'
    and not exists (select from paid_twice w where w.instance_id = o.instance_id and w.payout_id = o.id)
  union all
  select w.instance_id, 'payout:' || w.payout_id, 'by one' from paid_twice w
  join proposal x on x.instance_id = w.instance_id and x.id = w.proposal_id
  where x.kind <> 'paid_twice' or x.status <> 'APPROVED' or x.decided_by is null or x.decided_by = x.proposed_by
    or x.about <> 'bank-line:' || w.line_id
    or (x.before -> 'twice' @> jsonb_build_array(jsonb_build_object('id', w.payout_id::text))) is not true
  union all
  select coalesce(a.instance_id, c.instance_id), coalesce(a.currency, c.currency), 'balance'
  from (select instance_id, currency::text, sum(balance_minor) as minor from ledger_account
    where kind = 'clearing' and gateway = 'PAID_TWICE' group by 1, 2) a
  full join (
    select instance_id, currency::text, sum(minor) as minor from (
      select instance_id, currency, amount_minor as minor from paid_twice
      union all select instance_id, currency, -amount_minor from bank_entry where kind = 'PAID_BACK') x group by 1, 2) c
    on c.instance_id = a.instance_id and c.currency = a.currency
  where coalesce(a.minor, 0) <> coalesce(c.minor, 0)
  union all
  select w.instance_id, 'payout:' || w.payout_id, case when b.minor > w.amount_minor then 'too much back' else 'nobody is asked' end
  from paid_twice w
  cross join lateral (select coalesce(sum(e.amount_minor), 0) as minor from bank_entry e
    where e.instance_id = w.instance_id and e.payout_id = w.payout_id) b
  where b.minor > w.amount_minor or b.minor < w.amount_minor and not exists (select from task t
    where t.instance_id = w.instance_id and t.kind = 'paid_twice' and t.about = 'payout:' || w.payout_id and t.done_at is null);
grant select on inv_i53_paid_twice_is_owed_back to kvitt_app;
