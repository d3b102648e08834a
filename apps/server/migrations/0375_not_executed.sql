-- A row of a file that never reached the bank, or was stopped there: two people say so, and its money is where it was. What the bank tells
-- of it later counts for more: then it is on its way once more.
alter table payout drop constraint payout_status_check;
alter table payout add constraint payout_status_check check (status in
  ('SENT', 'ACCEPTED', 'PAID', 'REFUSED', 'RETURNED', 'NOT_EXECUTED')) not valid;
alter table payout validate constraint payout_status_check;
-- Which proposal said so: once for each row.
alter table payout add column not_executed_by uuid;
alter table payout add foreign key (instance_id, not_executed_by) references proposal (instance_id, id);
-- The bank has told of it all the same.
alter table payout add column is_told_after boolean not null default false;
alter table payout add constraint payout_told_after check (not is_told_after or not_executed_by is not null and status <> 'NOT_EXECUTED');
alter table payout add constraint payout_not_executed check (status <> 'NOT_EXECUTED' or not_executed_by is not null);
grant update (not_executed_by, is_told_after) on payout to kvitt_app;
drop index payout_of_settlement;
create unique index payout_of_settlement on payout (instance_id, settlement_id) where status not in ('REFUSED', 'RETURNED', 'NOT_EXECUTED');
drop index payout_of_refund;
create unique index payout_of_refund on payout (instance_id, about)
  where about is not null and status not in ('REFUSED', 'RETURNED', 'NOT_EXECUTED');
create index payout_not_executed_of on payout (instance_id, file_id) where status = 'NOT_EXECUTED';

-- As before; what was not executed is back, and what the bank told of after that is out again.
create or replace view inv_i34_payouts_are_posted as
  with posted as (
    select t.instance_id, t.cause, a.creditor_id, a.currency, sum(p.amount_minor) as minor from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'held_for_creditor'
    where t.kind = 'PAYOUT' group by 1, 2, 3, 4
  ), paid as (
    select o.instance_id, o.id, s.creditor_id, s.currency, o.amount_minor as minor, o.is_told_after,
      o.status in ('REFUSED', 'RETURNED') as is_back, o.not_executed_by is not null as was_back
    from payout o join settlement s on s.instance_id = o.instance_id and s.id = o.settlement_id
  ), wanted as (
    select instance_id, 'payout:' || id as cause, creditor_id, currency, minor from paid
    union all
    select instance_id, 'payout-back:' || id, creditor_id, currency, -minor from paid where is_back or was_back
    union all
    select instance_id, 'payout-again:' || id, creditor_id, currency, minor from paid where is_told_after
    union all
    select instance_id, 'payout-back:' || id || ':again', creditor_id, currency, -minor from paid where is_told_after and is_back
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
  left join payout o on o.instance_id = s.instance_id and o.settlement_id = s.id and o.status not in ('REFUSED', 'RETURNED', 'NOT_EXECUTED')
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
      or (o.status in ('REFUSED', 'NOT_EXECUTED')) <> (m.returned_on is not null) or (o.status = 'RETURNED') <> (m.back_line_id is not null)))
  union all
  select o.instance_id, o.id, 'posting'
  from payout o
  join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
  left join lateral (
    select coalesce(sum(p.amount_minor), 0) as minor from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'credit' and a.currency = f.currency
    where t.instance_id = o.instance_id and t.cause in (o.cause, 'refund-back:' || o.id, 'refund-again:' || o.id,
      'refund-back:' || o.id || ':again')) b on true
  where o.cause is not null and b.minor <> case when o.status in ('REFUSED', 'RETURNED', 'NOT_EXECUTED') then 0 else o.amount_minor end
  union all
  select f.instance_id, f.id, 'sum' from payout_file f
  join payout o on o.instance_id = f.instance_id and o.file_id = f.id
  where f.kind = 'REFUND' or o.about is not null
  group by f.instance_id, f.id, f.kind, f.amount_minor, f.payout_count
  having sum(o.amount_minor) <> f.amount_minor or count(*) <> f.payout_count or count(o.about) <> count(*) or f.kind <> 'REFUND';

-- Nobody alone says that the bank has not executed a row of a file.
create view inv_i52_not_executed_by_two as
  select o.instance_id, o.id as payout_id from payout o
  join proposal x on x.instance_id = o.instance_id and x.id = o.not_executed_by
  where x.kind <> 'file_not_executed' or x.status <> 'APPROVED' or x.decided_by = x.proposed_by
    or x.about <> 'payout-file:' || o.file_id;
grant select on inv_i52_not_executed_by_two to kvitt_app;
