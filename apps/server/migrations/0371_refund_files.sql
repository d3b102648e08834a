-- What is owed back by transfer, and what is sent back from suspense, leaves in files too: as payouts do, by two people and once.

-- The account that the money came from, as the bank tells it: what goes back may go there. Null where it does not say.
alter table bank_line add column payer_scheme text;
alter table bank_line add column payer_account text;
alter table bank_line add constraint bank_line_payer check ((payer_account is null) = (payer_scheme is null)
  and coalesce(payer_scheme = 'IBAN', true)) not valid;

alter table payout_file add column kind text not null default 'PAYOUT' check (kind in ('PAYOUT', 'REFUND'));

-- A row of a file is a settlement, or money that goes back: `about` is that of its money_out.
alter table payout alter column settlement_id drop not null;
alter table payout alter column account_id drop not null;
alter table payout add column about text;
-- The entry of the books that it left the debtor's credit with; null for what was nobody's.
alter table payout add column cause text;
alter table payout add column task_id uuid;
alter table payout add column scheme text;
alter table payout add column number text;
alter table payout add column bic text;
alter table payout add column receiver_name text;
alter table payout add constraint payout_is_one_of_two check (
  settlement_id is not null and account_id is not null and num_nonnulls(about, cause, task_id, scheme, number, receiver_name) = 0
  or settlement_id is null and account_id is null and num_nonnulls(about, task_id, scheme, number, receiver_name) = 5
    and (cause is not null) = (about like 'refund:%')) not valid;
alter table payout add foreign key (instance_id, task_id) references task (instance_id, id);
-- In one file at a time, until the bank has refused it or it has come back.
create unique index payout_of_refund on payout (instance_id, about) where about is not null and status not in ('REFUSED', 'RETURNED');

-- Which row of a file it leaves with: a line that names that row settles it, and no other line.
alter table money_out add column order_id uuid;
update money_out set order_id = substring(about from 8)::uuid where about like 'payout:%';
-- Whether a person has ordered it at the bank: only then a line of the same sum is it, and no file has it too. What is open today has been.
alter table money_out add column by_hand boolean not null default false;
update money_out set by_hand = true where order_id is null and line_id is null and returned_on is null;
alter table money_out add constraint money_out_by_hand check (not by_hand or order_id is null) not valid;
create index payout_of_task on payout (instance_id, task_id) where task_id is not null;
create index money_out_order on money_out (instance_id, order_id) where order_id is not null;
grant update (order_id, by_hand) on money_out to kvitt_app;
-- The bank may debit a file as one: then a line settles each of its rows.
alter table money_out drop constraint money_out_instance_id_line_id_key;
create index money_out_line on money_out (instance_id, line_id) where line_id is not null;
-- What the bank refused, or sent back, may leave once more.
create index money_out_of_all on money_out (instance_id, about);
alter table money_out drop constraint money_out_instance_id_about_key;
create unique index money_out_about on money_out (instance_id, about) where returned_on is null and back_line_id is null;

-- As before, of settlements alone.
create or replace view inv_i34_payouts_are_posted as
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
    from payout o join settlement s on s.instance_id = o.instance_id and s.id = o.settlement_id where o.status in ('REFUSED', 'RETURNED')
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
  left join payout o on o.instance_id = s.instance_id and o.settlement_id = s.id and o.status not in ('REFUSED', 'RETURNED')
  where s.status not in ('COUNTING', 'CARRIED', 'TO_APPROVE')
    and (case o.status when 'SENT' then 'SENT' when 'ACCEPTED' then 'SENT' when 'PAID' then 'PAID' end)
      is distinct from (case when s.status in ('SENT', 'PAID') then s.status end)
    or o.amount_minor <> s.paid_out_minor
    or s.status = 'REFUSED' and not exists (select from payout r where r.instance_id = s.instance_id and r.settlement_id = s.id)
  union all
  select o.instance_id, 'payout:' || o.id, 'bank' from payout o
  left join money_out m on m.instance_id = o.instance_id and m.about = 'payout:' || o.id
  where o.settlement_id is not null and (m.id is null or (o.status in ('PAID', 'RETURNED')) <> (m.line_id is not null or m.left_on is not null)
    or (o.status = 'REFUSED') <> (m.returned_on is not null)
    or (o.status = 'RETURNED') <> (m.back_line_id is not null) or m.amount_minor <> o.amount_minor);

-- Rows of refund files, the books and the bank agree: each is expected once with its sum, has left when it is paid, and what was refused
-- or sent back is the debtor's credit again.
create view inv_i48_refund_files_are_posted as
  select o.instance_id, o.id as order_id, 'bank' as violation
  from payout o
  join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
  left join money_out m on m.instance_id = o.instance_id and m.order_id = o.id
  where o.about is not null and (
    m.id is null and not (o.status = 'REFUSED' and o.cause is null)
    or m.amount_minor <> o.amount_minor or m.about <> o.about or m.currency <> f.currency
    or m.id is not null and (
      (o.status in ('PAID', 'RETURNED')) <> (m.line_id is not null or m.left_on is not null)
      or (o.status = 'REFUSED') <> (m.returned_on is not null) or (o.status = 'RETURNED') <> (m.back_line_id is not null)))
  union all
  select o.instance_id, o.id, 'posting'
  from payout o
  join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
  left join lateral (
    select coalesce(sum(p.amount_minor), 0) as minor from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'credit' and a.currency = f.currency
    where t.instance_id = o.instance_id and t.cause in (o.cause, 'refund-back:' || o.id)) b on true
  where o.cause is not null and b.minor <> case when o.status in ('REFUSED', 'RETURNED') then 0 else o.amount_minor end
  union all
  select f.instance_id, f.id, 'sum' from payout_file f
  join payout o on o.instance_id = f.instance_id and o.file_id = f.id
  where f.kind = 'REFUND' or o.about is not null
  group by f.instance_id, f.id, f.kind, f.amount_minor, f.payout_count
  having sum(o.amount_minor) <> f.amount_minor or count(*) <> f.payout_count or count(o.about) <> count(*) or f.kind <> 'REFUND';
grant select on inv_i48_refund_files_are_posted to kvitt_app;
