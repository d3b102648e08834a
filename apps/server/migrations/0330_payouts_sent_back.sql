-- What a bank has paid can still come back: the bank that it went to sends it back, days later.
alter table payout drop constraint payout_status_check;
alter table payout add constraint payout_status_check check (status in ('SENT', 'ACCEPTED', 'PAID', 'REFUSED', 'RETURNED'));
alter table payout drop constraint payout_check;
alter table payout add constraint payout_reason_check check (reason is null or status in ('REFUSED', 'RETURNED'));
drop index payout_of_settlement;
create unique index payout_of_settlement on payout (instance_id, settlement_id) where status not in ('REFUSED', 'RETURNED');

-- The line of the statement that tells of it.
alter table money_out add column back_line_id uuid;
alter table money_out add constraint money_out_came_back check (back_line_id is null or line_id is not null or left_on is not null);
alter table money_out add foreign key (instance_id, back_line_id) references bank_line (instance_id, id);
create unique index money_out_back_line on money_out (instance_id, back_line_id) where back_line_id is not null;
grant update (back_line_id) on money_out to kvitt_app;

-- Payouts, settlements and postings agree: what is on its way or paid has left what is held, once and to the öre; what was refused
-- or sent back is held again; the operator's part has left with the first payout of its settlement; and each state of a settlement is that of its payout.
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
  where m.id is null or (o.status in ('PAID', 'RETURNED')) <> (m.line_id is not null or m.left_on is not null)
    or (o.status = 'REFUSED') <> (m.returned_on is not null)
    or (o.status = 'RETURNED') <> (m.back_line_id is not null) or m.amount_minor <> o.amount_minor;
