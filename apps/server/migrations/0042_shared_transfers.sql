-- A transfer may pay several documents: its first share is called as before, the others payment:{line}:2 and so on.

create or replace view inv_i19_bank_lines_are_booked_once as
  select l.instance_id, l.id as bank_line_id, l.status, l.amount_minor, sum(b.amount_minor) as booked_minor
  from bank_line l
  left join (
    select t.instance_id, regexp_replace(t.cause, '^((reversal:)?payment:[^:]+):[0-9]+$', '\1') as cause, a.currency,
      sum(p.amount_minor) as amount_minor
    from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
    where a.kind = 'clearing' and a.gateway = 'BANK_FILE'
    group by 1, 2, 3) b
    on b.instance_id = l.instance_id and b.currency = l.currency and b.cause in ('payment:' || l.id,
      'bank-line:' || l.id, 'placed:bank-line:' || l.id, 'reversal:payment:' || l.reverses_id)
  group by l.instance_id, l.id, l.status, l.kind, l.amount_minor
  having coalesce(sum(b.amount_minor), 0) <>
    case when l.status = 'WAITING' then 0 when l.kind = 'PAYMENT' then l.amount_minor else -l.amount_minor end;

-- A reversal in a camt file may have the name of the entry that it reverses: its lines are kept under a name of their own.
update bank_line set deposit_key = deposit_key || ':reversal' where kind = 'DEDUCTION' and deposit_key like 'camt:%';
