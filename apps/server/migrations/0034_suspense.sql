-- Money in suspense is placed by a person: on a debt, or sent back to where it came from.

-- SENT_BACK: a person was told to return it through the bank. REVERSED also: it lay in suspense when the bank took it
-- back.
alter table bank_line drop constraint bank_line_status_check;
alter table bank_line add constraint bank_line_status_check
  check (status in ('WAITING', 'BOOKED', 'KNOWN', 'SUSPENSE', 'REVERSED', 'SENT_BACK'));
create index bank_line_in_suspense on bank_line (instance_id, bank_date) where status = 'SUSPENSE';

-- As before; what was placed has left suspense for the bank's account, from which it is booked like any other payment.
create or replace view inv_i19_bank_lines_are_booked_once as
  select l.instance_id, l.id as bank_line_id, l.status, l.amount_minor, sum(b.amount_minor) as booked_minor
  from bank_line l
  left join (
    select t.instance_id, t.cause, a.currency, sum(p.amount_minor) as amount_minor
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

-- What stands on the suspense account is the lines that wait for a person, and nothing else.
create view inv_i24_suspense_is_lines as
  select coalesce(a.instance_id, l.instance_id) as instance_id, coalesce(a.currency, l.currency) as currency,
    a.minor as account_minor, l.minor as lines_minor
  from (
    select instance_id, currency, -sum(balance_minor) as minor from ledger_account where kind = 'suspense' group by 1, 2) a
  full join (
    select instance_id, currency, sum(case kind when 'PAYMENT' then amount_minor else -amount_minor end) as minor
    from bank_line where status = 'SUSPENSE' group by 1, 2) l
    on l.instance_id = a.instance_id and l.currency = a.currency
  where coalesce(a.minor, 0) <> coalesce(l.minor, 0);
grant select on inv_i24_suspense_is_lines to kvitt_app;
