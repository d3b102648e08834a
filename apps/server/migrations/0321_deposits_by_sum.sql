-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- The lines from before.
update bank_line l set deposit_minor = d.minor
from (
  select s.instance_id, s.account_key, s.deposit_key,
    sum(case s.kind when 'PAYMENT' then s.amount_minor else -s.amount_minor end)::bigint as minor
  from bank_line s join bank_file f on f.instance_id = s.instance_id and f.id = s.file_id
  where f.format <> 'camt'
  group by 1, 2, 3) d
where l.instance_id = d.instance_id and l.account_key = d.account_key and l.deposit_key = d.deposit_key
  and l.deposit_minor is null;
-- A deposit by its sum: its first line stands for it.
create index concurrently if not exists bank_line_deposit_sum on bank_line
  (instance_id, account_id, currency, deposit_minor, bank_date, deposit_key)
  where deposit_line = 1 and deposit_minor is not null;
-- Sums that told of a whole deposit, whatever has become of them.
create index concurrently if not exists bank_line_sum_told on bank_line
  (instance_id, account_id, currency, amount_minor, bank_date, id)
  where kind = 'PAYMENT' and payment_references = '{}' and named_payment_id is null
    and status in ('SUSPENSE', 'BOOKED', 'SENT_BACK');
