-- Money counts from the day on which it was on the account. What was charged for days or steps that it took the ground from
-- is taken back by an entry of its own, which names the charge.

alter table ledger_transaction add column restates_id uuid,
  add foreign key (instance_id, restates_id) references ledger_transaction (instance_id, id);
comment on column ledger_transaction.restates_id is
  'the charge that this entry takes back, wholly or in part, because money had come before it';
create index ledger_transaction_restates on ledger_transaction (instance_id, restates_id) where restates_id is not null;

-- What a payment did to the principal is known anew when another one is told of that had come before it.
grant update (principal_minor) on late_days to kvitt_app;

-- No charge is taken back by more than it was.
create view inv_i27_restated_at_most_once as
  select c.instance_id, c.id as transaction_id, c.minor, r.minor as restated_minor
  from (select r.instance_id, r.restates_id, sum(p.amount_minor) as minor
    from ledger_transaction r
    join posting p on p.instance_id = r.instance_id and p.transaction_id = r.id and p.amount_minor > 0
    where r.restates_id is not null group by 1, 2) r
  join lateral (select t.instance_id, t.id, sum(p.amount_minor) as minor
    from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id and p.amount_minor > 0
    where t.instance_id = r.instance_id and t.id = r.restates_id group by 1, 2) c on true
  where r.minor > c.minor;
grant select on inv_i27_restated_at_most_once to kvitt_app;

-- As before (0043); or all of the fee was taken back because money had come before it, and then its letter was dropped.
create or replace view inv_i16_fees_have_steps as
  select t.instance_id, t.id as transaction_id, t.kind
  from ledger_transaction t
  where t.kind in ('REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE', 'COURT_FEE')
    and not exists (
      select from collection_step s where s.instance_id = t.instance_id and s.debt_id = coalesce(t.claim_id, t.invoice_id)
        and t.cause = 'step:' || s.id and s.status = 'PERFORMED')
    and not exists (
      select from ledger_transaction r where r.instance_id = t.instance_id
        and (r.restates_id = t.id
          or r.cause in ('unsent:' || substr(t.cause, length('step:') + 1), 'credited:' || t.cause)));
