-- outside a transaction: the tables are large, and nobody waits for an index. All of it may run again.

-- What the bank says a line was ordered as.
create index concurrently if not exists bank_line_named on bank_line (instance_id, named_payment_id)
  where named_payment_id is not null;
-- Lines on a debt that no gateway has told of.
create index concurrently if not exists bank_line_of_debt on bank_line
  (instance_id, coalesce(invoice_id, claim_id), amount_minor, currency, bank_date, id)
  where status = 'BOOKED' and payment_id is null and kind = 'PAYMENT';
-- Money that left an account and that nobody expected.
create index concurrently if not exists bank_line_left on bank_line (instance_id, amount_minor, currency, bank_date, id)
  where kind = 'OUTGOING' and status = 'SUSPENSE';
-- Sums that wait for the payments that they are the sum of.
create index concurrently if not exists bank_line_sum on bank_line (instance_id, account_id, bank_date, id)
  where kind = 'PAYMENT' and status = 'SUSPENSE' and payment_references = '{}' and named_payment_id is null;
-- What a gateway has told of, by its day.
create index concurrently if not exists payment_told_on on payment (instance_id, gateway, execution_date)
  where status = 'COMPLETED' or arrived_on is not null;
-- They were for the questions that these answer now.
drop index concurrently if exists bank_line_unlinked;

-- The lines from before. Beside it the triggers keep what comes and changes.
insert into bank_line_key (instance_id, line_id, reference, account, kind, status, amount_minor, currency, bank_date)
select distinct l.instance_id, l.id, bare_reference(r), coalesce(l.account_id::text, l.account_key), l.kind, l.status,
  l.amount_minor, l.currency, l.bank_date
from bank_line l cross join unnest(l.payment_references) r where bare_reference(r) <> ''
on conflict do nothing;
create index concurrently if not exists bank_line_key_equal on bank_line_key
  (instance_id, reference, account, amount_minor, currency, kind, status, bank_date, line_id);
analyze bank_line_key;
