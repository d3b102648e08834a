-- A row of a file is said to be not executed once in each round: it was ordered, or the bank has told of it after people had said so before.
alter table payout add column round smallint not null default 1;
update payout set round = 2 where is_told_after;
alter table payout add constraint payout_round_counts check (round >= 1 and (round > 1 or not is_told_after)) not valid;
alter table payout validate constraint payout_round_counts;
grant update (round) on payout to kvitt_app;
-- What an act would book is shown without a proposal that is written for it: the reference is looked at when the transaction ends.
alter table payout alter constraint payout_instance_id_not_executed_by_fkey deferrable initially deferred;

create table payout_round (
  instance_id uuid not null,
  payout_id uuid not null,
  round smallint not null check (round >= 1),
  proposal_id uuid not null,
  primary key (instance_id, payout_id, round),
  foreign key (instance_id, payout_id) references payout (instance_id, id),
  foreign key (instance_id, proposal_id) references proposal (instance_id, id) deferrable initially deferred
);
create index payout_round_of_proposal on payout_round (instance_id, proposal_id);
create trigger payout_round_append_only before update or delete or truncate on payout_round
  for each statement execute function refuse_change();
grant select, insert on payout_round to kvitt_app;

-- As before (0375), by rounds.
create or replace view inv_i34_payouts_are_posted as
  with posted as (
    select t.instance_id, t.cause, a.creditor_id, a.currency, sum(p.amount_minor) as minor from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'held_for_creditor'
    where t.kind = 'PAYOUT' group by 1, 2, 3, 4
  ), paid as (
    select o.instance_id, o.id, s.creditor_id, s.currency, o.amount_minor as minor, o.round,
      (o.status in ('REFUSED', 'RETURNED', 'NOT_EXECUTED'))::int as is_back
    from payout o join settlement s on s.instance_id = o.instance_id and s.id = o.settlement_id
  ), wanted as (
    select instance_id, 'payout:' || id as cause, creditor_id, currency, minor from paid
    union all
    select instance_id, 'payout-back:' || id || case n when 1 then '' when 2 then ':again' else ':again:' || n end, creditor_id, currency, -minor
    from paid cross join generate_series(1, round - 1 + is_back) n
    union all
    select instance_id, 'payout-again:' || id || case n when 2 then '' else ':' || n end, creditor_id, currency, minor
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
    and o.status not in ('REFUSED', 'RETURNED', 'NOT_EXECUTED')
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
    or (o.status in ('REFUSED', 'NOT_EXECUTED')) <> (m.returned_on is not null)
    or (o.status = 'RETURNED') <> (m.back_line_id is not null) or m.amount_minor <> o.amount_minor);

create or replace view inv_i48_refund_files_are_posted as
  select o.instance_id, o.id as order_id, 'bank' as violation
  from payout o
  join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
  left join lateral (select * from money_out x where x.instance_id = o.instance_id and x.order_id = o.id order by x.id desc limit 1) m on true
  where o.about is not null and (
    m.id is null and not (o.status in ('REFUSED', 'NOT_EXECUTED') and o.cause is null)
    or m.amount_minor <> o.amount_minor or m.about <> o.about or m.currency <> f.currency
    or m.id is not null and (
      (o.status in ('PAID', 'RETURNED')) <> (m.line_id is not null or m.left_on is not null)
      or (o.status in ('REFUSED', 'NOT_EXECUTED')) <> (m.returned_on is not null)
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
      union all select 'refund-back:' || o.id || case n when 1 then '' when 2 then ':again' else ':again:' || n end
        from generate_series(1, o.round) n
      union all select 'refund-again:' || o.id || case n when 2 then '' else ':' || n end from generate_series(2, o.round) n)) b on true
  where o.cause is not null
    and b.minor <> case when o.status in ('REFUSED', 'RETURNED', 'NOT_EXECUTED') then 0 else o.amount_minor end
  union all
  select f.instance_id, f.id, 'sum' from payout_file f
  join payout o on o.instance_id = f.instance_id and o.file_id = f.id
  where f.kind = 'REFUND' or o.about is not null
  group by f.instance_id, f.id, f.kind, f.amount_minor, f.payout_count
  having sum(o.amount_minor) <> f.amount_minor or count(*) <> f.payout_count or count(o.about) <> count(*) or f.kind <> 'REFUND';

-- Nobody alone says that the bank has not executed a row of a file, each round is said once, by the proposal that names the row, and no
-- round begins that was not said before.
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
    or (o.status in ('NOT_EXECUTED') or o.round > 1 and not o.is_told_after) and not exists (
      select from payout_round r where r.instance_id = o.instance_id and r.payout_id = o.id and r.round = o.round));

-- Last: with references that are looked at when the transaction ends, nothing else can be done to the table.
insert into payout_round (instance_id, payout_id, round, proposal_id)
  select instance_id, id, 1, not_executed_by from payout where not_executed_by is not null;
