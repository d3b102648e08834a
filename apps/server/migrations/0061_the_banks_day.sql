-- Money has two days: when it enters the books (booked_on), and from when it counts (value_on): the day on which it was on
-- the account, as the bank or the gateway tells it.

alter table ledger_transaction add column value_on date check (value_on <= booked_on);
comment on column ledger_transaction.value_on is
  'of money that came: the day from which it counts; null when that is the day on which it was booked';

alter table bank_line add column value_date date;
comment on column bank_line.value_date is 'the value date, where the bank tells one beside its booking date';

-- Money that had come before interest was posted up to a later day: no day at all, but the posting may be taken back.
alter table late_days drop constraint late_days_check;
