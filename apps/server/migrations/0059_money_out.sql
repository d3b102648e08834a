-- Money that leaves a bank account: what was sent back or refunded by transfer is expected there, and told by the statement's own
-- line or by a person.

-- OUTGOING: the bank tells of money that left. SETTLED: it was expected.
alter table bank_line drop constraint bank_line_kind_check;
alter table bank_line add constraint bank_line_kind_check check (kind in ('PAYMENT', 'DEDUCTION', 'OUTGOING'));
alter table bank_line drop constraint bank_line_status_check;
alter table bank_line add constraint bank_line_status_check
  check (status in ('WAITING', 'BOOKED', 'KNOWN', 'SUSPENSE', 'REVERSED', 'SENT_BACK', 'REPEATED', 'SETTLED'));

create table money_out (
  instance_id uuid not null references instance (id),
  id uuid not null,
  -- What it is for: bank-line:{id} goes back, or refund:{about} of the task that asked for it.
  about text not null,
  -- The account that it leaves; null when that is not known.
  account_id uuid,
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  ordered_on date not null,
  -- The day on which a person said that it has left, and the line that told of it: one is enough.
  left_on date,
  line_id uuid,
  primary key (instance_id, id),
  unique (instance_id, about),
  unique (instance_id, line_id),
  foreign key (instance_id, account_id) references payment_account (instance_id, id),
  foreign key (instance_id, line_id) references bank_line (instance_id, id)
);
create index money_out_expected on money_out (instance_id, amount_minor) where line_id is null;
grant select, insert on money_out to kvitt_app;
grant update (left_on, line_id) on money_out to kvitt_app;

-- What a person was told to send back before this: it stands on BANK_RETURN still, and may have left or not.
insert into money_out (instance_id, id, about, account_id, amount_minor, currency, ordered_on)
  select instance_id, gen_random_uuid(), 'bank-line:' || id, account_id, amount_minor, currency, bank_date
  from bank_line where status = 'SENT_BACK' and holder is distinct from 'CREDITOR';

-- What was to leave and has not is what stands on BANK_RETURN.
create view inv_i27_money_out_is_expected as
  select coalesce(a.instance_id, m.instance_id) as instance_id, coalesce(a.currency, m.currency) as currency,
    a.minor as account_minor, m.minor as expected_minor
  from (
    select instance_id, currency, -sum(balance_minor) as minor from ledger_account
    where kind = 'clearing' and gateway = 'BANK_RETURN' group by 1, 2) a
  full join (
    select instance_id, currency, sum(amount_minor) as minor from money_out
    where line_id is null and left_on is null group by 1, 2) m
    on m.instance_id = a.instance_id and m.currency = a.currency
  where coalesce(a.minor, 0) <> coalesce(m.minor, 0);
grant select on inv_i27_money_out_is_expected to kvitt_app;
